"""Results from a study file: scores are computed from the stored predictions, in bulk."""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from fairtrial.design import Question
from fairtrial.measures import computable, compute, get
from fairtrial.resampling import Dependence
from fairtrial.results.results import COLUMNS, Results
from fairtrial.store import Packed, StudyFile, parse_shape

if TYPE_CHECKING:
    import pandas as pd

__all__ = ["from_study_file", "read_study"]

CURRENT = "SELECT DISTINCT dataset FROM trial WHERE revision = ?"  # a file may also hold older forms of a data set


def read_study(path: str | Path) -> Results:
    """The results of a study file. Nothing in the file is executed."""
    return from_study_file(StudyFile(path))


def from_study_file(file: StudyFile) -> Results:
    """Results of the current revision of the study, from an open file."""
    import pandas as pd

    definition = file.definition()
    source = StudyPredictions(file)
    trials = source.trials
    measures = {name: get(name) for name in definition["measures"]}
    failed = trials[trials["status"] == "failed"]
    failures = failed[["dataset", "method", "repeat", "fold", "error"]].reset_index(drop=True)
    names = [m["name"] for m in definition["methods"]]
    dependence = _dependence(definition["dependence"])
    missing = int((trials["status"] == "waiting").sum())
    return Results(
        scores=source.scores(list(measures)),
        question=Question(**definition["question"]),
        dependence=dict.fromkeys(map(str, pd.unique(trials["dataset"])), dependence),
        measures=measures,
        failures=failures,
        yardsticks=tuple(m["name"] for m in definition["methods"] if m["yardstick"]),
        baseline=_baseline(definition["methods"]),
        policy=definition["failures"],
        facts={m["name"]: m["facts"] for m in definition["methods"] if m["facts"]},
        datasets=source.facts,
        warnings=_per_method(trials, "warnings", names),
        outputs=_per_method(trials, "output", names),
        notes=(f"{missing} of {len(trials)} trials are still to be run",) if missing else (),
        provenance={"sessions": file.sessions(), "definition": definition},
        source=source,
        path=file.path,
    )


def _per_method(trials: pd.DataFrame, column: str, names: Sequence[str]) -> dict[str, int]:
    """How many trials of each method have something in a column; methods without any are left out."""
    counts = trials.loc[trials[column].notna(), "method"].value_counts()
    return {name: int(counts[name]) for name in names if name in counts}


def _dependence(stored: dict[str, Any]) -> Dependence:
    share = stored["test_share"]
    return Dependence(**{**stored, "test_share": np.nan if share is None else share})


def _baseline(methods: list[dict[str, Any]]) -> str | None:
    """Whose scores stand in for failed trials: the yardstick, or a trivial method that was listed."""
    for method in methods:
        if method["yardstick"]:
            return str(method["name"])
    for method in methods:
        estimator = method["canonical"]["estimator"]
        if isinstance(estimator, dict) and str(estimator.get("class", "")).startswith("sklearn.dummy."):
            return str(method["name"])
    return None


