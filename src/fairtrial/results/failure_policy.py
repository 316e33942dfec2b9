"""The failure policy: how failed trials are scored, for every analysis that averages.

What failures concentrate on, in words: single methods, single data sets, or a few pairs of both.
"""

from __future__ import annotations

import math
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from fairtrial.choices import FailurePolicy
from fairtrial.errors import InputError
from fairtrial.measures import Measure
from fairtrial.notices import Note
from fairtrial.resampling import score_unit
from fairtrial.results.absentees import NO_SCORE, absences
from fairtrial.tables import Marked
from fairtrial.words import MOST_NAMED, listed, part_of, plural

if TYPE_CHECKING:
    import pandas as pd

    from fairtrial.results.results import Results


MOST_ALIKE = 3  # names of methods or data sets among which none stands out
STANDS_OUT = 3  # times as many failures as the next one
Counts = NDArray[np.int64]


def failed_where(
    counts: Counts, datasets: Sequence[str], methods: Sequence[str], reasons: Mapping[str, Mapping[str, int]]
) -> str:
    """Where ``counts`` of failures (data sets × methods) are: 'svm on sonar (3) and …'.

    Of many failures it says which methods have them, if it takes no more methods than data sets to have half of all
    failures; else which data sets. ``reasons`` has the known reasons of each method with their numbers.

    >>> counts = np.array([[9, 0, 1], [8, 1, 0], [9, 0, 0], [9, 1, 0]])
    >>> failed_where(counts, "wxyz", ["slow", "b", "c"], {"slow": {"out of time": 33}})
    'slow 35 times on 4 data sets (33 out of time); 2 other methods up to 2 times each'
    """
    pairs = _by_pair(counts, datasets, methods)
    if len(pairs) <= MOST_NAMED:
        return listed(pairs)
    by_method, by_dataset = counts.sum(axis=0), counts.sum(axis=1)
    if _needed_for_half(by_method) <= _needed_for_half(by_dataset):
        return _frequent(by_method, [_method(counts[:, m], name, reasons) for m, name in enumerate(methods)], "method")
    return _frequent(by_dataset, [_dataset(own, name) for own, name in zip(counts, datasets, strict=True)], "data set")


def _by_pair(counts: Counts, datasets: Sequence[str], methods: Sequence[str]) -> list[str]:
    """Each method on each data set, the most frequent first; where several methods fail, it is the data set."""
    found: list[tuple[int, str]] = []
    for own, dataset in zip(counts, datasets, strict=True):
        failing = [int(m) for m in np.flatnonzero(own)]
        if len(failing) >= 3:
            who = "all" if len(failing) == len(methods) else f"{len(failing)} of {len(methods)}"
            found.append((int(own.sum()), f"{who} methods on {dataset}"))
        else:
            found += [(int(own[m]), f"{methods[m]} on {dataset}") for m in failing]
    return [f"{text} ({n})" for n, text in sorted(found, key=lambda entry: -entry[0])]


def _needed_for_half(counts: Counts) -> int:
    """The number of entries that have half of all failures."""
    return int((np.cumsum(np.sort(counts)[::-1]) < counts.sum() / 2).sum()) + 1


def _frequent(counts: Counts, texts: Sequence[str], noun: str) -> str:
    """The texts of those that stand out, the most frequent first, and how often each of the others failed."""
    order = [int(i) for i in np.argsort(-counts, kind="stable") if counts[i]]
    gaps = [i + 1 for i in range(len(order) - 1) if counts[order[i]] >= STANDS_OUT * counts[order[i + 1]]]
    most = next((gap for gap in gaps if gap <= MOST_NAMED), MOST_ALIKE if len(order) > MOST_NAMED else len(order))
    rest = [int(counts[i]) for i in order[most:]]
    named = ", ".join(texts[i] for i in order[:most])
    if not rest:
        return named
    often = "up to " * (min(rest) < max(rest)) + _times(max(rest))
    return f"{named}; {plural(len(rest), f'other {noun}')} {often}{' each' * (len(rest) > 1)}"


def _method(own: Counts, name: str, reasons: Mapping[str, Mapping[str, int]]) -> str:
    told = reasons.get(name, {})
    why = f" ({listed(f'{n:,} {reason}' for reason, n in told.items())})" if told else ""
    return f"{name} {_times(int(own.sum()))} on {plural(int((own > 0).sum()), 'data set')}{why}"


