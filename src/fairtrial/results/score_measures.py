"""The measure of scores: found by name and, for scores from elsewhere, with its direction and scale.

The table of means, which is what results print.
"""

from __future__ import annotations

import math
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

from fairtrial.design import write_levels
from fairtrial.errors import InputError, UnknownName
from fairtrial.measures import Measure, get, is_known, names
from fairtrial.resampling import score_unit
from fairtrial.results.failure_policy import means_of
from fairtrial.results.prediction_source import stored_predictions
from fairtrial.tables import Column, Table, formats
from fairtrial.words import listed, plural, quoted, verb

if TYPE_CHECKING:
    import pandas as pd

    from fairtrial.results.results import Results


SHARES = (1.0, 2.0)
"""The largest values of measures that are also written in percent: of shares, and of sMAPE, which reaches 200 %."""

UNNAMED = Measure("score", "score", needs=(), task="any", worst=math.nan, best=math.nan)
"""The measure of a table that does not name one: whoever wants a verdict must."""

VAGUE = re.compile(r"((main|final|test|mean|overall)[ _.-])?(score|metric|result|value|performance|evaluation)s?"
                   r"([ _.-](score|error|value|result)s?)?")  # fmt: skip
"""Names of columns that hold scores of any measure."""


def is_unnamed(measures: Mapping[str, Measure]) -> bool:
    """Whether these scores have no measure yet."""
    facts = measures.get(UNNAMED.name)
    return facts is not None and not facts.directed


def direction_unknown(source: str) -> InputError:
    """The error for scores whose measure is not known."""
    return InputError(
        f"{source} does not say what its scores measure, so it is unknown whether higher or lower is better; say "
        "measure='accuracy', higher_is_better=True or higher_is_better=False"
    )


def known_measures() -> set[str]:
    """The names and aliases of all registered measures."""
    return {n for known in names() for n in (known, *get(known).aliases)}


def registered(measure: str) -> str | None:
    """The registered name or alias that a title means, in whatever case and with whatever between its words.

    >>> registered("Balanced accuracy (%)"), registered("test_F1-score"), registered("gain")
    ('balanced_accuracy', 'f1', None)
    """
    known, plain = known_measures(), measure.lower()
    words = re.findall(r"[a-z0-9]+", plain)
    spelled = [
        plain,
        "_".join(words),
        "_".join(w for w in words if w not in ("test", "mean", "avg", "score", "percent")),
    ]
    return next((name for name in spelled if name in known), None)


def is_known_measure(measure: str) -> bool:
    """Whether a measure is registered, however people spell it."""
    return registered(measure) is not None


def is_vague(measure: str) -> bool:
    """Whether the name of a measure does not say what was measured, so that it may stand for several.

    >>> is_vague("main_score"), is_vague("metric error"), is_vague("pass@1"), is_vague("my error")
    (True, True, False, False)
    """
    return bool(VAGUE.fullmatch(measure.lower()))


def measure_among(facts: Mapping[str, Measure], name: str) -> str:
    """The measure of that name, in upper or lower case, or of that registered alias."""
    for known in facts:
        if same_measure(known, name):
            return known
    raise UnknownName.among("measure in this file", name, facts)


def same_measure(name: str, asked: str) -> bool:
    """Whether two names are equal but for upper and lower case, or belong to one registered measure."""
    if name.lower() == asked.lower():
        return True
    known = registered(name), registered(asked)
    return known[0] is not None and known[1] is not None and get(known[0]).name == get(known[1]).name


def facts_of(name: str, higher: bool | None, asked: str | None, rows: pd.DataFrame, source: str) -> Measure:
    """The facts of a measure, registered or with a declared direction, on the scale of its scores.

    ``rows`` has the columns dataset, method and value.
    """
    if known := registered(name):
        facts = get(known)
        if higher is not None and higher != facts.higher_is_better:
            word = "higher" if facts.higher_is_better else "lower"
            raise InputError(
                f"{name} is known to be better when {word}; leave out higher_is_better, or name another measure"
            )
        return _rescaled(replace(facts, name=name), rows)
    if higher is None:
        if asked is not None:
            otherwise = "say which way is better: higher_is_better=True (--higher-is-better)"
            raise UnknownName.among("measure", asked, known_measures(), otherwise)
        raise direction_unknown(source)
    refuse_two_scales(name, rows)
    worst, best = (-math.inf, math.inf) if higher else (math.inf, -math.inf)
    return Measure(name, name, needs=(), task="any", worst=worst, best=best)


