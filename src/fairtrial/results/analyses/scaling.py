"""Growth of a method's cost with training rows or features, over the levels of a study's factor."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from fairtrial.design import FeatureCount, level_text
from fairtrial.errors import InputError, UnknownName
from fairtrial.measures import Measure, in_words
from fairtrial.results.absentees import Absentee, absences, refuse_named
from fairtrial.results.at_levels import choice
from fairtrial.stats import Growth, Interval, growth, mean_interval
from fairtrial.stats.one_method.growth import check_size
from fairtrial.tables import Column, Shown, Table, formats
from fairtrial.words import listed, part_of, plural, verb

if TYPE_CHECKING:
    import pandas as pd

    from fairtrial.results.results import Results

SIZES = {"train_size": "training rows", "feature_count": "features"}
"""The factors that are sizes, and what they count."""

SUCH_AS = {"train_size": [100, 200, 400, 800], "feature_count": [2, 4, 8, 16]}

KINDS = ((1.0, "linearly with"), (2.0, "with the square of"), (3.0, "with the cube of"))
NEAR = 0.15  # distance of exponents: n log n is this near to linear from a thousand rows on
HARDLY = 0.15
ABOUT = 0.5  # distance of exponents: half the way from one kind of growth to the next
SHORT = 1e-3  # seconds: of a shorter fit, the call itself is timed


@dataclass(frozen=True, eq=False)
class Scaling(Shown):
    """Growth of a cost with a size: a :class:`~fairtrial.stats.Growth` for each data set and method.

    It prints as a sentence for each method and a table. ``at`` is the size for which a cost is predicted.
    """

    measure: Measure
    factor: str
    fits: Mapping[str, Mapping[str, Growth]]
    level: float = 0.95
    at: float | None = None
    notes: tuple[str, ...] = ()

    def methods(self) -> tuple[str, ...]:
        """The methods, in the order in which they came."""
        return tuple(dict.fromkeys(m for own in self.fits.values() for m in own))

    def exponent(self, method: str) -> Interval:
        """A method's exponent: on the one data set, or the mean over several, with the interval over data sets."""
        own = [fits[method].exponent for fits in self.fits.values() if method in fits]
        if not own:
            raise UnknownName.among("method of these results", method, self.methods())
        known = [e for e in own if not math.isnan(e.estimate)]
        if len(known) < 2:
            return (known or own)[0]
        return mean_interval([e.estimate for e in known], level=self.level, quantity="mean exponent")

    def datasets(self, method: str) -> tuple[str, ...]:
        """The data sets on which a method's growth is known."""
        there = {name: fits[method] for name, fits in self.fits.items() if method in fits}
        return tuple(name for name, fit in there.items() if not math.isnan(fit.exponent.estimate))

    def sentences(self) -> tuple[str, ...]:
        """The growth of each method in a sentence."""
        return tuple(map(self._sentence, self.methods()))

    def _sentence(self, method: str) -> str:
        cost, size = in_words(self.measure.name), SIZES[self.factor]
        own, exponent = self.datasets(method), self.exponent(method)
        over = f" over {len(own)} data sets" if len(own) > 1 else ""
        if len(own) == 1 and len(self.fits) > 1:
            over = f" on {own[0]}"
        mean = "mean " if len(own) > 1 else ""
        return (
            f"{cost} of {method} {growth_in_words(exponent)} the number of {size}{over} "
            f"({mean}exponent {write_exponent(exponent)})"
        )

    def to_table(self) -> Table:
        """A row for each data set and method; with several data sets, a mean exponent of each method below."""
        level, write = f"{100 * self.level:g} %", cost_format(self.measure)
        rows = [(dataset, m, *self._row(fit)) for dataset, own in self.fits.items() for m, fit in own.items()]
        blank = (None,) * (1 if self.at is None else 3)
        means = [(m, n, self.exponent(m)) for m in self.methods() if (n := len(self.datasets(m))) > 1]
        rows += [(f"mean of {n}", m, None, e.estimate, _ends(e), *blank) for m, n, e in means]
        predicted = () if self.at is None else (
            Column(f"at {self.at:,.6g}", write, key="predicted"),
            Column(f"{level} prediction interval", formats.span(write), key="prediction"),
        )  # fmt: skip
        columns = (
            Column("data set", align="left", key="dataset"),
            Column("method", align="left"),
            Column(SIZES[self.factor], key="sizes"),
            Column("exponent", formats.fixed(2)),
            Column(f"{level} interval", formats.span(formats.fixed(2)), key="interval"),
            Column("at the largest", write, key="largest"),
            *predicted,
        )
        unit = f" in {self.measure.unit}" if self.measure.unit not in ("", "s") else ""
        caption = f"{in_words(self.measure.name)}{unit} as a power of the number of {SIZES[self.factor]}"
        rule = (len(rows) - len(means),) if means else ()
        return Table(columns, tuple(rows), caption, self.notes, rule)

    def _row(self, fit: Growth) -> tuple[object, ...]:
        sizes = [formats.count(size) for size in fit.sizes]
        spread = f"{len(sizes)}: {sizes[0]} to {sizes[-1]}" if len(sizes) > 1 else ", ".join(sizes)
        row = (spread, fit.exponent.estimate, _ends(fit.exponent), fit.costs[-1] if fit.costs else None)
        if self.at is None:
            return row
        predicted = fit.at(self.at)
        return (*row, predicted.estimate, _ends(predicted))

    def to_dict(self) -> dict[str, Any]:
        fits = {d: {m: fit.to_dict() for m, fit in own.items()} for d, own in self.fits.items()}
        return {"measure": self.measure.name, "factor": self.factor, "fits": fits, "notes": list(self.notes)}

    def __str__(self) -> str:
        return "\n".join((*self.sentences(), "", self.to_table().to_text()))


