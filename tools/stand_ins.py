"""Stand-ins for what the experiment `paper` needs and nobody may pass on or ship, for the experiment `rehearsal`.

python tools/stand_ins.py data/raw/.stand-ins

Texts of the sample corpus, cut to a few sentences, in the formats of Newsela's release, NEWSELA-MANUAL, the pairs of Xu
et al. 2015, WIKI-MANUAL, WIKI-AUTO, WikiLarge, TURK, ASSET and the paper's outputs; a BERT of BERT-base's shape and
size with random weights; GloVe-like vectors of 300 random numbers; a spaCy pipeline trained on a dozen sentences. They
show that every stage runs and what it costs, and nothing about quality. The same call gives the same bytes.
"""

import argparse
import bz2
import io
import random
import re
import shutil
import tarfile
import tempfile
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from itertools import islice, product
from pathlib import Path

import yaml

from textsimp.core.errors import exit_on_bad_input
from textsimp.core.reading import folder_files, read_lines
from textsimp.core.records import DocumentPair, read_pairs
from textsimp.core.writing import atomic_folder, write_lines
from textsimp.metrics.tokens import treebank_form
from textsimp.sources.config import SourceConfig
from textsimp.sources.draws import ManualDraw
from textsimp.sources.manual import NEWSELA_MANUAL, WIKI_MANUAL
from textsimp.sources.newsela import ARTICLES, METADATA
from textsimp.sources.parallel import ASSET_REFERENCES, TURK_REFERENCES, WIKILARGE, read_asset, write_asset
from textsimp.sources.sample import acquire_sample
from textsimp.sources.wiki_auto import WIKI_AUTO, read_wiki_auto, write_wiki_auto

ROOT = Path(__file__).resolve().parent.parent
SAMPLE = ROOT / "data" / "sample"
SETS = {"newsela-style": 9, "wiki-style": 9}
DRAWN = ManualDraw(train=2, dev=1, test=1, seed=1)
SENTENCES, TESTED = 5, 4
"""Of a text, and of each test set."""
TYPES, WIDTH, GLOVE_WORDS, SEED = 30_522, 768, 5_000, 13
SPACED = (". . .", "at name@domain.com")
"""Tokens of GloVe 840B that hold spaces."""
_SPECIAL = {0: "[PAD]", 100: "[UNK]", 101: "[CLS]", 102: "[SEP]", 103: "[MASK]"}
_NEWSELA, _XU = "newsela_article_corpus_2016-01-29", "newsela_data_share-20150302/newsela_articles_20150302"
_TAGGED = (
    "Maria/PROPN lives/VERB in/ADP Paris/PROPN ./PUNCT",
    "The/DET old/ADJ mill/NOUN was/AUX built/VERB in/ADP 1890/NUM ./PUNCT",
    "Trees/NOUN grow/VERB quickly/ADV and/CCONJ they/PRON are/AUX tall/ADJ ./PUNCT",
)
_ENTITIES = {"Maria": "PERSON", "Paris": "GPE", "1890": "DATE"}


@exit_on_bad_input
def main() -> None:
    """Write the stand-ins, unless they are there."""
    parser = argparse.ArgumentParser(prog="python tools/stand_ins.py", description=__doc__.partition("\n")[0])
    parser.add_argument("folder", type=Path, help="where newsela/, mirror/, encoder/, spacy/ and glove.txt are put")
    parser.add_argument("--layers", type=int, default=12, help="of the encoder (default: %(default)s)")
    args = parser.parse_args()
    if not (args.folder / "glove.txt").is_file():
        with atomic_folder(args.folder, "*") as folder:
            write_stand_ins(folder, args.layers)
    print(f"{args.folder}: stand-ins of random weights and sample texts; what they give says nothing about quality")


def write_stand_ins(folder: Path, layers: int) -> None:
    """Everything that the experiment `paper` reads from outside, as stand-ins."""
    words = write_texts(folder)
    ranked = sorted(words, key=lambda word: (-words[word], word))
    write_encoder(folder / "encoder", ranked, layers)
    write_spacy(folder / "spacy")
    _write_glove(folder / "glove.txt", ranked)


