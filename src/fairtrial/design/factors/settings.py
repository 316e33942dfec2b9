"""Settings of methods: which methods a factor acts on, and a method with the parameters of a setting.

Hashes of a method at many settings: numbers are written into its canonical text, without a copy of the estimator.
"""

from __future__ import annotations

import itertools
import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from typing import Any

from fairtrial.design.factors.method_factor import METHOD, Factor, Level, are_numbers, find_level
from fairtrial.design.factors.training_factor import TrainingFactor
from fairtrial.errors import InputError, UnknownName
from fairtrial.methods import Method, canonical
from fairtrial.methods.canonical_form import canonical_text, text_digest
from fairtrial.words import listed, nearest, quoted, shown

AnyFactor = TrainingFactor | Factor
MOST_NEAR = 3


def of_methods(factors: Iterable[AnyFactor]) -> tuple[Factor, ...]:
    """The factors on methods, those before others that they contain or that exist only at their levels."""
    own = {f.name: f for f in factors if isinstance(f, Factor)}
    return tuple(sorted(own.values(), key=lambda f: (len(_ancestors(f, own)), f.of.count("__"))))


def exists(factor: AnyFactor, levels: Mapping[str, Level]) -> bool:
    """Whether a factor exists where the factors that it is nested in are at these levels."""
    when = factor.when if isinstance(factor, Factor) else {}
    return all(
        name == METHOD or (name in levels and bool(find_level(wanted, levels[name]))) for name, wanted in when.items()
    )


def factors_of(factors: Sequence[AnyFactor], method: Method) -> tuple[AnyFactor, ...]:
    """The factors that act on a method: all of the training data, and those of its own parameters."""
    known = {f.name: f for f in factors if isinstance(f, Factor)}
    return tuple(f for f in factors if isinstance(f, TrainingFactor) or _acts_on(f, method, known))


def method_at(method: Method, factors: Iterable[AnyFactor], levels: Mapping[str, Level]) -> Method:
    """A copy of a method, with the parameters that a setting gives it; steps are set before their own parameters.

    >>> from sklearn.svm import SVC
    >>> method_at(Method("svm", SVC()), [Factor("C", [1, 10])], {"C": 10}).estimator
    SVC(C=10)
    """
    acting = [f for f in of_methods(factors) if f.name in levels]
    if not acting:
        return method
    from sklearn.base import clone

    known = {f.name: f for f in acting}
    estimator = clone(method.estimator, safe=False)
    for factor in acting:
        address = _address(factor, method.name, estimator, known)
        if address is None:
            raise _no_parameter(factor, [replace(method, estimator=estimator)])
        estimator.set_params(**{address: clone(factor.value(levels[factor.name]), safe=False)})
    return replace(method, estimator=estimator)


def check_factors(factors: Sequence[AnyFactor], methods: Sequence[Method]) -> None:
    """Refuse factors that act on no method, and ``when`` that names no factor, no level of it, or itself."""
    known = {f.name: f for f in factors}
    for factor in (f for f in factors if isinstance(f, Factor)):
        _check_when(factor, known, methods)
    own = {f.name: f for f in factors if isinstance(f, Factor)}
    for factor in own.values():
        _check_cycle(factor, own)
    for factor in own.values():
        names = [m.name for m in methods]
        target = _target(factor, names)
        if "." in target[1]:
            raise UnknownName.among(f"method (of the factor {factor.name})", target[1].split(".")[0], names)
        if not any(_acts_on(factor, method, own) for method in methods):
            chosen = [m for m in methods if not m.yardstick and target[0] in (None, m.name)]
            raise _no_parameter(factor, chosen)


def _check_when(factor: Factor, known: Mapping[str, AnyFactor], methods: Sequence[Method]) -> None:
    for name, levels in factor.when.items():
        if name == METHOD:
            names = [m.name for m in methods]
            for level in levels:
                if level not in names:
                    raise UnknownName.among(f"method (when of the factor {factor.name})", level, names)
            continue
        if name not in known:
            raise UnknownName.among(f"factor (when of the factor {factor.name})", name, [*known, METHOD])
        if not known[name].levels:
            raise InputError(f"when of {factor.name} must name a factor with listed levels, but {name} is a range")
        for level in levels:
            if not find_level(known[name].levels, level):
                raise InputError(
                    f"when of {factor.name} must have levels of {name}, which are {listed(known[name].levels)}, "
                    f"got {shown(level)}"
                )