def growth_in_words(exponent: Interval) -> str:
    """Growth as a verb, to be followed by what it grows with; what the interval leaves open is left open.

    >>> growth_in_words(Interval("exponent", 1.07, 1.01, 1.13)), growth_in_words(Interval("exponent", 0.4, -0.3, 1.1))
    ('grows about linearly with', "can't be said to grow with")
    >>> growth_in_words(Interval("exponent", 1.2, 0.75, 1.65))
    'grows with a power between 0.75 and 1.65 of'
    """
    b, low, high = exponent.estimate, exponent.low, exponent.high
    if math.isnan(b):
        return "may or may not grow with"
    if low <= 0 <= high:
        return "hardly grows with" if max(-low, high) <= HARDLY else "can't be said to grow with"
    if math.isnan(low):
        return f"seems to {'grow' if b > 0 else 'fall'}, though no interval tells how fast, with"
    if b < 0:
        return "falls with"
    for power, words in KINDS:
        if abs(b - power) <= NEAR and power - ABOUT <= low and high <= power + ABOUT:
            return f"grows about {words}"
    passed = [words for power, words in KINDS if low > power]
    if passed:
        return f"grows faster than {passed[-1]}"
    if high < KINDS[0][0]:
        return "grows more slowly than linearly with"
    return f"grows with a power between {formats.fixed(2)(low)} and {formats.fixed(2)(high)} of"


def write_exponent(exponent: Interval) -> str:
    """An exponent with its interval, as text: '1.07 [1.01, 1.13]'."""
    write = formats.fixed(2)
    ends = _ends(exponent)
    return write(exponent.estimate) + (", no interval" if ends is None else f" [{write(ends[0])}, {write(ends[1])}]")


def cost_format(measure: Measure) -> formats.Formatter:
    """The format of a cost: seconds in a suitable unit, other amounts with three digits."""
    return formats.duration if measure.unit == "s" else formats.significant(3)


def write_cost(measure: Measure, amount: float) -> str:
    """A cost with its unit, for a sentence.

    >>> from fairtrial.measures import get
    >>> write_cost(get("fit_time"), 0.0123), write_cost(get("model_size"), 1.5)
    ('12 ms', '1.50 MB')
    """
    unit = f" {measure.unit}" if measure.unit not in ("", "s") else ""
    return f"{cost_format(measure)(amount)}{unit}"


def _ends(interval: Interval) -> tuple[float, float] | None:
    return None if math.isnan(interval.low) else (interval.low, interval.high)


