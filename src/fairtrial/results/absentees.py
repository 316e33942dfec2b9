"""Methods that did not run, and why: one rule for everything that would rank, average or draw them."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass, field
from typing import TYPE_CHECKING, Any

from fairtrial.errors import InputError
from fairtrial.resampling import score_unit
from fairtrial.shown import ShownAsText
from fairtrial.store.records import ADVICE
from fairtrial.words import MOST_NAMED, listed, part_of, plural

if TYPE_CHECKING:
    import pandas as pd

    from fairtrial.results.results import Results

LONGEST_REASON = 120
NO_SCORE = ("no score", "not there")  # the errors of missing scores from elsewhere


class DidNotRun(InputError):
    """An error: the request needs a method that did not run."""


@dataclass(frozen=True, slots=True)
class Absentee(ShownAsText):
    """A method that did not run: more than half of its trials failed, so no mean of these results is its own.

    ``dataset`` is the data set on which it did not run; empty for all data sets together. ``reason`` is the most
    frequent error. Scores from elsewhere have no errors: then ``reason`` is empty, and ``unit`` says what was counted.
    """

    method: str
    failed: int
    total: int
    reason: str = ""
    dataset: str = ""
    unit: str = "trial"

    @property
    def state(self) -> str:
        """The state in words: 'did not run', 'did not run on sonar', 'has no score'."""
        if self.unit == "trial":
            return f"did not run on {self.dataset}" if self.dataset else "did not run"
        return f"has no score on {self.dataset}" if self.dataset and self.total == 1 else "has no score"

    @property
    def why(self) -> str:
        """The reason in words: 'all 50 trials failed (ValueError: no)', or 'on 30 of 40 data sets'."""
        return _why([self])

    @property
    def brief(self) -> str:
        """The state and the count, without the error: 'did not run: all 50 trials failed'."""
        return _describe([self]).removesuffix(f" ({self.reason})")

    def __str__(self) -> str:
        return f"{self.method} {_describe([self])}"

    def to_dict(self) -> dict[str, Any]:
        """All fields as plain data."""
        return asdict(self)


def _why(group: Sequence[Absentee]) -> str:
    first = group[0]
    failed, total = sum(a.failed for a in group), sum(a.total for a in group)
    if first.unit != "trial":
        where = f" of {first.dataset}" if first.dataset else ""
        if total == 1:
            return ""
        each = {(a.failed, a.total) for a in group}
        if len(group) > 1 and len(each) == 1 and first.failed < first.total:
            return f"on {first.failed:,} of {plural(first.total, first.unit)}{where} each"
        count = "any" if failed == total else f"{failed:,}"
        return f"on {count} of {plural(total, first.unit)}{where}"
    if failed == total:
        count = f"all {plural(total, 'trial')}" if total > 1 else "its only trial"
    else:
        count = part_of(failed, total, "trial")
    return f"{count} failed ({first.reason})"


def _describe(group: Sequence[Absentee]) -> str:
    first, why = group[0], _why(group)
    state = first.state if len(group) == 1 else first.state.replace("has", "have", 1)
    return f"{state}: {why}" if first.unit == "trial" else f"{state} {why}".rstrip()


def sentence_about(absent: Sequence[Absentee]) -> str:
    """The sentence that names methods that did not run, with the most frequent reason; at most five are named.

    >>> print(sentence_about([Absentee("xgb", 50, 50, "ValueError: no")]))
    xgb did not run: all 50 trials failed (ValueError: no), so nothing is said about it.
    >>> sentence_about([Absentee("b", 3, 4, unit="data set"), Absentee("a", 9, 10, "E: x", "iris")]).split("; ")[1:]
    ['a did not run on iris: 9 of 10 trials failed (E: x)', 'nothing is said about b, nor about a on iris.']
    """
    groups: dict[tuple[str, str, str], list[Absentee]] = {}
    for a in absent[:MOST_NAMED]:
        groups.setdefault((a.dataset, a.reason, a.unit), []).append(a)
    parts = [f"{listed([a.method for a in group])} {_describe(group)}" for group in groups.values()]
    left = len(absent) - MOST_NAMED
    if left > 0:
        parts.append(f"{plural(left, 'other')} did not run either")
    return f"{'; '.join(parts)}{', so' if len(parts) == 1 else ';'} nothing is said about {_whom(absent)}."


def _whom(absent: Sequence[Absentee]) -> str:
    """The pronoun for the methods ('it', 'them there'), or their names where some ran on some data sets."""
    whole, part = (
        [a.method for a in absent if not a.dataset],
        [f"{a.method} on {a.dataset}" for a in absent if a.dataset],
    )
    if whole and part:
        return f"{listed(whole)}, nor about {listed(part)}"
    return ("it" if len({a.method for a in absent}) == 1 else "them") + " there" * bool(part)


@dataclass(frozen=True, slots=True)
class Absences:
    """The methods that did not run: over all data sets (``everywhere``), and ``on`` each data set."""

    everywhere: tuple[Absentee, ...] = ()
    on: Mapping[str, tuple[Absentee, ...]] = field(default_factory=dict)

    def methods(self) -> frozenset[str]:
        """The names of the methods that did not run, over all data sets."""
        return frozenset(a.method for a in self.everywhere)

    def cells(self) -> frozenset[tuple[str, str]]:
        """The pairs of data set and method where the method did not run."""
        return frozenset((dataset, a.method) for dataset, own in self.on.items() for a in own)


def absences(results: Results, measure: str | None = None) -> Absences:
    """The methods that did not run: more than half of their trials failed, over all data sets or on one of them.

    Trials are counted, whatever the measure: if one fold of each repeat failed, there is no pooled score, but the
    method ran. In scores from elsewhere a trial is a score of ``measure`` (None: the measure of the question).
    """
    if not len(results.failures):
        return Absences()
    trials = trials_of(results, measure)
    each = score_unit(results.dependence.values())
    unit = _unit(results, trials, each)
    counts = (
        trials.groupby(["dataset", "method"], sort=False, observed=True)["failed"].agg(["sum", "size"]).reset_index()
    )
    whole = counts.groupby("method", sort=False)[["sum", "size"]].sum()
    names = [m for m in results.method_names() if m in whole.index and _most(*whole.loc[m])]
    everywhere = tuple(
        Absentee(m, int(whole.loc[m, "sum"]), int(whole.loc[m, "size"]), _reason(results, m), unit=unit) for m in names
    )
    on: dict[str, tuple[Absentee, ...]] = {}
    for dataset, method, failed, total in counts.itertuples(index=False):
        if _most(failed, total):
            reason = _reason(results, method, dataset)
            own = Absentee(method, int(failed), int(total), reason, str(dataset), unit if unit == "trial" else each)
            on[str(dataset)] = (*on.get(str(dataset), ()), own)
    return Absences(everywhere, on)


def _most(failed: float, total: float) -> bool:
    return 2 * failed > total


def trials_of(results: Results, measure: str | None) -> pd.DataFrame:
    """A row for each trial that was run: data set, method, and whether it failed."""
    trials = None if results.source is None else results.source.trials
    if trials is None:
        rows = results.scores[results.scores["measure"] == results.measure(measure).name]
        return rows[["dataset", "method"]].assign(failed=rows["status"] != "ok")
    rows = trials[(trials["status"] != "waiting") & trials["dataset"].isin(results.dataset_names())]
    return rows[["dataset", "method"]].assign(failed=rows["status"] == "failed")


def _unit(results: Results, trials: pd.DataFrame, each: str) -> str:
    """The unit that is counted: trials or, for scores from elsewhere, data sets, splits or seeds without one."""
    if "error" not in results.failures or not results.failures["error"].isin(NO_SCORE).all():
        return "trial"
    return "data set" if trials.groupby(["dataset", "method"]).size().max() == 1 else each


def _reason(results: Results, method: str, dataset: str | None = None) -> str:
    """The most frequent error of a method, in one line that is not too long."""
    own = results.failures[results.failures["method"] == method]
    own = own if dataset is None else own[own["dataset"] == dataset]
    if "error" not in own:
        return first_line(None)
    if own["error"].isin(NO_SCORE).all():
        return ""
    (reason, _), *_ = Counter(map(first_line, own["error"])).most_common(1)
    return brief_reason(reason)


def brief_reason(error: object) -> str:
    """The reason of a failure in one short line, for sentences about methods that did not run."""
    line = " ".join("".join(c if c.isprintable() else " " for c in first_line(error)).split())
    return line if len(line) <= LONGEST_REASON else f"{line[: LONGEST_REASON - 1].rstrip()}…"


def first_line(error: object) -> str:
    """The first line of an error, which says what happened; the traceback is left out.

    >>> first_line("ValueError: no\\nTraceback…"), first_line(None)
    ('ValueError: no', 'no reason recorded')
    """
    lines = str(error).strip().splitlines() if isinstance(error, str) else []
    return lines[0] if lines else "no reason recorded"


def advice_in(error: object) -> str:
    """The advice in the second line of an error, where there is some; else nothing."""
    _, _, second = str(error).partition("\n" + ADVICE)
    return second.partition("\n")[0]


def refuse_named(absent: Mapping[str, Absentee], wanted: Iterable[str]) -> None:
    """Refuse a request that names a method that did not run."""
    for name in wanted:
        if name in absent:
            raise DidNotRun(
                f"{absent[name]}; leave {name!r} out, or repair it and run its trials again (--retry-failed)"
            )
