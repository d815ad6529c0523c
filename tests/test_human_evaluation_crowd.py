"""A crowd's annotation: candidates and test questions out, workers judged, gold links in."""

import csv
import json
import random
from collections.abc import Container, Sequence
from dataclasses import replace
from itertools import combinations, pairwise
from pathlib import Path

import pytest
from annotation_sample import annotated_row
from browser_driver import Browser
from crowd_sample import EXPORT, SETTINGS, answered, document_pair, right_answers, write_documents
from human_evaluation_sample import cells, fill, run
from sklearn.metrics import cohen_kappa_score
from typer.testing import CliRunner

from textsimp.cli.app import app as textsimp_app
from textsimp.core.records import AlignmentLabel, Document, read_pairs, write_pairs
from textsimp.extras.human.crowd_candidates import MEASURES, first_by
from textsimp.extras.human.study import Study, read_key


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Documents to align, as an aligner has them that finds the aligned pairs alone, and annotated ones."""
    write_documents(tmp_path)
    monkeypatch.chdir(tmp_path)
    return tmp_path


def links(path: str) -> dict[str, set[tuple[int, int, AlignmentLabel]]]:
    return {pair.id: {(o.simple, o.complex, o.label) for o in pair.alignments or ()} for pair in read_pairs(path)}


def test_gold_comes_back_without_the_careless_worker(folder: Path) -> None:
    assert run(*EXPORT)[0] == 0
    study = read_key(Path("out.key.json"))
    assert run("import", "out.key.json", *answered(study), "--output", "ratings.csv")[0] == 0
    status, printed = run("gold", "out.key.json", "ratings.csv", "found.jsonl", "--output", "crowd.jsonl")
    assert status == 0 and printed.count(", trusted\n") == 3
    assert "rater-4: " in printed and "judgements, left out" in printed
    assert "Cohen's kappa 0.9" in printed or "Cohen's kappa 0.8" in printed
    gold, found = links("gold.jsonl"), links("crowd.jsonl")
    right = sum(len(gold[key] & found[key]) for key in gold)
    recall, precision = (right / sum(map(len, some.values())) for some in (gold, found))
    assert recall > 0.95 and precision > 0.95
    shares = {link.score for pair in read_pairs("crowd.jsonl") for link in pair.alignments or ()}
    assert shares <= {0.5, 2 / 3, 1.0, 1 - 1 / 3} and 1.0 in shares
    _, printed = run("gold", "out.key.json", "ratings.csv", "found.jsonl", "--output", "again.jsonl", "--json")
    trusted = [worker["is_trusted"] for worker in json.loads(printed)["workers"]]
    assert trusted == [True, True, True, False]
    assert Path("again.jsonl").read_bytes() == Path("crowd.jsonl").read_bytes()
    summary = run("summary", "ratings.csv", "--json")
    assert json.loads(summary[1])["agreement"]["alignment"]["raters"] == 4


def test_one_question_in_five_is_a_test_that_nothing_tells_from_the_others(folder: Path) -> None:
    run(*EXPORT)
    study = read_key(Path("out.key.json"))
    tests = {item.id for item in study.items if item.right is not None}
    tasks = len(study.items) - len(tests)
    assert len(tests) == -(-tasks // 4) and study.seconds == 10
    points = [item.right for item in study.items if item.right is not None]
    assert max(map(points.count, range(3))) - min(map(points.count, range(3))) <= 1
    for rater in study.raters:
        order = [row[1] for row in cells(Path("out") / f"{rater}.csv")[1:]]
        places = [place for place, item in enumerate(order) if item in tests]
        assert max(b - a for a, b in pairwise(places)) < 10 and order != sorted(order)
        text = (Path("out") / f"{rater}.html").read_text(encoding="utf-8")
        assert '"seconds": 10.0' in text or '"seconds":10.0' in text
        assert "tests.jsonl" not in text and "test question" not in text and '"right"' not in text


def test_whole_paragraphs_are_asked_for_where_a_link_connects_two(folder: Path) -> None:
    def cut(document: Document) -> Document:
        texts = document.sentences
        return replace(document, paragraphs=tuple(texts[start : start + 3] for start in range(0, len(texts), 3)))

    pairs = [replace(pair, complex=cut(pair.complex), simple=cut(pair.simple)) for pair in read_pairs("found.jsonl")]
    pairs = pairs[:4]  # there are test questions for no more
    write_pairs("cut.jsonl", pairs)
    arguments = [*EXPORT[:5], "one=cut.jsonl", *EXPORT[6:]]
    assert run(*arguments, "--whole-paragraphs")[0] == 0
    items = read_key(Path("out.key.json")).items
    asked = {place for item in items if item.right is None for place in item.places}
    connected = {(pair.id, link.simple // 3, link.complex // 3) for pair in pairs for link in pair.alignments or ()}
    inside = {(name, 3 * i + a, 3 * j + b) for name, i, j in connected for a in range(3) for b in range(3)}
    assert asked == inside
    assert {item.right for item in items} == {None, 0, 1, 2}
    status, printed = run("export", "other", "--kind", "alignments", "--links", "one=cut.jsonl", "--whole-paragraphs")
    assert status == 2 and "--whole-paragraphs: goes with --kind crowd" in printed


def test_paragraphs_that_an_annotator_linked_are_asked_for_whole(folder: Path) -> None:
    """Step 1 of section 3.1 alone: paragraphs linked in the page, no sentence labelled."""
    pairs = []
    for pair in list(read_pairs("found.jsonl"))[:4]:
        complex_, simple = (
            replace(side, paragraphs=(side.sentences[:3], side.sentences[3:])) for side in (pair.complex, pair.simple)
        )
        pairs.append(replace(pair, complex=complex_, simple=simple))
    linked = [[[0, 1], [1, 1]], [], [], []]
    rows = [
        annotated_row(pair, (number, len(pairs)), {}, paragraphs=linked[number], settled=[])
        for number, pair in enumerate(pairs)
    ]
    Path("corrected.jsonl").write_text("".join(f"{json.dumps(row)}\n" for row in rows))
    assert run(*EXPORT[:5], "me=corrected.jsonl", *EXPORT[6:], "--whole-paragraphs")[0] == 0
    asked = {place for item in read_key(Path("out.key.json")).items if item.right is None for place in item.places}
    first = pairs[0]
    assert asked == {(first.id, i, j) for i in range(len(first.simple.sentences)) for j in range(3, 12)}


def test_candidates_are_the_first_by_each_of_the_four_measures(folder: Path) -> None:
    pairs = list(read_pairs("gold.jsonl"))[:2]
    alone = {name: first_by([name], pairs) for name in MEASURES}
    assert len(alone) == 4
    for name, found in alone.items():
        firsts = [sorted(simple for simple, _ in cells) for cells in found]
        assert firsts == [list(range(len(pair.simple.sentences))) for pair in pairs], name
    together = first_by(list(MEASURES), pairs)
    assert together == [set().union(*cells) for cells in zip(*alone.values(), strict=True)]
    gold = [{(link.simple, link.complex) for link in pair.alignments or ()} for pair in pairs]
    assert all(own <= cells for own, cells in zip(gold, together, strict=True))


POOL = [*EXPORT, "--raters", "9", "--judgements", "3"]


def test_a_question_is_for_some_of_a_larger_pool(folder: Path) -> None:
    status, said = run(*POOL)
    assert status == 0
    study = read_key(Path("out.key.json"))
    candidates = [item for item in study.items if item.right is None]
    tests = {item.id for item in study.items if item.right is not None}
    assert {len(item.raters) for item in candidates} == {3} and len({item.raters for item in candidates}) > 9
    parts = {rater: {item.id for item in candidates if rater in item.raters} for rater in study.raters}
    share = -(-len(candidates) * 3 // 9)
    assert {len(part) for part in parts.values()} <= {share, share - 1}
    assert len(tests) == -(-share // 4), "one question in five of each worker is a test"
    assert f"{len(candidates)} candidate pairs" in said
    assert f"{share + len(tests)} questions for each of 9 workers, {len(tests)} of them tests" in said
    for rater, part in parts.items():
        rows = cells(Path("out") / f"{rater}.csv")
        assert rows[0][-1] == "seconds" and {row[1] for row in rows[1:]} == part | tests
    right = right_answers(study, Path("gold.jsonl"))

    def answer(rater: str, item: str, column: str) -> str:
        return "12.5" if column == "seconds" else str((right[item] + (rater == "rater-9")) % 3)

    for rater in study.raters:
        fill(Path("out") / f"{rater}.csv", Path(f"{rater}.csv"), answer)
    sheets = [f"{rater}.csv" for rater in study.raters]
    assert run("import", "out.key.json", *sheets, "--output", "ratings.csv")[0] == 0
    status, said = run("gold", "out.key.json", "ratings.csv", "found.jsonl", "--output", "crowd.jsonl")
    assert status == 0 and "kept: 8 of 9 workers (89%)" in said and "12.5 s each (median), trusted" in said
    assert "Cohen's kappa 1.000 (the paper prints 0.807)" in said and "without an answer" not in said
    assert links("crowd.jsonl") == links("gold.jsonl")
    _, printed = run("gold", "out.key.json", "ratings.csv", "found.jsonl", "--output", "crowd.jsonl", "--json")
    found = json.loads(printed)
    assert found["trusted"] == 8 / 9 and found["kappa"] == 1 and found["workers"][8]["right"] == 0
    lenient = ("--least-accuracy", "0", "--output", "all.jsonl")
    assert "kept: 9 of 9" in run("gold", "out.key.json", "ratings.csv", "found.jsonl", *lenient)[1]


def fill_all(names: Sequence[str], sheets: str, right: dict[str, int], wrong: Container[str]) -> list[str]:
    """The filled sheets of workers who know everything, or nothing."""

    def answer(rater: str, item: str, column: str) -> str:
        return "11" if column == "seconds" else str((right[item] + (rater in wrong)) % 3)

    return [str(fill(Path(sheets) / f"{name}.csv", Path(f"{name}.csv"), answer)) for name in names]


def test_what_is_left_out_is_asked_of_others_until_nothing_is_wanting(folder: Path) -> None:
    run(*POOL)
    study = read_key(Path("out.key.json"))
    right = right_answers(study, Path("gold.jsonl"))
    careless = {"rater-1", "rater-2", "rater-3"}
    sheets = fill_all(study.raters[:-1], "out", right, careless)  # and the last one sends nothing
    assert run("import", "out.key.json", *sheets, "--output", "ratings.csv")[0] == 0
    gold = ("gold", "out.key.json", "ratings.csv", "found.jsonl", "--output", "crowd.jsonl")
    assert "`textsimp human again` asks others" in run(*gold)[1]
    left_out = {*careless, "rater-9"}
    wanting = {item.id: len(left_out & {*item.raters}) for item in study.items if item.right is None}
    again = ("again", "out.key.json", "ratings.csv", "more", "--settings", "settings.yaml")
    status, said = run(*again, "--raters", "1")
    assert status == 2 and f"{max(wanting.values())} answers to one question are wanting; give more" in said
    status, said = run(*again)
    assert status == 0 and f"{sum(wanting.values())} answers to {sum(map(bool, wanting.values()))} candidate" in said
    both = read_key(Path("more.key.json"))
    new = both.raters[len(study.raters) :]
    assert new[0] == "rater-10" and {path.stem for path in Path("more").glob("*.csv")} == {*new}
    assert both.name == study.name and all(ids(both, name) == ids(study, name) for name in study.raters)
    for item in both.items:
        assert item.right is not None or len({*item.raters} - left_out) == 3
    loads = [sum(name in item.raters for item in both.items) for name in new]
    assert max(loads) - min(loads) <= 1 and max(loads) <= max(len(ids(study, name)) for name in study.raters)
    sheets += fill_all(new, "more", right, {new[0]})
    assert run("import", "more.key.json", *sheets, "--output", "ratings.csv")[0] == 0
    status, said = run("again", "more.key.json", "ratings.csv", "third")
    assert status == 0
    third = read_key(Path("third.key.json"))
    sheets += fill_all(third.raters[len(both.raters) :], "third", right, ())
    assert run("import", "third.key.json", *sheets, "--output", "ratings.csv")[0] == 0
    status, said = run("gold", "third.key.json", *gold[2:])
    assert status == 0 and "wanting" not in said and "asks others" not in said and "Cohen's kappa 1.000" in said
    assert links("crowd.jsonl") == links("gold.jsonl")
    status, said = run("again", "third.key.json", "ratings.csv", "fourth")
    assert status == 2 and "each candidate pair has 3 answers of workers who are kept" in said
    assert not Path("fourth").exists()


def ids(study: Study, rater: str) -> list[str]:
    return [item.id for item in study.asked(rater)]


def test_kappa_of_pairs_of_answers_is_that_of_scikit_learn(folder: Path) -> None:
    run(*POOL)
    study = read_key(Path("out.key.json"))
    draw, right = random.Random(3), right_answers(study, Path("gold.jsonl"))
    answers = {
        (rater, item.id): draw.choice([right[item.id]] * 9 + [0, 1, 2])
        for rater in study.raters
        for item in study.items
    }
    for rater in study.raters:
        fill(
            Path("out") / f"{rater}.csv",
            Path(f"{rater}.csv"),
            lambda rater, item, column: "" if column == "seconds" else str(answers[rater, item]),
        )
    run("import", "out.key.json", *(f"{rater}.csv" for rater in study.raters), "--output", "ratings.csv")
    options = ("--least-accuracy", "0", "--json", "--output", "crowd.jsonl")
    found = json.loads(run("gold", "out.key.json", "ratings.csv", "found.jsonl", *options)[1])
    pairs = [
        (answers[a, item.id], answers[b, item.id])
        for item in study.items
        if item.right is None
        for a, b in combinations(item.raters, 2)
    ]
    assert len(pairs) == 3 * found["candidates"]
    assert found["kappa"] == pytest.approx(cohen_kappa_score(*zip(*pairs, strict=True)), abs=1e-9)


def test_a_sheet_with_answers_that_were_not_asked_for_is_refused(folder: Path) -> None:
    run(*POOL)
    study = read_key(Path("out.key.json"))
    other = next(item.id for item in study.items if item.raters and "rater-1" not in item.raters)
    sheet = Path("out/rater-1.csv")
    own = cells(sheet)[1][1]
    text = sheet.read_text(encoding="utf-8-sig")
    for name, changed, message in (
        ("other.csv", text.replace(own, other), f"{other} was not given to rater-1; give the sheets as they came back"),
        ("cut.csv", text.replace(own, cells(sheet)[2][1]), "by rater-1 stands in cut.csv:2 already"),
        ("slow.csv", text.replace('"",""\n', '"1","soon"\n'), "slow.csv:2: seconds is 'soon'; leave the cell"),
    ):
        Path(name).write_text(changed, encoding="utf-8")
        options = ("--output", "ratings.csv", "--allow-blank")
        status, said = run("import", "out.key.json", name, *options)
        assert status == 2 and message in said and said.count("\n") == 1, said


def test_the_form_keeps_the_seconds_and_counts_not_aligned_as_an_answer(folder: Path, browser: Browser) -> None:
    assert run(*EXPORT, "--least-seconds", "1")[0] == 0
    study = read_key(Path("out.key.json"))
    form = Path("out/rater-1.html")
    browser.open(form)
    browser.evaluate("localStorage.clear()")
    browser.open(form)
    count = "document.getElementById('count').textContent"
    browser.press("0")
    assert browser.evaluate(count).startswith("0 of "), "answers open after a second"
    assert browser.evaluate("document.getElementById('wait').textContent") == "Answers open in 1 s."
    browser.until("document.getElementById('wait').hidden")
    browser.press("0")
    assert browser.evaluate(count).startswith("1 of ")
    browser.press("n")
    browser.press("p")
    assert browser.evaluate("document.getElementById('wait').hidden"), "an answered question stays open"
    browser.click("#open")
    assert browser.evaluate("document.getElementById('where').textContent").startswith("Simple sentence 2 of ")
    browser.open(form)
    assert browser.evaluate(count).startswith("1 of "), "kept over a reload"
    browser.click("#download")
    path = browser.downloaded("rater-1.csv")
    (answered,) = [row for row in cells(path)[1:] if row[4]]
    assert answered[4] == "0" and 1 <= float(answered[5]) < 60
    assert answered[1] == study.order("rater-1")[0][0].id
    path.unlink()


def damaged(name: str) -> tuple[str, ...]:
    """Damage one of the files; the arguments of the command that has to refuse it."""
    gold = ("gold", "out.key.json", "ratings.csv", "found.jsonl", "--output", "crowd.jsonl")
    with open("ratings.csv", encoding="utf-8", newline="") as file:
        header, *rows = csv.reader(file)
    key = json.loads(Path("out.key.json").read_text(encoding="utf-8"))
    tests = {item["id"] for item in key["items"] if item["right"] is not None}
    if name == "other key":
        rows = [[*row[:2], row[2].replace(rows[0][2], "item-0123456789"), *row[3:]] for row in rows]
    elif name == "no test answered":
        rows = [[*row[:5], "" if row[2] in tests and row[0] == "rater-1" else row[5], *row[6:]] for row in rows]
    elif name == "nobody trusted":
        rows = [[*row[:5], str((int(row[5]) + 1) % 3), *row[6:]] for row in rows]
    elif name == "cut":
        rows = rows[:-1]
    elif name == "other documents":
        write_pairs("found.jsonl", list(read_pairs("tests.jsonl")))
    with open("ratings.csv", "w", encoding="utf-8", newline="") as file:
        csv.writer(file).writerows([header, *rows])
    return gold


@pytest.mark.parametrize(
    ("name", "message"),
    [
        ("other key", "is not in the key; give the key of these ratings"),
        ("no test answered", "rater-1 answered none of the test questions"),
        ("nobody trusted", "no worker has 85% of the test questions right"),
        ("cut", "rows were cut out: run `import` again"),
        ("other documents", "found.jsonl: document pair 'd0' is absent"),
    ],
)
def test_what_is_wrong_is_one_line(folder: Path, name: str, message: str) -> None:
    run(*EXPORT)
    run("import", "out.key.json", *answered(read_key(Path("out.key.json"))), "--output", "ratings.csv")
    status, printed = run(*damaged(name))
    assert status == 2 and message in printed and not Path("crowd.jsonl").exists()


def _two(other: str) -> list[str]:
    """An export of the links of two aligners."""
    return [*EXPORT[:5], "one=gold.jsonl", "--links", f"two={other}", *EXPORT[6:]]


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ([*EXPORT[:5], "found.jsonl", *EXPORT[6:]], "--links 'found.jsonl': expected NAME=FILE"),
        ([*EXPORT, "--links", "one=gold.jsonl"], "--links 'one=gold.jsonl': the name 'one' is given twice"),
        ([*EXPORT, "--count", "3"], "--count: not with --kind crowd"),
        (EXPORT[:6], "--kind crowd: takes --links and --test-questions, not --complex and --output"),
        ([*EXPORT[:3], "alignments", *EXPORT[4:]], "--test-questions: goes with --kind crowd"),
        ([*EXPORT[:7], "few.jsonl", *EXPORT[8:]], "test questions have the answer 0, 10 are needed"),
        (_two("tests.jsonl"), "tests.jsonl: no document pair 'd0', which gold.jsonl has"),
        (_two("edited.jsonl"), "edited.jsonl: document pair 'd0' differs from gold.jsonl's"),
        ([*EXPORT, "--judgements", "6"], "--judgements 6: there are but 4 workers; give more --raters"),
        ([*EXPORT[:3], "inspection", *EXPORT[4:6], "--least-seconds", "3"], "--least-seconds: goes with --kind crowd"),
        ([*EXPORT[:5], "one=nothing.jsonl", *EXPORT[6:]], "nothing.jsonl: holds no document pairs"),
        ([*EXPORT[:5], "one=settings.yaml", *EXPORT[6:]], "settings.yaml:1: this is plain text, not document pairs"),
        ([*EXPORT[:9], "strange.yaml"], "measures: no 'tf-idf'; known: char_ngrams, tfidf, bert_embedding, aligner"),
        ([*EXPORT, "--model", "empty"], "give the folder of a trained aligner"),
    ],
    ids=[
        "no name",
        "one name twice",
        "count",
        "no tests",
        "other kind",
        "few tests",
        "other documents",
        "other sentences",
        "few workers",
        "option of a crowd",
        "no documents",
        "no document pairs",
        "no such measure",
        "no aligner",
    ],
)
def test_an_export_that_cannot_be_is_refused(folder: Path, arguments: Sequence[str], message: str) -> None:
    write_pairs("few.jsonl", [document_pair("t", 100)])
    Path("empty").mkdir()
    Path("nothing.jsonl").touch()
    Path("strange.yaml").write_text(SETTINGS.replace("tfidf", "tf-idf"))
    edited = [replace(document_pair(pair.id, 99), id=pair.id) for pair in read_pairs("gold.jsonl")]
    write_pairs("edited.jsonl", edited)
    status, printed = run(*arguments)
    assert status == 2 and message in printed and not Path("out").exists()


def test_the_links_of_aligners_are_joined_by_document(folder: Path) -> None:
    """The second file has the documents in another order, and one more."""
    reordered = [*read_pairs("tests.jsonl"), *reversed(list(read_pairs("gold.jsonl")))]
    write_pairs("reordered.jsonl", reordered)
    assert run(*_two("gold.jsonl"))[0] == 0
    expected = Path("out.key.json").read_bytes()
    arguments = _two("reordered.jsonl")
    assert run(arguments[0], "other", *arguments[2:])[0] == 0
    assert Path("other.key.json").read_bytes() == expected


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (("alignments.key.json", "ratings.csv", "more"), "the key is of a study of alignments; give that of --kind"),
        (("other.key.json", "ratings.csv", "more"), "is not in the key; give the key of these ratings"),
        (("old.key.json", "ratings.csv", "more"), "the key does not say how many judgements are wanted, and of whom"),
        (("out.key.json", "ratings.csv", "out"), "out: is there already; name a new folder"),
        (("out.key.json", "ratings.csv", "more", "--key", "more/key.json"), "would be in the raters' folder"),
        (("out.key.json", "ratings.csv", "more", "--key", "out.key.json"), "out.key.json: is an input of this command"),
        (("out.key.json", "ratings.csv", "more", "--key", "other.key.json"), "other.key.json: is there already"),
        (("out.key.json", "ratings.csv", "more", "--least-accuracy", "1.5"), "--least-accuracy"),
        (("out.key.json", "ratings.csv", "more", "--raters", "0"), "--raters"),
    ],
    ids=["kind", "ratings", "old key", "folder", "key inside", "key is input", "key is there", "accuracy", "no worker"],
)
def test_a_further_round_that_cannot_be_is_refused(folder: Path, arguments: Sequence[str], message: str) -> None:
    run(*EXPORT)
    run(EXPORT[0], "other", *EXPORT[2:], "--seed", "5")
    run("export", "alignments", "--kind", "alignments", "--links", "one=gold.jsonl", "--count", "3", "--raters", "2")
    key = json.loads(Path("out.key.json").read_text(encoding="utf-8"))
    Path("old.key.json").write_text(json.dumps({name: key[name] for name in key if name != "judgements"}))
    run("import", "out.key.json", *answered(read_key(Path("out.key.json"))), "--output", "ratings.csv")
    status, said = run_textsimp("human", "again", *arguments)
    assert status == 2 and message in said and said.count("\n") == 1, said
    assert not Path("more").exists() and not Path("more.key.json").exists()


def run_textsimp(*arguments: str) -> tuple[int, str]:
    result = CliRunner().invoke(textsimp_app, arguments)
    return result.exit_code, result.output


def test_a_round_is_asked_of_new_workers_where_nobody_is_trusted(folder: Path) -> None:
    run(*EXPORT)
    study = read_key(Path("out.key.json"))
    sheets = fill_all(study.raters, "out", right_answers(study, Path("gold.jsonl")), study.raters)
    run("import", "out.key.json", *sheets, "--output", "ratings.csv")
    status, said = run("again", "out.key.json", "ratings.csv", "more")
    candidates = sum(item.right is None for item in study.items)
    assert status == 0 and f"{4 * candidates} answers to {candidates} candidate pairs are wanting" in said
    assert read_key(Path("more.key.json")).raters == tuple(f"rater-{number}" for number in range(1, 9))
    status, said = run("again", "out.key.json", "ratings.csv", "none", "--least-accuracy", "0")
    assert status == 2 and "each candidate pair has 4 answers of workers who are kept" in said