def scaling_of(
    results: Results, measure: str, factor: str | None, *, at: float | None, dataset: str | None,
    methods: Sequence[str] | None,
) -> Scaling:  # fmt: skip
    """The growth of a cost along a factor that is a size; yardsticks only if they are named."""
    if at is not None:
        check_size(at)
    along, facts = _size_factor(results, factor), _cost(results, measure)
    known = results.method_names()
    wanted = _wanted("method", methods, [m for m in known if m not in results.yardsticks], known)
    names = results.dataset_names()
    sets = _wanted("data set", None if dataset is None else [dataset], names, names)
    results = results.with_measures(facts.name)
    fits: dict[str, dict[str, Growth]] = {}
    about: dict[str, list[str]] = {}
    for name in sets:
        for method, (fit, notes) in _fits(results, facts, along, name, wanted).items():
            for note in notes:
                about.setdefault(note, []).append(f"{method} on {name}" if len(sets) > 1 else method)
            if fit is not None:
                fits.setdefault(name, {})[method] = fit
    absent = [a for a in _never_ran(results, facts, fits) if a.method in wanted]
    refuse_named({a.method: a for a in absent}, methods or ())
    gone = {f"{a.method} on {name}" if len(sets) > 1 else a.method for a in absent for name in sets}
    kept = {note: [w for w in where if w not in gone] for note, where in about.items()}
    remarks = [*map(str, absent), *(f"{', '.join(where)}: {note}" for note, where in kept.items() if where)]
    if not fits:
        raise InputError(f"there is no growth of {facts.name} to be seen: {'; '.join(remarks)}")
    exact = results.definition is not None and results.definition.memory == "exact"
    return Scaling(facts, along, fits, results.question.level, at, (*remarks, *_cautions(facts, fits, at, exact=exact)))


def _never_ran(results: Results, facts: Measure, fits: Mapping[str, Mapping[str, Growth]]) -> list[Absentee]:
    """The methods that did not run and have no growth; a method that was stopped at the limit has."""
    seen = {method for own in fits.values() for method in own}
    return [a for a in absences(results, facts.name).everywhere if a.method not in seen]


def _size_factor(results: Results, factor: str | None) -> str:
    """The factor that is a size; refused where there is none, or where other factors still vary."""
    there = [name for name in results.factors if name in SIZES]
    if factor is not None and factor not in SIZES:
        raise UnknownName.among("factor that is a size", factor, SIZES)
    if not there or (factor is not None and factor not in there):
        asked = factor or next((name for name in SIZES if name in results.chosen), "train_size")
        if asked in results.chosen:
            raise InputError(
                f"growth is along all levels of {asked}, but one of them, {results.chosen[asked]}, has been chosen; "
                f"leave out at({asked}=…) (command line: --at)"
            )
        raise InputError(
            f"growth is along a factor, and these results have no {asked}; run a study with "
            f"factors={{{asked!r}: {SUCH_AS[asked]}}}"
        )
    along = factor or there[0]
    others = [name for name in results.factors if name != along]
    if others:
        level = results.factors[others[0]][0]
        raise InputError(
            f"growth is along one factor, {along}, but these results also vary {listed(others)}; choose a level "
            f"first, such as results.at({choice(others[0], level)}) "
            f"(command line: --at {others[0]}={level_text(level)})"
        )
    return along


def _cost(results: Results, measure: str) -> Measure:
    facts = results.measure(measure)
    if not (facts.from_trials and facts.compare == "log-ratio"):
        raise InputError(
            f"growth needs a cost measure such as fit_time or peak_memory, got {facts.name!r}; to see how {facts.name} "
            f"depends on a factor, use results.figure('levels', measure={facts.name!r})"
        )
    return facts


def _wanted(kind: str, given: Sequence[str] | None, default: Sequence[str], known: Sequence[str]) -> Sequence[str]:
    for name in given or ():
        if name not in known:
            raise UnknownName.among(f"{kind} of these results", name, known)
    return given or default


def sizes_of(results: Results, dataset: str, rows: pd.DataFrame, factor: str) -> dict[float, float]:
    """The number of rows or features at each level on a data set; folds that differ by a row count as one size."""
    levels = rows[factor].unique().tolist()
    if factor == "feature_count":
        p = results.datasets.get(dataset, {}).get("p")  # unknown for scores from elsewhere, where a share is not a size
        return {v: float(FeatureCount((v,)).amount(v, p or 0)) for v in levels if p is not None or v >= 2}
    done = rows[rows["status"] == "ok"].groupby(factor)["n_train"].median()
    return {level: float(level) for level in levels if level >= 2} | {k: float(v) for k, v in done.items()}


