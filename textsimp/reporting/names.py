"""Our names for corpora and simplifiers, and the names that Jiang et al. 2020 print for them."""

PAPER = "Jiang et al. 2020"
COSTER = "Coster and Kauchak 2011"

SIMPLIFIERS = {
    "transformer_bert": "Transformer_bert",
    "transformer_rand": "Transformer_rand",
    "lstm": "LSTM",
    "editnts": "EditNTS",
}

MANUAL_CORPUS = {"newsela": "Newsela-Manual", "wiki": "Wiki-Manual"}
CORPUS_COLUMNS = {
    "newsela": {"manual": "newsela_manual", "auto": "newsela_auto", "old": "newsela_old"},
    "wiki": {"manual": "wiki_manual", "auto": "wiki_auto", "old": "wikilarge"},
}
"""The corpora of tables 1, 4, 5 and 8 that stand beside our manual, new and old ones."""

SEQ2SEQ_COLUMNS = {**CORPUS_COLUMNS["newsela"], "auto": "newsela_auto (seq2seq)"}
"""Table 4 counts Newsela-Auto without three combinations of levels."""

TEST_SETS = {
    ("newsela", "auto"): "newsela_auto",
    ("newsela", "old"): "newsela_old",
    ("wiki", "multi_reference"): "turk",
    ("wiki", "turk"): "turk",
}
"""The test sets of tables 5 and 8 that stand beside ours."""

PRINTED = {
    "newsela_manual": "Newsela-Manual",
    "newsela_auto": "Newsela-Auto",
    "newsela_auto (seq2seq)": "Newsela-Auto, seq2seq",
    "newsela_old": "Newsela, old",
    "wiki_manual": "Wiki-Manual",
    "wiki_auto": "Wiki-Auto",
    "wikilarge": "WikiLarge",
    "turk": "TURK",
    "none": "–",
}
"""How the names of the published tables' CSV files are written."""

TRAINING_SETS = {"none": "–", "auto": "new (auto)", "old": "old"}


def simplifier_label(system: str) -> str:
    """The name to print for one of our simplifiers."""
    return SIMPLIFIERS.get(system, system)
