"""What is asked, decided before the run and stored with the study."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import asdict, dataclass, field
from typing import Any, Literal, get_args

from fairtrial.choices import DOMAINS, Domains
from fairtrial.errors import InputError
from fairtrial.measures import check_context
from fairtrial.words import quoted

__all__ = ["Question"]

About = Literal["algorithm", "model"]


@dataclass(frozen=True, slots=True)
class Question:
    """What is asked of the results.

    - ``measure``: what "better" means; None takes accuracy for classes and rmse for values.
    - ``control``: compare all others with this one method; None compares all pairs.
    - ``smallest_difference``: below it a difference does not matter, in units of the measure
      (for measures compared as ratios: 0.1 means 10 %).
    - ``about``: ``"algorithm"`` (what would it do with other training data?) or ``"model"``
      (these fixed models on other instances; for predictions brought from elsewhere).
    - ``domains``: ``"such as these"`` generalises to other data sets, ``"these"`` speaks of each one given.
    - ``context``: where the methods will be used, if not where the test data come from: ``positives`` (the share of
      positives there, ``"uniform"`` if any is as likely, ``"beta(2, 5)"``) and ``costs`` (of a false positive and of a
      false negative). The measure is then taken for that context: accuracy becomes expected accuracy or cost.
    - ``yardsticks``: levels to be shown, such as ``{"human": 0.95, "published": 0.91}``.
    - ``level``: confidence level of intervals; tests use 1 − level.

    >>> Question("Is boosting worth it?", measure="accuracy", control="forest", smallest_difference=0.01).control
    'forest'
    """

    text: str = ""
    measure: str | None = None
    control: str | None = None
    smallest_difference: float | None = None
    about: About = "algorithm"
    domains: Domains = "such as these"
    context: Mapping[str, object] = field(default_factory=dict)
    yardsticks: Mapping[str, float] = field(default_factory=dict)
    level: float = 0.95

    def __post_init__(self) -> None:
        for name in ("text", "measure", "control"):
            if not isinstance(getattr(self, name), str | None):
                raise InputError(f"{name} must be a text, got {getattr(self, name)!r}")
        if not _is_number(self.level) or not 0 < self.level < 1:
            raise InputError(f"level must lie strictly between 0 and 1 (0.95 for 95 %), got {self.level!r}")
        delta = self.smallest_difference
        if delta is not None and not (_is_number(delta) and 0 < delta < math.inf):
            raise InputError(
                f"smallest_difference must be a number above 0, got {delta!r}; "
                "leave it out when every difference matters"
            )
        for name, known in (("about", get_args(About)), ("domains", DOMAINS)):
            if getattr(self, name) not in known:
                raise InputError(f"{name} must be {quoted(known, last='or')}, got {getattr(self, name)!r}")
        check_context(self.context)
        if not isinstance(self.yardsticks, Mapping) or not all(map(_is_number, self.yardsticks.values())):
            raise InputError(f"yardsticks must map names to numbers ({{'human': 0.95}}), got {self.yardsticks!r}")

    def to_dict(self) -> dict[str, Any]:
        return asdict(self)


def _is_number(value: object) -> bool:
    return isinstance(value, (int, float)) and not isinstance(value, bool)