def _fits(
    results: Results, facts: Measure, factor: str, dataset: str, methods: Sequence[str]
) -> dict[str, tuple[Growth | None, list[str]]]:
    """The growth of each method on a data set, with notes."""
    scores = results.scores
    own = scores[(scores["measure"] == facts.name) & (scores["dataset"] == dataset)]
    sizes = sizes_of(results, dataset, own, factor)
    rows = {method: own[own["method"] == method] for method in methods}
    level = results.question.level
    return {m: _fit(trials, trials[factor].map(sizes).to_numpy(dtype=float), level) for m, trials in rows.items()}


def _fit(rows: pd.DataFrame, sizes: NDArray[np.float64], level: float) -> tuple[Growth | None, list[str]]:
    """The growth of one method on one data set, with notes on trials that failed or reached a limit."""
    costs, ok = rows["value"].to_numpy(dtype=float), (rows["status"] == "ok").to_numpy()
    stopped = ~ok & ~np.isnan(costs)  # a failed trial has a time only where it was stopped at the limit
    gone = np.isnan(costs) | np.isnan(sizes)
    notes = []
    if stopped.any():
        n = int(stopped.sum())
        were, count = verb(n, "was", "were"), verb(n, "counts", "count")
        notes.append(f"{plural(n, 'trial')} {were} stopped at the time limit and {count} as longer than all others")
    if gone.any():
        n = int(gone.sum())
        why = "failed" if not ok[gone].any() else f"failed or {verb(n, 'has', 'have')} no value"
        notes.append(f"{part_of(n, len(gone), 'trial')} {why} and {verb(n, 'is', 'are')} left out")
    if len(np.unique(sizes[~gone])) < 2:
        return None, [*notes, "less than two sizes: no growth can be seen"]
    found = growth(sizes[~gone], np.where(stopped, np.inf, costs)[~gone], level=level)
    return found, [*notes, *found.notes]


def _cautions(
    facts: Measure, fits: Mapping[str, Mapping[str, Growth]], at: float | None, *, exact: bool
) -> Iterator[str]:
    if facts.unit == "s":
        short = dict.fromkeys(m for own in fits.values() for m, f in own.items() if f.costs and f.costs[0] < SHORT)
        if short:
            yield f"below a millisecond ({listed(short)}) the call itself is what is timed: measure larger sizes"
    if facts.name == "peak_memory" and not exact:
        yield "peak memory is a lower bound, and low where a worker still had memory of earlier trials"
    largest = max((f.sizes[-1] for own in fits.values() for f in own.values() if f.sizes), default=math.nan)
    if at is not None and at > largest:
        times = formats.significant(2)(at / largest)
        yield (
            f"{at:,.6g} is {times} times the largest size measured: the prediction is right only if growth goes on "
            "like this (no other algorithm, no swapping)"
        )
        yield from _overheads(facts, fits, at)
    if len(fits) > 1:
        yield "mean: over data sets, with the t interval over data sets"


def _overheads(facts: Measure, fits: Mapping[str, Mapping[str, Growth]], at: float) -> Iterator[str]:
    """Notes on costs that seem to grow less than linearly.

    A fit reads all rows, so a constant cost may hide the growth. If cost = c + a · n, the true cost lies between the
    prediction of the fitted power and a linear continuation from the largest size.
    """
    if not facts.name.startswith("fit_"):
        return
    low = {
        f"{m} on {d}" if len(fits) > 1 else m: write_cost(facts, fit.costs[-1] * at / fit.sizes[-1])
        for d, own in fits.items()
        for m, fit in own.items()
        if fit.sizes and fit.exponent.estimate < 1 - NEAR
    }
    if low:
        most = ", ".join(f"{name} {cost}" for name, cost in low.items())
        yield (
            "the growth is below linear so far, which a constant cost can cause; if it is linear from the largest size "
            f"on, {at:,.6g} take up to: {most}"
        )