def _check_cycle(factor: Factor, known: Mapping[str, Factor]) -> None:
    if factor.name in _ancestors(factor, known):
        raise InputError(f"when must not go in a circle, but {factor.name} exists only at levels of itself")


def _ancestors(factor: Factor, known: Mapping[str, Factor]) -> list[str]:
    """The factors on methods that a factor is nested in, the nearest first."""
    found: dict[str, None] = {}
    waiting = list(factor.when)
    while waiting:
        name = waiting.pop(0)
        if name in known and name not in found:
            found[name] = None
            waiting += known[name].when
    return list(found)


def _target(factor: Factor, methods: Iterable[str]) -> tuple[str | None, str]:
    """The method that a factor names, if it names one, and the parameter."""
    named = [name for name in methods if factor.of.startswith(f"{name}.")]
    if not named:
        return None, factor.of
    method = max(named, key=len)
    return method, factor.of[len(method) + 1 :]


def _acts_on(factor: Factor, method: Method, known: Mapping[str, Factor]) -> bool:
    """Whether a method has the parameter, in itself or in a step at the levels where the factor exists."""
    if method.yardstick or (METHOD in factor.when and method.name not in factor.when[METHOD]):
        return False
    target, _ = _target(factor, [method.name])
    if target is None and "." in factor.of:
        return False  # of another method
    if _address(factor, method.name, method.estimator, known) is not None:
        return True
    return any(_address(factor, method.name, changed, known) is not None for changed in _changed(factor, method, known))


def _changed(factor: Factor, method: Method, known: Mapping[str, Factor]) -> Iterable[Any]:
    """The estimator of a method with the steps at each level where a nested factor exists."""
    from sklearn.base import clone

    for name in _ancestors(factor, known):
        parent = known[name]
        wanted = factor.when.get(name, parent.levels)
        for level in (found for given in wanted for found in find_level(parent.levels, given)):
            estimators = [method.estimator, *(_changed(parent, method, known) if parent.when else ())]
            for estimator in estimators:
                address = _address(parent, method.name, estimator, known)
                if address is not None:
                    made = clone(estimator, safe=False)
                    yield made.set_params(**{address: clone(parent.value(level), safe=False)})


def _address(factor: Factor, method: str, estimator: Any, known: Mapping[str, Factor]) -> str | None:
    """The parameter of an estimator that a factor means; None if it has none. That of a step comes first."""
    if not hasattr(estimator, "get_params"):
        return None
    there = estimator.get_params(deep=True)
    _, parameter = _target(factor, [method])
    outer = [_address(known[name], method, estimator, known) for name in _ancestors(factor, known)]
    candidates = [*(f"{step}__{parameter}" for step in outer if step is not None), parameter]
    return next((name for name in candidates if name in there), None)


def _no_parameter(factor: Factor, methods: Sequence[Method]) -> InputError:
    """The error for a factor that no method has, with parameters that are called like it."""
    from fairtrial.design.factors.all_factors import FACTORS

    parameter = _target(factor, [m.name for m in methods])[1]
    there = {
        name for m in methods if hasattr(m.estimator, "get_params") for name in m.estimator.get_params(deep=True)
    } | set(FACTORS)
    inside = sorted((name for name in there if name.endswith(f"__{parameter}")), key=len)
    near = (inside or nearest(parameter, sorted(there)))[:MOST_NEAR]
    hint = f"did you mean {quoted(near, last='or')}?" if near else "see get_params() of your methods for the names"
    plain = [m.name for m in methods if not hasattr(m.estimator, "get_params")]
    if plain:
        base = f"let the class of {listed(plain)} inherit sklearn.base.BaseEstimator, which lists its parameters"
        hint = f"{base}; or {hint}" if near else base
    who = f"{methods[0].name} has" if len(methods) == 1 else f"none of {listed([m.name for m in methods])} has"
    a = "no" if len(methods) == 1 else "a"
    if factor.of == factor.name and "." not in factor.of:
        return InputError(f"no factor is called {factor.name!r}, and {who} {a} parameter of that name; {hint}")
    return InputError(
        f"of = {factor.of!r} must be a parameter of a method in the factor {factor.name}, but {who} {a} parameter "
        f"{parameter!r}; {hint}"
    )


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
