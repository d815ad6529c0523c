"""`python -m textsimp.cli` is the command too."""

from textsimp.cli.app import main

main()
