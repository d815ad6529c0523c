"""The command `textsimp`: one module per group of commands, put together in `app`."""

from textsimp.cli.app import app, main

__all__ = ["app", "main"]
