"""Mutations of a file's bytes, for any kind of file."""

from collections.abc import Callable
from random import Random

from fuzzing.hostile import NUMBERS, TEXTS

ByteEdit = Callable[[Random, bytes], bytes]


def _place(draw: Random, data: bytes) -> int:
    return draw.randrange(len(data) + 1)


def _span(draw: Random, data: bytes, longest: int = 64) -> tuple[int, int]:
    start = _place(draw, data)
    return start, min(len(data), start + draw.randint(1, longest))


def flip_bit(draw: Random, data: bytes) -> bytes:
    """One bit the other way round."""
    changed = bytearray(data or b"\0")
    changed[draw.randrange(len(changed))] ^= 1 << draw.randrange(8)
    return bytes(changed)


def set_bytes(draw: Random, data: bytes) -> bytes:
    """Random bytes over others."""
    start, end = _span(draw, data, 8)
    return data[:start] + draw.randbytes(end - start or 1) + data[end:]


def delete_span(draw: Random, data: bytes) -> bytes:
    """A few bytes less."""
    start, end = _span(draw, data)
    return data[:start] + data[end:]


def delete_half(draw: Random, data: bytes) -> bytes:
    """A long piece less, as a broken transfer leaves it."""
    start, end = _span(draw, data, max(1, len(data) // 2))
    return data[:start] + data[end:]


def insert_bytes(draw: Random, data: bytes) -> bytes:
    """Random bytes between others."""
    place = _place(draw, data)
    return data[:place] + draw.randbytes(draw.randint(1, 16)) + data[place:]


def insert_special(draw: Random, data: bytes) -> bytes:
    """A byte or sequence that decoders and parsers stumble over."""
    place = _place(draw, data)
    specials = [
        *(b"\0", b"\xef\xbb\xbf", b"\xff", b"\xc3", b"\xed\xa0\x80", b"\xf4\x90\x80\x80", b"\xc0\x80", b"\x1a"),
        *(
            b"\r",
            b"\r\n",
            b"\n",
            b"\n\n",
            "\u2028".encode(),
            b"\x0b",
            b"\x0c",
            b"\x85",
            b"\t",
            b"'",
            b'"',
            b"\\",
            b"<",
            b"&",
        ),
        *(b"{", b"}", b"[", b"]", b",", b":", b"=", b";", b"#", b"--", b"%", b"\x1b[31m"),
    ]
    return data[:place] + draw.choice(specials) + data[place:]


def duplicate_span(draw: Random, data: bytes) -> bytes:
    """A piece twice."""
    start, end = _span(draw, data, 400)
    return data[:end] + data[start:end] + data[end:]


def swap_spans(draw: Random, data: bytes) -> bytes:
    """Two pieces in each other's place."""
    one, two = sorted((_span(draw, data), _span(draw, data)))
    if one[1] > two[0]:
        return data[::-1]
    return data[: one[0]] + data[two[0] : two[1]] + data[one[1] : two[0]] + data[one[0] : one[1]] + data[two[1] :]


def truncate(draw: Random, data: bytes) -> bytes:
    """The beginning alone."""
    return data[: _place(draw, data)]


def truncate_at_line(draw: Random, data: bytes) -> bytes:
    """Whole lines from the beginning alone."""
    ends = [place + 1 for place, byte in enumerate(data) if byte == 10] or [0]
    return data[: draw.choice(ends)]


def behead(draw: Random, data: bytes) -> bytes:
    """The end alone."""
    return data[_place(draw, data) :]


def splice_itself(draw: Random, data: bytes) -> bytes:
    """The beginning of the file before another part of it."""
    return data[: _place(draw, data)] + data[_place(draw, data) :]


def twice(draw: Random, data: bytes) -> bytes:
    """The file two times."""
    return data + data


def garbage_behind(draw: Random, data: bytes) -> bytes:
    """Random bytes behind the end."""
    return data + draw.randbytes(draw.randint(1, 300))


def carriage_returns(draw: Random, data: bytes) -> bytes:
    """Line ends of other systems, everywhere or here and there."""
    end = draw.choice([b"\r", b"\r\n", b"\n\r", "\u2028".encode(), b"\x0b", b"\x85"])
    share = draw.choice([1.0, 0.3])
    return b"".join(line[:-1] + end if line.endswith(b"\n") and draw.random() < share else line for line in lines(data))


def other_encoding(draw: Random, data: bytes) -> bytes:
    """The text in another encoding."""
    encoding = draw.choice(["utf-16", "utf-16-le", "utf-32", "utf-7", "cp037"])
    text = data.decode("utf-8", "replace")
    return text.encode(encoding, "replace")


def emptied(draw: Random, data: bytes) -> bytes:
    """Nothing, or nothing that can be seen."""
    return draw.choice(
        [b"", b"\n", b" ", b"\n\n\n", b"\t", b" \r\n ", b"\xef\xbb\xbf", b"\0", b"\0" * 4096, b"\xff\xfe"]
    )


def long_line(draw: Random, data: bytes) -> bytes:
    """A very long line somewhere."""
    place = _place(draw, data)
    piece = draw.choice(
        [b"a", b"word ", b"[", b"9", b"(", b"<a>", b'"', b"a.", b". ", "\u00e4".encode(), b"{{", b"A. "]
    )
    return data[:place] + piece * draw.choice([1000, 20_000, 200_000]) + data[place:]


def many_lines(draw: Random, data: bytes) -> bytes:
    """One line very often."""
    every = lines(data) or [b"\n"]
    place = draw.randrange(len(every))
    return b"".join(every[:place]) + every[place] * draw.choice([20, 300, 3000]) + b"".join(every[place:])


def number_in_text(draw: Random, data: bytes) -> bytes:
    """A number of the text replaced by a hostile one."""
    spans = _runs(data, b"0123456789")
    if not spans:
        return flip_bit(draw, data)
    start, end = draw.choice(spans)
    return data[:start] + draw.choice(NUMBERS).encode() + data[end:]


def word_in_text(draw: Random, data: bytes) -> bytes:
    """A word of the text replaced by a hostile one."""
    spans = _runs(data, b"abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ_")
    if not spans:
        return insert_special(draw, data)
    start, end = draw.choice(spans)
    return data[:start] + draw.choice(TEXTS).encode("utf-8", "surrogatepass") + data[end:]


def lines(data: bytes) -> list[bytes]:
    """The lines with their ends, at LF only."""
    parts = data.split(b"\n")
    return [part + b"\n" for part in parts[:-1]] + [part for part in parts[-1:] if part]


def _runs(data: bytes, members: bytes) -> list[tuple[int, int]]:
    spans, start = [], None
    for place, byte in enumerate(data[:200_000] + b"\0"):
        if byte in members:
            start = place if start is None else start
        elif start is not None:
            spans.append((start, place))
            start = None
    return spans


LOCAL: tuple[ByteEdit, ...] = (flip_bit, set_bytes, delete_span, insert_bytes, insert_special)
"""Their fault is where they changed the file."""
WIDE: tuple[ByteEdit, ...] = (
    *(delete_half, duplicate_span, swap_spans, truncate, truncate_at_line, behead, splice_itself, twice),
    *(garbage_behind, carriage_returns, other_encoding, emptied, long_line, many_lines, number_in_text, word_in_text),
)
