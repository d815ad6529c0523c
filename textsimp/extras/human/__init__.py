"""Human evaluation (section 5.3.2) and a crowd's gold links (section 3.1): sheets out, ratings in, summaries."""

from dataclasses import dataclass
from pathlib import Path
from typing import Annotated

from pydantic import Field

from textsimp.core.settings import NonNegativeNumber, Positive, Samples, Seed, Share

# each rater has a sheet and a form
Raters = Annotated[int, Field(ge=1, le=1000)]
SETTINGS = Path(__file__).with_name("settings.yaml")


@dataclass(frozen=True)
class HumanConfig:
    """The settings, see `settings.yaml`."""

    count: Positive
    raters: Raters
    seed: Seed
    samples: Samples
    test_every: Annotated[int, Field(ge=2, le=1000)]
    least_accuracy: Share
    least_seconds: NonNegativeNumber
    judgements: Raters
    measures: list[str]
