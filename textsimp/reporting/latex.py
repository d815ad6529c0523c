"""Tables as LaTeX: reports/results.tex compiles as it is, and each table can be pasted into a paper.

A table needs the packages booktabs and graphicx; pdfLaTeX, XeLaTeX and LuaLaTeX read it.
"""

from collections.abc import Sequence

from textsimp.reporting.table import Cell, Row, Table

_PREAMBLE = r"""% Every table of the report. To paste one, take its lines from \begin{table*} to \end{table*};
% it needs \usepackage{booktabs,graphicx}.
\documentclass[a4paper,10pt]{article}
\usepackage[T1]{fontenc}
\usepackage[margin=1.5cm]{geometry}
\usepackage{booktabs,graphicx}
"""
_SPECIAL = {
    **{character: f"\\{character}" for character in "&%$#_{}"},
    "\\": r"\textbackslash{}",
    "~": r"\textasciitilde{}",
    "^": r"\textasciicircum{}",
    "<": r"\textless{}",
    ">": r"\textgreater{}",
    "|": r"\textbar{}",
    '"': r"\textquotedbl{}",
    "`": r"\textasciigrave{}",
    "[": "{[}",  # an optional argument where it follows \\ or \midrule
    "]": "{]}",
    "–": "--",
    "—": "---",
    "−": "$-$",
    "≥": r"$\geq$",
    "≤": r"$\leq$",
    "×": r"$\times$",
    "→": r"$\rightarrow$",
    "Δ": r"$\Delta$",
    "†": r"\textdagger{}",
    "‡": r"\textdaggerdbl{}",
    "…": r"\ldots{}",
}


def latex_document(title: str, sections: Sequence[tuple[str, Sequence[Table]]]) -> str:
    """A whole document: the tables under their sections."""
    parts = [_PREAMBLE, f"\\title{{{escape(title)}}}\n\\date{{}}\n\\begin{{document}}\n\\maketitle\n"]
    for heading, tables in sections:
        if tables:
            parts.append(f"\\section*{{{escape(heading)}}}\n")
            # a float does not wait for others: LaTeX keeps only so many
            parts += [f"{to_latex(table)}\\clearpage\n" for table in tables]
    return "\n".join([*parts, "\\end{document}\n"])


def to_latex(table: Table) -> str:
    """The table as a `table*` float: grouped headers, intervals below their numbers, the footnotes below."""
    layout = "".join("r" if column.numeric else "l" for column in table.columns)
    lines = [f"\\begin{{table*}}[htp]\n\\caption{{{escape(f'{table.title}. {table.lead} {table.text}')}}}"]
    lines += [f"\\label{{tab:{table.key}}}\n\\centering", _RESIZE, f"\\begin{{tabular}}{{{layout}}}\n\\toprule"]
    if len(table.groups) > 1:
        lines += _group_lines(table)
    lines += [" & ".join(_header(table, index) for index in range(len(table.columns))) + r" \\", r"\midrule"]
    for index, row in enumerate(table.rows):
        lines += _row_lines(row, len(table.columns), index == 0)
    lines += ["\\bottomrule\n\\end{tabular}}}"]
    notes = (f"\\par\\textsuperscript{{{index}}} {escape(note)}" for index, note in enumerate(table.footnotes, 1))
    if table.footnotes:
        lines += ["\\par\\smallskip\\begin{minipage}{\\textwidth}\\footnotesize", *notes, "\\end{minipage}"]
    return "\n".join([*lines, "\\end{table*}\n"])


_RESIZE = (
    r"\resizebox*{!}{\ifdim\totalheight>.8\textheight .8\textheight\else\totalheight\fi}{%"
    "\n"
    r"\resizebox{\ifdim\width>\textwidth\textwidth\else\width\fi}{!}{%"
)
"""Tables wider than the page are shrunk to it, then those that are still too high; others stay."""


def escape(text: str) -> str:
    """Text that LaTeX prints as it is, in one line; characters without a name stay, for engines that read Unicode."""
    return "".join(_SPECIAL.get(character, character) for character in " ".join(text.split()))


def _group_lines(table: Table) -> list[str]:
    """The groups over their columns, each with a rule below."""
    cells, rules, first = [], [], 1
    for name, width in table.groups:
        cells.append(f"\\multicolumn{{{width}}}{{c}}{{{escape(name)}}}" if width > 1 or name else "")
        if name:
            rules.append(f"\\cmidrule(lr){{{first}-{first + width - 1}}}")
        first += width
    return [" & ".join(cells) + r" \\", "".join(rules)]


def _header(table: Table, index: int) -> str:
    column = table.columns[index]
    mark = f"\\textsuperscript{{{table.number(column)}}}" if column.note else ""
    return escape(column.header) + mark


def _row_lines(row: Row, width: int, is_first: bool) -> list[str]:
    lines = [r"\midrule"] if row.starts_block and not is_first else []
    if row.heading:
        lines.append(f"\\multicolumn{{{width}}}{{l}}{{\\textit{{{escape(row.heading)}}}}} \\\\")
    return [*lines, " & ".join(map(_cell, row.cells)) + r" \\"]


def _cell(cell: Cell) -> str:
    text = f"\\textbf{{{escape(cell.text)}}}" if cell.best else escape(cell.text)
    if not cell.interval:
        return text
    # below the number: beside it a table with intervals would be twice as wide
    return f"\\shortstack[r]{{{text}\\\\{{\\tiny {escape(cell.interval_text)}}}}}"
