"""Translation with paraphrases and LIGHT-LS on TURK's test set, beside the released outputs of the papers' own systems.

Run from the repository's root, some minutes on one core:

    python -m benchmarks.lexical --mirror FOLDER --work FOLDER --results FOLDER [--rules FILE] [--vectors FILE]

Without `--rules`, paraphrase rules are the synonym pairs of PPDB that the mirror has; without `--vectors`, LIGHT-LS
takes the input embeddings of the packaged encoder, retrofitted to the same pairs. Language model and frequencies are of
the old corpora of Wikipedia (experiment `public`), without sentences of TURK; LIGHT-LS has its authors' frequencies.
Weights are tuned on TURK's tuning part. Written: SARI as in the papers, and as in EASSE, with intervals and differences
to the unchanged input; copies; and, in the work folder, changed sentences that are to be read.
"""

import argparse
from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path

from experiments.coster_kauchak import PairOfTexts, other_pairs, train_in
from experiments.recipes_translation import NONE, add_scores, markdown_table
from textsimp.core.errors import exit_on_bad_input
from textsimp.core.params import from_conf
from textsimp.core.reading import read_lines
from textsimp.core.results import Contrast, Resampling, Results
from textsimp.core.writing import atomic_write, write_lines
from textsimp.corpora.filters import comparable
from textsimp.simplification import simplifiers
from textsimp.simplification.interface import Runtime
from textsimp.simplification.light_ls import LightLsConfig
from textsimp.simplification.paraphrase import ParaphraseConfig
from textsimp.sources.formats import FORMATS
from textsimp.sources.parallel import read_turk

TEST = "turk"
MEASURES = {"sari": "SARI", "sari_corpus": "corpus SARI", "bleu": "BLEU"}
CORPORA = ("coster_kauchak", "kauchak_2013", "kauchak_2013_labelled", "kauchak_2013_tenth", "wikilarge_part")
"""The old corpora of conf/corpus/public_wiki.yaml."""
PARAPHRASE, LIGHT_LS = "paraphrase", "light_ls"
SYSTEMS = {
    NONE: "unchanged input",
    "SBMT-SARI.lower": "SBMT (PPDB + SARI), released",
    PARAPHRASE: "paraphrase",
    "LightLS": "LightLS, released",
    LIGHT_LS: "light_ls",
}
READ = 30


def training_pairs(mirror: Path) -> list[PairOfTexts]:
    """The pairs of the old corpora without any sentence of TURK."""
    turk = [row for split in ("tune", "test") for row in read_turk(mirror / "turk", split)]
    held_out = {comparable(text) for source, references in turk for text in (source, *references)}
    rows = []
    for name in CORPORA:
        read = FORMATS[name].pairs
        assert read is not None
        rows += [(pair.complex, pair.simple) for pair in read(mirror).pairs]
    return list(other_pairs(rows, held_out))


def simplified(
    work: Path, mirror: Path, configs: Mapping[str, ParaphraseConfig | LightLsConfig], test: Sequence[str]
) -> dict[str, list[str]]:
    """The outputs of both kinds; kept in the folder."""
    missing = [name for name in configs if not (work / name / f"{TEST}.txt").is_file()]
    train = training_pairs(mirror) if missing else []
    dev = [(source, text) for source, references in read_turk(mirror / "turk", "tune") for text in references]
    for name in missing:
        if not (work / name / "model").is_dir():
            train_in(work / name, train, dev, configs[name])
        simplifier = simplifiers.load_simplifier_folder(work / name / "model", Runtime("cpu", 1))
        write_lines(work / name / f"{TEST}.txt", [beam[0].text for beam in simplifier.simplify(test)])
    return {name: read_lines(work / name / f"{TEST}.txt") for name in configs}


def page(results: Results) -> str:
    """The table in Markdown."""
    labels = list(MEASURES.values())
    rows = []
    for name, shown in SYSTEMS.items():
        gain = results.comparisons.get(Contrast(TEST, "sari", name, NONE))
        text = "–" if gain is None else f"{gain.difference:+.1f} ({gain.low:+.1f} to {gain.high:+.1f})"
        values = [results.value(TEST, name, measure) for measure in (*MEASURES, "copies (%)")]
        rows.append([shown, values[0], text, *values[1:]])
    head = ["system", labels[0], f"{labels[0]}, above the input", *labels[1:], "copies (%)"]
    parts = [
        "# Lexical simplifiers",
        "Written by `python -m benchmarks.lexical`, whose first lines say what this is.",
        "### TURK, test",
        markdown_table(rows, head),
        *(f"`{signature}`" for signature in results.signatures.values()),
    ]
    return "\n\n".join(parts) + "\n"


def to_read(source: Sequence[str], lines: Sequence[str]) -> list[str]:
    """`READ` changed sentences, evenly over the test set, each below its source."""
    changed = [(a, b) for a, b in zip(source, lines, strict=True) if comparable(a) != comparable(b)]
    chosen = [changed[number * len(changed) // READ] for number in range(min(READ, len(changed)))]
    return [line for pair in chosen for line in (*pair, "")]


@exit_on_bad_input
def main() -> None:
    """Train, tune, simplify, score, write."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.lexical", description=__doc__.splitlines()[0])
    parser.add_argument("--mirror", metavar="FOLDER", type=Path, required=True, help="where the releases lie")
    parser.add_argument("--work", metavar="FOLDER", type=Path, required=True, help="for the models and the outputs")
    parser.add_argument("--results", metavar="FOLDER", type=Path, required=True, help="for lexical.json and lexical.md")
    parser.add_argument("--rules", metavar="FILE", type=Path, help="of PPDB, .gz or not, or with two words a line")
    parser.add_argument("--vectors", metavar="FILE", type=Path, help="of word vectors, as GloVe's")
    args = parser.parse_args()
    rules = str(args.rules or args.mirror / "synonyms" / "ppdb_synonyms.txt")
    frequencies = str(args.mirror / "word_frequency" / "unigram-freqs-en.txt")
    vectors = str(args.vectors) if args.vectors else None
    light_ls = from_conf("simplifier.light_ls", LightLsConfig)
    configs: dict[str, ParaphraseConfig | LightLsConfig] = {
        PARAPHRASE: replace(from_conf("simplifier.paraphrase", ParaphraseConfig), rules=rules),
        LIGHT_LS: replace(light_ls, synonyms=rules, frequencies=frequencies, vectors=vectors),
    }
    test = read_turk(args.mirror / "turk", "test")
    source = [row[0] for row in test]
    references = [list(column) for column in zip(*(row[1] for row in test), strict=True)]
    outputs = {NONE: source, **simplified(args.work, args.mirror, configs, source)}
    for name in set(SYSTEMS) - set(outputs):
        outputs[name] = read_lines(args.mirror / "released_outputs" / f"{name}.txt")
    results = Results(resampling=from_conf("resampling", Resampling))
    pairs = [(PARAPHRASE, "SBMT-SARI.lower"), (LIGHT_LS, "LightLS")]
    add_scores(results, TEST, {name: outputs[name] for name in SYSTEMS}, references, list(MEASURES), pairs)
    for name in configs:
        write_lines(args.work / name / "to_read.txt", to_read(source, outputs[name]))
    results.write(args.results / "lexical.json")
    with atomic_write(args.results / "lexical.md") as file:
        file.write(page(results))


if __name__ == "__main__":
    main()
