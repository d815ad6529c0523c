"""`python -m fuzzing N --seed SEED`: N mutated inputs, a table of what became of them; exit status 1 on any fault."""

import argparse
import secrets
import sys
import time
from collections import Counter

from fuzzing.cases import BAD
from fuzzing.worker import Report, reports

_SHOWN = ("no line", "other line", "not taken")


def main() -> None:
    """Run the cases and print the table."""
    parser = argparse.ArgumentParser(prog="python -m fuzzing", description=__doc__)
    parser.add_argument("number", type=int, nargs="?", default=1000, help="how many cases")
    parser.add_argument("--seed", default=None, help="by default a new one, which is printed")
    parser.add_argument("--case", type=int, default=None, help="do this case alone, and show what it says")
    parser.add_argument("--only", default="", help="targets whose command begins so")
    parser.add_argument("--show", default="", help="also list cases of this verdict, such as accepted")
    args = parser.parse_args()
    seed = args.seed or str(secrets.randbelow(1 << 30))
    numbers = [args.case] if args.case is not None else list(range(args.number))
    begun, rows = time.monotonic(), []
    for report in reports(seed, numbers, args.only):
        rows.append(report)
        if report.verdict in (*BAD, *_SHOWN, args.show) or args.case is not None:
            print(_line(report), flush=True)
    print("\n".join(table(rows)))
    print(f"{len(rows)} cases, seed {seed}, {time.monotonic() - begun:.0f} s")
    sys.exit(any(report.verdict in BAD for report in rows))


def table(rows: list[Report]) -> list[str]:
    """Commands by verdicts, and kinds of mutation by verdicts."""
    verdicts = [
        name for name in ("accepted", "refused", "usage", *_SHOWN, *BAD) if any(row.verdict == name for row in rows)
    ]
    lines = [_row("", verdicts)]
    for key in ("command", "kind"):
        for name in sorted({getattr(row, key) for row in rows}):
            counts = Counter(row.verdict for row in rows if getattr(row, key) == name)
            lines.append(_row(name, [str(counts[verdict] or "-") for verdict in verdicts]))
        lines.append("")
    counts = Counter(row.verdict for row in rows)
    return [*lines, _row("all", [str(counts[verdict]) for verdict in verdicts])]


def _row(name: str, cells: list[str]) -> str:
    return f"{name:28}" + "".join(f"{cell:>14}" for cell in cells)


def _line(report: Report) -> str:
    where = f"{report.command}, {report.kind} {report.edit}, {report.path}"
    where += f" ({report.arguments})" if report.kind in ("options", "output") else ""
    return f"{report.verdict}: case {report.number}, {where}: {report.detail[:400]}"


if __name__ == "__main__":
    main()
