"""The end of `make repro`: where the report is, and its main table.

python tools/summary.py REPORTS
"""

import re
import sys
from pathlib import Path

from textsimp.core.errors import bad_input, exit_on_bad_input
from textsimp.core.reading import read_text


def first_table(path: Path) -> str:
    """The first table of a Markdown file; `InputError` where there is none."""
    match = re.search(r"(?:^\|.*\n)+", read_text(path), re.MULTILINE)
    if not match:
        raise bad_input(path, None, "holds no table", "run the stage report again")
    return match.group()


@exit_on_bad_input
def main() -> None:
    """Print the main table of the folder that the command line names."""
    reports = Path(sys.argv[1])
    results = reports / "results.md"
    print(f"\n{first_table(results)}\nAll tables: {results}\nWith figures and examples: {reports / 'index.html'}")


if __name__ == "__main__":
    main()
