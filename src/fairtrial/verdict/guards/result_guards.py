"""Guards of results: what was looked at before the numbers were believed.

Methods that failed often, and are among the best where they ran: their place is that of their failures.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from itertools import islice
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from fairtrial.data.dataset_guards import IMBALANCED
from fairtrial.design import FEWEST_DATASETS, write_levels
from fairtrial.measures.labels import looks_at_one_class
from fairtrial.methods.tuning import unequal_tuning
from fairtrial.notices import Note, Notice, Severity, guard
from fairtrial.resampling import FEWEST_PER_FOLD, score_unit
from fairtrial.results.readers.long_scores import OF_THE_FILE
from fairtrial.results.readers.predicted_columns import POSITIVE_CLASS
from fairtrial.stats.score_arrays import ScoreTable
from fairtrial.tables import formats
from fairtrial.words import listed, part_of, plural, verb

if TYPE_CHECKING:
    from fairtrial.results import Results
    from fairtrial.results.failure_policy import Grid
    from fairtrial.store import EarlierVerdicts
    from fairtrial.verdict.evidence import Evidence
    from fairtrial.verdict.level_verdicts import LevelVerdicts


PLACES_LOST = 3
OFTEN = 0.1  # of the data sets: others lack some scores, too
REMEDY = "say how often it failed beside how good it is where it ran (the table failures has both counts and reasons)"


def best_where_they_ran(results: Results, grid: Grid) -> Iterator[Notice]:
    """A doubt for each method that is among the first three on the data sets where none of its trials failed.

    It is told if the method loses its first place, or three places, over all data sets. Places are those of mean ranks.
    """
    columns = [i for i, m in enumerate(grid.methods) if m not in results.yardsticks]
    failed = grid.failed()[:, columns] > 0
    if not failed.any() or len(columns) < 2:
        return
    better = 1 if results.measure(results.question.measure).higher_is_better else -1
    scores = better * np.array([grid.values[grid.owner == i][:, columns].mean(axis=0) for i in range(len(failed))])
    over_all = _mean_ranks(scores)
    for m in map(int, np.flatnonzero(failed.any(axis=0))):
        ran = ~failed[:, m]
        if ran.sum() < FEWEST_DATASETS or failed[:, m].mean() < OFTEN:
            continue
        there = _mean_ranks(scores[ran])
        place, now = _place(there, m), _place(over_all, m)
        if (place == 1 < now) or (place <= PLACES_LOST <= now - place):
            yield _notice(grid.methods[columns[m]], failed[:, m], place, len(columns), (there[m], over_all[m]))


def _mean_ranks(scores: NDArray[np.float64]) -> NDArray[np.float64]:
    names = tuple(map(str, range(scores.shape[1])))
    ranks: NDArray[np.float64] = ScoreTable(scores, names).doubled_ranks(higher_is_better=True).mean(axis=0) / 2
    return ranks


def _place(ranks: NDArray[np.float64], m: int) -> int:
    return 1 + int((ranks < ranks[m]).sum())


def _notice(name: str, failed: NDArray[np.bool_], place: int, k: int, ranks: tuple[float, float]) -> Notice:
    n, gone = len(failed), int(failed.sum())
    best = {1: "best", 2: "second best", 3: "third best"}[place]
    there, over_all = map(formats.fixed(2), ranks)
    return Notice(
        f"{name} lacks scores on {part_of(gone, n, 'data set')}: on the {n - gone} others it has the {best} mean rank "
        f"of these {k} methods ({there}, over all {over_all}), so that its place is that of its failures",
        "doubt",
        about=name,
        evidence={"datasets": gone, "mean_rank": ranks[0], "mean_rank_over_all": ranks[1]},
        remedy=REMEDY,
    )


MOST_WARNINGS = 4
MOST_MEASURES = 2  # that may be asked without a word
MISLED_BY_IMBALANCE = ("accuracy", "error_rate", "Percent_correct", "Percent_incorrect")


@guard(stage="verdict", sees="grid")
def changed_scores(results: Results, grid: Grid) -> Iterator[Notice]:
    """Failed trials that were scored by the failure policy, splits that are left out, and whose place they decide."""
    for note in grid.notes:
        severity: Severity = note.severity if isinstance(note, Note) else "warning"
        again = "repair the trials that failed, and run them again (--retry-failed)" if severity == "doubt" else ""
        numbers = {"failed": int(grid.failed().sum()), f"{grid.unit}s": len(grid.owner)}
        missing = "bring the scores that are missing" if severity == "doubt" else ""
        yield Notice(note, severity, evidence=numbers, remedy=again if results.definition is not None else missing)
    yield from best_where_they_ran(results, grid)


@guard(stage="verdict", sees="grid")
def datasets_not_begun(results: Results, grid: Grid) -> Iterator[Notice]:
    """Data sets of the study on which no trial has been run yet."""
    begun = set(results.scores["dataset"])
    missing = [d for d in results.datasets if d not in begun and d not in grid.datasets]
    if missing:
        yield Notice(f"no trial has been run yet on {listed(missing)}", evidence={"datasets": missing})


@guard(stage="verdict", sees="results")
def notes_on_results(results: Results, evidence: Evidence) -> Iterator[Notice]:
    """Notes that were made when the results were read; the positive class is told only where it matters."""
    for text in results.notes:
        note = text if isinstance(text, Note) else Note(text)
        if note.about == POSITIVE_CLASS and not looks_at_one_class(evidence.measure.name):
            continue
        picked = note.about == OF_THE_FILE and len(evidence.methods) > 1
        remedy = "compare all methods of the file, or these on new data sets" if picked else ""
        yield Notice(str(note), "doubt" if picked else note.severity, remedy=remedy)


@guard(stage="verdict", sees="results")
def listed_baselines(results: Results, evidence: Evidence) -> Iterator[Notice]:
    """Methods that learn nothing, which are yardsticks although they were listed among the methods."""
    names = [name for name in results.trivial if name in evidence.yardsticks]
    if names:
        what = verb(len(names), "learns nothing and is a yardstick", "learn nothing and are yardsticks")
        yield Notice(
            f"{listed(names)} {what}: shown, and to be beaten, but not compared with each other "
            "(compare_trivial=True, --compare-trivial, compares all)",
            "fine",
            evidence={"methods": names},
        )


@guard(stage="verdict", sees="results")
def at_chosen_levels(results: Results, evidence: Evidence) -> Iterator[Notice]:  # noqa: ARG001
    """Results at chosen levels of factors, which say nothing of the other levels."""
    if results.chosen:
        others = [write_levels({n: o}) for n, own in results.provenance.other_levels.items() for o in own]
        yield Notice(
            f"this is about {write_levels(results.chosen)}; nothing is said here about "
            f"{listed(others, last='or') or 'other levels'}",
            "doubt",
            evidence=dict(results.chosen),
            remedy="take results.verdicts(), which judges each level (command line: leave --at out)",
        )


@guard(stage="verdict", sees="results")
def shared_splits(results: Results, evidence: Evidence) -> Iterator[Notice]:
    """Whether all methods were tried on the same splits, and whether the scheme of the splits is known."""
    schemes, unit = {d.scheme for d in evidence.dependence}, score_unit(evidence.dependence)
    if schemes == {"unknown"}:
        folds = max(map(len, evidence.folds))
        if folds > 1:
            yield Notice(
                "the split scheme of these scores is unknown (resampling='…' would name it), so the scores of one data "
                "set are only averaged",
                evidence={"splits": folds},
            )
    if results.definition is not None:
        yield Notice("same splits for all methods", "fine")
    elif results.source is None:
        split, were = ("split", "was") if unit == "seed" else ("splits", "were")
        alone = len(evidence.methods) == 1
        what = f"how its {split} {were} made" if alone else f"whether all methods had the same {split}"
        few = len(evidence.datasets) < FEWEST_DATASETS and not alone
        yield Notice(f"these scores come from elsewhere: {what} is unknown", "doubt" if few else "warning")


@guard(stage="verdict", sees="results")
def variance_of_seeds(results: Results, evidence: Evidence) -> Iterator[Notice]:
    """How much of the variance of scores comes from the random seed, where trials were replicated."""
    if len(evidence.datasets) < 2 or not (results.scores["replicate"] > 0).any():
        return
    table = results.variance_shares(evidence.measure.name)
    shares = {str(row[0]): float(str(row[-1])) for row in table.rows if row[0] in evidence.methods}
    others = listed(column.title for column in table.columns[2:-1])
    told = listed(f"{name} ({formats.percent(share)})" for name, share in shares.items())
    yield Notice(
        f"the random seed's share in the variance of scores, beside {others}: {told}", "fine",
        evidence={"shares": shares},
    )  # fmt: skip


@guard(stage="verdict", sees="results")
def one_sided_question(results: Results, evidence: Evidence) -> Iterator[Notice]:  # noqa: ARG001
    """Whether a question on one side was asked before the run."""
    asked = results.question.alternative
    if asked == "two-sided":
        return
    if results.definition is not None and results.definition.question.get("alternative") == asked:
        yield Notice(f"the question on one side ({asked!r}) was stored with the study, before its results", "fine")
    else:
        yield Notice(f"the question on one side ({asked!r}) holds only if it was decided before the scores were seen")


@guard(stage="verdict", sees="results")
def splits_not_tested(results: Results, evidence: Evidence) -> Iterator[Notice]:  # noqa: ARG001
    """Resampling schemes whose scores on one data set can't be tested."""
    yield from map(Notice, filter(None, dict.fromkeys(d.caution for d in evidence.dependence)))


