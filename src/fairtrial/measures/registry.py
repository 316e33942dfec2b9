"""Where measures are declared and found: ``@measure`` turns a formula into a public function and records its facts.

>>> from fairtrial.measures import PerClass, ratio
>>> @measure("Critical success index", of=PerClass, worst=0.0, best=1.0, undefined="there are no positives")
... def critical_success(c: PerClass) -> FloatArray:
...     "Hits among all instances that are positive or predicted so."
...     return ratio(c.tp, c.tp + c.fp + c.fn)
>>> critical_success([1, 1, 1, 0, 0], [1, 1, 0, 1, 0])
0.5
>>> print(get("critical_success"))
Critical success index (critical_success): 0 to 1, higher is better
>>> forget("critical_success")
"""

from __future__ import annotations

import functools
import inspect
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from fairtrial.errors import InputError, UnknownName
from fairtrial.measures.facts import Combine, Compare, Measure
from fairtrial.measures.folds import FloatArray
from fairtrial.measures.predictions import Intermediate, Predictions
from fairtrial.tables import Column, Table

__all__ = ["all_measures", "entry", "examples", "forget", "get", "measure", "names", "to_table", "why_undefined"]

Formula = Callable[..., FloatArray]
Public = Callable[..., float]


@dataclass(frozen=True, slots=True)
class Entry:
    """A measure as it is registered: facts, formula, and what the formula works on."""

    facts: Measure
    of: type[Intermediate]
    formula: Formula

    def values(self, predictions: Predictions) -> FloatArray:
        """One value per fold, with the default options."""
        shared = predictions.shared(self.of)
        return shared.reduce(self.formula(shared))


_entries: dict[str, Entry] = {}
_aliases: dict[str, str] = {}


def measure(
    title: str,
    *,
    of: type[Intermediate],
    worst: float,
    best: float,
    per_instance: bool = False,
    combine: Combine = "mean",
    compare: Compare = "difference",
    unit: str = "",
    range: str = "",
    use_when: str = "",
    beware: str = "",
    undefined: str = "the fold is empty",
    aliases: tuple[str, ...] = (),
) -> Callable[[Formula], Public]:
    """Declare a measure: a formula over a shared intermediate, and its facts.

    The formula gets the intermediate ``of`` (:class:`Confusion`, :class:`PerClass`, :class:`Ranking`,
    :class:`Probabilities`, :class:`Residuals`) and gives an array with a leading axis of folds; over
    :class:`PerClass` and :class:`Ranking` a second axis of classes, which is averaged for it. Its keyword-only
    parameters are options with defaults. What the decorator returns is called with truth and predictions;
    :func:`compute` finds the same formula by its name.
    """

    def register(formula: Formula) -> Public:
        facts = Measure(
            name=formula.__name__,
            title=title,
            needs=of.needs,
            task=of.task,
            worst=worst,
            best=best,
            per_instance=per_instance,
            combine=combine,
            compare=compare,
            unit=unit,
            range=range,
            use_when=use_when,
            beware=beware,
            undefined=undefined,
            aliases=aliases,
            doc=inspect.getdoc(formula) or "",
        )
        _add(Entry(facts, of, formula))
        return _public(formula, of)

    return register


def entry(name: str) -> Entry:
    """The registered measure of that name or alias."""
    found = _entries.get(_aliases.get(name, name))
    if found is None:
        raise UnknownName.among("measure", name, [*_entries, *_aliases])
    return found


def get(name: str) -> Measure:
    """The facts about a measure, by name or alias.

    >>> get("balanced_accuracy").name, get("rmse").higher_is_better, get("rmse").compare
    ('average_recall', False, 'log-ratio')
    """
    return entry(name).facts


def names() -> tuple[str, ...]:
    """All measures: of labels, scores, probabilities, values, then what trials record."""
    return tuple(m.name for m in all_measures())


def all_measures() -> tuple[Measure, ...]:
    """The facts about all measures, in the order of :func:`names`."""
    return tuple(sorted((e.facts for e in _entries.values()), key=_family))


def why_undefined(name: str) -> str:
    """Why a measure may be nan in a fold.

    >>> why_undefined("precision")
    'precision is undefined where nothing is predicted to be of the class'
    """
    facts = get(name)
    return f"{facts.name} is undefined where {facts.undefined}"


def to_table() -> Table:
    """What ``fairtrial list measures`` prints."""
    titles = ("name", "needs", "range", "better", "use it when", "beware when")
    rows = tuple(
        (m.name, ", ".join(m.needs) or "trial", m.range, _direction(m), m.use_when, m.beware) for m in all_measures()
    )
    return Table(tuple(Column(t, align="left") for t in titles), rows, caption="measures")


def forget(name: str) -> None:
    """Take a measure out again, for tests and notebooks."""
    gone = _entries.pop(entry(name).facts.name)
    for alias in gone.facts.aliases:
        _aliases.pop(alias)


def examples(module: str) -> dict[str, str]:
    """The docstrings of a module's measures, for its ``__test__``: doctest passes over what a decorator made."""
    return {e.facts.name: e.facts.doc for e in _entries.values() if e.formula.__module__ == module}


def _family(facts: Measure) -> int:
    channels = ("label", "score", "probability", "value")
    return min((channels.index(n) for n in facts.needs if n in channels), default=len(channels))


def _direction(facts: Measure) -> str:
    return "higher" if facts.higher_is_better else "lower"


def _add(new: Entry) -> None:
    """A name may be declared again only from the same place, as a notebook does when a cell is run twice."""
    for name in (new.facts.name, *new.facts.aliases):
        old = _entries.get(_aliases.get(name, name))
        if old is not None and _place(old) != _place(new):
            raise InputError(f"a measure called {name!r} exists already, in {_place(old)}; choose another name")
    _entries[new.facts.name] = new
    _aliases.update(dict.fromkeys(new.facts.aliases, new.facts.name))


def _place(e: Entry) -> str:
    return f"{e.formula.__module__}.{e.formula.__qualname__}"


def _public(formula: Formula, of: type[Intermediate]) -> Public:
    """The function that people call: the intermediate's arguments, then the formula's options."""
    read: Callable[..., Intermediate] = of.read  # type: ignore[attr-defined]
    signature, options = _joined(read, formula)

    @functools.wraps(formula)
    def public(*args: Any, **given: Any) -> float:
        chosen = {name: given.pop(name) for name in options if name in given}
        shared = read(*args, **given)
        return float(shared.reduce(formula(shared, **chosen))[0])

    public.__signature__ = signature  # type: ignore[attr-defined]
    return public


def _joined(read: Callable[..., object], formula: Formula) -> tuple[inspect.Signature, tuple[str, ...]]:
    options = [p for p in inspect.signature(formula).parameters.values() if p.kind is p.KEYWORD_ONLY]
    parameters = [*inspect.signature(read).parameters.values(), *options]
    return inspect.Signature(parameters, return_annotation="float"), tuple(p.name for p in options)
