"""What README.md and docs/ say: examples print what stands there, links and file names lead somewhere."""

import csv
import functools
import importlib
import json
import re
from fnmatch import fnmatchcase as fnmatch
from pathlib import Path
from typing import Any

import typer

from textsimp.alignment.similarity import lexical
from textsimp.cli.app import app
from textsimp.core.params import names_from_conf
from textsimp.core.results import as_printed
from textsimp.evaluation.released import COLUMNS, TABLES, read_table
from textsimp.metrics import readability, registry
from textsimp.metrics.tokens import words
from tools import picture, shown
from tools.pages import stale

ROOT = Path(__file__).resolve().parent.parent
PAGES = sorted(path.relative_to(ROOT).as_posix() for path in [*ROOT.glob("*.md"), *ROOT.glob("docs/*.md")])
CODE_FOLDERS = ("textsimp", "stages", "tools", "benchmarks", "experiments", "tests/fuzzing")
CODE = [path for folder in CODE_FOLDERS for path in ROOT.glob(f"{folder}/**/*.py")]
TEXTS = sorted(
    path.relative_to(ROOT).as_posix()
    for path in [*(ROOT / page for page in PAGES), *ROOT.glob("conf/**/*.yaml"), *CODE, ROOT / "dvc.yaml"]
)
LINK = re.compile(r"\]\(([^)#\s]+)(?:#[^)]*)?\)")
PROJECT_FILE = re.compile(
    r"`((?:textsimp|stages|tools|tests|conf|benchmarks|experiments|docs|data/(?:sample|published))/[\w./-]+)`"
)
PACKAGE_FILE = re.compile(
    r"`((?:core|sources|metrics|alignment(?!/neural_crf`)|corpora|simplification|evaluation|reporting|extras)/[\w./]+)`"
)
MODULE_FILE = re.compile(r"`([\w/]+\.py)`")
MODULE_NAME = re.compile(r"`((?:textsimp|stages|tools|benchmarks|experiments)(?:\.\w+)+)(?:\(\))?`")
COMMAND = re.compile(r"\b(?:textsimp|textsimp\.cli) ([a-z][a-z-]+)((?: [^`\n|]*)?)")
OPTION = re.compile(r"(?<![\w-])--[a-z][a-z-]*")
OF_OTHERS = {"--user-dir", "--queue", "--run-all", "--only-changed", "--capability", "--no-deps", "--index-url"}
OF_OTHERS |= {"--source-lang", "--target-lang", "--trainpref", "--validpref", "--testpref", "--destdir"}
"""Options of fairseq, DVC and pip."""
INVENTED = re.compile(r"\bNAME\b|/dice\.yaml$")
"""Files that the reader is told to write."""


def text_of(page: str) -> str:
    return (ROOT / page).read_text(encoding="utf-8")


def test_examples_print_what_is_shown() -> None:
    """The pages of `shown.PAGES`, and README's rows of the main table; `make refresh` writes them."""
    assert stale(shown.fresh()) == []


def test_the_picture_is_what_the_aligner_finds() -> None:
    assert stale(picture.fresh()) == []


def test_readme_is_short() -> None:
    assert text_of("README.md").count("\n") <= 110 and len(text_of("README.md").split()) <= 1000


def test_links_lead_somewhere() -> None:
    links = [(page, link) for page in PAGES for link in LINK.findall(text_of(page)) if not re.match(r"\w+:", link)]
    assert [link for link in links if not (ROOT / link[0]).parent.joinpath(link[1]).exists()] == []


def test_named_files_modules_and_functions_exist() -> None:
    files = [*CODE, *ROOT.glob("*.py"), *ROOT.glob("tests/*.py"), *ROOT.glob("data/**/*.py")]
    paths = [path.relative_to(ROOT).as_posix() for path in files]
    missing = []
    for page in TEXTS:
        text = text_of(page)
        names = [*PROJECT_FILE.findall(text), *(f"textsimp/{name}" for name in PACKAGE_FILE.findall(text))]
        absent = [name for name in names if not (ROOT / name).exists() and not INVENTED.search(name)]
        absent += [name for name in MODULE_FILE.findall(text) if not any(f"/{at}".endswith(f"/{name}") for at in paths)]
        absent += [name for name in MODULE_NAME.findall(text) if not _exists(name)]
        missing += [(page, name) for name in absent]
    assert missing == []