def _rescaled(facts: Measure, rows: pd.DataFrame) -> Measure:
    """The measure in percent, where the numbers can't be shares."""
    values = rows["value"].dropna()
    if values.empty:
        return facts
    top, bottom = float(values.max()), float(values.min())
    low, high = min(facts.worst, facts.best), max(facts.worst, facts.best)
    slack = 1e-9 * max(1.0, abs(high)) if math.isfinite(high) else 0.0
    if top > high + slack:
        _refuse_ranks(facts.name, rows)
    in_percent = top > high + slack or (high > 1 and "%" in facts.name)
    may_be_percent = high in SHARES and in_percent and top <= FACTOR * high
    if may_be_percent:
        refuse_two_scales(facts.name, rows, high)
    other = values[values != 0]  # a share above 1 may be a mistake; some sMAPE below 2 % are usual
    usual = high > 1 or (other > 1).mean() > 0.5
    if may_be_percent and usual and bottom >= FACTOR * low:
        worst, best, span = FACTOR * facts.worst, FACTOR * facts.best, f"0 to {FACTOR * high:g}"
        return replace(facts, worst=worst, best=best, unit="%", range=span)
    if top > high + slack or bottom < low - slack:
        raise InputError(
            f"{facts.name} lies between {low:g} and {high:g}, but the scores go from {bottom:g} to {top:g}"
            f"{_outside(rows, low, high)}; name another measure, or say which way is better (higher_is_better=…)"
        )
    return facts


def _refuse_ranks(name: str, rows: pd.DataFrame) -> None:
    """Refuse ranks: the scores of each data set are 1, 2, …, or the means of tied ranks."""
    grid = rows.pivot_table(index="dataset", columns="method", values="value")
    k = grid.shape[1]
    if len(grid) < 3 or k < 3 or grid.isna().any(axis=None) or rows.duplicated(["dataset", "method"]).any():
        return
    if bool((grid.sum(axis=1) == k * (k + 1) / 2).all() and grid.min(axis=None) >= 1 and grid.max(axis=None) <= k):
        raise InputError(f"these numbers are ranks (1 to {k} on each data set), not scores of {name}; give the scores")


def _outside(rows: pd.DataFrame, low: float, high: float) -> str:
    """The methods that alone have scores outside of a range: they may be no methods."""
    bad = rows[(rows["value"] > high) | (rows["value"] < low)]
    names = list(bad["method"].unique())
    return (
        "" if len(names) > rows["method"].nunique() / 2 else f" ({quoted(names)}: if it holds no scores, leave it out)"
    )


FACTOR = 100
LARGE_SHARE = 0.5  # an error of 50 % of the values is large
NEAR = 1.6  # scores of one data set differ by less than this factor, or nothing is said of their scale


