"""The plan: explicit rows, one per trial, made before anything runs.

The keys of trials: hashes of all that determines their numbers, so that no trial is ever done twice.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Hashable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from fairtrial.design.compare_plans import compare_plans, cost_in_words, fits_in_words
from fairtrial.design.factors import Level, SettingDigests, TrainingFactor, of_methods, offered, write_setting
from fairtrial.design.guidelines import Guideline, checklist, checklist_facts, outline_of
from fairtrial.design.plan_answers import FEWEST_DATASETS, answerable, smallest_p
from fairtrial.design.plan_effects import PlannedEffects, effect_facts, effect_tables, planned_effects
from fairtrial.design.setting_rows import SettingRows, designs_of, headline_of, lay_out_settings, setting_facts
from fairtrial.design.study import Study, differing_parts
from fairtrial.doors import door
from fairtrial.errors import InputError
from fairtrial.methods.baselines import compared_methods
from fairtrial.notices import Notice, look
from fairtrial.resampling import Split, generator
from fairtrial.shown import drawn
from fairtrial.slotted import sent_by_fields
from fairtrial.tables import Column, Document, Facts, Shown, Table, render_result
from fairtrial.words import listed, plural, shown, verb

if TYPE_CHECKING:
    from matplotlib.figure import Figure

    from fairtrial.figures.factors.layout_pictures import LayoutFigure


class TrialKeys:
    """The keys of the trials of a plan.

    A key is a hash of the data, the method with its parameters set, the levels of factors of the training data, the
    split, the replicate and the study's seed. A method at a setting and a method that was given these parameters have
    the same key: they are the same trial.
    """

    def __init__(
        self, study: Study, levels: Sequence[Mapping[str, Level]], splits: Sequence[Split], digests: Sequence[bytes]
    ) -> None:
        self._study, self._levels, self._splits, self._split_digests = study, levels, splits, digests
        self._fingerprints = [bytes.fromhex(d.fingerprint) for d in study.datasets]
        self._on_methods = {f.name for f in of_methods(study.factors)}
        self._digests: dict[tuple[object, ...], bytes] = {}
        self._settings = [SettingDigests(method, study.factors) for method in study.methods]
        self._parts: dict[int, str] = {}

    def key(self, dataset: int, method: int, split: int, replicate: int, level: int) -> bytes:
        """The key of the trial of a method at a combination of levels; data set, method… are numbers."""
        place = self._splits[split]  # its repeat and fold count: on tiny data two partitions may be the same
        text = f"[{self._part(level)}, {replicate}, {self._study.seed}, [{place.repeat}, {place.fold}]]"
        parts = self._fingerprints[dataset] + self._digest(method, level) + self._split_digests[split] + text.encode()
        return hashlib.blake2b(parts, digest_size=16).digest()

    def refuse_twins(self, cells: NDArray[np.int32]) -> None:
        """Refuse two settings that are the same method with the same training data."""
        if not self._on_methods:
            return
        seen: dict[tuple[bytes, str], tuple[int, int]] = {}
        for level, method in cells.tolist():
            other = seen.setdefault((self._digest(method, level), self._part(level)), (level, method))
            if other != (level, method):
                names = [
                    write_setting(self._study.methods[m].name, self._levels[v]) for v, m in (other, (level, method))
                ]
                raise InputError(
                    f"each setting must differ from the others, but {names[0]!r} and {names[1]!r} are the same class "
                    "with the same parameters; leave one of them out"
                )

    def _part(self, level: int) -> str:
        """The part of a combination of levels that determines the training data, as JSON."""
        if level not in self._parts:
            own = {f.name: f for f in self._study.factors if isinstance(f, TrainingFactor)}
            there = [(n, v) for n, v in self._levels[level].items() if n in own and isinstance(v, (int, float))]
            part = {n: own[n].part(v) for n, v in there if own[n].changes(v)}
            self._parts[level] = json.dumps(part, sort_keys=True)
        return self._parts[level]

    def _digest(self, method: int, level: int) -> bytes:
        """A hash of a method with its parameters set."""
        own = {name: v for name, v in self._levels[level].items() if name in self._on_methods}
        place = (method, *((name, type(v), v) for name, v in own.items()))
        if place not in self._digests:
            self._digests[place] = self._settings[method].at(own)
        return self._digests[place]


@sent_by_fields
@dataclass(frozen=True, slots=True)
class Trial:
    """One trial: one method on one split. It is run, stored, fails and is skipped on resume as a whole.

    ``dataset``, ``method`` and ``split`` are positions in the lists of the plan and its study.
    """

    key: bytes
    dataset: int
    method: int
    split: int
    replicate: int = 0
    levels: Mapping[str, Any] = field(default_factory=dict)


@door
@dataclass(frozen=True, eq=False)
class Plan(Shown):
    """The trials of a study, one in each row, in the order in which they run.

    By default a plan has all methods on all splits at all settings. :meth:`only` selects rows, :meth:`join` joins two
    plans, and ``study.run(plan=…)`` runs one. Rows that belong to the same split of a data set follow each other; among
    them the order of methods and levels is random, so that no method always runs first.

    The columns ``split``, ``method``, ``replicate`` and ``level`` are arrays, so that a plan of a million rows stays
    small; :meth:`trial` gives one row as an object. ``offered`` has a row for each split and a column for each
    combination of levels: whether the split has enough instances or features for it. ``settings`` has these
    combinations, and which of them each method is run at. After a pilot, ``seconds`` has the time of one trial by data
    set, method and combination, and ``pilot_scores`` the score of those that were tried.
    """

    study: Study
    splits: tuple[Split, ...]
    dataset_of_split: NDArray[np.int32]
    split: NDArray[np.int32]
    method: NDArray[np.int32]
    replicate: NDArray[np.int32]
    level: NDArray[np.int32]
    offered: NDArray[np.bool_]
    settings: SettingRows
    seconds: Mapping[tuple[int, int, int], float] | None = None
    pilot_scores: Mapping[tuple[int, int, int], float] | None = None

    @classmethod
    def full(cls, study: Study) -> Plan:
        """Make the plan of all methods on all splits of all data sets."""
        splits: list[Split] = []
        owner: list[int] = []
        for i, dataset in enumerate(study.datasets):
            made = list(study.resampling.splits(dataset, study.seed))
            splits += made
            owner += [i] * len(made)
        settings = lay_out_settings(study)
        cells = np.tile(settings.cells, (study.replicates, 1))
        replicates = np.repeat(np.arange(study.replicates, dtype=np.int32), len(settings.cells))
        draw = generator(study.seed, "order")
        places = draw.random_sample((len(splits), len(cells)))
        if settings.block is not None:  # trials of a block follow each other, and blocks are in random order
            block = np.unique(settings.block[cells[:, 0]], return_inverse=True)[1]
            places += draw.random_sample((len(splits), int(block.max()) + 1)).argsort(axis=1)[:, block]
        orders = places.argsort(axis=1).reshape(-1)
        rows = np.repeat(np.arange(len(splits), dtype=np.int32), len(cells))
        offered_levels = _offered(study, splits, owner, settings)
        kept = offered_levels[rows, cells[orders, 0]]
        if not kept.any():
            raise InputError("no split of any data set has what the levels of the factors need; choose smaller levels")
        plan = cls(
            study=study,
            splits=tuple(splits),
            dataset_of_split=np.asarray(owner, dtype=np.int32),
            split=rows[kept],
            method=cells[orders, 1][kept],
            replicate=replicates[orders][kept],
            level=cells[orders, 0][kept],
            offered=offered_levels,
            settings=settings,
        )
        plan.keys.refuse_twins(settings.cells)
        return plan

    def only(self, rows: ArrayLike | slice) -> Plan:
        """A plan of some of these rows, in the order given: their numbers, a slice, or a truth value for each row.

        >>> study = Study(datasets=["iris"], methods=["majority", "one_rule"], resampling="2-fold")
        >>> print(study.plan().only([0, 3]).headline())
        1 data set × 2 methods × 2-fold: 2 of 4 trials
        """
        try:
            chosen = np.arange(len(self))[rows if isinstance(rows, slice) else np.asarray(rows)]
        except (IndexError, ValueError) as error:
            raise InputError(f"rows must be numbers below {len(self)} or a truth value for each row: {error}") from None
        if chosen.size == 0 or len(np.unique(chosen)) < chosen.size:
            raise InputError(f"rows must name at least one row, and each once, got {shown(rows)}")
        return replace(
            self,
            split=self.split[chosen],
            method=self.method[chosen],
            replicate=self.replicate[chosen],
            level=self.level[chosen],
        )

    def join(self, other: Plan) -> Plan:
        """The rows of this plan, then those of another plan of the same study that are not among them.

        >>> plan = Study(datasets=["iris"], methods=["majority", "one_rule"], resampling="2-fold").plan()
        >>> len(plan.only([0, 1]).join(plan.only([1, 3])))
        3
        """
        other = other.for_study(self.study)
        split = _places(other.split_places, self.split_places)[other.split]  # data sets may have another order
        theirs = _places(map(_as_text, other.levels), map(_as_text, self.levels))[other.level]
        mine = np.stack([self.split, self.method, self.replicate, self.level])
        rows = np.concatenate([mine, np.stack([split, other.method, other.replicate, theirs])], axis=1)
        _, first = np.unique(rows, axis=1, return_index=True)
        split, method, replicate, level = rows[:, np.sort(first)]
        return replace(self, split=split, method=method, replicate=replicate, level=level)

    def for_study(self, study: Study) -> Plan:
        """The rows as a plan of ``study``, which must have the same trials; names, order and question may differ."""
        if self.study is study:
            return self
        if differing := differing_parts(self.study, study):
            raise InputError(
                f"plan must be made from this study, but the {listed(differing)} of its study "
                f"{verb(len(differing), 'differs', 'differ')}; make it with study.plan()"
            )
        datasets = _places((d.fingerprint for d in self.study.datasets), (d.fingerprint for d in study.datasets))
        methods = _places((m.digest() for m in self.study.methods), (m.digest() for m in study.methods))
        seconds, scores = (
            found and {(int(datasets[d]), int(methods[m]), v): x for (d, m, v), x in found.items()}
            for found in (self.seconds, self.pilot_scores)
        )
        owners, method = datasets[self.dataset_of_split], methods[self.method]
        cells = np.stack([self.settings.cells[:, 0], methods[self.settings.cells[:, 1]]], axis=1)
        settings = replace(self.settings, cells=cells)
        own = replace(self, study=study, dataset_of_split=owners, method=method, settings=settings)
        return replace(own, seconds=seconds, pilot_scores=scores)

    def __len__(self) -> int:
        return len(self.split)

    def trial(self, row: int) -> Trial:
        split, method, replicate = int(self.split[row]), int(self.method[row]), int(self.replicate[row])
        level, dataset = int(self.level[row]), int(self.dataset_of_split[split])
        key = self.keys.key(dataset, method, split, replicate, level)
        return Trial(key, dataset, method, split, replicate, self.levels[level])

    def trials(self) -> Iterator[Trial]:
        return map(self.trial, range(len(self)))

    @property
    def levels(self) -> tuple[Mapping[str, Level], ...]:
        """The combinations of levels, by their numbers."""
        return self.settings.levels

    @cached_property
    def keys(self) -> TrialKeys:
        """What identifies the trials of this plan."""
        return TrialKeys(self.study, self.settings.levels, self.splits, self.split_digests)

    @cached_property
    def split_digests(self) -> list[bytes]:
        """A hash of each split."""
        return [s.digest() for s in self.splits]

    @cached_property
    def split_places(self) -> list[tuple[int, bytes, int, int]]:
        """The identity of each split inside the study: data set, hash, repeat and fold."""
        owners = self.dataset_of_split.tolist()
        return [(o, d, s.repeat, s.fold) for o, d, s in zip(owners, self.split_digests, self.splits, strict=True)]

    @cached_property
    def notices(self) -> tuple[Notice, ...]:
        """The findings of all guards before the run: in the methods, the data, their splits and the plan."""
        import fairtrial.design.plan_guards  # noqa: F401 - registers its guards, which look at plans

        return tuple(self._look())

    def _look(self) -> Iterator[Notice]:
        yield from look("methods", self.study.methods)
        for i, dataset in enumerate(self.study.datasets):
            yield from look("dataset", dataset)
            yield from look("splits", dataset, self._splits_of(i))
        yield from look("plan", self)

    def levels_on(self, dataset: int) -> set[int]:
        """The numbers of the combinations of levels for which a data set has enough instances."""
        return set(np.flatnonzero(self.offered[self.dataset_of_split == dataset].any(axis=0)).tolist())

    def _splits_of(self, dataset: int) -> list[Split]:
        return [s for s, owner in zip(self.splits, self.dataset_of_split, strict=True) if owner == dataset]

    @cached_property
    def effects(self) -> tuple[PlannedEffects, ...]:
        """The effects of factors on each method whose parameters or steps are varied, before anything is run."""
        return planned_effects(self)

    def layout_tables(self) -> tuple[Table, ...]:
        """All that is known of effects before the run: the effects and their power, aliases, variance of predictions.

        The printed plan has a few lines of it.
        """
        return effect_tables(self)

    def figure(self, kind: LayoutFigure = "alias_map", model: str = "interactions") -> Figure:
        """Draw what the settings can't tell apart (``"alias_map"``), or how well they predict."""
        return drawn("layout_figure", {d.name: d.coded for d in designs_of(self)}, kind, model)

    def compare(self, other: Plan, names: tuple[str, str] = ("this plan", "the other")) -> Table:
        """Two plans side by side: settings, trials, hours, resolution, effects, and what each can detect.

        >>> from sklearn.tree import DecisionTreeClassifier
        >>> factors = {"max_depth": [2, 9], "min_samples_leaf": [1, 9], "max_features": [0.5, 1.0]}
        >>> parts = {"datasets": ["iris"], "methods": {"tree": DecisionTreeClassifier()}, "resampling": "10-fold"}
        >>> half = {"kind": "fractional factorial", "runs": 4}
        >>> small, large = (Study(factors=factors, plan=plan, **parts).plan() for plan in (half, None))
        >>> print(small.compare(large, ("half", "all")))
        two plans
                                                           half               all
        data sets                                             1                 1
        settings of methods                                   5                 9
        splits                                               10                10
        replicates                                            1                 1
        trials                                               50                90
        computing time                                        –                 –
        plan                               fractional factorial  all combinations
        resolution                                            3              full
        effects that can be estimated                    3 of 3            6 of 6
        of these, mixed with others                           3                 0
        data sets needed for any effect                       7                 8
        detectable effect, sd over splits                 1.778             1.993
        the computing time needs a pilot of both plans (--pilot, plan(pilot=True))
        """
        return compare_plans(self, other, names)

    def can_tell(self) -> str:
        """The questions that the design can answer, in words."""
        return answerable(self)

    @property
    def pairs(self) -> int:
        """The number of pairs of methods that are compared."""
        k = len(compared_methods(self.study.methods, self.study.question.control))
        return k - 1 if self.study.question.control is not None else k * (k - 1) // 2

    @property
    def asks_for_a_winner(self) -> bool:
        """Whether the question is which of all methods is the best, instead of how each compares with a control."""
        return self.study.question.control is None

    def can_tell_anything(self) -> bool:
        """Whether a difference between two methods, or an effect of a factor on a method, could be shown.

        Always true if each data set is judged by itself. Joint tests reach a p-value as small as Bonferroni's with the
        pairs of one method and all others.
        """
        if self.pairs == 0 and self.effects:
            return any(effects.can_show for effects in self.effects)
        n = len(self.study.datasets)
        if n < FEWEST_DATASETS or self.study.question.domains == "these":
            return True
        return smallest_p(n) * self.pairs < 1 - self.study.question.level

    def cost(self) -> str:
        """The number of fits, in words; after a pilot, the computing time and the dearest setting."""
        return cost_in_words(self)

    def fits(self) -> str:
        """The number of fits, with those that tuning adds, in words."""
        return fits_in_words(self)

    @property
    def owners(self) -> NDArray[np.int32]:
        """The number of the data set of each row."""
        return self.dataset_of_split[self.split]

    def to_table(self) -> Table:
        """One row per data set: size, classes, and the sizes of training and test sets."""
        rows = []
        for i, d in enumerate(self.study.datasets):
            own = self._splits_of(i)
            trials = int(np.sum(self.owners == i))
            target = plural(len(d.classes), "class", "classes") if d.task == "classes" else "values"
            rows.append((d.name, d.n, d.p, target, own[0].n_train, min(s.n_test for s in own), trials))
        columns = (
            Column("data set", align="left"),
            Column("instances"),
            Column("features"),
            Column("target"),
            Column("train"),
            Column("test"),
            Column("trials"),
        )
        return Table(columns=columns, rows=tuple(rows), caption=self.headline())

    def headline(self) -> str:
        """The size of the plan in one line."""
        return headline_of(self)

    def to_document(self) -> Document:
        """The plan as it is printed: its table, the guidelines A to G with its answers, and its notices."""
        notes = tuple(("note", notice.text) for notice in self.notices)
        varied = (*setting_facts(self), *effect_facts(self))
        facts = (*varied, *checklist_facts(self.checklist()).entries, *notes)
        return Document((self.to_table(), Facts(facts)))

    def checklist(self) -> tuple[Guideline, ...]:
        """The guidelines for experiments, A to G: what the plan answers, and what is missing."""
        from fairtrial.verdict.rules.rules import planned_tests

        return checklist(outline_of(self, planned_tests(self)))

    def to_dict(self) -> dict[str, Any]:
        """The plan as plain data: its table, the questions that it can answer, its cost, checklist and notices."""
        notices = [notice.to_dict() for notice in self.notices]
        items = [guideline.to_dict() for guideline in self.checklist()]
        told = {"can_tell": self.can_tell(), "cost": self.cost(), "checklist": items}
        settings = [text for _, text in setting_facts(self)]
        varied: dict[str, Any] = {"settings": settings} if settings else {}
        if self.effects:
            varied["effects"] = [effects.to_dict() for effects in self.effects]
        return {**self.to_table().to_dict(), **told, **varied, "notices": notices}

    def render(self, how: str) -> str:
        """The plan in one of the output formats: text, md, html; json; csv and latex have its table alone."""
        return render_result(self, how)