@functools.cache
def _exists(name: str) -> bool:
    """Whether a dotted name is a module, or something in one."""
    parts = name.split(".")
    for count in range(len(parts), 0, -1):
        folder = ROOT.joinpath(*parts[:count])
        if folder.is_dir() or folder.with_suffix(".py").is_file():
            value: Any = importlib.import_module(".".join(parts[:count]))
            for part in parts[count:]:
                value = getattr(value, part, None)
            return value is not None
    return False


def commands() -> dict[str, set[str]]:
    """The options of each command of `textsimp`, by name; those of a group as `human export`."""
    options = {}
    for name, command in vars(typer.main.get_command(app))["commands"].items():
        inner = {f"{name} {key}": value for key, value in vars(command).get("commands", {}).items()}
        for full_name, leaf in (inner or {name: command}).items():
            options[full_name] = {option for parameter in leaf.params for option in parameter.opts}
    return options


def test_what_is_to_be_added_works() -> None:
    """The similarity and the metric of docs/extending.md, with the imports that it names."""
    text, names = text_of("docs/extending.md"), {**vars(readability), **vars(registry), **vars(lexical), "words": words}
    exec("\n".join(re.findall(r"```python\n(.*?)```", text, re.S)), names)
    assert names["Dice"]().compare(["a b"], ["b c"]).tolist() == [[0.5]]
    metric = eval(re.findall(r'`"commas": (.*?)`', text)[0], names)
    assert metric.statistics(registry.Texts([""], ["a, b, c"], []), None).score().value == 2


def test_named_commands_and_their_options_exist() -> None:
    known = commands()
    code = "\n".join(path.read_text(encoding="utf-8") for path in CODE)
    every_option = set().union(*known.values(), re.findall(r'"(--[a-z-]+)"', code), OF_OTHERS)
    for page in PAGES:
        assert set(OPTION.findall(text_of(page))) - every_option == set(), page
        text = text_of(page).replace("\\\n", " ")
        examples = "\n".join(re.findall(r"```.*?```|`[^`\n]+`|^    .*$", text, re.DOTALL | re.MULTILINE))
        for name, arguments in COMMAND.findall(examples):
            options = known.get(f"{name} {arguments.split()[0]}" if name == "human" and arguments else name)
            if options is None:
                assert f"{name}{arguments}" == "human", f"{page}: textsimp {name}{arguments}"
            else:
                assert set(OPTION.findall(arguments)) - options == set(), f"{page}: textsimp {name}{arguments}"


def estimates(path: str) -> dict[str, Any]:
    """The estimates of an experiment whose results are kept, by scope and system; of each measure the value alone."""
    scopes = json.loads(text_of(f"reports/experiments/{path}.json"))["estimates"]

    def value(number: Any) -> float:
        return number[0] if isinstance(number, list) else number

    return {
        scope: {system: {measure: value(number) for measure, number in of.items()} for system, of in systems.items()}
        for scope, systems in scopes.items()
    }


def test_the_numbers_of_experiments_in_readme_are_the_committed_ones() -> None:
    readme = " ".join(text_of("README.md").split())
    aligners = estimates("public/alignment/public_wiki")["test"]
    simplifiers = estimates("public/simplification/public_wiki")["turk"]
    systems = {"neural_crf_paper": "`neural_crf_paper`", "massalign": "MASSAlign", "lr": "LR"}
    systems["frozen_crf"] = "default aligner"
    f1s = {system: [aligners[system][f"{task}.f1"] for task in ("task1", "task2")] for system in systems}
    assert all("| {} | {:.1f} | {:.1f} |".format(label, *f1s[system]) in readme for system, label in systems.items())
    later = json.loads(text_of("reports/experiments/public/later/scores.json"))
    told = [f"input {simplifiers['identity']['sari']:.1f}"]
    labels = {"editnts.all": "EditNTS", "lstm.all": "LSTM", "transformer_bert.all": "Transformer_bert"}
    for name, label in {**labels, "causal_lm.packaged": "the packaged language model"}.items():
        told.append(f"{label} {later[f'{name}.turk']['estimates']['test'][name]['sari'][0]:.1f}")
    assert f"SARI on TURK: {', '.join(told)} (" in readme
    cells = equal_cells("jiang2020", list(COLUMNS.values()))
    assert f"{sum(cells)} of {len(cells)} cells of Table 8 are as printed (" in readme
    tables = estimates("published/published/jiang2020_newsela").values()
    equal, compared = (sum(int(scope["table"][name]) for scope in tables) for name in ("equal", "compared"))
    assert f" and {equal} of {compared} of [Table 5]" in readme


