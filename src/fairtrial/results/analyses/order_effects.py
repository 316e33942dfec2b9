"""How much the order of the training rows matters: the spread of scores over orders, beside that over splits."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from fairtrial.errors import InputError
from fairtrial.measures import in_words
from fairtrial.results.at_levels import choice
from fairtrial.stats import Interval, variance_shares
from fairtrial.tables import Answer, Column, Document, Shown, Table, formats, render_result
from fairtrial.words import listed, plural

if TYPE_CHECKING:
    import pandas as pd

    from fairtrial.results.results import Results

ROW_ORDER = "row_order"
WITH_SEEDS = (
    "each trial has seeds of its own, so that for methods with random parts the spread over orders contains that over "
    "seeds; run with replicates=2 to tell them apart"
)
PAIRS = "orders come in pairs, each with its reverse; intervals take them as drawn independently, and scores as normal"


@dataclass(frozen=True, slots=True)
class OrderEffect:
    """The standard deviations of a method's scores: over ``orders`` of the same training rows, splits and seeds.

    ``seeds`` is nan where there are no replicates. ``share`` is the share of orders in the variance of the scores on a
    data set, nan where all scores are equal.
    """

    method: str
    orders: Interval
    splits: float
    seeds: float
    share: float

    def to_dict(self) -> dict[str, Any]:
        return {"method": self.method, "orders": self.orders.to_dict(), "splits": self.splits, "seeds": self.seeds,
                "share": self.share}  # fmt: skip


@dataclass(frozen=True, slots=True)
class OrderEffects(Shown):
    """How much the order of the training rows matters for each method; ``print`` shows the answer and the table."""

    measure: str
    methods: tuple[OrderEffect, ...]
    level: float
    notes: tuple[str, ...]

    @property
    def sentence(self) -> str:
        """By how much the order matters, for which methods; the spread over splits for comparison."""
        measure = in_words(self.measure)
        some = sorted((m for m in self.methods if m.orders.estimate > 0), key=lambda m: -m.orders.estimate)
        rest = self._without_effect()
        if not some:
            return f"Order is not seen to matter for {measure}: {rest}."
        sizes = listed(f"{_sized(m.orders)} for {m.method}" for m in some)
        splits = listed(f"{_short(m.splits)} for {m.method}" for m in some)
        return (
            f"Order matters by {sizes} (standard deviation of {measure} over orders of the same training rows); over "
            f"splits it is {splits}.{f' But {rest}.' if rest else ''}"
        )

    def _without_effect(self) -> str:
        """The methods whose scores do not depend on the order, or not more than on seeds."""
        rest = [m for m in self.methods if m.orders.estimate == 0]
        none = [m.method for m in rest if not (m.orders.high > 0 or m.seeds > 0)]
        small = [f"{m.method}{_at_most(m.orders.high)}" for m in rest if m.method not in none]
        parts = [f"for {listed(none)} no score depends on it"] if none else []
        parts += [f"for {listed(small)} it is not seen beyond seeds"] if small else []
        return ", and ".join(parts)

    def to_table(self) -> Table:
        """A row for each method: the standard deviations over orders, splits and seeds, and the share of orders."""
        seeds = any(not math.isnan(m.seeds) for m in self.methods)
        columns = (
            Column("method", align="left"),
            Column("sd over orders", formats.significant(3)),
            Column(f"{100 * self.level:g} % interval", formats.span(formats.significant(3))),
            Column("sd over splits", formats.significant(3)),
            *((Column("sd over seeds", formats.significant(3)),) if seeds else ()),
            Column("share of orders", formats.percent),
        )
        rows = tuple(
            (m.method, m.orders.estimate, (m.orders.low, m.orders.high), m.splits)
            + ((m.seeds, m.share) if seeds else (m.share,))
            for m in self.methods
        )
        caption = f"{in_words(self.measure)}: its spread over orders of the training rows, and over splits"
        return Table(columns, rows, caption, self.notes)

    def to_document(self) -> Document:
        return Document((Answer(self.sentence), self.to_table()))

    def to_dict(self) -> dict[str, Any]:
        methods = [m.to_dict() for m in self.methods]
        return {"answer": self.sentence, "measure": self.measure, "methods": methods, "notes": list(self.notes)}

    def render(self, how: str) -> str:
        """The answer and the table in one of the output formats."""
        return render_result(self, how)


def _short(value: float) -> str:
    return formats.significant(2)(value)


def _at_most(high: float) -> str:
    return f" (at most {_short(high)})" if high > 0 else ""


def _sized(interval: Interval) -> str:
    ends = "" if math.isnan(interval.low) else f" [{_short(interval.low)}, {_short(interval.high)}]"
    return f"{_short(interval.estimate)}{ends}"


def order_effects(results: Results, measure: str | None = None) -> OrderEffects:
    """How much the scores of each method vary with the order of the training rows; see ``Results.order_effects``.

    Orders are drawn anew in each split, so that they are nested in splits, and these in data sets: the estimates and
    intervals are those of :func:`fairtrial.stats.variance_shares`.
    """
    facts = results.measure(measure)
    results = _checked(results).with_measures(facts.name)
    scores = results.scores[(results.scores["measure"] == facts.name) & np.isfinite(results.scores["value"])]
    level = results.question.level
    names = [m for m in results.method_names() if m not in results.yardsticks]
    missing = results.scores[results.scores["measure"] == facts.name]["value"].isna().any()
    found = [(name, _array(scores[scores["method"] == name])) for name in names if (scores["method"] == name).any()]
    made = tuple(_effect(name, array, level) for name, array in found if _has_orders(array))
    if not made:
        raise InputError("no method has scores at two orders of the same split; let the run go on")
    left_out = [name for name in names if name not in {m.method for m in made}]
    return OrderEffects(facts.name, made, level, tuple(_notes(found, left_out, missing=bool(missing))))


def _checked(results: Results) -> Results:
    """Results whose only factor is the order of rows."""
    if ROW_ORDER not in results.factors:
        raise InputError(
            "the effect of the order of rows needs a study at several orders: factors={'row_order': 4} in a Study"
        )
    others = {name: levels for name, levels in results.factors.items() if name != ROW_ORDER}
    if others:
        name, levels = next(iter(others.items()))
        raise InputError(
            f"these results are at several levels of {listed(others)} too; choose one, such as "
            f"results.at({choice(name, levels[0])})"
        )
    return results


def _array(scores: pd.DataFrame) -> NDArray[np.float64]:
    """The scores of one method as data set × split × order × seed; nan where there is none."""
    keys = (["dataset"], ["dataset", "repeat", "fold"], [ROW_ORDER], ["replicate"])
    dataset, whole, order, seed = (scores.groupby(own, sort=False).ngroup().to_numpy() for own in keys)
    split = np.zeros_like(whole)
    for d in np.unique(dataset):  # splits are numbered within their data set
        split[dataset == d] = np.unique(whole[dataset == d], return_inverse=True)[1]
    made = np.full(tuple(int(axis.max()) + 1 for axis in (dataset, split, order, seed)), np.nan)
    made[dataset, split, order, seed] = scores["value"].to_numpy(dtype=float)
    return made


def _has_orders(array: NDArray[np.float64]) -> bool:
    there = np.asarray(~np.isnan(array).all(axis=3))
    return bool((there.sum(axis=2) > 1).any()) and int(there.any(axis=2).sum()) > 1


def _effect(method: str, array: NDArray[np.float64], level: float) -> OrderEffect:
    """The standard deviations of one method: orders and seeds within splits, and splits within data sets."""
    sets, splits, orders, seeds = array.shape
    cells = array.reshape(sets * splits, orders, seeds)
    cells = cells[~np.isnan(cells).all(axis=(1, 2))]
    inner = variance_shares(cells if seeds > 1 else cells[:, :, 0], level=level)
    of_order = inner.components[1]
    of_seed = inner.components[2].estimate if seeds > 1 else math.nan
    of_split = inner.components[0].estimate
    if sets > 1:
        means = np.ma.masked_invalid(array).mean(axis=3).filled(np.nan)
        of_split = variance_shares(means, level=level).components[1].estimate
    whole = of_split + of_order.estimate + (0.0 if math.isnan(of_seed) else of_seed)
    share = of_order.estimate / whole if whole > 0 else math.nan
    return OrderEffect(method, _root(of_order), math.sqrt(of_split), math.sqrt(of_seed), share)


def _root(variance: Interval) -> Interval:
    """The interval of a standard deviation, from that of the variance."""
    low, high = (math.sqrt(end) if end >= 0 else math.nan for end in (variance.low, variance.high))
    return replace(
        variance, quantity="standard deviation over orders", estimate=math.sqrt(variance.estimate), low=low, high=high
    )


def _notes(
    found: Sequence[tuple[str, NDArray[np.float64]]], left_out: Sequence[str], *, missing: bool
) -> Iterator[str]:
    shape = found[0][1].shape
    yield f"over {plural(shape[2], 'order')} in each of {plural(int(np.prod(shape[:2])), 'split')}; {PAIRS}"
    if all(array.shape[3] == 1 for _, array in found):
        yield WITH_SEEDS
    if missing:
        yield "failed trials have no score here; where some are missing there are no intervals"
    if left_out:
        yield f"without {listed(left_out)}: no scores at two orders of the same split"
