"""The simplifier that travels with the package, for texts of a user who has nothing to train on.

`python tools/ship_simplifier.py` makes it from public releases; `textsimp simplify` takes it where no other is named.
"""
