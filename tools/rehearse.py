"""Reproduces the experiment `rehearsal` and writes what every stage cost, from which `tools/plan.py` reckons.

python tools/rehearse.py reports/costs

Seconds and the largest process's memory are those of each stage that ran, as the system counts them; on a CPU others
ran beside it, as in `make repro`. Where a stage trains, its seconds per update are the difference between two runs, so
that start-up, evaluation and saving are not in them. The file is rewritten for the stages that ran; the others keep
what they had.
"""

import argparse
import json
import os
import platform
import shutil
import stat
import subprocess
import sys
import tempfile
from collections.abc import Iterator, Mapping
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT))

from textsimp.core.devices import processors, resolve_device  # noqa: E402 the root has to be on the path first
from textsimp.core.errors import InputError, exit_on_bad_input  # noqa: E402
from textsimp.core.params import select, select_list  # noqa: E402
from textsimp.core.reading import read_json, read_lines  # noqa: E402
from textsimp.core.records import Document, DocumentPair, read_pairs  # noqa: E402
from textsimp.core.writing import write_json  # noqa: E402
from tools.repro import reproduce  # noqa: E402

MORE, MANY = 3, 20
"""How many times as many updates the second run of a training has; of a quick one, whose start-up varies by more."""
_QUICK = 30.0
"""Seconds."""
_SHIM = """#!{python} -ES
import json, os, sys, time
command = [{python!r}, *sys.argv[1:]]
if sys.argv[1:2] != ["-m"] or not sys.argv[2].startswith("stages."):
    os.execv(command[0], command)
start = time.monotonic()
_, status, usage = os.wait4(os.spawnv(os.P_NOWAIT, command[0], command), 0)
row = dict(command=sys.argv[2:], seconds=time.monotonic() - start, megabytes=usage.ru_maxrss / 1024)
with open({log!r}, "a") as file:
    file.write(json.dumps(row) + "\\n")
sys.exit(os.waitstatus_to_exitcode(status) & 255)
"""
_OUTPUTS = ("--model", "--bin", "--raw", "--out", "--output", "--alignments", "--corpora")


@exit_on_bad_input
def main() -> None:
    """Run the stages, then measure the trainings a second time, and write both."""
    parser = argparse.ArgumentParser(prog="python tools/rehearse.py", description=__doc__.partition("\n")[0])
    parser.add_argument("folder", type=Path, help="where the file is written")
    args = parser.parse_args()
    if str(select("experiment")) != "rehearsal":
        raise InputError("params.yaml: of another experiment; run `make repro EXPERIMENT=rehearsal`")
    device = resolve_device(str(select("runtime.device")))
    path = args.folder / f"rehearsal.{device.partition(':')[0]}.json"
    stages: dict[str, Any] = read_json(path)["stages"] if path.is_file() else {}
    jobs = 1 if device != "cpu" else processors()
    with measured() as (environment, rows):
        status = reproduce(jobs, environment)
        for row in rows():
            name = stage_name(row["command"])
            stages[name] = {**cost(row), "units": units(name.partition("@")[0], row["command"])}
    costs = {"machine": machine(device), "stages": dict(sorted(stages.items()))}
    write_json(path, costs)
    if not status:
        for name, seconds in per_update(stages, jobs).items():
            stages[name]["seconds_per_update"] = round(seconds, 3)
        write_json(path, costs)
    sys.exit(status)


@contextmanager
def measured() -> Iterator[tuple[dict[str, str], Any]]:
    """An environment whose `python` notes what each stage cost, and a function that gives the notes."""
    with tempfile.TemporaryDirectory() as folder:
        log, shim = Path(folder, "costs.jsonl"), Path(folder, "python")
        log.touch()
        shim.write_text(_SHIM.format(python=sys.executable, log=str(log)), encoding="utf-8")
        shim.chmod(shim.stat().st_mode | stat.S_IXUSR)
        path = os.pathsep.join((folder, str(Path(sys.executable).parent), os.environ["PATH"]))
        yield {**os.environ, "PATH": path}, lambda: [json.loads(line) for line in read_lines(log)]


def stage_name(command: list[str]) -> str:
    """Such as `train_simplifier@newsela-auto-lstm`: the stage and the arguments that name its case."""
    names = []
    for argument in command[1:]:
        if argument.startswith("--"):
            break
        names.append(argument)
    if "--variant" in command:
        names.append(command[command.index("--variant") + 1])
    stage = command[0].removeprefix("stages.")
    return f"{stage}@{'-'.join(names)}" if names else stage


def cost(row: Mapping[str, Any]) -> dict[str, float]:
    """Seconds, memory and what is left on the disk of one stage, in megabytes."""
    command = row["command"]
    written = [Path(command[at + 1]) for at, option in enumerate(command) if option in _OUTPUTS]
    size = sum(file.stat().st_size for file in (p for top in written[-1:] for p in top.rglob("*")) if file.is_file())
    return {"seconds": round(row["seconds"], 1), "memory_mb": round(row["megabytes"]), "disk_mb": round(size / 2**20)}


