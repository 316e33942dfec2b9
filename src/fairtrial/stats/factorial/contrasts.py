"""Effects as contrasts: from the table of settings to the weights that turn scores into effects.

The result of testing several effects: estimates with intervals that hold together, p-values, and how they vary.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np
import numpy.typing as npt

from fairtrial.errors import InputError, UnknownName
from fairtrial.measures.channel_checks import list_of
from fairtrial.stats.arguments import check_option, is_whole, number
from fairtrial.stats.bibliography import MONTGOMERY_2017
from fairtrial.stats.factorial.model_terms import (
    BLOCKS,
    COLUMN_NOISE,
    Design,
    ModelTerm,
    factor_columns,
    merged,
    model_terms,
)
from fairtrial.stats.groups import NOISE
from fairtrial.stats.multiplicity import TITLES
from fairtrial.stats.outcome import Interval, Outcome, bound_if
from fairtrial.stats.procedures import FACTORIAL, procedure
from fairtrial.stats.score_arrays import BoolArray, FloatArray, IntArray, differences, method_names, numbers, unit_of
from fairtrial.tables import Column, Shown, Table, formats
from fairtrial.words import listed, part_of, plural, verb

MOST_EFFECTS = 2000


@dataclass(frozen=True, slots=True, eq=False)
class Contrast:
    """One effect: its name, its term, and the weight of each setting's score; nan if it can't be estimated.

    ``aliases`` are effects that this design can't tell from it: what is estimated is the sum. ``within`` is the
    condition under which a nested factor exists. ``note`` says why an effect can't be estimated.
    """

    name: str
    term: str
    weights: FloatArray
    aliases: tuple[str, ...] = ()
    within: str = ""
    note: str = ""

    @property
    def label(self) -> str:
        """The name with its condition and its aliases, as tables show it.

        >>> Contrast("depth", "depth", np.ones(2), ("+ rate × size", "− noise × size")).label
        'depth + rate × size − noise × size'
        """
        shown = [*self.aliases[:2], *([f"+ {plural(len(self.aliases) - 2, 'other')}"] if self.aliases[2:] else [])]
        return " ".join([f"{self.name}{f' within {self.within}' if self.within else ''}", *shown])

    @property
    def is_estimable(self) -> bool:
        """Whether the settings allow to estimate the effect."""
        return not math.isnan(float(self.weights.sum()))


@dataclass(frozen=True, slots=True, eq=False)
class EffectValues:
    """The effects (columns) on each data set or split (rows), their labels and terms, and notes.

    ``errors`` are the standard errors of the effects, in units of that of one score: the lengths of their weights.
    """

    values: FloatArray
    names: tuple[str, ...]
    terms: tuple[str, ...]
    errors: tuple[float, ...]
    notes: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True, eq=False)
class FactorialModel(Shown):
    """The linear model of an experiment: terms with their columns, and all effects as contrasts of the settings."""

    settings: int
    terms: tuple[ModelTerm, ...]
    contrasts: tuple[Contrast, ...]
    notes: tuple[str, ...] = ()

    def values(self, scores: npt.ArrayLike) -> EffectValues:
        """The effects on each data set or split: a row for each row of ``scores`` (units × settings).

        A row with missing scores (nan) is fitted by least squares to the settings that it has. An effect that these do
        not determine is nan, and a note says where; no row is dropped. Effects that the design does not determine are
        left out, with a note.
        """
        table = np.atleast_2d(numbers(scores, "scores"))
        if table.ndim != 2 or table.shape[1] != self.settings or len(table) == 0:
            raise InputError(
                f"scores must have a column for each of the {self.settings} settings of the design, and a row for each "
                f"data set or split, got an array of shape {table.shape}"
            )
        if np.isinf(table).any():
            raise InputError("scores must be finite, or nan where a score is missing, got an infinite one")
        kept = [contrast for contrast in self.contrasts if contrast.is_estimable]
        if not kept:
            raise InputError(f"the design must determine at least one effect, but {self.notes[0]}")
        weights = np.array([contrast.weights for contrast in kept])
        found = np.full((len(table), len(kept)), math.nan)
        whole: BoolArray = np.asarray(~np.isnan(table).any(axis=1))
        if whole.any():
            found[whole] = _weighted(table[whole], weights)
        for row in np.flatnonzero(~whole):
            found[row] = self._of_incomplete(table[row], [contrast.name for contrast in kept])
        names = tuple(contrast.label for contrast in kept)
        notes = (*self.notes, *_missing_notes(found, ~whole, names))
        errors = tuple(np.linalg.norm(weights, axis=1).tolist())
        return EffectValues(found, names, tuple(contrast.term for contrast in kept), errors, notes)

    def _of_incomplete(self, scores: FloatArray, names: Sequence[str]) -> FloatArray:
        there = ~np.isnan(scores)
        if not there.any():
            return np.full(len(names), math.nan)
        contrasts = {c.name: c for c in _contrasts(self.terms, there)}
        weights = np.array([contrasts[name].weights for name in names])
        known = ~np.isnan(weights).any(axis=1)
        found = np.full(len(names), math.nan)
        if known.any():
            found[known] = _weighted(scores[there][None], weights[known])[0]
        return found

    def to_table(self) -> Table:
        """A table of the effects: name, condition, aliases, and the number of settings that each uses."""
        columns = (
            Column("effect", align="left"),
            Column("within", align="left"),
            Column("mixed with", align="left"),
            Column("settings", formats.count),
        )
        rows = tuple(
            (c.name, c.within, " ".join(c.aliases), int((c.weights != 0).sum()) if c.is_estimable else None)
            for c in self.contrasts
        )
        return Table(
            columns=columns,
            rows=rows,
            caption=f"effects in {plural(self.settings, 'setting')}",
            notes=self.notes,
        )


@procedure(question=FACTORIAL, assumes="scores are sums of the effects in the model", references=(MONTGOMERY_2017,))
def factorial_model(
    design: Design,
    *,
    interactions: int | None = 2,
    levels: Mapping[str, Sequence[object]] | None = None,
    against: str = "first",
    names: Sequence[str] | None = None,
    blocks: Sequence[object] | None = None,
) -> FactorialModel:
    r"""The effects of an experiment with several factors, each as a contrast of its settings.

    ``design`` has a row for each setting and a column for each factor: a mapping from names to columns, a DataFrame, or
    a 2-D array with ``names``. Numbers are coded units, −1 at the low and +1 at the high end. Text is a level by name;
    ``levels`` gives the order of levels, and makes levels of numbers. nan or None: the factor is absent in that setting
    (nested factors). ``interactions`` is the number of factors in the largest interaction: 1 for main effects only,
    None for all. ``blocks`` names the block of each setting: differences between blocks are removed, and what is mixed
    with them can't be estimated.

    Effects are those of Montgomery (2017), for all other factors at their middle:

    - two levels: the mean at the high level less the mean at the low one;
    - the interaction of two such factors: half the difference between the effect of one at the high level of the other
      and at its low level, :math:`AB = \tfrac12[(ab - b) - (a - 1)]`; each further factor halves once more, so that
      all effects of a two-level design have the same standard error;
    - q levels: the mean at each level less that at the first (``against="first"``) or at every other
      (``against="all"``); together they are one term with q − 1 degrees of freedom;
    - numbers with three or more values: a linear part, the change from −1 to +1, and a quadratic part ``x²``, by which
      the mean of both ends lies above the middle;
    - a nested factor: the effect in the settings in which it exists, named as its condition. The effect of its parent
      is that at the middle of the nested factor.

    All effects are fitted together by least squares. In a balanced design they are the differences of means above.
    Effects whose columns are the same but for the sign are aliases: one contrast is the sum of both, and it is named as
    such (``depth + rate × size``), the simpler effect first. An effect that is mixed with others in another way can't
    be estimated: its weights are nan, and a note names the others.

    Reference: Montgomery (2017), Design and Analysis of Experiments, 9th edition, chapters 5 to 8.

    >>> model = factorial_model({"depth": [-1, 1, -1, 1], "rate": [-1, -1, 1, 1]})
    >>> found = model.values([[0.70, 0.74, 0.72, 0.82]])
    >>> dict(zip(found.names, found.values[0].round(4).tolist()))   # (0.04 + 0.10) / 2, and (0.10 − 0.04) / 2
    {'depth': 0.07, 'rate': 0.05, 'depth × rate': 0.03}
    >>> print(factorial_model({"A": [-1, 1, -1, 1], "B": [-1, -1, 1, 1], "C": [1, -1, -1, 1]}))
    effects in 4 settings
    effect  within  mixed with  settings
    A               + B × C            4
    B               + A × C            4
    C               + A × B            4
    A is mixed with B × C: what is estimated is the sum
    B is mixed with A × C: what is estimated is the sum
    C is mixed with A × B: what is estimated is the sum
    """
    check_option("against", against, ("first", "all"))
    factors = factor_columns(design, names, levels)
    order = len(factors) if interactions is None else interactions
    if not (is_whole(order) and number(order) >= 1):
        raise InputError(
            "interactions must be a whole number of at least 1, the largest number of factors that interact, or None "
            f"for all, got {interactions!r}"
        )
    settings = len(factors[0].values)
    fixed = [f"{f.name} does not vary in this design" for f in factors if len(f.steps(f.present)) < 2]
    found, count = [], 0
    for term in model_terms(factors, int(order), all_pairs=against == "all"):
        found.append(term)
        count += len(term.effects)
        if count > MOST_EFFECTS:
            raise InputError(
                f"interactions must be small enough for at most {MOST_EFFECTS:,} effects, got {interactions!r} for "
                f"{plural(len(factors), 'factor')}; ask for interactions=2"
            )
    terms, lost = merged([*_block_term(blocks, settings), *found])
    contrasts = tuple(_contrasts(terms, np.ones(settings, dtype=np.bool_)))
    notes = (*fixed, *lost.values(), *(note for c in contrasts for note in _notes(c)))
    return FactorialModel(settings, tuple(terms), contrasts, notes)


def _block_term(blocks: Sequence[object] | None, settings: int) -> list[ModelTerm]:
    """The term of the blocks, which has no effects of interest; none for one block."""
    if blocks is None:
        return []
    labels = [str(block) for block in list_of("blocks", blocks, f"{settings} blocks, one for each setting")]
    if len(labels) != settings:
        raise InputError(f"blocks must have one block for each of the {settings} settings, got {len(labels)}")
    (block,) = factor_columns({BLOCKS: labels}, None, None)
    if len(block.steps(block.present)) < 2:
        return []
    return [ModelTerm(BLOCKS, (BLOCKS,), block.coding(block.present, all_pairs=False).columns, ())]


def _contrasts(terms: Sequence[ModelTerm], rows: BoolArray) -> list[Contrast]:
    """The contrasts of all effects by least squares in these settings."""
    columns = [np.ones((int(rows.sum()), 1)), *(term.columns[rows] for term in terms)]
    owner = np.repeat(np.arange(-1, len(terms)), [c.shape[1] for c in columns])
    matrix = np.hstack(columns)
    inverse = _inverse(matrix)
    hidden = np.eye(matrix.shape[1]) - inverse @ matrix  # directions of the coefficients that no score depends on
    found = []
    for i, term in enumerate(terms):
        for name, vector in term.effects:
            whole = np.zeros(matrix.shape[1])
            whole[owner == i] = vector
            mixed = np.abs(whole @ hidden) > COLUMN_NOISE * float(np.abs(vector).max())
            weights, note = vector @ inverse[owner == i], ""
            weights[np.abs(weights) < COLUMN_NOISE * np.abs(weights).max(initial=0.0)] = 0.0
            if mixed.any():
                weights = np.full(len(matrix), math.nan)
                others = [j for j in dict.fromkeys(owner[mixed].tolist()) if j != i]
                named = [terms[j].name if j >= 0 else "the mean" for j in others]
                named = [BLOCKS] if BLOCKS in named and _is_free(matrix, owner, terms, whole) else named
                why = f"it is mixed with {listed(named)}" if named else "some of its levels do not occur"
                note = f"{name} can't be estimated: {why}"
            found.append(Contrast(name, term.name, weights, term.aliases, term.within, note))
    return found


def _inverse(matrix: FloatArray) -> FloatArray:
    """The pseudo-inverse, by way of a small triangular matrix, since designs may have many settings."""
    orthogonal, triangle = np.linalg.qr(matrix)
    return np.asarray(np.linalg.pinv(triangle, rcond=COLUMN_NOISE) @ orthogonal.T)


def _is_free(matrix: FloatArray, owner: IntArray, terms: Sequence[ModelTerm], vector: FloatArray) -> bool:
    """Whether an effect could be estimated if there were no blocks."""
    kept = np.array([j < 0 or terms[j].name != BLOCKS for j in owner.tolist()])
    part = matrix[:, kept]
    left = vector[kept] - vector[kept] @ _inverse(part) @ part
    return bool(np.abs(left).max() <= COLUMN_NOISE * np.abs(vector).max())


def _notes(contrast: Contrast) -> list[str]:
    if contrast.note:
        return [contrast.note]
    if not contrast.aliases:
        return []
    names = [alias[2:] if alias.startswith("+") else alias for alias in contrast.aliases]
    return [f"{contrast.name} is mixed with {listed(names)}: what is estimated is the sum"]


def _weighted(scores: FloatArray, weights: FloatArray) -> FloatArray:
    """Weighted sums, rounded to 12 digits of the larger of their positive and negative part.

    So an effect that is zero on paper is zero, and equal effects are ties.
    """
    high, low = scores @ np.maximum(weights, 0.0).T, scores @ np.maximum(-weights, 0.0).T
    return np.column_stack([differences(high[:, j], low[:, j]).values() for j in range(len(weights))])


def _missing_notes(found: FloatArray, incomplete: BoolArray, names: Sequence[str]) -> list[str]:
    rows = np.flatnonzero(incomplete).tolist()
    if not rows:
        return []
    lost = {row: [n for n, v in zip(names, found[row].tolist(), strict=True) if math.isnan(v)] for row in rows}
    fitted = [row for row in rows if not lost[row]]
    notes = [f"{plural(len(fitted), 'row')} with missing scores ({listed(fitted)}): fitted to the others"] * bool(
        fitted
    )
    return notes + [
        f"row {row} has too few scores: {listed(some)} can't be estimated there" for row, some in lost.items() if some
    ]


@dataclass(frozen=True, slots=True)
class Effects(Shown):
    """The effects of factors, tested together: an outcome for each, and intervals that hold for all of them.

    ``outcomes`` are the tests of single effects; ``p_adjusted`` are the p-values for all effects together, and
    ``intervals`` hold together: an interval excludes 0 exactly when the adjusted p-value is below 1 − level.
    ``helps`` has the number of units (data sets or splits) on which an effect improves the score, leaves it, and makes
    it worse; ``spread`` is the standard deviation over units. ``new`` is the range on a new data set, empty for splits.
    ``terms`` has the p-value of each term with several effects (a factor with three or more levels), jointly.
    """

    names: tuple[str, ...]
    outcomes: tuple[Outcome, ...]
    p_adjusted: tuple[float, ...]
    intervals: tuple[Interval, ...]
    adjusted: str
    unit: str
    helps: tuple[tuple[int, int, int], ...]
    spread: tuple[float, ...]
    new: tuple[Interval, ...] = ()
    terms: Mapping[str, float] = field(default_factory=dict)
    level: float = 0.95
    notes: tuple[str, ...] = ()

    def active(self) -> BoolArray:
        """Whether the adjusted p-value of each effect is below 1 − level; False where it is undefined."""
        return np.array([p < 1 - self.level for p in self.p_adjusted])

    def helps_on(self, name: str) -> str:
        """On how many units an effect improves the score, in words: "helps on 21 of 24 data sets"."""
        if name not in self.names:
            raise UnknownName.among("effect", name, self.names)
        better, same, worse = self.helps[self.names.index(name)]
        return f"helps on {part_of(better, better + same + worse, self.unit)}"

    def to_dict(self) -> dict[str, Any]:
        return {
            "names": list(self.names),
            "outcomes": [outcome.to_dict() for outcome in self.outcomes],
            "p_adjusted": list(self.p_adjusted),
            "intervals": [interval.to_dict() for interval in self.intervals],
            "adjusted": self.adjusted,
            "unit": self.unit,
            "helps": [list(counts) for counts in self.helps],
            "spread": list(self.spread),
            "new": [interval.to_dict() for interval in self.new],
            "terms": dict(self.terms),
            "level": self.level,
            "notes": list(self.notes),
        }

    def to_table(self) -> Table:
        """A table with a row for each effect, the largest first."""
        write = formats.significant(4)
        title = TITLES.get(self.adjusted, self.adjusted)
        columns = (
            Column("effect", align="left"),
            Column("estimate", write),
            Column("low", write),
            Column("high", write),
            Column("p", formats.p_value),
            Column(f"p ({title})", formats.p_value, key="p_adjusted"),
            Column("helps on", align="right", key="helps"),
            Column("sd", write),
            Column("", align="left", key="active"),
        )
        family = f"{title}, {plural(len(self.names), 'effect')}"
        mark = f"intervals hold for all effects together; * p ({family}) < {1 - self.level:.3g}"
        joint = [f"{term}, all levels together: {formats.p_equals(p)}" for term, p in self.terms.items()]
        caption = self.outcomes[0].test if self.outcomes else ""
        return Table(columns=columns, rows=tuple(self._rows()), caption=caption, notes=(mark, *joint, *self.notes))

    def _rows(self) -> list[tuple[object, ...]]:
        order = sorted(range(len(self.names)), key=lambda i: -_size(self.intervals[i].estimate))
        rows: list[tuple[object, ...]] = []
        for i in order:
            outcome, interval, p = self.outcomes[i], self.intervals[i], self.p_adjusted[i]
            shown = (bound_if(value, outcome.at_floor) for value in (outcome.p_value, p))
            helped = f"{self.helps[i][0]} of {sum(self.helps[i])}"
            ends = (interval.estimate, interval.low, interval.high)
            rows.append((self.names[i], *ends, *shown, helped, self.spread[i], "*" if p < 1 - self.level else ""))
        return rows


def _size(estimate: float) -> float:
    return abs(estimate) if estimate == estimate else -1.0


def checked_effects(
    effects: npt.ArrayLike | EffectValues, names: Sequence[str] | None, unit: str
) -> tuple[FloatArray, tuple[str, ...], tuple[str, ...], tuple[str, ...]]:
    """Check a table of effects (units × effects): the values, their names, their terms, and notes."""
    own: Sequence[str] | None
    terms: tuple[str, ...]
    notes: tuple[str, ...]
    if isinstance(effects, EffectValues):
        values, own, terms, notes = effects.values, names or effects.names, effects.terms, effects.notes
    else:
        values, own, terms, notes = numbers(effects, "effects"), names, (), ()
    if values.ndim != 2 or values.shape[0] < 1 or values.shape[1] < 1:
        raise InputError(
            f"effects must be a table with a row for each {unit} and a column for each effect, got an array of shape "
            f"{values.shape}; FactorialModel.values makes it from scores"
        )
    missing = ~np.isfinite(values)
    if missing.any():
        rows = np.flatnonzero(missing.any(axis=1)).tolist()
        raise InputError(
            f"effects must be finite, but {part_of(int(missing.sum()), missing.size, 'value')} "
            f"{verb(int(missing.sum()), 'is', 'are')} not ({verb(len(rows), 'row', 'rows')} {listed(rows)}); choose a "
            f"failure policy, leave out those {unit}s, or ask for fewer interactions"
        )
    labels = method_names(own, getattr(effects, "columns", [f"effect {j + 1}" for j in range(values.shape[1])]))
    return values, labels, terms or labels, notes


def term_columns(terms: Sequence[str]) -> dict[str, list[int]]:
    """The columns of each term that has several effects."""
    found: dict[str, list[int]] = {}
    for column, term in enumerate(terms):
        found.setdefault(term, []).append(column)
    return {term: columns for term, columns in found.items() if len(columns) > 1}


def spreads(values: FloatArray) -> tuple[float, ...]:
    """The standard deviation of each effect (column) over units; nan for one unit."""
    if len(values) < 2:
        return (math.nan,) * int(values.shape[1])
    unit = unit_of(values)
    spread = (values / unit).std(axis=0, ddof=1) * unit
    noise = np.abs(values).max(axis=0) * NOISE  # of equal values the mean may be off by rounding
    return tuple(np.where(spread > noise, spread, 0.0).tolist())


def units_better(values: FloatArray, *, higher_is_better: bool) -> tuple[tuple[int, int, int], ...]:
    """For each effect (column) the number of units on which it improves the score, leaves it, and makes it worse."""
    signs = np.sign(values) * (1 if higher_is_better else -1)
    return tuple((int((s > 0).sum()), int((s == 0).sum()), int((s < 0).sum())) for s in signs.T)