@guard(stage="verdict", sees="results")
def found_before(results: Results, evidence: Evidence) -> Iterator[Notice]:
    """Warnings about data and plan that were stored with the study before it ran."""
    known = {*results.datasets, *results.method_names()}
    gone = known - {*evidence.datasets, *evidence.columns}
    stored = [n for n in (results.definition.notices if results.definition else ()) if n.about not in gone]
    yield from (n for n in stored if n.severity == "grave")
    warnings = [n for n in stored if n.severity == "warning"]
    yield from islice(warnings, MOST_WARNINGS)
    more = len(warnings) - MOST_WARNINGS
    if more > 0:
        sentence = f"{plural(more, 'more warning')} about the data and their splits: the plan lists them all"
        yield Notice(sentence, evidence={"more": more})


@guard(stage="verdict", sees="results")
def few_instances_a_fold(results: Results, evidence: Evidence) -> Iterator[Notice]:
    """Data sets with test sets of fewer than 30 instances; leave-one-out is exempt."""
    used = results.scores[results.scores["dataset"].isin(evidence.datasets)]
    sizes = used.groupby("dataset", sort=False)["n_test"].agg(["min", "max"]).dropna()
    small = sizes.loc[(sizes["min"] < FEWEST_PER_FOLD) & (sizes["max"] > 1), "min"]
    if len(small):
        counts = {str(name): int(n) for name, n in small.items()}
        shown = listed(f"{name} ({n})" for name, n in counts.items())
        yield Notice(f"fewer than {FEWEST_PER_FOLD} instances a fold: {shown}", evidence={"smallest": counts})