def _as_text(levels: Mapping[str, Level]) -> str:
    return json.dumps(levels, sort_keys=True)


def _places(things: Iterable[Hashable], among: Iterable[Hashable]) -> NDArray[np.int32]:
    """The number that each thing has in another list."""
    numbers = {thing: number for number, thing in enumerate(among)}
    return np.array([numbers[thing] for thing in things], dtype=np.int32)


def _offered(study: Study, splits: Sequence[Split], owner: Sequence[int], settings: SettingRows) -> NDArray[np.bool_]:
    """Whether a split (row) has what a combination of levels (column) needs."""
    training = [f for f in study.factors if isinstance(f, TrainingFactor)]
    if not training:
        return np.ones((len(splits), len(settings.levels)), dtype=bool)
    names = {f.name for f in training}
    parts = [tuple((n, v) for n, v in chosen.items() if n in names) for chosen in settings.levels]
    known = {part: i for i, part in enumerate(dict.fromkeys(parts))}
    found = []
    for split, i in zip(splits, owner, strict=True):
        dataset = study.datasets[i]
        seeds = (study.seed, dataset.fingerprint)
        found.append([offered(dataset, split, training, dict(chosen), *seeds) for chosen in known])
    return np.asarray(found)[:, [known[part] for part in parts]]