def _dataset(own: Counts, name: str) -> str:
    failing = int((own > 0).sum())
    who = f"all {plural(failing, 'method')}" if failing == len(own) else part_of(failing, len(own), "method")
    return f"{name} {_times(int(own.sum()))} ({who})"


def _times(n: int) -> str:
    return "once" if n == 1 else f"{n:,} times"


FloatArray = NDArray[np.float64]

ABSENT, OK, FAILED = 0, 1, 2

LONGEST_REASON, MOST_REASONS = 30, 3

LEGEND = "scores of failed trials"  # what a note is about that explains a mark
MARK = "†"
"""The sign behind a mean that contains scores given by the failure policy; a note below the table explains it."""


@dataclass(frozen=True, eq=False)
class Grid:
    """All splits of all data sets in rows, methods in columns; ``owner`` says which data set a row belongs to.

    ``state`` says whether each trial is absent, succeeded or failed. ``notes`` say what was done about failed trials;
    ``scored`` is the note that says how they were scored. With replicates there is a row for each replicate of a split,
    and ``split`` has the number of the split of each row, until :meth:`averaged` has one row for each split.
    ``missing``: nothing is known of failed trials but that scores from elsewhere lack them; ``reasons`` are those that
    a file gives, with their numbers, and ``reasons_of`` the same for each method.
    ``dropped`` data sets were left out by the failure policy. ``unit`` is the word for a row: a split, or a seed where
    each data set has one fixed split; then there are no replicates to average.
    """

    datasets: tuple[str, ...]
    methods: tuple[str, ...]
    owner: NDArray[np.int64]
    values: FloatArray
    state: NDArray[np.int8]
    notes: tuple[str, ...] = ()
    scored: str = ""
    split: NDArray[np.int64] | None = None
    missing: bool = False
    reasons: str = ""
    reasons_of: Mapping[str, Mapping[str, int]] = field(default_factory=dict)
    dropped: int = 0
    unit: str = "split"

    @classmethod
    def of(cls, results: Results, measure: str, methods: tuple[str, ...]) -> Grid:
        import pandas as pd

        own = results.scores[results.scores["measure"] == measure]
        dataset, names = pd.factorize(own["dataset"])
        places = pd.MultiIndex.from_arrays([dataset, own["replicate"], own["repeat"], own["fold"]])
        row, rows = pd.factorize(places, sort=True)
        column = pd.Categorical(own["method"], categories=list(methods)).codes
        values = np.full((len(rows), len(methods)), np.nan)
        state = np.full(values.shape, ABSENT, dtype=np.int8)
        values[row, column] = own["value"].to_numpy(dtype=float)
        state[row, column] = np.where(own["status"] == "ok", OK, FAILED)
        if (again := len(own) - int((state != ABSENT).sum())) > 0:
            raise InputError(
                f"scores of {measure} must be there once for each method and split, but {again} are there again; "
                "remove them, or choose a level where there are several"
            )
        owner = np.asarray(rows.get_level_values(0), dtype=np.int64)
        unit = score_unit(results.dependence.values())
        several = unit == "split" and (own["replicate"] != 0).any()
        split = np.asarray(pd.factorize(rows.droplevel(1))[0], dtype=np.int64) if several else None
        failed = own[own["status"] != "ok"]
        lacking = failed["status"].value_counts()
        missing = set(lacking.index).issubset(NO_SCORE)
        reasons = _reasons(lacking)
        datasets = tuple(map(str, names))
        by_method = {str(m): _known(part["status"].value_counts()) for m, part in failed.groupby("method", sort=False)}
        return cls(
            datasets, methods, owner, values, state, split=split, missing=missing, reasons=reasons,
            reasons_of=by_method, unit=unit,
        )  # fmt: skip

    def averaged(self) -> Grid:
        """The grid with the means of replicates: one row for each split, since seeds are not splits.

        A split has failed for a method if one of its replicates failed; its mean contains the score that the failure
        policy gave.
        """
        if self.split is None:
            return self
        _, first, row = np.unique(self.split, return_index=True, return_inverse=True)
        there = self.state != ABSENT
        counts = np.zeros((len(first), len(self.methods)))
        sums, failed = np.zeros_like(counts), np.zeros_like(counts)
        np.add.at(counts, row, there)
        np.add.at(sums, row, np.where(there, self.values, 0.0))
        np.add.at(failed, row, self.state == FAILED)
        with np.errstate(invalid="ignore"):
            means = sums / counts
        state = np.where(failed > 0, FAILED, np.where(counts > 0, OK, ABSENT)).astype(np.int8)
        return replace(self, owner=self.owner[first], values=means, state=state, split=None)

    def keep(self, rows: NDArray[np.bool_], *notes: str) -> Grid:
        """The grid with some of its rows; data sets without any row are left out."""
        left = [i for i in range(len(self.datasets)) if (self.owner[rows] == i).any()]
        number = {old: new for new, old in enumerate(left)}
        return replace(
            self,
            datasets=tuple(self.datasets[i] for i in left),
            owner=np.asarray([number[i] for i in self.owner[rows].tolist()], dtype=np.int64),
            values=self.values[rows],
            state=self.state[rows],
            notes=self.notes + notes,
            split=None if self.split is None else self.split[rows],
        )

    def only(self, methods: tuple[str, ...]) -> Grid:
        """The grid with some of its methods, on the splits that one of them has."""
        columns = [self.methods.index(m) for m in methods]
        fewer = replace(self, methods=methods, values=self.values[:, columns], state=self.state[:, columns])
        return fewer.keep((fewer.state != ABSENT).any(axis=1))

    def on(self, dataset: str) -> Grid:
        """The grid of one data set."""
        return self.keep(self.owner == self.datasets.index(dataset))

    def without(self, cells: Collection[tuple[str, str]]) -> Grid:
        """The grid without the scores of some ``cells``, which are pairs of data set and method."""
        gone = np.array([[(d, m) in cells for m in self.methods] for d in self.datasets], dtype=bool)
        return replace(self, state=np.where(gone[self.owner], ABSENT, self.state).astype(np.int8))

    def failed(self) -> NDArray[np.int64]:
        """The number of failed trials: data sets in rows, methods in columns."""
        each = [(self.state[self.owner == i] == FAILED).sum(axis=0) for i in range(len(self.datasets))]
        return np.array(each, dtype=np.int64).reshape(len(self.datasets), len(self.methods))

    def where(self) -> str:
        """What failed trials concentrate on, in words."""
        return failed_where(self.failed(), self.datasets, self.methods, self.reasons_of)


