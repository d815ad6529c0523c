"""The command `textsimp` (F3): one module a group of commands, put together in `app`."""

from textsimp.cli.app import app, main

__all__ = ["app", "main"]