@dataclass(frozen=True, eq=False)
class StudyPredictions:
    """Predictions in a study file."""

    file: StudyFile

    @cached_property
    def trials(self) -> pd.DataFrame:
        """One row per trial of the current revision."""
        import pandas as pd

        columns = [
            "trial", "dataset", "method", "replicate", "repeat", "fold", "n_train", "n_test",
            "split", "status", "error", "warnings", "output", "fit_time", "predict_time",
        ]  # fmt: skip
        rows = self.file.query(
            "SELECT t.id, d.name, m.name, t.replicate, s.repeat, s.fold, s.n_train, s.n_test, t.split, t.status, "
            "t.error, t.warnings, t.output, t.fit_time, t.predict_time FROM trial t JOIN dataset d ON d.id = t.dataset "
            "JOIN method m ON m.id = t.method JOIN split s ON s.id = t.split WHERE t.revision = ? "
            "ORDER BY t.dataset, t.method, t.replicate, s.repeat, s.fold",
            self.file.revision(),
        )
        return pd.DataFrame(rows, columns=columns)

    @cached_property
    def facts(self) -> dict[str, dict[str, Any]]:
        """What is known of each data set."""
        rows = self.file.query(f"SELECT name, facts FROM dataset WHERE id IN ({CURRENT})", self.file.revision())
        return {name: json.loads(facts) for name, facts in rows}

    @cached_property
    def _truth(self) -> dict[str, NDArray[Any]]:
        query = f"SELECT name, dtype, shape, truth FROM dataset WHERE id IN ({CURRENT})"
        rows = self.file.query(query, self.file.revision())
        return {name: Packed(d, parse_shape(s), b).unpack() for name, d, s, b in rows}

    @cached_property
    def _tests(self) -> dict[int, NDArray[np.int32]]:
        rows = self.file.query("SELECT id, n_test, test FROM split")
        return {i: Packed("<i4", (n,), blob).unpack() for i, n, blob in rows}

    def scores(self, measures: Sequence[str]) -> pd.DataFrame:
        """The tidy frame of these measures; failed trials are rows without a value."""
        import pandas as pd

        done = self.trials[self.trials["status"] != "waiting"]
        parts = []
        for (dataset, _), group in done.groupby(["dataset", "method"], sort=False):
            values = self._values(measures, str(dataset), group)
            parts += [group.assign(measure=name, value=values[name]) for name in measures]
        if not parts:
            return pd.DataFrame(columns=list(COLUMNS))
        return pd.concat(parts, ignore_index=True)[list(COLUMNS)]

    def _values(self, measures: Sequence[str], dataset: str, group: pd.DataFrame) -> dict[str, NDArray[np.float64]]:
        """Each measure for each trial of one method on one data set."""
        values = {name: np.full(len(group), np.nan) for name in measures}
        ok = (group["status"] == "ok").to_numpy()
        for name in measures:
            if get(name).from_trials:  # failed trials have a time only where it was cut off at the limit
                values[name][:] = group[name].to_numpy(dtype=float)
        if ok.any():
            tests, channels = self._stacked(group[ok])
            folds = np.repeat(np.arange(len(tests)), [len(t) for t in tests])
            facts = self.facts[dataset]
            found = compute(
                computable(measures, channels),
                truth=self._truth[dataset][np.concatenate(tests)],
                channels=_oriented(channels, facts),
                folds=folds,
                classes=len(facts["classes"]) or None,
                positive=facts["positive"],
            )
            for name, array in found.items():
                values[name][ok] = array
        return values

    def _stacked(self, group: pd.DataFrame) -> tuple[list[NDArray[np.int32]], dict[str, NDArray[Any]]]:
        """Test rows of each trial, and the channels that all of them have, one below the other."""
        tests = [self._tests[s] for s in group["split"]]
        arrays = [self.file.arrays(int(t)) for t in group["trial"]]
        shared = set.intersection(*(set(a) for a in arrays))
        return tests, {c: np.concatenate([a[c].unpack() for a in arrays]) for c in sorted(shared)}

    def losses(self, measure: str, dataset: str) -> pd.DataFrame:
        """The measure of each tested instance by itself, methods in columns; for measures that are means of losses."""
        import pandas as pd

        columns = {}
        group = self.trials[(self.trials["dataset"] == dataset) & (self.trials["status"] == "ok")]
        for method, own in group.groupby("method", sort=False):
            tests, channels = self._stacked(own)
            rows = np.concatenate(tests)
            facts = self.facts[dataset]
            columns[method] = compute(
                [measure],
                truth=self._truth[dataset][rows],
                channels=_oriented(channels, facts),
                folds=np.arange(len(rows)),
                classes=len(facts["classes"]) or None,
                positive=facts["positive"],
            )[measure]
        return pd.DataFrame(columns)

    def frame(self) -> pd.DataFrame:
        """All predictions, one row per trial and instance."""
        import pandas as pd

        return pd.concat(self._frames(), ignore_index=True)

    def _frames(self) -> Iterator[pd.DataFrame]:
        import pandas as pd

        for row in self.trials[self.trials["status"] == "ok"].itertuples():
            facts, test = self.facts[row.dataset], self._tests[row.split]
            columns: dict[str, Any] = {
                "dataset": row.dataset, "method": row.method, "replicate": row.replicate,
                "repeat": row.repeat, "fold": row.fold, "instance": test,
            }  # fmt: skip
            truth = self._truth[row.dataset][test]
            labels = np.asarray([*facts["classes"], None], dtype=object)
            columns["truth"] = labels[truth] if facts["classes"] else truth
            for channel, packed in self.file.arrays(int(row.trial)).items():
                array = packed.unpack()
                if channel == "label":
                    columns["label"] = labels[array]
                elif array.ndim == 1:
                    columns[channel] = array
                else:
                    prefix = "p" if channel == "probability" else channel
                    columns |= {f"{prefix}_{c}": array[:, j] for j, c in enumerate(facts["classes"])}
            yield pd.DataFrame(columns)


def _oriented(channels: dict[str, NDArray[Any]], facts: dict[str, Any]) -> dict[str, NDArray[Any]]:
    """A single column of scores is for the second class; turned round where the first is the positive one."""
    score = channels.get("score")
    if score is not None and score.ndim == 1 and facts["positive"] == 0:
        return {**channels, "score": -score}
    return channels
