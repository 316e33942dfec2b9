"""The registry of measures: ``@measure`` turns a formula into a public function and records its facts.

>>> from fairtrial.measures import PerClass, ratio
>>> @measure("Critical success index", of=PerClass, worst=0.0, best=1.0, undefined="there are no positives")
... def critical_success(c: PerClass) -> FloatArray:
...     "Share of true positives among all instances that are positive or predicted positive."
...     return ratio(c.tp, c.tp + c.fp + c.fn)
>>> critical_success([1, 1, 1, 0, 0], [1, 1, 0, 1, 0])
0.5
>>> print(get("critical_success"))
Critical success index (critical_success): 0 to 1, higher is better
>>> forget("critical_success")

The facts about a measure as data, from which documentation, tests and program are fed.
"""

from __future__ import annotations

import functools
import inspect
import math
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, fields, replace
from typing import Any, Literal, ParamSpec, Protocol, TypeVar, cast

import numpy as np

from fairtrial.errors import CallError, InputError, UnknownName
from fairtrial.measures import name_options
from fairtrial.measures.fold_axis import FloatArray
from fairtrial.measures.predictions import SUBSTITUTES, Intermediate, Predictions, Task, settings_of
from fairtrial.shown import ShownAsText
from fairtrial.tables import Column, Table

Combine = Literal["mean", "pooled"]
Compare = Literal["difference", "log-ratio"]


@dataclass(frozen=True, slots=True)
class Measure(ShownAsText):
    """The facts about a measure.

    ``needs`` are the channels that it reads; none if it is read from the records of trials. ``per_instance``: it is the
    mean of one loss per instance, so that standard errors and paired tests over instances apply. ``combine``: how the
    folds of a repeat are combined, by the mean over folds or by pooling all predictions. ``compare``: how methods are
    compared across data sets, by differences or, for errors without a common scale, by the logarithm of the ratio.
    ``worst`` and ``best`` are nan if neither direction is better: such a measure describes a method, but can't rank
    methods.
    """

    name: str
    title: str
    needs: tuple[str, ...]
    task: Task
    worst: float
    best: float
    per_instance: bool = False
    combine: Combine = "mean"
    compare: Compare = "difference"
    unit: str = ""
    range: str = ""
    use_when: str = ""
    beware: str = ""
    undefined: str = "the fold is empty"
    aliases: tuple[str, ...] = ()
    doc: str = ""

    def __post_init__(self) -> None:
        if not self.range:
            object.__setattr__(self, "range", _range(min(self.worst, self.best), max(self.worst, self.best)))

    @property
    def directed(self) -> bool:
        """Whether higher or lower values are better at all."""
        return self.best == self.best

    @property
    def higher_is_better(self) -> bool:
        """Whether better methods have higher values."""
        if not self.directed:
            raise InputError(
                f"{self.name} describes a method, and neither higher nor lower is better; compare by another measure"
            )
        return self.best > self.worst

    @property
    def from_trials(self) -> bool:
        """Whether it is read from the records of trials (time, memory) and not computed from predictions."""
        return not self.needs

    @property
    def reads(self) -> frozenset[str]:
        """The channels that it may read: those that it needs, and their substitutes."""
        return frozenset(c for n in self.needs for c in (n, SUBSTITUTES.get(n, n)))

    def can_use(self, channels: frozenset[str]) -> bool:
        """Whether it can be computed from these channels; a probability replaces a missing score."""
        return bool(self.needs) and all(n in channels or SUBSTITUTES.get(n) in channels for n in self.needs)

    def to_dict(self) -> dict[str, object]:
        """All facts by name."""
        return {f.name: getattr(self, f.name) for f in fields(self)}

    def __str__(self) -> str:
        direction = "neither way" if not self.directed else "higher" if self.higher_is_better else "lower"
        return f"{self.title} ({self.name}): {self.range}, {direction} is better"


