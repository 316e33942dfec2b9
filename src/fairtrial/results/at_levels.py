"""Results at several levels of a study's factors: the combinations, the results at some of them, and a refusal.

Results of some methods and data sets only.

Results in which each setting of a method is a method of its own: ``forest (max_depth 3)``.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from fairtrial.design import FACTORS, Level, find_level, level_text, write_setting
from fairtrial.errors import InputError, UnknownName
from fairtrial.words import listed, quoted

if TYPE_CHECKING:
    import pandas as pd

    from fairtrial.results.how_read import Reading
    from fairtrial.results.results import Results


REPLICATE = "replicate"
"""The column of the number of a replicate; ``results.at(replicate=0)`` chooses one, as if it were a factor."""

MOST_COMBINATIONS = 100_000


def level_combinations(results: Results) -> list[dict[str, Level]]:
    """The combinations of levels with results, in the study's order; without factors, one empty combination.

    A factor that acts on some methods only is absent from the rows of the others. A combination has a level of each
    factor that exists for any method there: methods that have settings of their own are combined with each other.
    """
    factors = results.factors
    if not factors:
        return [{}]
    rows = results.scores[["method", *factors]].drop_duplicates()
    found: list[dict[str, Level]] = [{}]
    for _, own in rows.groupby("method", sort=False):
        settings = [_setting(row, factors) for row in own[list(factors)].to_dict("records")]
        found = _joined(found, settings)
    places = {name: {level_text(level): i for i, level in enumerate(levels)} for name, levels in factors.items()}
    order = [
        [
            places[name].get(level_text(chosen[name]), len(levels)) if name in chosen else -1
            for name, levels in factors.items()
        ]
        for chosen in found
    ]
    ordered = [found[i] for i in sorted(range(len(found)), key=order.__getitem__)]
    return [{name: chosen[name] for name in factors if name in chosen} for chosen in ordered if chosen]


def _setting(row: Mapping[Any, Any], factors: Mapping[str, tuple[Level, ...]]) -> dict[str, Level]:
    """The levels in a row of a table, as the factors have them."""
    found = {}
    for name, levels in factors.items():
        if row[name] == row[name]:  # nan: the factor does not exist there
            (found[name],) = find_level(levels, row[name]) or (row[name],)
    return found


def _joined(some: Sequence[dict[str, Level]], more: Sequence[dict[str, Level]]) -> list[dict[str, Level]]:
    """All pairs of combinations that agree on the factors which both have; one without a partner stays alone."""
    shared = {name for a in some for name in a} & {name for b in more for name in b}
    partners: dict[tuple[tuple[str, str], ...], list[dict[str, Level]]] = {}
    for b in more:
        partners.setdefault(_at(b, shared), []).append(b)
    whole = all(len(_at(a, shared)) == len(shared) for a in (*some, *more))
    joined: dict[tuple[tuple[str, str], ...], dict[str, Level]] = {}
    met = set()
    for a in some:
        near = partners.get(_at(a, shared), []) if whole else [b for b in more if _agree(a, b)]
        met |= {id(b) for b in near}
        for both in [{**a, **b} for b in near] or [a]:
            joined[_at(both, both)] = both
        if len(joined) > MOST_COMBINATIONS:
            raise InputError(
                f"there are more than {MOST_COMBINATIONS:,} combinations of settings; choose levels first (results.at)"
            )
    alone = {_at(b, b): b for b in more if id(b) not in met}
    return list({**joined, **alone}.values())


def _at(levels: Mapping[str, Level], names: Iterable[str]) -> tuple[tuple[str, str], ...]:
    return tuple((name, level_text(levels[name])) for name in sorted(names) if name in levels)


def _agree(a: Mapping[str, Level], b: Mapping[str, Level]) -> bool:
    return all(level_text(a[name]) == level_text(b[name]) for name in a if name in b)


def results_at(results: Results, chosen: Mapping[str, object]) -> Results:
    """The results at some levels, without the factors that are chosen or exist nowhere there.

    Rows for which a chosen factor does not exist stay: a method without that parameter is the same at all its levels.
    """
    levels = {name: _known_level(results, name, level) for name, level in chosen.items()}
    others = {n: tuple(o for o in results.factors.get(n, ()) if o != level) for n, level in levels.items()}
    source = None if results.source is None else results.source.at(levels)
    scores, failures = (rows_at(frame, levels) for frame in (results.scores, results.failures))
    planned = set(scores["dataset"]) if source is None else source.datasets()
    left = {name: own for name, own in results.factors.items() if name not in levels}
    whole = scores if source is None or source.trials is None else source.trials
    gone = [name for name in left if len(whole) and name in whole and whole[name].isna().all()]
    return replace(
        results,
        scores=scores.drop(columns=gone),
        failures=failures.drop(columns=[name for name in gone if name in failures]),
        dependence={name: known for name, known in results.dependence.items() if name in planned},
        datasets={name: known for name, known in results.datasets.items() if name in planned},
        factors={name: own for name, own in left.items() if name not in gone},
        chosen={**results.chosen, **levels},
        provenance=replace(results.provenance, other_levels={**results.provenance.other_levels, **others}),
        source=source,
        **({} if source is None else source.trial_remarks()),
    )


def _known_level(results: Results, name: str, level: object) -> Level:
    if name == REPLICATE:
        there = results.scores[REPLICATE].unique().tolist()
        if level not in there:
            raise InputError(f"replicate must be one of {sorted(there)} in these results, got {level!r}")
        return there[there.index(level)]  # type: ignore[no-any-return]
    if name not in results.factors:
        raise UnknownName.among("factor of these results", name, results.factors)
    found = find_level(results.factors[name], level)
    if not found:
        raise InputError(f"{name} must be one of {list(results.factors[name])} in these results, got {level!r}")
    return found[0]


def rows_at(frame: pd.DataFrame, levels: Mapping[str, Level]) -> pd.DataFrame:
    """The rows at some levels, with those where such a factor does not exist; without the columns of those factors."""
    for name, level in levels.items():
        if name == REPLICATE:
            frame = frame[frame[REPLICATE] == level] if REPLICATE in frame else frame
        else:
            frame = frame[is_at(frame[name], level)]
    return frame.drop(columns=[name for name in levels if name != REPLICATE])


def is_at(column: pd.Series, level: Level) -> pd.Series:
    """Whether the factor of a column is at a level, or does not exist, in each row."""
    import pandas as pd

    cell = level if pd.api.types.is_numeric_dtype(column) else level_text(level)
    return (column == cell) | column.isna()


def refuse_several_levels(results: Results) -> None:
    """Refuse results at several levels where an analysis would mix them."""
    if not results.factors:
        return
    name, levels = next(iter(results.factors.items()))
    there, at = f"these results are at several levels of {listed(results.factors)}", choice(name, levels[0])
    if any(factor not in FACTORS for factor in results.factors):
        raise InputError(
            f"{there}; take results.effects(), which says which of them matter, or results.by_setting().verdict(), "
            f"which compares settings as methods, or choose a level, such as results.at({at})"
        )
    raise InputError(f"{there}; choose one, such as results.at({at}), or take results.verdicts(), which judges each")


def choice(name: str, level: Level) -> str:
    """A factor at a level as an argument of ``results.at``.

    >>> choice("label_noise", 0.1), choice("forest.depth", None)
    ('label_noise=0.1', "{'forest.depth': None}")
    """
    return f"{name}={level!r}" if name.isidentifier() else f"{{{name!r}: {level!r}}}"


def results_of(results: Results, methods: Sequence[str] | None, datasets: Sequence[str] | None) -> Results:
    """The results of some methods and data sets, which say that they are a part, and of what."""
    asked = {"methods": methods, "datasets": datasets}
    part = {name: tuple(given) for name, given in asked.items() if given is not None}
    known = {"methods": [m for m in results.method_names() if m not in results.yardsticks]}
    known["datasets"] = list(results.dataset_names())
    found = only_some(results, methods, datasets)
    notes = [
        f"chosen from {len(known[name])} {word}: {listed(part[name])}"
        for name, word in (("methods", "methods"), ("datasets", "data sets"))
        if name in part and not set(known[name]) <= set(part[name])
    ]
    provenance = replace(found.provenance, part={**results.provenance.part, **part})
    return replace(found, notes=(*found.notes, *notes), provenance=provenance, reading=_reading_of(found))


def _reading_of(part: Results) -> Reading | None:
    """How the table was read, with the numbers of what was chosen of it."""
    names, instances = part.method_names(), sum(facts.get("n", 0) for facts in part.datasets.values())
    now = {part.provenance.unit: len(part.dataset_names()), "method": len(names), "instance": instances}
    if (read := part.reading) is None:
        return None
    counts = tuple((now.get(noun, n), noun) for n, noun in read.counts)
    return replace(read, counts=counts, methods=tuple(m for m in read.methods if m in names))


def only_some(results: Results, methods: Sequence[str] | None, datasets: Sequence[str] | None) -> Results:
    """The results of some methods, in their order, on some data sets; yardsticks stay."""
    _check("method", methods, results.method_names())
    _check("data set", datasets, results.dataset_names())
    part = {} if datasets is None else {"dataset": list(datasets)}
    if methods is not None:
        part["method"] = [*methods, *(m for m in results.yardsticks if m not in methods)]
    scores, failures = (rows_of(frame, part, frame) for frame in (results.scores, results.failures))
    if methods is not None:
        scores = scores.sort_values("method", key=lambda own: own.map(part["method"].index), kind="stable")
    source = None if results.source is None else results.source.only(part)
    there = part.get("dataset", results.dataset_names())
    control = results.question.control if methods is None or results.question.control in part["method"] else None
    return replace(
        results,
        scores=scores.reset_index(drop=True),
        failures=failures,
        dependence={name: known for name, known in results.dependence.items() if name in there},
        datasets={name: known for name, known in results.datasets.items() if name in there},
        factors={name: own for name, own in results.factors.items() if scores[name].notna().any()},
        question=replace(results.question, control=control),
        baseline=results.baseline if methods is None or results.baseline in part["method"] else None,
        source=source,
        **({} if source is None else source.trial_remarks()),
    )


def rows_of(frame: pd.DataFrame, part: Mapping[str, Sequence[str]], before: pd.DataFrame) -> pd.DataFrame:
    """The rows of some methods and data sets, by their names, or by those that they had ``before``."""
    for column, names in part.items():
        there = frame[column].isin(names) | before[column].isin(names)
        frame, before = frame[there], before[there]
    return frame


def _check(kind: str, names: Sequence[str] | None, known: Sequence[str]) -> None:
    for name in names or ():
        if name not in known:
            raise UnknownName.among(f"{kind} of these results", name, known)
    if names is not None and (len(set(names)) < len(names) or not names):
        word = f"{kind.replace(' ', '')}s"
        raise InputError(f"{word} must name each {kind} once, and at least one, got {quoted(names)}")


def results_by_setting(results: Results) -> Results:
    """The results with a method for each setting; factors of the training data stay factors."""
    own = [name for name in results.factors if name not in FACTORS]
    if not own:
        raise InputError("these results have no factors on methods whose settings could be compared")
    scores, failures = (settings_as_methods(frame, own) for frame in (results.scores, results.failures))
    return replace(
        results,
        scores=scores,
        failures=failures,
        factors={name: levels for name, levels in results.factors.items() if name not in own},
        named_by_setting=True,
        source=None if results.source is None else results.source.by_setting(),
    )


def settings_as_methods(frame: pd.DataFrame, factors: Sequence[str]) -> pd.DataFrame:
    """A table with the names of settings as methods, without the columns of these factors."""
    there = [name for name in factors if name in frame]
    number = frame.groupby(["method", *there], sort=False, dropna=False).ngroup()
    first = frame.loc[~number.duplicated(), ["method", *there]]
    names = {}
    for n, row in zip(number[first.index], first.to_dict("records"), strict=True):
        levels = {name: row[name] for name in there if row[name] == row[name]}  # nan: it does not exist there
        names[n] = write_setting(str(row["method"]), levels)
    return frame.assign(method=number.map(names).astype("str")).drop(columns=there)
