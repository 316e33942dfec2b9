"""McNemar's test of methods on the instances of a study: each instance is predicted once in each repeat."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from fairtrial.errors import InputError, UnknownName
from fairtrial.resampling import Dependence
from fairtrial.results.at_levels import refuse_several_levels
from fairtrial.results.prediction_source import stored_predictions
from fairtrial.stats import Outcome, adjust, mcnemar
from fairtrial.tables import Answer, Column, Document, Shown, Table, formats, render_result
from fairtrial.words import listed, plural, quoted

if TYPE_CHECKING:
    from fairtrial.results.results import Results

Answers = NDArray[np.bool_]

OVERLAP = (
    "the models of different folds share most of their training data, so that their mistakes are not quite "
    "independent, and how the methods vary with their training data does not count (Dietterich 1998): this is "
    "about these models; for the algorithms take results.verdict()"
)
MODELS = "this is about these models, not about training them again (Dietterich 1998)"
GROUPED = "rows of a group depend on each other, which the test does not know: p is too small"
MOST_SENTENCES = 6


@dataclass(frozen=True, slots=True)
class McNemarTest:
    """The test of two methods on one data set, by the instances on which only one of them is right.

    ``outcome`` is of one repeat; ``p_over_repeats`` has the p-value in each repeat, which are no further evidence, as
    all repeats have the same instances. ``p_adjusted`` is Holm's over all tests that were made together.
    """

    dataset: str
    methods: tuple[str, str]
    counts: tuple[tuple[int, int], tuple[int, int]]
    outcome: Outcome
    p_adjusted: float
    p_over_repeats: tuple[float, ...]

    @property
    def sentence(self) -> str:
        """The answer on this data set, numbers after it."""
        a, b = self.methods
        (_, only_a), (only_b, _) = self.counts
        effect, p = self.outcome.effect, self.p_adjusted
        assert effect is not None
        counted = f"only {a} is right on {only_a:,}, only {b} on {only_b:,} of {plural(self.outcome.n, 'instance')}"
        tail = f"{counted} ({formats.p_equals(p)}{', Holm' if p != self.outcome.p_value else ''})"
        if p >= 1 - effect.level:
            return f"On {self.dataset}, McNemar's test shows no difference between {a} and {b}: {tail}."
        better, worse = (a, b) if effect.estimate > 0 else (b, a)
        return f"On {self.dataset}, {better} is right more often than {worse}: {tail}."

    def to_dict(self) -> dict[str, Any]:
        return {
            "dataset": self.dataset, "methods": list(self.methods), "counts": [list(row) for row in self.counts],
            **self.outcome.to_dict(), "p_adjusted": self.p_adjusted, "p_over_repeats": list(self.p_over_repeats),
        }  # fmt: skip


@dataclass(frozen=True, slots=True)
class McNemarTests(Shown):
    """McNemar's tests of pairs of methods on each data set; ``repeat`` is the one that was tested."""

    tests: tuple[McNemarTest, ...]
    repeat: int
    level: float
    notes: tuple[str, ...]

    def __getitem__(self, dataset: str) -> McNemarTest:
        """The test on a data set, where two methods are compared."""
        own = [test for test in self.tests if test.dataset == dataset]
        if not own:
            raise UnknownName.among("data set of these tests", dataset, dict.fromkeys(t.dataset for t in self.tests))
        if len(own) > 1:
            raise InputError(f"there are {len(own)} tests on {dataset!r}; name two methods, or take tests")
        return own[0]

    @property
    def sentence(self) -> str:
        """The answer on each data set and for each pair; of many, the number of differences."""
        if len(self.tests) <= MOST_SENTENCES:
            return " ".join(test.sentence for test in self.tests)
        shown = sum(test.p_adjusted < 1 - self.level for test in self.tests)
        return f"McNemar's test shows a difference in {shown} of {len(self.tests)} comparisons."

    def to_table(self) -> Table:
        """A row for each pair and data set: how often both, one and none of the two are right, and the test."""
        write, several = formats.fixed(4), len(self.tests) > 1
        repeats = max(len(test.p_over_repeats) for test in self.tests)
        columns = [
            Column("data set", align="left"), Column("first", align="left"), Column("second", align="left"),
            Column("both right"), Column("only first"), Column("only second"), Column("both wrong"),
            Column("difference", write), Column(f"{100 * self.level:g} % interval", formats.span(write)),
            Column("p", formats.p_value),
        ]  # fmt: skip
        columns += [Column("p (Holm)", formats.p_value, key="p_adjusted")] if several else []
        columns += [Column(f"p in {repeats} repeats", formats.span(formats.p_value))] if repeats > 1 else []
        caption = "McNemar's test (exact): instances on which both, one or none of two methods are right"
        return Table(tuple(columns), tuple(self._row(t, several, repeats > 1) for t in self.tests), caption, self.notes)

    def _row(self, test: McNemarTest, several: bool, repeated: bool) -> tuple[Any, ...]:
        effect = test.outcome.effect
        assert effect is not None
        counts = (n for row in test.counts for n in row)
        shown = (effect.estimate, (effect.low, effect.high), test.outcome.p_value)
        ends = (min(test.p_over_repeats), max(test.p_over_repeats))
        adjusted = (test.p_adjusted,) if several else ()
        return (test.dataset, *test.methods, *counts, *shown, *adjusted, *((ends,) if repeated else ()))

    def to_document(self) -> Document:
        return Document((Answer(self.sentence), self.to_table()))

    def to_dict(self) -> dict[str, Any]:
        tests = [test.to_dict() for test in self.tests]
        return {"answer": self.sentence, "repeat": self.repeat, "tests": tests, "notes": list(self.notes)}

    def render(self, how: str) -> str:
        """The tests in one of the output formats."""
        return render_result(self, how)