def _range(low: float, high: float) -> str:
    """Describe a range in words.

    >>> _range(0.0, 1.0), _range(0.0, math.inf), _range(-math.inf, 1.0)
    ('0 to 1', '0 upwards', 'up to 1')
    """
    if math.isnan(high):
        return "any number"
    if math.isinf(high):
        return "any number" if math.isinf(low) else f"{low:g} upwards"
    return f"up to {high:g}" if math.isinf(low) else f"{low:g} to {high:g}"


Formula = Callable[..., FloatArray]
Public = Callable[..., float]

P = ParamSpec("P")
Shared = TypeVar("Shared", bound=Intermediate)
Read = TypeVar("Read", bound=Intermediate, covariant=True)


class Readable(Protocol[P, Read]):
    """A class of intermediates, for type checkers: they take the arguments of a measure from its ``read``."""

    def read(self, *args: P.args, **kwargs: P.kwargs) -> Read:
        """Read plain arrays."""
        ...


@dataclass(frozen=True, slots=True)
class Entry:
    """A registered measure: its facts, its formula, the intermediate of the formula, and the public function.

    ``options`` go to the formula, ``settings`` (a class average, a class balance) to the intermediate.
    """

    facts: Measure
    of: type[Intermediate]
    formula: Formula
    public: Public
    options: Mapping[str, object] = field(default_factory=dict)
    settings: Mapping[str, object] = field(default_factory=dict)

    def values(self, predictions: Predictions) -> FloatArray:
        """The value in each fold."""
        return self.of_shared(predictions.with_settings(**self.settings).shared(self.of))

    def of_shared(self, shared: Intermediate) -> FloatArray:
        """The value in each fold, from an intermediate."""
        return shared.reduce(self.formula(shared, **self.options))


MOST_CLASSES = 1000
"""The largest number of classes in an option: a name from an untrusted file must not fill the memory."""

_entries: dict[str, Entry] = {}
_aliases: dict[str, str] = {}


