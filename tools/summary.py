"""The end of `make repro`: where the report is, and its main table.

    python tools/summary.py REPORTS
"""

import sys
from pathlib import Path

from textsimp.core.errors import exit_on_bad_input
from textsimp.reporting.markdown import first_table


@exit_on_bad_input
def main() -> None:
    """Print the main table of the folder that the command line names."""
    reports = Path(sys.argv[1])
    results = reports / "results.md"
    print(f"\n{first_table(results)}\nAll tables: {results}\nWith figures and examples: {reports / 'index.html'}")


if __name__ == "__main__":
    main()
