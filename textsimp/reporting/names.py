"""Printed names, and what Jiang et al. 2020 print beside a corpus; alignment systems name themselves in conf/."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

GOLD_SUFFIX = "_gold_paragraphs"
"""Of the name of a two-step system that is given the gold paragraphs."""
TASKS = {"task1": "Task 1", "task2": "Task 2"}
SHORT = {"task1": "T1", "task2": "T2"}
PARTS = {"precision": "P", "recall": "R", "f1": "F1"}
CURVE = {"max_f1": "MaxF1", "area": "AUC"}
SIMPLIFIERS = {
    "transformer_bert": "Transformer_bert", "transformer_rand": "Transformer_rand", "lstm": "LSTM",
    "editnts": "EditNTS",
    "phrase_based": "Moses-like PBSMT", "paraphrase": "SBMT (PPDB + SARI), flat",
    "light_ls": "LIGHT-LS", "rerank": "Rerank", "causal_lm": "Language model", "prompted": "Prompted model",
}  # fmt: skip
NAMES = {
    "identity": "Complex (input)", "reference": "Simple (reference)", "merged": "OneStopQA, merged",
    "original": "OneStopEnglish, original", "documents": "aligned documents", "pairs": "training pairs",
    "manual": "manual", "auto": "new (auto)", "new": "new (auto)", "trained": "as trained",
    "newsela": "Algorithm 2 (Newsela), tuned", "wikipedia": "Algorithm 4 (Wikipedia), tuned", "turk": "TURK",
    "asset": "ASSET", "coster_kauchak": "Coster and Kauchak", "generated": "generated (miniature)",
    "neural_crf_paper_gold_paragraphs": "Neural CRF aligner, as in the paper, gold paragraphs",
    "old_equal": "old, as many", "auto_equal": "new, as many", "all": "new and old, filtered", "none": "–",
}  # fmt: skip
ORIGINS = {
    "sample": "invented texts, aligned by hand", "generated": "a miniature that a grammar made",
    "licensed": "real texts, under a licence", "released": "real texts",
}  # fmt: skip
ABOUT = {
    "generated": "A miniature: sentences of a grammar about an invented world, on which models learn in minutes; what "
    "they reach on it says nothing about real text."
}
"""What has to be said of a corpus wherever it is shown."""
VARIANTS = {
    "sari": "SARI per sentence", "sari_del_f1": "SARI per sentence, deletion by F1", "sari_corpus": "corpus SARI",
    "sari_corpus_del_precision": "corpus SARI, deletion by precision", "sari_corpus_legacy": "corpus SARI, cased",
    "sari_evaluate": "SARI per sentence, Hugging Face's evaluate", "bleu": "BLEU",
}  # fmt: skip


@dataclass(frozen=True)
class Paper:
    """The part of Jiang et al. 2020 beside a corpus: names, files of data/published, and how they call its sets there.

    `statistics` and `seq2seq` are corpora of Tables 1 and 4, key and name by our training set; `test_sets` and
    `train_sets` are those of Table 5 or 8.
    """

    manual_corpus: str = ""
    alignment: str = ""
    simplification: str = ""
    table: str = ""
    statistics: Mapping[str, tuple[str, str]] = field(default_factory=dict)
    seq2seq: Mapping[str, tuple[str, str]] = field(default_factory=dict)
    test_sets: Mapping[str, tuple[str, str]] = field(default_factory=dict)
    train_sets: Mapping[str, tuple[str, str]] = field(default_factory=dict)

    def test_set(self, name: str) -> tuple[str, str]:
        """Return key and name of the printed test set beside ours; empty where there is none."""
        return self.test_sets.get(name, ("", ""))

    def train_set(self, name: str) -> str:
        """Return the key of the printed training set beside ours; empty where there is none."""
        return "none" if self.table and name == "none" else self.train_sets.get(name, ("", ""))[0]


_NEWSELA = {"auto": ("newsela_auto", "Newsela-Auto"), "old": ("newsela_old", "Newsela, old")}
_WIKI = {"auto": ("wiki_auto", "Wiki-Auto"), "old": ("wikilarge", "WikiLarge")}
PAPERS = {
    "": Paper(),
    "newsela": Paper(
        "Newsela-Manual", "alignment_newsela_manual.csv", "simplification_newsela.csv", "Table 5",
        statistics={"manual": ("newsela_manual", "Newsela-Manual"), **_NEWSELA},
        # Table 4 leaves out three combinations of levels
        seq2seq={**_NEWSELA, "auto": ("newsela_auto (seq2seq)", "Newsela-Auto, seq2seq")},
        test_sets=_NEWSELA, train_sets={"new": _NEWSELA["auto"], "old": _NEWSELA["old"]},
    ),
    "wiki": Paper(
        "Wiki-Manual", "alignment_wiki_manual.csv", "simplification_turk.csv", "Table 8",
        statistics={"manual": ("wiki_manual", "Wiki-Manual"), **_WIKI}, seq2seq=_WIKI,
        test_sets=dict.fromkeys(("multi_reference", "turk"), ("turk", "TURK")),
        train_sets={"new": _WIKI["auto"], "old": _WIKI["old"]},
    ),
}  # fmt: skip
"""By kind of corpus (`printed_beside` of its configuration)."""


@dataclass(frozen=True)
class Labels:
    """Printed names of everything that has a key; those of alignment systems are section `labels` of params.yaml.

    Attributes:
        alignment_systems: key -> label, family, source and the names that papers print for it.
    """

    alignment_systems: dict[str, dict[str, Any]]

    def label(self, key: str) -> str:
        """Return the printed name of a corpus, test set, training set or system; the key where it has none."""
        if key in NAMES:
            return NAMES[key]
        return self.of_aligner(key, "label") or SIMPLIFIERS.get(key, SIMPLIFIERS.get(key.rpartition(".")[0], key))

    def of_aligner(self, key: str, what: str, kind: str = "") -> str:
        """Return what is printed for an alignment system, such as its `family`, or its name in a paper (`jiang2020`).

        `kind` is that of the corpus, for which a paper may have another name.
        """
        if what == "jiang2020" and key == f"neural_crf_paper{GOLD_SUFFIX}":
            return "Neural CRF aligner + gold ParaAlign"
        system = self.alignment_systems.get(key.removesuffix(GOLD_SUFFIX), {})
        return str(system.get(f"{what}_{kind}") or system.get(what) or "")