def equal_cells(experiment: str, measures: list[str]) -> list[bool]:
    """Of each printed cell of a released output whether ours, as it is kept, is equal when rounded alike."""
    table, ours = TABLES[experiment], estimates(f"published/published/{experiment}")
    scopes = {described.printed: scope for scope, described in table.test_sets.items()}
    return [
        as_printed(ours[scopes[row.test_set]][row.system][measure], row.cells[measure]) == row.cells[measure]
        for row in read_table(ROOT / "data" / "published" / table.file)
        for measure in measures
        if row.file and measure in row.cells and measure in ours[scopes[row.test_set]][row.system]
    ]


def test_the_tables_12_and_13_of_the_aligners_page_are_the_committed_ones() -> None:
    """docs/aligners.md: F1 of Task 1 on the pairs, over all pairs and over candidates, and what is printed."""
    f1 = {name: of["task1.f1"] for name, of in estimates("table_13/alignment/sample_wiki")["test"].items()}
    with (ROOT / "data/published/alignment_wiki_manual.csv").open(encoding="utf-8") as file:
        printed = {row["system"]: row["t1_f1"] for row in csv.DictReader(file) if row["split"] == "test"}
    rows = {
        "MASSAlign": ("massalign", "massalign_candidates", "MASSAlign"),
        "CATS": ("cats_c3g", "cats_candidates", "CATS"),
        "BERT finetune, news corpus": ("", "bert_finetune_newsela_candidates", "BERT finetune (Newsela-Manual)"),
        "BERT finetune, pairs": ("bert_finetune", "bert_finetune_candidates", "BERT finetune (Wiki-Manual)"),
        "+ ParaAlign": (
            "bert_finetune_paraalign",
            "bert_finetune_paraalign_candidates",
            "BERT finetune (Wiki-Manual) + ParaAlign",
        ),
        "neural CRF as in the paper": ("neural_crf_paper", "", "Neural CRF aligner (Wiki-Manual)"),
    }
    page = text_of("docs/aligners.md")
    for label, (whole, candidates, name) in rows.items():
        cells = [f"{f1[system]:.1f}" if system else "" for system in (whole, candidates)]
        assert " ".join(f"| {label} | {cells[0]} | {cells[1]} | {printed[name]} |".split()) in page


def test_what_the_leaderboard_page_says_is_what_was_computed() -> None:
    """docs/leaderboard.md, "What was found"."""
    first: dict[str, dict[str, str]] = {}
    for board, systems in estimates("published/published/leaderboard").items():
        scored = {name: numbers for name, numbers in systems.items() if "sari" in numbers}
        variants = [name for name in scored.get("access", {}) if re.fullmatch(r"sari[a-z0-9_]*", name)]
        if variants:
            others = scored.keys() - {"identity"} if board == "asset" else scored.keys()
            first[board] = {name: max(sorted(others), key=lambda key: scored[key][name]) for name in variants}
            assert max(scored, key=lambda name: scored[name]["bleu"]) == "identity"
            assert scored["light_ls"]["classes.deletion"] == 0
            assert scored["hybrid"]["classes.deletion"] > 70
    per_sentence, deletion_by_f1, corpus, deletion_by_precision, _, evaluate = first["asset"].values()
    assert {*first["turk"].values()} == {"access", "identity"} and first["turk"]["sari_evaluate"] == "identity"
    assert (per_sentence, deletion_by_f1, corpus) == ("access", "gpt_3_5_turbo", "gpt_3_5_turbo")
    assert (deletion_by_precision, evaluate) == ("flan_ul2", "enc_dec_a")


def test_every_alignment_system_stands_beside_its_source() -> None:
    """Names and patterns of the first column in the table of docs/aligners.md."""
    table = text_of("docs/aligners.md").partition("## Each system beside its source")[2].partition("\n## ")[0]
    cells = [line.split(" | ")[0] for line in table.splitlines() if line.startswith("| `")]
    patterns = [name for cell in cells for name in re.findall("`([^`]+)`", cell)]
    systems = names_from_conf("alignment_system")
    assert sorted(name for name in systems if not any(fnmatch(name, pattern) for pattern in patterns)) == []
    assert [pattern for pattern in patterns if not any(fnmatch(name, pattern) for name in systems)] == []