def refuse_two_scales(measure: str, rows: pd.DataFrame, high: float = 1.0) -> None:
    """Refuse shares among percentages, or percentages among shares: single scores, methods or data sets are named.

    A score is on the other scale if it is about 100 times, or a hundredth of, the others of its data set; a whole data
    set is if all its scores are at most 1 where those of most others are above, or the other way round. Of a measure
    that reaches higher than 1 (``high``: 2 for sMAPE) whole data sets are not judged: an error of 1 % is usual.
    """
    known = rows[rows["value"] > 0]
    top = known["value"].max()
    if known.empty or top > FACTOR * high or top <= high or (rows["value"] < 0).any():
        return
    percent = bool((known["value"] > high).mean() > 0.5)
    by_set = known.groupby("dataset")["value"]
    ratio = known["value"] / by_set.transform("quantile", 0.5, interpolation="higher" if percent else "lower")
    far = ratio < NEAR / FACTOR if percent else ratio > FACTOR / NEAR
    alike = ratio.mask(far).groupby(known["dataset"]).transform(lambda own: own.max() < 2 * NEAR * own.min())
    odd = known[far & alike]
    if odd.empty and high == 1:
        whole = by_set.agg(["min", "max"])
        sets = whole.index[(whole["max"] <= 1) & (whole["max"] > 0.02)] if percent else whole.index[whole["min"] > 1]
        odd = known[known["dataset"].isin(sets)] if _clearly(known, percent) else odd
    if odd.empty:
        return
    first, factor = odd.iloc[0], 1 / FACTOR if odd["value"].iloc[0] > 1 else FACTOR
    for column, noun in (("method", "method"), ("dataset", "data set")):
        names = odd[column].unique()
        if len(names) < known[column].nunique() and len(odd) == known[column].isin(names).sum():
            where = f"those of the {noun} {quoted(names)} are"
            break
    else:
        cells = listed(f"{r.method} on {r.dataset}" for r in odd.itertuples())
        where = f"{plural(len(odd), 'score')} ({cells}) {verb(len(odd), 'is', 'are')}"
    raise InputError(
        f"scores of {measure} must be on one scale, but {where} "
        f"about 100 times {'smaller' if factor == FACTOR else 'larger'} than the others, as shares among percentages; "
        f"write all of them as shares, or all in percent ({factor * first['value']:.6g} for {first['value']:.6g}); a "
        "column that holds no scores is left out by naming the methods (methods=…, --methods)"
    )


def _clearly(known: pd.DataFrame, percent: bool) -> bool:
    """Whether whole data sets may be judged by their scale: not where small percentages are usual (error rates)."""
    medians = known.groupby("dataset")["value"].median()
    usual = medians[medians > 1] if percent else medians[medians <= 1]
    return len(usual) > len(medians) / 2 and bool(usual.min() > (10 if percent else 0.1))


def scale_notes(facts: Mapping[str, Measure], scores: pd.DataFrame) -> list[str]:
    """Notes on scores in percent that may be shares: small ones are usual among error rates; and on zeros.

    Shares of sMAPE may be percentages: both reach from 0 to 2 where forecasts are good.
    """
    notes = [note for m in facts.values() if m.unit == "%" for note in _percent_notes(m, scores)]
    notes += [note for m in facts.values() if max(m.worst, m.best) == 2 for note in _share_notes(m, scores)]
    return [*notes, *(note for m in facts.values() if m.directed and m.worst == 0 for note in _zero_notes(m, scores))]


def _zero_notes(facts: Measure, scores: pd.DataFrame) -> Iterator[str]:
    """A note on single scores of exactly 0 where the other methods are good: they may stand for failed runs."""
    own = scores[scores["measure"] == facts.name]
    usual = own.groupby("dataset")["value"].transform("median")
    zero = own[(own["value"] == 0) & (usual > 0.3 * facts.best)]
    if own["value"].isin([0, facts.best]).all():
        return  # right and wrong answers
    if 0 < len(zero) < 0.2 * len(own):
        places = listed(f"{r.method} on {r.dataset}" for r in zero.itertuples())
        yield f"the score is exactly 0: {places}; leave it empty where the run failed"


def _share_notes(facts: Measure, scores: pd.DataFrame) -> Iterator[str]:
    """A note on shares that are large as such, and usual as percentages."""
    top = scores.loc[scores["measure"] == facts.name, "value"].max()
    if top > LARGE_SHARE:
        yield (
            f"scores of {facts.name} are read as shares, since none is above 2: {top:g} is {FACTOR * top:g} %; if it "
            f"is {top:g} %, divide all scores by {FACTOR}"
        )


def _percent_notes(facts: Measure, scores: pd.DataFrame) -> Iterator[str]:
    name, most = facts.name, max(facts.worst, facts.best) / FACTOR
    small = scores[(scores["measure"] == name) & (scores["value"] > 0) & (scores["value"] <= most)]
    if len(small):
        first = small.iloc[0]
        shown = f"{first['value']:g} of {first['method']} on {first['dataset']}"
        yield (
            f"{plural(len(small), 'score')} of {name} {verb(len(small), 'is', 'are')} at most {most:g} %, "
            f"such as {shown}; "
            f"if {verb(len(small), 'that is a share', 'those are shares')}, write {100 * first['value']:g} instead of "
            f"{first['value']:g}"
        )


