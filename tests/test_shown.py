"""README's rows of the main table."""

from pathlib import Path

from tools.shown import claims

TABLE = """# Results

**Lead.**

| Corpus | Claim | Printed | Ours | By how much | Seeds | Verdict |
| --- | --- | --- | --- | --- | --- | --- |
| news (Table 2) | Task 1 F1: CRF aligner > best | 95.6 > 89.9 | 93.8 > 90.1 (CATS) | +4‡ | 5 of 5 (+2 to +4) | holds |
| dev (Table 3) | F1: BERT finetune > other | 88.6 > 83.0 | 91.0 > 85.0 | +6 | 5 of 5 (+1 to +7) | holds |
| mini | SARI: new > old | – | 82.9 > 76.4 | +6.5‡ | – | holds |

| System | CRF aligner > x |
| --- | --- |
"""


def test_readme_has_the_crf_aligners_rows_in_words(tmp_path: Path) -> None:
    (tmp_path / "results.md").write_text(TABLE, encoding="utf-8")
    rows = claims(tmp_path / "results.md").splitlines()
    assert rows[0] == "| Table | F1 in the paper | F1 here, mean of 5 seeds | Does the order hold? |"
    assert rows[2:] == ["| Table 2, Task 1 (here: news) | 95.6 against 89.9 | 93.8 against 90.1 (CATS) | yes |"]
    (tmp_path / "results.md").write_text(TABLE.replace("5 of 5 (", "– ("), encoding="utf-8")
    assert "| F1 here |" in claims(tmp_path / "results.md").splitlines()[0]
