"""Human evaluation (section 5.3.2), the extra `human`: blinded sheets out, ratings in, averages and agreement."""

from dataclasses import dataclass
from pathlib import Path

SETTINGS = Path(__file__).with_name("settings.yaml")


@dataclass(frozen=True)
class HumanConfig:
    """The settings, see `settings.yaml`."""

    count: int
    raters: int
    seed: int
    samples: int
