"""Values that break careless programs: numbers, texts and names."""

NUMBERS = (
    *("0", "-1", "1", "-0.0", "0.5", "2147483648", "9223372036854775808", "-9223372036854775809", "1e400", "-1e400"),
    *("1" + "0" * 5000, "1e-400", "NaN", "Infinity", "-Infinity", "true", "false", "null", "1.0", "0x10", "1_000"),
    *("007", "+1", "1e3", "1e19", "\u0663", "\u00b2", "1,5", "--1", ""),
)
"""As they are written in a file; some are no numbers."""
TEXTS = (
    *("", " ", "\t", "\n", "a\nb", "a\rb", "a\tb", "a\u2028b", "a\x0bb", "a\x85b", "\ufeff", "a\ufeffb", "\x1b[31mred"),
    *(
        "\u202eabc",
        "\u200b",
        "e\u0301",
        "\U0001f600",
        "\ud800",
        "a\udfffb",
        "\x00",
        "a\x00b",
        "\ufffd",
        "\x7f",
        "'",
        '"',
    ),
    *("<script>alert(1)</script>", "</textarea>", "{{ 7 * 7 }}", "=1+1", "../../etc/passwd", "/etc/passwd", ".", ".."),
    *("-", "--help", "%s%n", "${oc.env:HOME}", "???", "~", "nan", "0", "1", "true", "null", "aligned", "partial"),
    *("x" * 5000, "a " * 3000, "a" * 100_000, "\u00e4" * 300, "I" * 40 + "\u0130", "/" * 300),
)
"""Lone surrogates can be written in JSON alone."""
NAMES = (
    *("with space", "with\nline break", "with\ttab", "'quoted'", '"quoted"', "ümläut", "e\u0301", "a" * 250, "a.b.c"),
    *("b\udcff", "*", "?[a-z]", "$(id)", "%20", "#", "a;b", "a&b", "~", "...", "a\\b", "\u202eabc", "COM1", "\x1b[31m"),
    *("a=b", "a:1", "a,b", "{a}", "-dash", "--option", "\U0001f600"),
)
"""Of files: valid on Linux; `b\\udcff` is a byte that is not UTF-8."""
DEPTHS = (50, 990, 5000, 100_000)