def measure(
    title: str,
    *,
    of: Readable[P, Shared],
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
) -> Callable[[Callable[[Shared], FloatArray]], Callable[P, float]]:
    """Declare a measure: a formula over a shared intermediate, and its facts.

    The formula gets the intermediate ``of`` (:class:`Confusion`, :class:`Margins`, :class:`PerClass`, :class:`Ranking`,
    :class:`Probabilities`, :class:`Residuals`, :class:`Gaussian`, :class:`Scaled`, :class:`Quantiles`, :class:`Bounds`;
    :class:`Records` of trials) and gives an array with a leading axis of folds; over :class:`PerClass` and
    :class:`Ranking` with a second axis of classes, which is averaged afterwards. Its keyword-only parameters are
    options, with defaults. The decorated function takes plain arrays: the arguments of the intermediate's ``read``,
    then the options. :func:`compute` finds the formula by its name.

    Type checkers see the arguments of ``read``. They can't see the options of your own formula: call
    ``function("name")`` where a checked file uses them.
    """

    kind = cast(type[Intermediate], of)

    def register(formula: Formula) -> Callable[P, float]:
        facts = Measure(
            name=formula.__name__,
            title=title,
            needs=kind.needs,
            task=kind.task,
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
        public = _public(formula, of.read)
        _add(Entry(facts, kind, formula, public))
        return public

    return register


def find_entry(name: str) -> Entry:
    """The measure of a name or alias, with the options that are in the name."""
    plain, given = resolve(name)
    found = _entries.get(plain)
    if found is None:
        raise UnknownName.among("measure", plain, [*_entries, *_aliases])
    return _with_options(found, given) if given else found


def resolve(name: str) -> tuple[str, dict[str, object]]:
    """The registered name and the options of a name or alias; given options override those of an alias.

    >>> resolve("macro_f1(beta=2)")
    ('f_measure', {'average': 'macro', 'beta': 2})
    """
    plain, given = name_options.parse(name)
    target, brought = name_options.parse(_aliases.get(plain, plain))
    return target, {**brought, **given}


def is_known(name: str) -> bool:
    """Whether there is a measure of that name, and its options can be used."""
    try:
        find_entry(name)
    except InputError:
        return False
    return True


def add_alias(alias: str, name: str) -> None:
    """Give a measure with options a name of its own, such as ``macro_f1``."""
    _aliases[alias] = find_entry(name).facts.name


def pooled(name: str) -> str:
    """The name of a measure when computed over all predictions of a repeat, instead of the mean over its folds.

    >>> pooled("f_measure(beta=2)")
    "f_measure(beta=2, combine='pooled')"
    """
    plain, given = resolve(name)
    return find_entry(name_options.written(plain, {**given, "combine": "pooled"})).facts.name


def function(name: str) -> Public:
    """The function of a measure for plain arrays, by name or alias."""
    found = find_entry(name)
    given = {**found.options, **found.settings}
    return functools.partial(found.public, **given) if given else found.public


def _with_options(found: Entry, given: dict[str, object]) -> Entry:
    """A measure with some options set; the option ``combine`` sets how folds are combined."""
    combine = given.pop("combine", found.facts.combine)
    if combine not in ("mean", "pooled"):
        raise InputError(
            f"combine must be 'mean' (over the folds) or 'pooled' (all predictions at once), got {combine!r}"
        )
    if combine == "pooled" and found.facts.from_trials:
        raise InputError(f"{found.facts.name} is recorded with each trial and can't be pooled; leave out combine")
    own = _options_of(found.formula)
    known = [*own, *(s for s in settings_of(found.of) if s not in own)]
    for name in given:
        if name not in known:
            raise UnknownName.among(f"option of {found.facts.name}", name, [*known, "combine"])
    chosen = name_options.changed(found.public, given)
    shown = chosen | ({"combine": combine} if combine != found.facts.combine else {})
    facts = replace(
        found.facts,
        name=name_options.written(found.facts.name, shown),
        combine=combine,
        per_instance=found.facts.per_instance and "prior" not in chosen,
        aliases=(),
    )
    made = replace(
        found,
        facts=facts,
        options={n: v for n, v in chosen.items() if n in own},
        settings={n: v for n, v in chosen.items() if n not in own},
    )
    _try(made, max([2, *(len(v) for v in chosen.values() if isinstance(v, tuple))]))
    return replace(made, facts=replace(facts, title=name_options.titled(found.facts.title, shown)))


def check_classes(name: str, n_classes: int) -> None:
    """Refuse a measure whose options don't fit the number of classes."""
    found = find_entry(name)
    if isinstance(n_classes, bool) or not isinstance(n_classes, (int, np.integer)) or n_classes < 0:
        raise InputError(f"n_classes must be the number of classes, got {n_classes!r}")
    if found.options or found.settings:
        _try(found, n_classes)


def _try(made: Entry, n_classes: int = 2) -> None:
    """Compute a measure once on artificial predictions, to find a bad option now, not at the end of a long run."""
    k = n_classes
    if k > MOST_CLASSES:
        raise InputError(f"an option of {made.facts.name} may have at most {MOST_CLASSES} entries, got {k}")
    right = np.arange(2 * k) % k
    p = np.full((2 * k, k), 0.5 / k) + 0.5 * np.eye(k)[right]
    low = right + 1.0
    channels = {"label": right, "probability": p, "value": right + 1.5, "std": low, "low": low, "high": low + 1}
    if not made.facts.can_use(frozenset(channels)):
        return
    tried = Predictions.checked(right, channels, n_classes=k if made.facts.task == "classes" else 0)
    _refusing(made.facts.name, {**made.options, **made.settings}, lambda: made.values(tried))


def _refusing(name: str, options: Mapping[str, object], compute: Callable[[], FloatArray]) -> FloatArray:
    """Compute a measure; what its formula can't do with the given options is an error of the options."""
    try:
        return compute()
    except InputError:
        raise
    except (TypeError, ValueError, ArithmeticError) as error:
        if not options:
            raise
        raise InputError(f"the options of {name} can't be used ({error}), got {dict(options)!r}") from None


def get(name: str) -> Measure:
    """The facts about one measure, by name or alias.

    >>> get("balanced_accuracy").name, get("rmse").higher_is_better, get("rmse").compare
    ('average_recall', False, 'log-ratio')
    """
    return find_entry(name).facts


def names() -> tuple[str, ...]:
    """The names of all measures: of labels, scores, probabilities, values, then of resources."""
    return tuple(m.name for m in all_measures())


def all_measures() -> tuple[Measure, ...]:
    """The facts about all measures, in the order of :func:`names`."""
    return tuple(sorted((e.facts for e in _entries.values()), key=_family))


def why_undefined(name: str) -> str:
    """Explain when a measure is undefined (nan) in a fold.

    >>> why_undefined("precision")
    'precision is undefined where nothing is predicted to be of the class'
    """
    facts = get(name)
    return f"{facts.name} is undefined where {facts.undefined}"


def to_table() -> Table:
    """All measures as the table that ``fairtrial list measures`` prints."""
    titles = ("name", "needs", "range", "better", "use it when", "beware when")
    rows = tuple(
        (m.name, ", ".join(m.needs) or "trial", m.range, _direction(m), m.use_when, m.beware) for m in all_measures()
    )
    return Table(tuple(Column(t, align="left") for t in titles), rows, caption="measures")


def forget(name: str) -> None:
    """Remove a measure from the registry, for tests and notebooks."""
    gone, _ = resolve(name)
    if gone not in _entries:
        raise UnknownName.among("measure", gone, _entries)
    del _entries[gone]
    for alias in [a for a, target in _aliases.items() if name_options.parse(target)[0] == gone]:
        del _aliases[alias]


def examples(module: str) -> dict[str, str]:
    """The docstrings of a module's measures, for its ``__test__``: doctest skips decorated functions."""
    return {e.facts.name: e.facts.doc for e in _entries.values() if e.formula.__module__ == module}


def _family(facts: Measure) -> int:
    channels = ("label", "score", "probability", "value", "std", "naive_scale", "quantiles", "low")
    return max((channels.index(n) for n in facts.needs if n in channels), default=len(channels))


def _direction(facts: Measure) -> str:
    if not facts.directed:
        return "neither"
    return "higher" if facts.higher_is_better else "lower"


def _add(new: Entry) -> None:
    """Register a measure. A name may be declared again from the same place: a notebook's cell may run twice."""
    for name in (new.facts.name, *new.facts.aliases):
        old = _entries.get(resolve(name)[0])
        if old is not None and _place(old) != _place(new):
            raise InputError(f"a measure called {name!r} exists already in {_place(old)}; choose another name")
    _entries[new.facts.name] = new
    _aliases.update(dict.fromkeys(new.facts.aliases, new.facts.name))


def _place(e: Entry) -> str:
    return f"{e.formula.__module__}.{e.formula.__qualname__}"


def _public(formula: Formula, read: Callable[P, Intermediate]) -> Callable[P, float]:
    """The public function: it takes the arguments of the intermediate, then the options of the formula."""
    signature, own = _joined(read, formula)

    @functools.wraps(formula)
    def public(*args: Any, **given: Any) -> float:
        try:
            signature.bind(*args, **given)
        except TypeError as error:
            raise CallError(f"{formula.__name__} takes {', '.join(signature.parameters)}: {error}") from None
        chosen = {name: given.pop(name) for name in own if name in given}
        shared = read(*args, **given)
        values = _refusing(formula.__name__, chosen, lambda: formula(shared, **chosen))
        return float(shared.reduce(values).mean())  # one fold; for resources, the mean over trials

    public.__signature__ = signature  # type: ignore[attr-defined]
    return public


def _joined(read: Callable[..., object], formula: Formula) -> tuple[inspect.Signature, tuple[str, ...]]:
    """The joined signature and the names of options; an option replaces an argument of the same name."""
    own = _options_of(formula)
    read_by = [p for name, p in inspect.signature(read).parameters.items() if name not in own]
    return inspect.Signature([*read_by, *own.values()], return_annotation="float"), tuple(own)


def _options_of(formula: Formula) -> dict[str, inspect.Parameter]:
    return {n: p for n, p in inspect.signature(formula).parameters.items() if p.kind is p.KEYWORD_ONLY}
