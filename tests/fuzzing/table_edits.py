"""Mutations of tables and of line-aligned text: rows, columns and cells."""

from random import Random

from fuzzing.byte_edits import lines
from fuzzing.hostile import NUMBERS, TEXTS


def edit_rows(draw: Random, data: bytes) -> bytes:
    """Rows that are left out, doubled, moved, joined, cut or blank."""
    rows = lines(data)
    if not rows:
        return b"\n"
    place, other = draw.randrange(len(rows)), draw.randrange(len(rows))
    row = rows[place]
    kind = draw.choice(
        ["drop", "drop last", "double", "shuffle", "blank", "join", "exchange", "copy", "no end", "spaces"]
    )
    if kind == "drop":
        del rows[place]
    elif kind == "drop last":
        del rows[-1]
    elif kind == "double":
        rows.insert(other, row)
    elif kind == "shuffle":
        draw.shuffle(rows)
    elif kind == "blank":
        rows.insert(place, draw.choice([b"\n", b" \n", b"\t\n", b"\r\n"]))
    elif kind == "join":
        rows[place] = row.removesuffix(b"\n")
    elif kind == "exchange":
        rows[place], rows[other] = rows[other], rows[place]
    elif kind == "copy":
        rows[other] = row
    elif kind == "no end":
        rows[-1] = rows[-1].removesuffix(b"\n")
    else:
        rows[place] = b"  " + row.removesuffix(b"\n") + b" \t\n"
    return b"".join(rows)


def edit_cells(draw: Random, data: bytes, delimiter: bytes) -> bytes:
    """Cells of one row, or of a column, that are left out, doubled, exchanged, quoted or hostile."""
    rows = [row.removesuffix(b"\n").split(delimiter) for row in lines(data)] or [[b""]]
    chosen = draw.choice([[draw.randrange(len(rows))], [0], [len(rows) - 1], range(len(rows))])
    column, other = (draw.randrange(max(1, max(map(len, rows)))) for _ in range(2))
    kind = draw.choice(["drop", "double", "exchange", "number", "text", "quote", "empty", "number", "text"])
    value = draw.choice(NUMBERS if kind == "number" else TEXTS).encode("utf-8", "surrogatepass")
    for cells in (rows[index] for index in chosen):
        if column >= len(cells) or other >= len(cells):
            continue
        if kind == "drop":
            del cells[column]
        elif kind == "double":
            cells.insert(other, cells[column])
        elif kind == "exchange":
            cells[column], cells[other] = cells[other], cells[column]
        elif kind == "quote":
            cells[column] = b'"' + cells[column]
        elif kind == "empty":
            cells[column] = b""
        else:
            cells[column] = value
    return b"".join(delimiter.join(cells) + b"\n" for cells in rows)


def edit_markup(draw: Random, data: bytes) -> bytes:
    """Elements of XML that are left out, doubled, renamed, nested; entities; attributes without a value."""
    text = data.decode("utf-8", "replace")
    marks = [place for place, sign in enumerate(text) if sign == "<"]
    if not marks:
        return data[::-1]
    start = draw.choice(marks)
    end = text.find(">", start) + 1 or len(text)
    tag = text[start:end]
    laughs = '<!DOCTYPE z [<!ENTITY a "lol">' + "".join(
        f'<!ENTITY {name} "{f"&{before};" * 10}">' for before, name in zip("abcdefgh", "bcdefghi", strict=True)
    )
    external = '<!DOCTYPE z [<!ENTITY i SYSTEM "file:///etc/passwd">'
    new = draw.choice(
        [
            *(
                "",
                tag * 2,
                tag.upper(),
                tag.replace("<", "<x"),
                tag.replace(">", "/>"),
                tag.replace('="', "="),
                f"<!--{tag}",
            ),
            *(
                f"<![CDATA[{tag}",
                f"&undefined;{tag}",
                f"&#0;{tag}",
                f"&#xD800;{tag}",
                f"{tag}&lt",
                "<a>" * 20_000 + tag,
            ),
            *(f"{tag}<b>x</b>", tag.replace(" ", ' x="1" x="1" ', 1), tag.replace(">", f' y="{"y" * 50_000}">', 1)),
        ]
    )
    if draw.random() < 0.1:
        body = text[:start] + "&i;" + text[start:]
        return (draw.choice([laughs, external]) + "]>" + body).encode("utf-8", "replace")
    return (text[:start] + new + text[end:]).encode("utf-8", "replace")
