"""README's rows of the main table."""

from pathlib import Path

from tools.shown import claims

TABLE = """# Results

**Lead.**

| Corpus | Claim | Printed | Ours | By how much | Seeds | Verdict |
| --- | --- | --- | --- | --- | --- | --- |
| news (Table 2) | F1: CRF aligner > best other | 95.6 > 89.9 | 93.8 > 90.1 (CATS) | +4‡ | 5 of 5 (+2 to +4) | holds |
| dev (Table 3) | F1: BERT finetune > other | 88.6 > 83.0 | 91.0 > 85.0 | +6 | 5 of 5 (+1 to +7) | holds |
| mini | SARI: new > old | – | 82.9 > 76.4 | +6.5‡ | – | holds |

| System | CRF aligner > x |
| --- | --- |
"""


def test_readme_has_the_crf_aligners_rows_with_the_spread_over_seeds(tmp_path: Path) -> None:
    (tmp_path / "results.md").write_text(TABLE, encoding="utf-8")
    rows = claims(tmp_path / "results.md").splitlines()
    assert rows[0] == "| Corpus | Claim | Printed | Ours: mean of 5 seeds | Verdict |"
    assert rows[2:] == [
        "| news (Table 2) | F1: CRF aligner > best other | 95.6 > 89.9 | 93.8 > 90.1 (CATS), by +2 to +4 | holds |"
    ]
    one_run = TABLE.replace("5 of 5 (+2 to +4)", "–").replace("5 of 5 (+1 to +7)", "–")
    (tmp_path / "results.md").write_text(one_run, encoding="utf-8")
    assert claims(tmp_path / "results.md").splitlines()[0] == "| Corpus | Claim | Printed | Ours | Verdict |"