def mcnemar_tests(
    results: Results, methods: Sequence[str], *, dataset: str | None, repeat: int | None, level: float
) -> McNemarTests:
    """Test pairs of methods on each data set, or on one, by the predictions of one repeat; see ``Results.mcnemar``."""
    refuse_several_levels(results)
    stored_predictions(results)
    names = _compared(results, methods)
    if dataset is not None and dataset not in results.dataset_names():
        raise UnknownName.among("data set of these results", dataset, results.dataset_names())
    places = results.dataset_names() if dataset is None else (dataset,)
    found: list[tuple[str, tuple[str, str], dict[int, Outcome], tuple[Answers, Answers]]] = []
    left_out: dict[str, None] = {}
    for place in places:
        answers = _answers_on(results, place, names, left_out, named=bool(methods))
        for a, b in combinations(answers, 2):
            shared = {r: (answers[a][r], answers[b][r]) for r in answers[a]}
            used = _one_repeat(repeat, shared, place)
            made = {r: mcnemar(*pair, level=level) for r, pair in shared.items()}
            found.append((place, (a, b), {used: made.pop(used), **made}, shared[used]))
    if not found:
        raise InputError(f"McNemar's test needs two methods with predictions, got none: {listed(left_out)}")
    adjusted = adjust([next(iter(made.values())).p_value for _, _, made, _ in found], "holm").tolist()
    tests = tuple(_test(*row, p) for row, p in zip(found, adjusted, strict=True))
    used = next(iter(found[0][2]))
    notes = (*_notes(results, places, tests, used), *left_out)
    return McNemarTests(tests, used, level, notes)


def _compared(results: Results, methods: Sequence[str]) -> list[str]:
    known = results.method_names()
    for name in methods:
        if name not in known:
            raise UnknownName.among("method of these results", name, known)
    names = list(methods) or [m for m in known if m not in results.yardsticks]
    if len(set(names)) < 2 or len(set(names)) < len(names):
        raise InputError(f"McNemar's test compares two or more different methods, got {quoted(names)}")
    if results.scores["replicate"].nunique() > 1:
        raise InputError(
            "McNemar's test is about one model of each method on each split, got several replicates; choose one "
            "(results.at(replicate=0))"
        )
    return names