def units(stage: str, command: list[str]) -> dict[str, int]:
    """How much the stage had to do: what the full experiment has more of."""
    corpus = command[1] if len(command) > 1 else ""
    folder = Path("data/splits", corpus)
    if stage in ("acquire", "load_splits", "align", "build_corpus", "audit", "analyse") and folder.is_dir():
        return {"sentence_pairs": sum(map(products, folder.glob("*.jsonl")))}
    if stage in ("train_aligner", "evaluate_alignment", "train_system", "evaluate_paragraphs") and folder.is_dir():
        return {"annotated_pairs": sum(products(folder / f"{split}.jsonl") for split in ("train", "dev", "test"))}
    if stage in ("train_default", "evaluate_default"):
        return {"annotated_pairs": sum(map(products, Path("data/splits").glob("*/[!u]*.jsonl")))}
    if stage == "train_encoder":
        return {"updates": int(select("aligner.encoder.max_steps"))}
    if stage == "binarize":
        return {"train_pairs": len(read_lines(Path("data/corpora", corpus, command[2], "train.complex")))}
    if stage == "train_simplifier":
        return {"updates": int(select(f"simplifier.{command[3]}.max_updates"))}
    if stage in ("simplify", "evaluate_simplification"):
        tests = Path("data/corpora", corpus, "test").glob("*.complex")
        return {"sentences": sum(len(read_lines(path)) for path in tests)}
    return {}


def products(path: Path) -> int:
    """The pairs of a complex and a simple sentence of all document pairs of a file."""
    return sum(size(pair.complex) * size(pair.simple) for pair in pairs_of(path)) if path.is_file() else 0


def pairs_of(path: Path) -> Iterator[DocumentPair]:
    """Its document pairs; none of an empty file."""
    yield from read_pairs(path) if path.stat().st_size else ()


def size(document: Document) -> int:
    """The number of sentences."""
    return len(document.sentences)


def per_update(stages: Mapping[str, Mapping[str, Any]], jobs: int) -> dict[str, float]:
    """The seconds of one update of each simplifier and encoder, from a run that is several times as long.

    As many of them run side by side as before, so that both runs were held up alike.
    """
    corpus, training = select_list("simplification_corpora")[0], select_list("training_sets")[0]
    trained = {
        f"train_simplifier@{corpus}-{training}-{name}": (
            f"simplifier.{name}.max_updates",
            [corpus, training, name, "--bin", f"data/bin/{corpus}/{training}/{name}"],
        )
        for name in select_list("simplifiers")
    }
    encoder = select_list("encoders")[0]
    trained[f"train_encoder@{encoder}"] = ("aligner.encoder.max_steps", [encoder, "--splits", "data/splits"])
    wanted = {name: row for name, row in trained.items() if name in stages and "seconds_per_update" not in stages[name]}
    with ThreadPoolExecutor(jobs) as pool:
        times = {name: MANY if stages[name]["seconds"] < _QUICK else MORE for name in wanted}
        runs = [pool.submit(_longer, name.partition("@")[0], *row, times[name]) for name, row in wanted.items()]
    return {
        name: max(0.0, (run.result() - stages[name]["seconds"]) / (int(select(key)) * (times[name] - 1)))
        for (name, (key, _)), run in zip(wanted.items(), runs, strict=True)
    }


def _longer(stage: str, key: str, arguments: list[str], times: int) -> float:
    """The seconds of a stage with so many times as many updates.

    It runs in a folder that has everything but params.yaml from here.
    """
    with tempfile.TemporaryDirectory(dir="data") as name, measured() as (environment, rows):
        folder = Path(name).resolve()
        for path in Path.cwd().iterdir():
            if path.name not in ("params.yaml", "reports", ".dvc"):
                (folder / path.name).symlink_to(path)
        shutil.copyfile("params.yaml", folder / "params.yaml")
        text = (folder / "params.yaml").read_text(encoding="utf-8")
        (folder / "params.yaml").write_text(_changed(text, key, times * int(select(key))), encoding="utf-8")
        command = ["python", "-m", f"stages.{stage}", *arguments]
        command += ["--model", str(folder / "model"), "--curve", str(folder / "curve.csv")]
        shim = environment["PATH"].partition(os.pathsep)[0]
        subprocess.run([f"{shim}/{command[0]}", *command[1:]], cwd=folder, env=environment, check=True)
        return float(rows()[-1]["seconds"])


def _changed(text: str, key: str, value: int) -> str:
    from omegaconf import OmegaConf

    tree = OmegaConf.create(text)
    OmegaConf.update(tree, key, value)
    epochs = f"{key.rpartition('.')[0]}.max_epochs"
    if OmegaConf.select(tree, epochs):  # the stand-ins are few, so that updates end with the epochs
        OmegaConf.update(tree, epochs, value)
    return OmegaConf.to_yaml(tree)


def machine(device: str) -> dict[str, Any]:
    """The kind of machine, without its name."""
    kind: dict[str, Any] = {"device": device, "processor": platform.machine(), "cores": os.cpu_count()}
    if device.startswith("cuda"):
        import torch

        kind["gpu"] = torch.cuda.get_device_name(device)
    return kind | {"threads": int(select("runtime.threads"))}


if __name__ == "__main__":
    main()
