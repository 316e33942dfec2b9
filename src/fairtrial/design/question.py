"""The question of a study, decided before the run and stored with it."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, field
from typing import Any, Literal, get_args

from fairtrial.choices import ALTERNATIVES, DOMAINS, ESTIMANDS, Alternatives, Domains, Estimand
from fairtrial.errors import InputError
from fairtrial.measures import check_context
from fairtrial.words import quoted

__all__ = ["Question"]

About = Literal["algorithm", "model"]

CHOICES: Mapping[str, tuple[str, ...]] = {
    "about": get_args(About),
    "domains": DOMAINS,
    "alternative": ALTERNATIVES,
    "estimand": ESTIMANDS,
}


@dataclass(frozen=True, slots=True)
class Question:
    """The question that a verdict answers.

    - ``measure``: what "better" means; None means accuracy for classes and rmse for values.
    - ``control``: the method that all others are compared with; None compares all pairs.
    - ``smallest_difference``: the smallest difference that matters, in units of the measure (for measures compared as
      ratios, 0.1 means 10 %).
    - ``about``: ``"algorithm"`` (how would it do with other training data?) or ``"model"`` (these fixed models on other
      instances; for predictions from elsewhere).
    - ``domains``: ``"such as these"`` gives one verdict that generalises to similar data sets, ``"these"`` a separate
      verdict for each data set.
    - ``context``: the operating context, if it differs from the test data: ``positives`` (the share of positives there,
      ``"uniform"`` if any share is equally likely, or ``"beta(2, 5)"``) and ``costs`` (of a false positive and of a
      false negative). The measure is then computed for that context: accuracy becomes expected accuracy or expected
      cost.
    - ``yardsticks``: levels to be shown, such as ``{"human": 0.95, "published": 0.91}``.
    - ``level``: the confidence level of intervals; tests use 1 − level.
    - ``alternative``: what is asked about each method and the control: ``"two-sided"``, ``"better"`` (only whether it
      is better) or ``"not worse"`` (whether it is at most ``smallest_difference`` worse). A question on one side must
      have been decided before the results were seen.
    - ``estimand``: what a difference over data sets is: the ``"typical"`` one (the pseudo-median of the differences),
      or that of the ``"mean"``.
    - ``family``: data sets that belong together, ``{"letters": ["letter-a", "letter-b"]}``: versions of one source are
      one piece of evidence over data sets, and their scores are averaged.

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
    alternative: Alternatives = "two-sided"
    estimand: Estimand = "typical"
    family: Mapping[str, Sequence[str]] = field(default_factory=dict)

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
        for name, known in CHOICES.items():
            if getattr(self, name) not in known:
                raise InputError(f"{name} must be {quoted(known, last='or')}, got {getattr(self, name)!r}")
        if self.alternative != "two-sided" and self.control is None:
            raise InputError(
                f"alternative={self.alternative!r} compares methods with a control; name it: control='…' (--control)"
            )
        _check_family(self.family)
        check_context(self.context)
        if not isinstance(self.yardsticks, Mapping) or not all(map(_is_number, self.yardsticks.values())):
            raise InputError(f"yardsticks must map names to numbers ({{'human': 0.95}}), got {self.yardsticks!r}")

    def to_dict(self) -> dict[str, Any]:
        return asdict(self)


def _is_number(value: object) -> bool:
    return isinstance(value, (int, float)) and not isinstance(value, bool)


def _check_family(family: object) -> None:
    """Refuse families that are not lists of names."""
    good = isinstance(family, Mapping) and all(
        isinstance(name, str)
        and isinstance(members, list | tuple)
        and members
        and all(isinstance(m, str) for m in members)
        for name, members in family.items()
    )
    if not good:
        raise InputError(
            f"family must map names to lists of data sets ({{'letters': ['letter-a', 'letter-b']}}), got {family!r}"
        )
