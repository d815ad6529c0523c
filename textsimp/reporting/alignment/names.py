"""Alignment systems: the families that they belong to, and the names that the papers print for them."""

from collections.abc import Collection, Iterable

STAJNER = "Stajner et al. 2017"
KAJIWARA = "Kajiwara and Komachi 2016"

CRF = "neural_crf"
VITERBI = "neural_crf_viterbi"
"""The same model as `CRF`, decoded as in the paper (equation 5), whatever `aligner.crf.decoding` says."""
ONE_CHAIN = "neural_crf_one_chain"
"""As `VITERBI`, over the whole documents: no paragraph alignment."""
PRECISE = "neural_crf_precise"
"""As `CRF`, with a threshold that makes it as precise as `ONE_CHAIN` on dev."""
ENCODER_EMISSION = "neural_crf_paper_emission"
"""As `CRF`, with the encoder alone in the emission (section 2.2)."""
ENSEMBLE_EMISSION = "neural_crf_ensemble"
"""As `CRF`, with lexical and sentence features in the emission: where the aligner's own is the paper's."""
ORACLE = "neural_crf_gold_paraalign"
"""As `CRF`, with the gold paragraph alignment, and therefore compared with nobody."""
GOLD_SUFFIX = "_gold_paragraphs"
"""Of the name of a two-step system that is given the gold paragraphs."""
BERT = "bert_finetune"

_JIANG = {
    "jaccard": "Jaccard",
    "tfidf": "TF-IDF",
    "lr": "LR",
    "jaccard_align": "JaccardAlign",
    "massalign": "MASSAlign",
    "cats_c3g": "CATS",
    "infersent": "InferSent",
    "esim": "ESIM",
    "bertscore": "BERTScore",
    "bert_embedding": "BERT embedding",
    BERT: "BERT finetune",
    "bert_finetune_paraalign": "BERT finetune + ParaAlign",
    CRF: "Neural CRF aligner",
    ORACLE: "Neural CRF aligner + gold ParaAlign",
}
"""Jiang et al. 2020, tables 2 and 3."""

_JIANG_WIKI = {
    BERT: "BERT finetune (Wiki-Manual)",
    "bert_finetune_paraalign": "BERT finetune (Wiki-Manual) + ParaAlign",
    CRF: "Neural CRF aligner (Wiki-Manual)",
}
"""Tables 12 and 13 say what the trained systems are trained on."""

_STAJNER = {
    f"cats_{similarity}{strategy}{steps}": f"{similarity.upper()}{mark}{steps.replace('_', '-')}"
    for similarity in ("c3g", "cwasa", "wavg")
    for strategy, mark in (("", ""), ("_lis", "*"))
    for steps in ("", "_2s")
} | {"hmm": "HMM"}
"""Stajner et al. 2017, table 2."""

_KAJIWARA = {
    "zhu": "Zhu et al. 2010",
    "coster_kauchak": "Coster and Kauchak 2011",
    "hwang": "Hwang et al. 2015",
    "additive": "Additive embeddings",
    "average_alignment": "Average alignment",
    "maximum_alignment": "Maximum alignment",
    "hungarian_alignment": "Hungarian alignment",
    "wmd": "Word Mover's Distance",
}
"""Kajiwara and Komachi 2016, table 1."""

FAMILIES = {
    "Lexical similarity and threshold": ("jaccard", "tfidf", "lr", "zhu"),
    "Lexical aligners": ("jaccard_align", "massalign", "hmm", "coster_kauchak"),
    "CATS, direct": tuple(name for name in _STAJNER if name.startswith("cats_") and not name.endswith("_2s")),
    "CATS, two-step": tuple(name for name in _STAJNER if name.endswith("_2s")),
    "Word vectors": ("hwang", "additive", "average_alignment", "maximum_alignment", "hungarian_alignment", "wmd"),
    "Neural pair models and sentence embeddings": ("infersent", "esim", "bertscore", "bert_embedding", "embedding_dp"),
    "BERT finetune and neural CRF": (BERT, "bert_finetune_paraalign", CRF),
}
"""Alignment systems that belong together."""
OTHER_FAMILY = "Other systems"
LEXICAL = frozenset((*FAMILIES["Lexical similarity and threshold"], *FAMILIES["Lexical aligners"])) | {
    name for name in _STAJNER if name.startswith("cats_c3g")
}
"""Systems that compare words or letters, without vectors or training on more than a few features."""


def family(system: str) -> str:
    """The family of an alignment system; variants of the neural CRF belong to it, unknown systems to `OTHER_FAMILY`."""
    base = CRF if is_crf(system) else system.removesuffix(GOLD_SUFFIX)
    return next((name for name, systems in FAMILIES.items() if base in systems), OTHER_FAMILY)


def by_family(systems: Iterable[str]) -> dict[str, list[str]]:
    """The systems of each family, both in the order in which they come."""
    found: dict[str, list[str]] = {}
    for system in systems:
        found.setdefault(family(system), []).append(system)
    return found


def is_crf(system: str) -> bool:
    """Whether a system is the neural CRF aligner or one of its variants."""
    return system == CRF or system.startswith(f"{CRF}_")


def emission_pair(systems: Collection[str]) -> tuple[str, str] | None:
    """The CRF with the encoder alone in its emission, and the one with more; None where only one of them is there."""
    pairs = ((ENCODER_EMISSION, CRF), (CRF, ENSEMBLE_EMISSION))
    return next((pair for pair in pairs if set(pair) <= set(systems)), None)


def with_own_paragraphs(system: str) -> str:
    """The system that a system with gold paragraphs comes from."""
    return CRF if system == ORACLE else system.removesuffix(GOLD_SUFFIX)


def published_alignment(system: str, kind: str) -> str | None:
    """The name of a system in the tables of Jiang et al. 2020 about a kind of corpus; None where they have it not."""
    return (_JIANG | _JIANG_WIKI if kind == "wiki" else _JIANG).get(system)


def published_elsewhere(source: str) -> dict[str, str]:
    """Our systems that another paper compares, and the names that it prints for them."""
    return {STAJNER: _STAJNER, KAJIWARA: _KAJIWARA}[source]
