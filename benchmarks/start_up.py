"""How long the command takes to answer, beside Python itself and Typer.

    python -m benchmarks.start_up [--runs N]

Each line is the median of N processes of their own. Work starts where the files have been read and the system is made:
`align` of the example includes both, and the writing of 9 links.
"""

import argparse
import statistics
import subprocess
import sys
import tempfile
import time
from pathlib import Path

EXAMPLE = Path(__file__).resolve().parent.parent / "docs" / "example"
COMMAND = ("-m", "textsimp.cli")


def main() -> None:
    """Print a table of seconds, and of how many times Python's own start each is."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--runs", type=int, default=5)
    runs = parser.parse_args().runs
    texts = [str(EXAMPLE / f"{side}.txt") for side in ("complex", "simple")]
    with tempfile.TemporaryDirectory() as folder:
        output = str(Path(folder, "out.tsv"))
        timed = {
            "python -c pass": ("-c", "pass"),
            "import typer": ("-c", "import typer"),
            "textsimp --help": (*COMMAND, "--help"),
            "textsimp align --help": (*COMMAND, "align", "--help"),
            "an absent file": (*COMMAND, "align", "absent.jsonl", output),
            "a plain text as pairs": (*COMMAND, "align", texts[0], output),
            "align two texts": (*COMMAND, "align", *texts, output),
        }
        base = 0.0
        for name, arguments in timed.items():
            seconds = statistics.median(_seconds(arguments) for _ in range(runs))
            base = base or seconds
            print(f"{name:<24}{seconds:7.2f} s{seconds / base:8.1f}")


def _seconds(arguments: tuple[str, ...]) -> float:
    start = time.perf_counter()
    subprocess.run([sys.executable, *arguments], capture_output=True, check=False)
    return time.perf_counter() - start


if __name__ == "__main__":
    main()
