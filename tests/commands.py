"""The command `textsimp` in the process of the tests."""

from typer.testing import CliRunner, Result

from textsimp.cli.app import app


def run(*arguments: object, text: str | bytes | None = None) -> Result:
    """What the command does with these arguments, and `text` as its standard input."""
    result = CliRunner().invoke(app, list(map(str, arguments)), input=text)
    assert result.exception is None or isinstance(result.exception, SystemExit), result.exception
    return result


def done(*arguments: object, text: str | bytes | None = None) -> Result:
    """The same, where it has to succeed."""
    result = run(*arguments, text=text)
    assert result.exit_code == 0, result.output
    return result


def refused(result: Result, *said: str) -> None:
    """Check that the command refused its input: status 2 and one line that says this, and nothing else printed."""
    assert (result.exit_code, result.stdout) == (2, ""), result.output
    line = result.stderr
    assert line.startswith("error: ") and line.count("\n") == 1 and all(part in line for part in said), line