@guard(stage="verdict", sees="results")
def misled_by_imbalance(results: Results, evidence: Evidence) -> Iterator[Notice]:
    """Accuracy where one class has nearly all instances: a method that ignores the rare class looks good."""
    if evidence.measure.name not in MISLED_BY_IMBALANCE:
        return
    shares = {d: max(f["balance"]) for d, f in results.datasets.items() if f.get("balance") and d in evidence.datasets}
    skewed = {d: share for d, share in shares.items() if share >= IMBALANCED}
    if skewed:
        where = listed(f"{d} ({share:.0%})" for d, share in skewed.items())
        yield Notice(
            f"one class has nearly all instances of {where}: {evidence.measure.name} says little there",
            evidence={"shares": skewed},
            remedy="look at average_recall",
        )


@guard(stage="verdict", sees="results")
def unequal_effort(results: Results, evidence: Evidence) -> Iterator[Notice]:
    """Methods that were tuned over different numbers of configurations: part of a difference may come from it."""
    methods = results.definition.methods if results.definition else ()
    tried = {m.name: m.configurations for m in methods if m.name in evidence.methods and m.configurations is not None}
    if sentence := unequal_tuning(tried):
        yield Notice(
            sentence, "doubt", evidence={"configurations": tried}, remedy="tune all methods over as many configurations"
        )
    elif len(tried) > 1 and (n := next(iter(tried.values()))):
        yield Notice(f"all methods are tuned over {plural(n, 'configuration')}", "fine", evidence={"configurations": n})


