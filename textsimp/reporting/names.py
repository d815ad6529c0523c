"""Our names for systems and corpora, and the names that Jiang et al. 2020 print for them."""

PAPER = "Jiang et al. 2020"
CRF = "neural_crf"
VITERBI = "neural_crf_viterbi"
"""The same model as `CRF`, decoded as in the paper (equation 5), whatever `aligner.crf.decoding` says."""
ORACLE = "neural_crf_gold_paraalign"
"""Uses the gold paragraph alignment, and is therefore compared with nobody."""

ALIGNMENT_SYSTEMS = {
    "jaccard": "Jaccard",
    "tfidf": "TF-IDF",
    "lr": "LR",
    "jaccard_align": "JaccardAlign",
    "massalign": "MASSAlign",
    "cats": "CATS",
    "infersent": "InferSent",
    "esim": "ESIM",
    "bertscore": "BERTScore",
    "bert_embedding": "BERT embedding",
    "bert_finetune": "BERT finetune",
    "bert_finetune_paraalign": "BERT finetune + ParaAlign",
    VITERBI: "Neural CRF aligner, Viterbi",
    CRF: "Neural CRF aligner",
    ORACLE: "Neural CRF aligner + gold ParaAlign",
}
"""As in tables 2 and 3."""

_WIKI_SYSTEMS = {
    "bert_finetune": "BERT finetune (Wiki-Manual)",
    "bert_finetune_paraalign": "BERT finetune (Wiki-Manual) + ParaAlign",
    CRF: "Neural CRF aligner (Wiki-Manual)",
}
"""Tables 12 and 13 say what the trained systems are trained on."""

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


def alignment_label(system: str) -> str:
    """The name to print for one of our alignment systems."""
    return ALIGNMENT_SYSTEMS.get(system, system)


def published_alignment(system: str, kind: str) -> str:
    """The name of a system in the published alignment tables of a kind of corpus."""
    label = alignment_label(system)
    return _WIKI_SYSTEMS.get(system, label) if kind == "wiki" else label


def simplifier_label(system: str) -> str:
    """The name to print for one of our simplifiers."""
    return SIMPLIFIERS.get(system, system)
