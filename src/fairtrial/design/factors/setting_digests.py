"""Hashes of a method at many settings: numbers are written into its canonical text, without a copy of the estimator."""

from __future__ import annotations

import itertools
import re
from collections.abc import Mapping, Sequence
from typing import Any

from fairtrial.design.factors.level_values import Level, are_numbers
from fairtrial.design.factors.method_factor import Factor
from fairtrial.design.factors.settings import AnyFactor, method_at, of_methods
from fairtrial.methods import Method, canonical
from fairtrial.methods.canonical import canonical_text, text_digest

Pieces = tuple[tuple[str, ...], tuple[str, ...]]
"""A text with gaps: the parts between them, and the name of the factor whose level belongs into each gap."""


class SettingDigests:
    """The hashes of a method at the settings of a plan, the same as ``method_at(…).digest()``.

    scikit-learn's ``get_params`` and ``set_params`` take most of the time of a plan with thousands of settings. So the
    canonical text is made once for all settings that differ only in numbers, with marks in place of the numbers. Texts,
    None and estimators are set as usual, since other parameters may depend on them. The first setting of each text
    is checked against the usual way, which is taken for all if the two differ.

    >>> from sklearn.svm import SVC
    >>> factors, method = [Factor("C", log=(0.1, 10.0))], Method("svm", SVC())
    >>> digests = SettingDigests(method, factors)
    >>> [digests.at({"C": c}) == Method("svm", SVC(C=c)).digest() for c in (0.1, 1.0, 10.0)]
    [True, True, True]
    """

    def __init__(self, method: Method, factors: Sequence[AnyFactor]) -> None:
        self._method, self._factors = method, tuple(factors)
        self._numeric = _only_numbers(of_methods(factors))
        self._texts: dict[tuple[object, ...], Pieces | None] = {}

    def at(self, levels: Mapping[str, Level]) -> bytes:
        """The hash of the method at a setting; ``levels`` has the factors on methods that exist there."""
        place = tuple((n, None, None) if n in self._numeric else (n, type(v), v) for n, v in levels.items())
        if place not in self._texts:
            self._texts[place] = self._pieces(levels)
        pieces = self._texts[place]
        return self._slowly(levels) if pieces is None else text_digest(_filled(pieces, levels))

    def _slowly(self, levels: Mapping[str, Level]) -> bytes:
        return method_at(self._method, self._factors, levels).digest()

    def _pieces(self, levels: Mapping[str, Level]) -> Pieces | None:
        """The text of all settings that differ from this one in numbers only; None if it must be made for each."""
        marks = {name: f"@level of factor {i}@" for i, name in enumerate(levels) if name in self._numeric}
        if not marks:
            return None
        try:
            marked = method_at(self._method, self._factors, {**levels, **marks})
            text = canonical_text(marked.canonical())
        except Exception:  # noqa: BLE001 - a class may refuse a text as its parameter, by an error of its own
            return None
        if not _only_sets_parameters(marked.estimator):
            return None
        names = {mark: name for name, mark in marks.items()}
        parts = re.split("|".join(f'"({re.escape(mark)})"' for mark in names), text)
        found = [part for part in parts if part in names]
        between = [part for part in parts if part is not None and part not in names]
        if sorted(found) != sorted(names):
            return None
        pieces = tuple(between), tuple(names[mark] for mark in found)
        return pieces if text_digest(_filled(pieces, levels)) == self._slowly(levels) else None


def _filled(pieces: Pieces, levels: Mapping[str, Level]) -> str:
    between, names = pieces
    values = (canonical_text(canonical(levels[name])) for name in names)
    return "".join(itertools.chain.from_iterable(zip(between, (*values, ""), strict=True)))


def _only_numbers(factors: Sequence[Factor]) -> frozenset[str]:
    """The factors whose levels are numbers, and on which no other factor depends."""
    parents = {name for factor in factors for name in factor.when}
    return frozenset(
        f.name for f in factors if f.name not in parents and f.values is None and (f.ends or are_numbers(f.levels))
    )


def _only_sets_parameters(estimator: Any) -> bool:
    """Whether all parts have their parameters set by scikit-learn's own functions, which leave them as they are."""
    parts = [estimator, *(p for p in estimator.get_params(deep=True).values() if hasattr(p, "get_params"))]
    verbs = [getattr(type(part), verb, None) for part in parts for verb in ("get_params", "set_params")]
    return all(getattr(verb, "__module__", "").startswith("sklearn.") for verb in verbs)
