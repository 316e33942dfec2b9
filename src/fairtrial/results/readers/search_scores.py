"""Scores of scikit-learn's searches: what GridSearchCV and RandomizedSearchCV keep in ``cv_results_``."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import replace
from typing import Any, Literal

import numpy as np
from numpy.typing import NDArray

from fairtrial.doors import door
from fairtrial.errors import InputError, UnknownName
from fairtrial.measures import get, is_known
from fairtrial.notices import Note
from fairtrial.resampling import parse
from fairtrial.results.readers.reading import read_scores
from fairtrial.results.results import Results
from fairtrial.words import listed, plural

Candidates = Literal["best", "all"]
SPLIT = re.compile(r"split(\d+)_test_(.+)")
OPTIMISTIC = (
    "each score is that of the best of the candidates that its search tried, chosen on these same splits: it is too "
    "optimistic, the more so the more were tried ({tried}); a study with tuned(…) has the honest estimate"
)


@door
def from_cv_results(
    searches: Mapping[str, Mapping[str, Any]],
    *,
    scoring: str | None = None,
    higher_is_better: bool | None = None,
    resampling: str | None = None,
    candidates: Candidates = "best",
    dataset: str = "data",
) -> Results:
    """Results from the ``cv_results_`` of scikit-learn's searches on one data set, each under the name of its method.

    A search stands for its best candidate. That score is optimistic, since the candidate was chosen on these splits,
    and a note says so. With ``candidates="all"``, each candidate is a method. The splits must be the same for all
    searches: give all of them one ``cv`` that does not change (a splitter with a ``random_state``).

    ``scoring`` names the scorer, and selects one where a search has several. Scores of scikit-learn are better when
    they are higher. Those called ``neg_…`` are errors with a minus sign, which is taken off again. Scores of your own
    may be the reverse: ``higher_is_better=False``. ``resampling="5-fold"`` names the split scheme. Without it the
    dependence between the scores is unknown, and there is no test on one data set.

    >>> found = {"split0_test_score": [0.7, 0.9], "split1_test_score": [0.6, 0.8], "rank_test_score": [2, 1]}
    >>> results = from_cv_results({"svm": found}, scoring="accuracy", resampling="2-fold")
    >>> results.scores["value"].tolist()
    [0.9, 0.8]
    """
    import pandas as pd

    if not isinstance(searches, Mapping) or not searches or not all(isinstance(f, Mapping) for f in searches.values()):
        raise InputError(
            f"searches must map names to cv_results_, as in {{'svm': search.cv_results_}}, got {searches!r:.80}"
        )
    if candidates not in ("best", "all"):
        raise UnknownName.among("choice of candidates", candidates, ("best", "all"))
    tables = {str(name): _table(str(name), found, scoring) for name, found in searches.items()}
    _same_splits(tables)
    measure, sign, higher = _measure(scoring or _common(searches), higher_is_better)
    rows = [row for name, found in searches.items() for row in _rows(str(name), found, tables[str(name)], candidates)]
    folds = parse(resampling).dependence().folds if resampling else 0
    long = [
        (dataset, method, i // folds if folds else 0, i % folds if folds else i, sign * value)
        for method, values in rows
        for i, value in enumerate(values)
    ]
    frame = pd.DataFrame(long, columns=["dataset", "method", "repeat", "fold", "value"])
    results = read_scores(frame, measure=measure, higher_is_better=higher, resampling=resampling)
    tried = {name: len(table[1]) for name, table in tables.items()}
    if candidates == "all" or max(tried.values()) == 1:
        return results
    note = OPTIMISTIC.format(tried=listed(f"{name}: {n}" for name, n in tried.items()))
    return replace(results, notes=(*results.notes, Note(note, "doubt")))


Found = tuple[str, NDArray[np.float64]]
"""The name that a search has for its score, and the scores: a row for each candidate, a column for each split."""


def _table(name: str, found: Mapping[str, Any], scoring: str | None) -> Found:
    if "n_resources" in found:
        raise InputError(
            f"{name!r} is a search by halving, whose candidates had different rows; give one that tries all alike"
        )
    scorer = _scorer(name, found, scoring)
    columns = [found[f"split{i}_test_{scorer}"] for i in range(_splits(found, scorer))]
    return scorer, np.array(columns, dtype=np.float64).T


def _scorers(found: Mapping[str, Any]) -> list[str]:
    return list(dict.fromkeys(match[2] for key in found if (match := SPLIT.fullmatch(str(key)))))


def _splits(found: Mapping[str, Any], scorer: str) -> int:
    return sum(bool((match := SPLIT.fullmatch(str(key))) and match[2] == scorer) for key in found)


def _scorer(name: str, found: Mapping[str, Any], scoring: str | None) -> str:
    known = _scorers(found)
    if not known:
        raise InputError(f"{name!r} must have the scores of each split (split0_test_score …), as cv_results_ has them")
    if known == ["score"] or (scoring is None and len(known) == 1):
        return known[0]
    if scoring is None:
        raise InputError(f"{name!r} was scored in several ways: {listed(known)}; say which with scoring={known[0]!r}")
    if scoring not in known:
        raise UnknownName.among(f"score of {name!r}", scoring, known)
    return scoring


def _common(searches: Mapping[str, Mapping[str, Any]]) -> str | None:
    """The name of the only score, if all searches have the same; ``score`` is the name of one that has none."""
    names = {scorer for found in searches.values() for scorer in _scorers(found)}
    if len(names) > 1:
        raise InputError(f"the searches must be scored alike, but they have {listed(sorted(names))}; give scoring=…")
    return None if names == {"score"} else names.pop()


def _measure(scorer: str | None, higher: bool | None) -> tuple[str, int, bool | None]:
    """The measure of a scorer, the sign that makes its scores those of the measure, and the direction if it is open."""
    if scorer is None:
        return "score", 1, True if higher is None else higher
    plain = scorer.removeprefix("neg_")
    sign = 1 if plain == scorer else -1
    if is_known(plain) and get(plain).directed:
        return get(plain).name, sign, None
    return plain, sign, sign > 0 if higher is None else higher


def _same_splits(tables: Mapping[str, Found]) -> None:
    numbers = {name: values.shape[1] for name, (_, values) in tables.items()}
    if len(set(numbers.values())) > 1:
        given = listed(f"{name!r} has {plural(n, 'split')}" for name, n in numbers.items())
        raise InputError(f"all searches must have the same splits, but {given}; give them one cv")


def _rows(
    name: str, found: Mapping[str, Any], table: Found, candidates: Candidates
) -> Iterator[tuple[str, NDArray[np.float64]]]:
    scorer, values = table
    if candidates == "best":
        ranks = np.asarray(found.get(f"rank_test_{scorer}", np.argsort(np.argsort(-values.mean(axis=1)))))
        yield name, values[int(ranks.argmin())]
        return
    for i, row in enumerate(values):
        parameters = found["params"][i] if "params" in found else {"candidate": i + 1}
        yield f"{name} ({', '.join(f'{key}={value}' for key, value in parameters.items())})", row
