"""Checks of single arguments. What is not a number becomes nan, which every comparison refuses."""

from __future__ import annotations

import math
from numbers import Integral, Rational, Real

from fairtrial.errors import InputError
from fairtrial.words import is_one_of, quoted


def number(value: object) -> float:
    """The value as a float, or nan if it is not a number, so that ``not 0 < number(value) < 1`` refuses text and lists.

    Fractions are refused, too: scipy's functions can't take them.

    >>> number(0.5), number("0.5"), number([0.5])
    (0.5, nan, nan)
    """
    if not isinstance(value, Real) or (isinstance(value, Rational) and not isinstance(value, Integral)):
        return math.nan
    try:
        return float(value)
    except OverflowError:  # a whole number of more than 308 digits
        return math.inf if abs(value) == value else -math.inf


def is_whole(value: object) -> bool:
    """Whether a value is a finite number without a fraction.

    >>> is_whole(3), is_whole(3.0), is_whole(3.5), is_whole("3")
    (True, True, False, False)
    """
    return number(value).is_integer()


def check_seed(seed: object) -> None:
    """Refuse a seed that is not a whole number, since results must be reproducible."""
    if not (hasattr(seed, "__index__") and number(seed) >= 0):
        raise InputError(f"seed must be a whole number of at least 0, got {seed!r}")


def share_ratio(test_share: float | None, overlap: float = 1.0) -> float:
    """The ratio of test size to training size, or 0 if the scores are taken as independent (no test share).

    ``overlap`` is what the ratio is multiplied by: more than 1 where repeats share their instances.

    >>> share_ratio(0.2), share_ratio(None)   # a fifth held out: one test instance for four training instances
    (0.25, 0.0)
    """
    if not 0 < number(overlap) < math.inf:
        raise InputError(f"overlap must be above 0 (1: Nadeau and Bengio's correction), got {overlap!r}")
    if test_share is None:
        return 0.0
    if not 0 < number(test_share) < 1:
        raise InputError(f"test_share must lie strictly between 0 and 1 (0.1 for 10-fold), got {test_share!r}")
    return overlap * test_share / (1 - test_share)


def check_option(name: str, value: str, options: tuple[str, ...]) -> None:
    """Refuse a value that is not one of the options."""
    if not is_one_of(value, options):
        raise InputError(f"{name} must be {quoted(options, None, last='or')}, got {value!r}")
