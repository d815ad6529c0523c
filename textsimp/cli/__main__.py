"""Runs the command `textsimp` as `python -m textsimp.cli`."""

from textsimp.cli.app import main

main()