def write_texts(folder: Path) -> Counter[str]:
    """The licensed release and the mirror; returns the words of their texts."""
    with tempfile.TemporaryDirectory() as scratch:
        sample = Path(scratch, "sample")
        for style, sets in SETS.items():
            for path in folder_files(SAMPLE / style, "*.txt")[:sets]:
                write_lines(sample / style / path.name, cut(read_lines(path)))
        shutil.copytree(SAMPLE / "multi-reference", sample / "multi-reference")
        _write_newsela(Path(scratch), sample, folder / "newsela")
        _write_mirror(Path(scratch), sample, folder / "mirror")
        return Counter(word for path in sample.rglob("*.txt") for line in read_lines(path) for word in _words(line))


def cut(lines: Iterable[str], sentences: int = SENTENCES) -> Iterator[str]:
    """The lines of a sample text with the first sentences of each part, and their labels that name others of them."""
    count, waiting = 0, ""
    for line in lines:
        match = re.fullmatch(r"\[([^\]]*)\] (.*)", line)
        if match is None:
            count = 0 if line.startswith("@") else count
            waiting = line if line == "P" else ""
            if line != "P":
                yield line
        elif count < sentences:
            count += 1
            if waiting:
                yield waiting
            waiting = ""
            labels = [
                label for label in match[1].split(",") if label.strip("-") and int(label.strip()[1:]) <= sentences
            ]
            yield f"[{','.join(labels) or '-' * bool(match[1])}] {match[2]}"


def _words(line: str) -> list[str]:
    return re.findall(r"\w+", line.lower())


def _source(name: str, annotation: str, articles: str) -> SourceConfig:
    return SourceConfig(name, "sample", "en", [], annotation, articles, DRAWN, None, None)


def _linked(pairs: Iterable[DocumentPair]) -> list[tuple[DocumentPair, str, str]]:
    return [
        (pair, pair.complex.sentences[link.complex], pair.simple.sentences[link.simple])
        for pair in pairs
        for link in pair.alignments or ()
    ]


def _write_newsela(scratch: Path, sample: Path, target: Path) -> None:
    raw, audit = scratch / "news", scratch / "news.jsonl"
    acquire_sample(sample, raw, audit, _source("newsela", "newsela_manual", "newsela"))
    release = target / _NEWSELA
    release.mkdir(parents=True)
    for name in (ARTICLES, METADATA):
        shutil.move(raw / name, release / name)
    shutil.copytree(raw / NEWSELA_MANUAL, target / "newsela-auto" / NEWSELA_MANUAL)
    gold = list(read_pairs(audit))
    numbers = {group: number for number, group in enumerate(sorted({pair.group for pair in gold}), 1)}
    rows = [
        "\t".join((f"DOC{numbers[pair.group]}", f"V{pair.complex.level}", f"V{pair.simple.level}", complex_, simple))
        for pair, complex_, simple in _linked(gold)
    ]
    write_lines(target / f"{_XU}.aligned.sents.txt", rows)


def _write_mirror(scratch: Path, sample: Path, mirror: Path) -> None:
    raw, audit = scratch / "wiki", scratch / "wiki.jsonl"
    acquire_sample(sample, raw, audit, _source("wiki", "wiki_manual", "wiki_auto"))
    shutil.copytree(raw / WIKI_MANUAL, mirror / "wiki_manual")
    articles = [pair for path in folder_files(raw / WIKI_AUTO, "*.json") for pair in read_wiki_auto(path)]
    for part in (1, 2):
        write_wiki_auto(mirror / "wiki_auto" / f"wiki-auto-part-{part}-data.json", articles[part - 1 :: 2])
    _write_wikilarge(mirror / "wikilarge" / WIKILARGE, [pair[1:] for pair in _linked(read_pairs(audit))])
    for split, turk in (("valid", "tune"), ("test", "test")):
        rows = read_asset(raw / "asset", split, None)[:TESTED]
        many = [(text, tuple(islice(_repeated(simple), ASSET_REFERENCES))) for text, simple in rows]
        write_asset(mirror / "asset", split, many)
        write_lines(mirror / "turk" / f"{turk}.8turkers.tok.norm", [treebank_form(text) for text, _ in rows])
        for number in range(TURK_REFERENCES):
            column = [treebank_form(simple[number]) for _, simple in many]
            write_lines(mirror / "turk" / f"{turk}.8turkers.tok.turk.{number}", column)
    outputs = yaml.safe_load((ROOT / "conf" / "sources" / "jiang2020_outputs.yaml").read_text(encoding="utf-8"))
    for number, file in enumerate(outputs["releases"]["jiang2020_outputs"]["files"]):
        column = [treebank_form(simple[number]) for _, simple in many]
        write_lines(mirror / "jiang2020_outputs" / file["name"], column)