def _answers_on(
    results: Results, dataset: str, names: Sequence[str], left_out: dict[str, None], *, named: bool
) -> dict[str, dict[int, Answers]]:
    """Right and wrong of each method on a data set, by repeat; methods that were not named may be left out."""
    answers = {}
    for name in names:
        try:
            answers[name] = instance_answers(results, dataset, name)
        except InputError as error:
            if named:
                raise
            left_out[str(error)] = None
    return answers


def instance_answers(results: Results, dataset: str, method: str) -> dict[int, Answers]:
    """Whether a method was right on each instance, in the order of the instances, for each repeat.

    Refused where instances are tested more than once in a repeat, in clusters, or not at all because a trial failed.
    """
    source, facts = stored_predictions(results), results.datasets.get(dataset, {})
    if not facts.get("classes"):
        raise InputError(f"McNemar's test counts right and wrong answers, but the target of {dataset!r} is a number")
    if facts.get("clusters"):
        raise InputError("McNemar's test needs independent instances, got clusters of rows; take results.verdict()")
    tested = source.tested(dataset, method)
    if tested is None:
        raise InputError(
            f"McNemar's test needs the predictions of all trials, but some of {method!r} on {dataset!r} failed or are "
            "missing; run them again (--retry-failed)"
        )
    if tested.duplicated(["repeat", "instance"]).any():
        scheme = results.dependence.get(dataset, Dependence.unknown()).scheme
        raise InputError(
            f"McNemar's test needs test sets that do not overlap, but the scheme {scheme!r} tests some instances more "
            "than once in a repeat; take results.verdict()"
        )
    right = source.losses_of("accuracy", dataset, method) == 1
    repeats, instances = tested["repeat"].to_numpy(), tested["instance"].to_numpy()
    order = np.lexsort((instances, repeats))
    starts = np.flatnonzero(np.diff(repeats[order])) + 1
    return {int(repeats[rows[0]]): right[rows] for rows in np.split(order, starts)}


def _one_repeat(repeat: int | None, there: Mapping[int, Any], dataset: str) -> int:
    if repeat is not None and repeat not in there:
        raise InputError(f"repeat must be one of {sorted(there)} on {dataset!r}, got {repeat!r}")
    return min(there) if repeat is None else repeat


def _test(
    dataset: str, methods: tuple[str, str], made: Mapping[int, Outcome], pair: tuple[Answers, Answers], p: float
) -> McNemarTest:
    a, b = pair
    both, only_a, only_b = int((a & b).sum()), int((a & ~b).sum()), int((~a & b).sum())
    counts = ((both, only_a), (only_b, len(a) - both - only_a - only_b))
    first = next(iter(made.values()))
    over = tuple(made[r].p_value for r in sorted(made))
    return McNemarTest(dataset, methods, counts, first, p, over)


def _notes(results: Results, places: Sequence[str], tests: Sequence[McNemarTest], used: int) -> Iterator[str]:
    """What to know of the tests: which repeat was used, what they are about, and what they assume."""
    schemes = [results.dependence.get(d, Dependence.unknown()) for d in places]
    repeats = max(len(test.p_over_repeats) for test in tests)
    if repeats > 1:
        yield (
            f"repeat {used + 1} of {repeats} is tested: the others test instances of the same data again and are no "
            "further evidence; the range of their p-values shows how much depends on the splits"
        )
    folds = any(d.folds > 1 for d in schemes)
    yield OVERLAP if folds else MODELS
    if any("grouped" in d.scheme for d in schemes):
        yield GROUPED
    if len(tests) > 1:
        yield f"p (Holm) is adjusted for {len(tests)} tests; the intervals are not"