@guard(stage="verdict", sees="results")
def equal_replicates(results: Results, evidence: Evidence) -> Iterator[Notice]:
    """Methods whose replicates all gave the same numbers, so that their seed did nothing."""
    own = results.scores[results.scores["measure"] == evidence.measure.name]
    n = own["replicate"].nunique()
    if n > 1:
        different = own.groupby(["method", "dataset", "repeat", "fold"])["value"].nunique().groupby("method").max()
        same = [m for m in evidence.methods if different.get(m, 0) <= 1]
        if same:
            seeds = score_unit(evidence.dependence) == "seed"
            what, only = ("seeds", "") if seeds else ("replicates", ": replicates vary the seed only")
            sentence = f"all {n} {what} of {listed(same)} gave the same numbers{only}"
            yield Notice(sentence, "note", evidence={"methods": same, "replicates": n})


@guard(stage="verdict", sees="results")
def picked_methods(results: Results, evidence: Evidence) -> Iterator[Notice]:
    """Methods that a pilot on the same data left over: the lead of the best regresses to the mean on new data."""
    dropped = results.provenance.dropped
    if dropped:
        n = len(dropped)
        names = [
            _version(name, count) if name in evidence.methods else name for name, count in Counter(dropped).items()
        ]
        yield Notice(
            f"{listed(names)} {verb(n, 'was', 'were')} tried on the same data before, and left out of this "
            f"comparison of {plural(len(evidence.methods), 'method')}: if the scores decided which methods stay, the "
            "lead of the best is exaggerated (regression to the mean)",
            evidence={"dropped": list(dropped), "compared": len(evidence.methods)},
            remedy="compare all methods that were tried, or try those that are left on new data sets",
        )


def _version(name: str, count: int) -> str:
    return f"an earlier version of {name}" if count == 1 else f"{count} earlier versions of {name}"


@guard(stage="verdict", sees="results")
def talkative_methods(results: Results, evidence: Evidence) -> Iterator[Notice]:  # noqa: ARG001
    """Methods that warned or printed something while they were fitted."""
    counted = (("warnings while fitting", results.warnings), ("printed while fitting", results.outputs))
    for what, counts in counted:
        if counts:
            shown = listed(f"{m} ({plural(n, 'trial')})" for m, n in counts.items())
            yield Notice(f"{what}: {shown}", evidence={"trials": dict(counts)})


@guard(stage="verdict", sees="results")
def memory_of_warm_workers(results: Results, evidence: Evidence) -> Iterator[Notice]:
    """Peak memory that was read off the process, which is a lower bound."""
    exact = results.definition is not None and results.definition.memory == "exact"
    if evidence.measure.name == "peak_memory" and not exact:
        yield Notice("peak memory is a lower bound: a worker that is warm already has memory to reuse")


@guard(stage="verdict", sees="earlier verdicts")
def optional_stopping(earlier: EarlierVerdicts) -> Iterator[Notice]:
    """Verdicts on fewer trials of the same study, made before this one."""
    if n := earlier.on_fewer_trials:
        yield Notice(
            f"verdicts were made before on fewer trials, {n}×: adding data until a difference shows finds "
            "differences that are not there",
            evidence={"earlier": n},
        )


@guard(stage="verdict", sees="earlier verdicts")
def measures_tried(earlier: EarlierVerdicts) -> Iterator[Notice]:
    """Several measures that were asked of the same study in turn."""
    n = len(earlier.measures)
    if n > MOST_MEASURES:
        yield Notice(
            f"{n} measures were asked of these results ({listed(earlier.measures)}): a difference in one of them may "
            "be chance, since each verdict holds its level alone",
            evidence={"measures": list(earlier.measures)},
            remedy="report all of them, or decide by the one that was stored with the study",
        )


@guard(stage="verdict", sees="levels")
def levels_alone(verdicts: LevelVerdicts) -> Iterator[Notice]:
    """Verdicts at several levels, whose p-values are not adjusted for the number of levels."""
    n = len(verdicts.verdicts)
    yield Notice(
        f"each level is judged by itself, p-values are adjusted for the pairs at a level and not over "
        f"{plural(n, 'level')}: a method that leads at one level only may do so by chance",
        evidence={"levels": n},
    )