def _repeated(texts: Sequence[str]) -> Iterator[str]:
    while True:
        yield from texts


def _write_wikilarge(path: Path, pairs: Sequence[tuple[str, str]]) -> None:
    data = io.BytesIO()
    with tarfile.open(fileobj=data, mode="w") as tar:
        for split, (number, side) in product(("train", "valid", "test"), enumerate(("src", "dst"))):
            text = "".join(f"{pair[number]}\n" for pair in pairs).encode()
            info = tarfile.TarInfo(f"data-simplification/wikilarge/wiki.full.aner.ori.{split}.{side}")
            info.size = len(text)
            tar.addfile(info, io.BytesIO(text))
    path.parent.mkdir(parents=True)
    path.write_bytes(bz2.compress(data.getvalue()))


def vocabulary(ranked: Iterable[str]) -> list[str]:
    """`TYPES` word pieces: special ones where BERT has them, characters, words of the texts, and made-up syllables."""
    letters = [chr(code) for code in range(33, 127) if not chr(code).isupper()]
    syllables = ("".join(parts) for parts in product("bcdfghklmnprstvwz", "aeiou", "bdfgklmnprstvz", "aeiou"))
    made_up = (piece for syllable in syllables for piece in (syllable, f"##{syllable}"))
    pieces = dict.fromkeys([*letters, *(f"##{letter}" for letter in letters), *ranked])
    wanted = TYPES - max(_SPECIAL) - 1
    pieces |= dict.fromkeys(islice((piece for piece in made_up if piece not in pieces), wanted - len(pieces)))
    rest = [f"##{number}x" for number in range(wanted - len(pieces))]
    head = [_SPECIAL.get(number, f"[unused{number}]") for number in range(max(_SPECIAL) + 1)]
    return [*head, *pieces, *rest]


def write_encoder(folder: Path, ranked: Sequence[str], layers: int = 12) -> None:
    """A checkpoint of BERT-base's shape, uncased, with random weights of BERT's own initialisation."""
    import torch
    from transformers import BertConfig, BertModel, BertTokenizer

    folder.mkdir(parents=True)
    write_lines(folder / "vocab.txt", vocabulary(ranked))
    BertTokenizer(vocab=str(folder / "vocab.txt"), do_lower_case=True).save_pretrained(folder)
    torch.manual_seed(SEED)
    BertModel(BertConfig(vocab_size=TYPES, hidden_size=WIDTH, num_hidden_layers=layers)).save_pretrained(folder)


def write_spacy(folder: Path) -> None:
    """A pipeline with a tagger and an entity recogniser, trained until it knows three sentences."""
    import spacy
    from spacy.tokens import Doc, Span
    from spacy.training import Example
    from spacy.util import fix_random_seed

    fix_random_seed(SEED)
    nlp = spacy.blank("en")
    nlp.add_pipe("morphologizer")
    nlp.add_pipe("ner")
    examples = []
    for line in _TAGGED:
        words, tags = zip(*(word.rsplit("/", 1) for word in line.split()), strict=True)
        known = Doc(nlp.vocab, words=list(words), pos=list(tags))
        known.ents = [
            Span(known, at, at + 1, label=_ENTITIES[word]) for at, word in enumerate(words) if word in _ENTITIES
        ]
        examples.append(Example(nlp.make_doc(known.text), known))
    optimizer = nlp.initialize(lambda: examples)
    for _ in range(30):
        nlp.update(examples, sgd=optimizer)
    nlp.meta["name"] = "stand_in"
    nlp.to_disk(folder)


def _write_glove(path: Path, ranked: Sequence[str]) -> None:
    numbers = random.Random(SEED)
    rows = (" ".join(f"{numbers.gauss(0, 0.3):.5f}" for _ in range(300)) for _ in range(GLOVE_WORDS))
    words = [*SPACED, *ranked, *(f"word{number}" for number in range(GLOVE_WORDS))]
    write_lines(path, [f"{word} {row}" for word, row in zip(words, rows, strict=False)])


if __name__ == "__main__":
    main()