def apply_policy(grid: Grid, policy: FailurePolicy, baseline: str | None, facts: Measure) -> Grid:
    """The grid after the failure policy: with a score for each failed trial, or without the dropped data sets.

    Costs (times and memory) have rules of their own, since a failed trial must not look cheap. A trial that was cut off
    at a limit keeps the limit, and the CPU time until then: the true cost is at least that large. Any other failed
    trial gets the largest cost of the other methods on its split. So does a trial that was cut off with a smaller cost
    than that, such as the CPU time of one that only slept.
    """
    failed = grid.state == FAILED
    if not failed.any():
        return grid
    check_pairs(grid)
    fate = "scores are missing" if grid.missing else _fate(facts)
    reasons = f" ({grid.reasons})" if grid.reasons else ""
    count = f"{failed.sum():,} of {(grid.state != ABSENT).sum():,} {fate}{reasons}: {grid.where()}"
    if policy == "refuse":
        raise InputError(f"{count}; the failure policy is 'refuse': repair them, or {_what_works(grid, facts)}")
    if policy == "drop":
        bad = np.isin(grid.owner, np.unique(grid.owner[failed.any(axis=1)]))
        if bad.all():
            raise InputError(f"{count}; failures='drop' would leave no data set; {_what_works(grid, facts)}")
        dropped = len(grid.datasets) - len(grid.keep(~bad).datasets)
        gone = f"{plural(dropped, 'data set')} dropped for all methods, which can cause selection bias"
        gone += _costly(grid, failed)
        return replace(grid.keep(~bad, Note(f"{count}; {gone}", "doubt")), dropped=dropped)
    filled = grid.values.copy()
    if policy == "worst":
        if not np.isfinite(facts.worst):
            raise InputError(f"{count}; failures='worst' needs a measure with a worst value, but {facts.name} has none")
        filled[failed] = facts.worst
        return _scored(grid, filled, f"{count}; scored as {facts.worst:g}, the worst")
    if is_resource(facts):
        largest = np.broadcast_to(_largest(grid, failed)[:, None], failed.shape)
        unknown = failed & (np.isnan(filled) | (filled < largest))
        filled[unknown] = largest[unknown]
        return _scored(grid, filled, f"{count}; {_censored(facts, failed, unknown)}")
    stand_in = _baseline_column(grid, baseline, count, facts)
    filled[failed] = np.broadcast_to(stand_in[:, None], failed.shape)[failed]
    return _scored(grid, filled, f"{count}; scored as the baseline '{baseline}' on those {grid.unit}s")