def find_measure(results: Results, name: str | None) -> Measure:
    """The facts of a measure of some results, by name (in any case) or alias; None means the question's measure."""
    known = results.measures
    if is_unnamed(known):
        if name is None or name in known:
            raise direction_unknown(_table_name(results))
        return name_measure(results, name).measures[name]
    if name is None:
        name = results.question.measure or next(iter(known))
    if name in known:
        return known[name]
    for other, facts in known.items():
        if other.lower() == name.lower() or name in facts.aliases:
            return facts
    if results.source is None:
        raise UnknownName.among("measure of these results", name, known)
    if name == results.question.measure and not is_known(name):
        raise InputError(
            f"the question is asked of {name!r}, a user-defined measure; import the module that declares it "
            "first (command line: fairtrial --import MODULE …), or name another measure"
        )
    return get(name)


def name_measure(results: Results, name: str | None) -> Results:
    """The results with their measure named, where the table does not say what its scores measure."""
    if name is None or name in results.measures or not is_unnamed(results.measures):
        return results
    facts = facts_of(name, None, name, results.scores, _table_name(results))
    return replace(
        results,
        scores=results.scores.assign(measure=name),
        measures={name: facts},
        question=replace(results.question, measure=name),
        notes=(*scale_notes({name: facts}, results.scores.assign(measure=name)), *results.notes),
    )


def _table_name(results: Results) -> str:
    return results.provenance.source or "the table"


def with_measures(results: Results, wanted: Sequence[str]) -> Results:
    """The results with more measures, computed from the stored predictions."""
    import pandas as pd

    known = results.measures
    new = {get(n).name: get(n) for n in wanted if n not in known and get(n).name not in known}
    if not new:
        return results
    tasks = {facts["task"] for facts in results.datasets.values() if "task" in facts}
    for facts in new.values():
        if facts.task != "any" and tasks and facts.task not in tasks:
            raise InputError(f"{facts.name} is for {facts.task}, but these data sets have {' and '.join(tasks)}")
    scores = pd.concat([results.scores, stored_predictions(results).scores(list(new))], ignore_index=True)
    return replace(results, scores=scores, measures={**known, **new})


def only_measures(results: Results, wanted: Sequence[str]) -> Results:
    """The results with these measures alone, computed where they are not there yet."""
    chosen = {facts.name: facts for facts in map(results.measure, wanted)}
    whole = with_measures(results, [name for name in chosen if name not in results.measures])
    scores = whole.scores[whole.scores["measure"].isin(list(chosen))].reset_index(drop=True)
    return replace(whole, scores=scores, measures=chosen)


def mean_table(results: Results) -> Table:
    """Means of the question's measure, after the failure policy: data sets in rows, methods in columns."""
    facts = results.measures[UNNAMED.name] if is_unnamed(results.measures) else results.measure()
    write, methods = formats.significant(4), list(results.method_names())
    rows: list[tuple[object, ...]] = []
    notes: dict[str, None] = {}
    for levels in results.levels():
        own = results.at(levels) if levels else results
        means, remarks = means_of(own, facts)
        place = (write_levels(levels),) if levels else ()
        names = dict.fromkeys(dataset for dataset, _ in means)
        rows += [(*place, name, *(means.get((name, m), math.nan) for m in methods)) for name in names]
        notes |= dict.fromkeys(f"{write_levels(levels)}: {note}" if levels else note for note in remarks)
    titles = ("level", "data set") if results.factors else ("data set",)
    columns = (*(Column(n, align="left") for n in titles), *(Column(m, write) for m in methods))
    caption = f"{facts.name}, mean over {score_unit(results.dependence.values())}s, per data set"
    return Table(columns=columns, rows=tuple(rows), caption=caption, notes=tuple(notes))
