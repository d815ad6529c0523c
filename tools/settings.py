"""Checks that every section of params.yaml is what the stages take, before the first of them runs.

    python tools/settings.py

`make params` and `make repro` do it, so that a wrong value is named at once, and not hours later by the stage that
reads it.
"""

import sys
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT))

from textsimp.alignment.documents import AutoAlignConfig, Execution  # noqa: E402
from textsimp.alignment.neural.aligner_settings import AlignerConfig, Device  # noqa: E402
from textsimp.alignment.parts import SystemConfig  # noqa: E402
from textsimp.core.errors import exit_on_bad_input  # noqa: E402
from textsimp.core.params import PARAMS, load_params, select, select_list  # noqa: E402
from textsimp.core.results import Resampling  # noqa: E402
from textsimp.core.word_vectors import WordVectorConfig  # noqa: E402
from textsimp.corpora.config import BuildConfig  # noqa: E402
from textsimp.evaluation.leaderboard import LeaderboardConfig  # noqa: E402
from textsimp.evaluation.rewriting_analysis import AnalysisConfig  # noqa: E402
from textsimp.evaluation.simplification import EvaluationConfig  # noqa: E402
from textsimp.reporting.plan import ReportConfig  # noqa: E402
from textsimp.simplification.simplifiers import load_simplifier  # noqa: E402
from textsimp.sources.config import SourceConfig, SourcesConfig  # noqa: E402

SECTIONS = {"sources": SourcesConfig, "aligner": AlignerConfig, "evaluation": EvaluationConfig}
SECTIONS |= {"word_vectors": WordVectorConfig, "resampling": Resampling, "analysis": AnalysisConfig}
SECTIONS |= {"report": ReportConfig, "runtime": Device, "execution": Execution}
NAMED: dict[str, dict[str, Any]] = {
    "corpus": {"source": SourceConfig, "align": AutoAlignConfig, "build": BuildConfig},
    "alignment_system": {"": SystemConfig},
}


def check(path: Path = PARAMS) -> None:
    """Raise `InputError` for a section of params.yaml that a stage would refuse; it names the key and known values."""
    for section, kind in SECTIONS.items():
        load_params(section, kind, path)
    if select_list("published", path):
        load_params("leaderboard", LeaderboardConfig, path)
    for group, parts in NAMED.items():
        for name in select(group, path):
            for part, kind in parts.items():
                load_params(".".join(filter(None, (group, name, part))), kind, path)
    for name in select("aligner_variant", path):
        load_params("aligner", AlignerConfig, path, changes=f"aligner_variant.{name}")
    for name in select_list("simplifiers", path):
        load_simplifier(name, path)


if __name__ == "__main__":
    exit_on_bad_input(check)()
