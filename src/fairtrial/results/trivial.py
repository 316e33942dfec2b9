"""Methods that learn nothing: they are yardsticks wherever they are listed, and however they are called.

A method of a study is known by what it is, a model of predictions by its one answer, a method of a table of scores by
a name that can mean nothing else. The rule on one feature (1R) learns something: it is a yardstick where fairtrial
added it, or where it is called a baseline.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

if TYPE_CHECKING:
    from fairtrial.definition import DefinedMethod
    from fairtrial.results.readers.tested_sets import TestedSet

NAMES = re.compile(
    r"(always)?(majority(class)?|mostfrequent(class)?)(classifier|baseline|predictor)?"
    r"|mfc|zeror|0r|dummy(classifier|regressor|baseline|model)?|constant(predictor|prediction|baseline)"
    r"|chance(level|baseline)?|(random|uniform)(guess(ing|er)?|chance|class|baseline)|coinflip|guessing"
    r"|default(rule|class)|(prior|mean|median|stratified)baseline|predict(the)?(mean|median|majority)"
)
"""Names of tables, without what is neither letter nor digit, that only a method that learns nothing has.

Not ``uniform``, ``mean``, ``random`` or ``baseline`` alone: weights, poolings, searches and rivals are called so, too.
"""

ONE_RULE = re.compile(r"1r|oner(ule)?")
DUMMIES = "sklearn.dummy."
RULES = "fairtrial.methods.one_rule."
PERHAPS = ("uniform", "stratified", "constant", "mean", "median", "random", "default")
"""Names that a method that learns nothing may have, and others too: these are compared."""


def is_trivial_name(name: str) -> bool:
    """Whether a name in a table of scores can only be that of a method that learns nothing.

    >>> [is_trivial_name(n) for n in ("Majority class", "ZeroR", "MFC", "1R (baseline)", "baseline", "random search")]
    [True, True, True, True, False, False]
    """
    plain = re.sub(r"[^a-z0-9]", "", name.lower())
    called = plain.replace("baseline", "")
    return bool(NAMES.fullmatch(plain)) or (called != plain and bool(ONE_RULE.fullmatch(called)))


def may_be_trivial(name: str) -> bool:
    """Whether a method with this name may learn nothing: it is compared, and a notice says if none beats it."""
    return is_trivial_name(name) or name.lower() in PERHAPS


def trivial_in_study(methods: Iterable[DefinedMethod]) -> tuple[str, ...]:
    """The listed methods of a study that learn nothing, by what they are; one rule where it is called a baseline."""
    return tuple(m.name for m in methods if not m.yardstick and _is_trivial(m.canonical, m.name))


def _is_trivial(canonical: Mapping[str, Any], name: str) -> bool:
    estimator = canonical.get("estimator")
    kind = str(estimator.get("class", "")) if isinstance(estimator, Mapping) else ""
    return kind.startswith(DUMMIES) or (kind.startswith(RULES) and "baseline" in name.lower())


def trivial_in_table(names: Iterable[str]) -> tuple[str, ...]:
    """The methods of a table of scores that learn nothing, by their names."""
    return tuple(name for name in names if is_trivial_name(str(name)))


def trivial_in_sets(sets: Sequence[TestedSet]) -> tuple[str, ...]:
    """The models whose predictions are one answer on each data set, or whose names say that they learn nothing."""
    names = dict.fromkeys(name for tested in sets for name in tested.channels)
    own = {name: [s.channels[name] for s in sets if name in s.channels] for name in names}
    return tuple(name for name in names if is_trivial_name(name) or all(map(_is_constant, own[name])))


def _is_constant(channels: Mapping[str, Any]) -> bool:
    """Whether all instances, of which there are several, get the same answer."""
    arrays = [np.asarray(array) for array in channels.values()]
    return all(len(a) > 1 and bool((a[1:2] == a[0]).all()) and bool((a == a[0]).all()) for a in arrays)