def _costly(grid: Grid, failed: NDArray[np.bool_]) -> str:
    """The method without which most of the dropped data sets could stay, where it is one."""
    by_set = np.array([failed[grid.owner == i].any(axis=0) for i in range(len(grid.datasets))])
    alone = by_set[by_set.sum(axis=1) == 1].sum(axis=0)
    if len(grid.methods) < 3 or not alone.size or alone.max() < 2:  # one data set is not worth a method
        return ""
    return f"; without {grid.methods[int(alone.argmax())]} {alone.max()} of them could stay"


def _reasons(lacking: pd.Series) -> str:
    """The reasons that a file gives for scores that are lacking, with their numbers."""
    told = _known(lacking)
    texts = [f"{n:,} {text}" for text, n in told.items()]
    unknown = int(lacking.sum()) - sum(told.values())
    return listed([*texts[:MOST_REASONS], *([f"{unknown:,} for no known reason"] if unknown and told else [])])


def _known(lacking: pd.Series) -> dict[str, int]:
    """The reasons that are known, and their numbers."""
    known = {str(text): int(n) for text, n in lacking.items() if text not in (*NO_SCORE, "failed")}
    return {t if len(t) <= LONGEST_REASON else f"{t[: LONGEST_REASON - 1]}…": n for t, n in known.items()}


def _scored(grid: Grid, filled: FloatArray, note: str) -> Grid:
    return replace(grid, values=filled, notes=(*grid.notes, Note(note, "doubt", LEGEND)), scored=note)


def _fate(facts: Measure) -> str:
    """Words for missing scores: one failed fold spoils the pooled score of its repeat."""
    pooled = facts.combine == "pooled" and not facts.from_trials
    return "repeats have a failed trial" if pooled else "trials failed"


def marked(value: float, failed: int, total: int, facts: Measure, *, gone: bool = False) -> object:
    """The cell of a table for a mean over ``total`` scores, of which ``failed`` are not the method's own.

    A mean that contains scores given by the failure policy has a mark. If the method did not run (``gone``), the cell
    has no number.
    """
    if not (failed or gone):
        return value
    note = f"{failed} of {total} {_fate(facts)}"
    return Marked(math.nan, note=note, text="failed") if gone else Marked(value, MARK, note)


def check_pairs(grid: Grid) -> None:
    """Refuse scores that were made on different splits, which look like failures."""
    there = grid.state == OK
    if there.any(axis=0).sum() > 1 and (there.sum(axis=1) < 2).all():
        names = "data sets and seeds" if grid.unit == "seed" else "data sets, repeats and folds"
        raise InputError(
            f"no two methods have a score on the same {grid.unit} of the same data set, so that nothing can be "
            f"compared; look at the names of {names}, or run the methods on the same {grid.unit}s"
        )


def is_resource(facts: Measure) -> bool:
    """Whether a measure is a cost of trials: the cost of a trivial baseline must not replace that of a failed trial."""
    return facts.from_trials and facts.compare == "log-ratio"


def _largest(grid: Grid, failed: NDArray[np.bool_]) -> FloatArray:
    """The largest cost on each split: a failed trial must not look cheap."""
    values: FloatArray = np.fmax.reduce(np.where(failed, np.nan, grid.values), axis=1)
    return values


def _baseline_column(grid: Grid, baseline: str | None, count: str, facts: Measure) -> FloatArray:
    failed = grid.state == FAILED
    if baseline is None:
        raise InputError(
            f"{count}, and there is no baseline whose scores could replace theirs; {_what_works(grid, facts)}"
        )
    if baseline not in grid.methods:
        raise InputError(
            f"{count}, and the baseline '{baseline}' did not run, so that its scores can't replace theirs; "
            f"{_what_works(grid, facts)}"
        )
    column = grid.methods.index(baseline)
    both = (grid.state[:, column] != OK) & failed.any(axis=1)
    if both.any():
        fate = "failed too" if failed[both, column].any() else "has no score either"
        where = plural(int(both.sum()), grid.unit)
        raise InputError(f"{count}; on {where} the baseline '{baseline}' {fate}; {_what_works(grid, facts)}")
    values: FloatArray = grid.values[:, column]
    return values


def _what_works(grid: Grid, facts: Measure) -> str:
    """Which failure policies would work for these scores, as advice; the method to leave out where none would."""
    failed = grid.state == FAILED
    rows = failed.any(axis=1)
    stays = not np.isin(grid.owner, np.unique(grid.owner[rows])).all()
    policies = [
        *["failures='worst' (the worst possible score)"] * bool(np.isfinite(facts.worst)),
        *["failures='drop' (removes those data sets for all methods)"] * stays,
    ]
    named = ["name a baseline that ran there (baseline='…', --baseline)"] * bool(
        (grid.state[rows] == OK).all(axis=0).any()
    )
    ways = [*named, *([f"say {' or '.join(policies)}"] if policies else [])]
    worst = grid.methods[int(grid.failed().sum(axis=0).argmax())]
    return ", or ".join(ways) or f"leave out methods that failed often, such as {worst}"


def _censored(facts: Measure, failed: NDArray[np.bool_], unknown: NDArray[np.bool_]) -> str:
    """Words for how the cost of failed trials is scored: the limit that cut them off, or the largest of the others."""
    cut = int((failed & ~unknown).sum())
    largest = "the largest of the other methods on those splits"
    if not cut:
        return f"{facts.name} scored as {largest}"
    limit = f"{cut} of them cut off at the limit, so that their {facts.name} is at least what it was then (censored)"
    return limit if cut == failed.sum() else f"{limit}; the others scored as {largest}"


def left_out_notes(results: Results, dataset: str, methods: Iterable[str], gone: Iterable[str] = ()) -> tuple[str, ...]:
    """Notes on failed trials whose predictions are wanted: nothing can replace missing predictions.

    ``gone`` has the reasons why methods are left out.
    """
    failed = results.failures.loc[results.failures["dataset"] == dataset, "method"].value_counts()
    counts = [f"{failed[m]} of {m}" for m in methods if m in failed]
    text = f"failed trials on {dataset} have no predictions and are left out: {listed(counts)}"
    return (*([text] if counts else []), *(f"left out: {why}" for why in gone))


def means_of(results: Results, measure: Measure) -> tuple[dict[tuple[str, str], object], tuple[str, ...]]:
    """Means over splits by data set and method, after the failure policy of the results, with notes.

    If the policy can't be applied, failed trials are left out, and a note says so. A method that did not run on a data
    set has no mean there.
    """
    whole = Grid.of(results, measure.name, results.method_names())
    gone = absences(results, measure.name).cells()
    there = whole.without(gone)
    try:
        grid = apply_policy(there, results.policy, results.baseline, measure)
    except InputError as error:
        grid = replace(there, notes=(Note(f"failed trials are left out of these means: {error}", about=LEGEND),))
    grid = grid.averaged()
    failed, totals = whole.failed(), np.bincount(whole.owner)
    found: dict[tuple[str, str], object] = {}
    for i, dataset in enumerate(grid.datasets):
        own = grid.values[grid.owner == i]
        known = ~np.isnan(own)
        with np.errstate(invalid="ignore"):
            means = np.where(known, own, 0.0).sum(axis=0) / known.sum(axis=0)
        row = whole.datasets.index(dataset)
        for m, method in enumerate(grid.methods):
            counts = int(failed[row, m]), int(totals[row])
            found[dataset, method] = marked(float(means[m]), *counts, measure, gone=(dataset, method) in gone)
    notes = tuple(f"{MARK} {note}" if getattr(note, "about", "") == LEGEND else note for note in grid.notes)
    names = [f"{m} on {d}" for d, m in found if (d, m) in gone]
    why = "failed: more than half of the trials there, so that there is no mean"
    return found, (*notes, *([f"{why} ({listed(names)})"] if names else []))
