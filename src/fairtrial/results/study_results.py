"""Results from a study file: scores are computed from the stored predictions, in bulk."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from fairtrial.design import Level, Question
from fairtrial.errors import InputError
from fairtrial.measures import Predictions, computable, compute_on, from_records, get, is_known
from fairtrial.resampling import Dependence
from fairtrial.results.results import COLUMNS, Results
from fairtrial.store import RESOURCES, Packed, StudyFile, parse_shape

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
    measures = {name: get(name) for name in definition["measures"] if is_known(name)}
    failed = trials[trials["status"] == "failed"]
    failures = failed[["dataset", "method", *source.factors, "repeat", "fold", "error"]].reset_index(drop=True)
    names = [m["name"] for m in definition["methods"]]
    missing = int((trials["status"] == "waiting").sum())
    return Results(
        scores=source.scores(list(measures)),
        question=Question(**definition["question"]),
        dependence={str(d): _dependence(definition, str(d)) for d in pd.unique(trials["dataset"])},
        measures=measures,
        failures=failures,
        yardsticks=tuple(m["name"] for m in definition["methods"] if m["yardstick"]),
        baseline=_baseline(definition["methods"]),
        policy=definition["failures"],
        facts={m["name"]: m["facts"] for m in definition["methods"] if m["facts"]},
        datasets=source.facts,
        warnings=_per_method(trials, "warnings", names),
        outputs=_per_method(trials, "output", names),
        notes=tuple(_notes(definition["measures"], missing, len(trials))),
        provenance={"sessions": file.sessions(), "definition": definition},
        source=source,
        path=file.path,
        factors={f["name"]: tuple(f["levels"]) for f in definition.get("factors", ())},
    )


def _notes(measures: Sequence[str], missing: int, trials: int) -> Iterator[str]:
    if missing:
        yield f"{missing} of {trials} trials are still to be run"
    for name in measures:
        if not is_known(name):
            yield f"the measure {name!r} is not known here: import the module that declares it (--import)"


def _per_method(trials: pd.DataFrame, column: str, names: Sequence[str]) -> dict[str, int]:
    """How many trials of each method have something in a column; methods without any are left out."""
    counts = trials.loc[trials[column].notna(), "method"].value_counts()
    return {name: int(counts[name]) for name in names if name in counts}


def _dependence(definition: dict[str, Any], dataset: str) -> Dependence:
    """As it was stored for this data set; files of before that have one for all."""
    own = {d["name"]: d["dependence"] for d in definition["datasets"] if "dependence" in d}
    stored = own.get(dataset, definition["dependence"])
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
    """Predictions in a study file; with ``whole``, those of it at some ``levels`` of its factors."""

    file: StudyFile
    levels: Mapping[str, Level] = field(default_factory=dict)
    whole: StudyPredictions | None = None

    def at(self, levels: Mapping[str, Level]) -> StudyPredictions:
        """Those of trials at some levels."""
        return StudyPredictions(self.file, {**self.levels, **levels}, self.whole or self)

    def datasets(self) -> set[str]:
        """The data sets of these trials, also of those that wait."""
        return set(self.trials["dataset"])

    @cached_property
    def factors(self) -> tuple[str, ...]:
        """The factors that have more than one level here."""
        return tuple(f["name"] for f in self.file.definition().get("factors", ()) if f["name"] not in self.levels)

    @cached_property
    def trials(self) -> pd.DataFrame:
        """One row per trial of the current revision, with a column for each factor."""
        if self.whole is None:
            return self._all_trials()
        trials = self.whole.trials
        for name, level in self.levels.items():
            trials = trials[trials[name] == level]
        return trials

    def _all_trials(self) -> pd.DataFrame:
        import pandas as pd

        columns = [
            "trial", "dataset", "method", "replicate", "repeat", "fold", "n_train", "n_test",
            "split", "status", "error", "warnings", "output", *RESOURCES, "levels",
        ]  # fmt: skip
        rows = self.file.query(
            "SELECT t.id, d.name, m.name, t.replicate, s.repeat, s.fold, COALESCE(t.n_train, s.n_train), "
            "s.n_test, t.split, t.status, "
            f"t.error, t.warnings, t.output, {', '.join(f't.{r}' for r in RESOURCES)}, t.levels "
            "FROM trial t JOIN dataset d ON d.id = t.dataset JOIN method m ON m.id = t.method "
            "JOIN split s ON s.id = t.split WHERE t.revision = ? "
            "ORDER BY t.dataset, t.method, t.replicate, s.repeat, s.fold",
            self.file.revision(),
        )
        trials = pd.DataFrame(rows, columns=columns)
        texts, which = np.unique(trials.pop("levels").to_numpy(dtype=str), return_inverse=True)
        known = [json.loads(text) for text in texts]
        for name in self.factors:
            trials[name] = np.asarray([levels.get(name, np.nan) for levels in known])[which]
        return trials

    @cached_property
    def facts(self) -> dict[str, dict[str, Any]]:
        """What is known of each data set."""
        rows = self.file.query(f"SELECT name, facts FROM dataset WHERE id IN ({CURRENT})", self.file.revision())
        return {name: json.loads(facts) for name, facts in rows}

    @cached_property
    def _truth(self) -> dict[str, NDArray[Any]]:
        if self.whole is not None:
            return self.whole._truth
        query = f"SELECT name, dtype, shape, truth FROM dataset WHERE id IN ({CURRENT})"
        rows = self.file.query(query, self.file.revision())
        return {name: Packed(d, parse_shape(s), b).unpack() for name, d, s, b in rows}

    @cached_property
    def _tests(self) -> dict[int, NDArray[np.int32]]:
        if self.whole is not None:
            return self.whole._tests
        rows = self.file.query("SELECT id, n_test, test FROM split")
        return {i: Packed("<i4", (n,), blob).unpack() for i, n, blob in rows}

    def scores(self, measures: Sequence[str]) -> pd.DataFrame:
        """The tidy frame of these measures; failed trials are rows without a value."""
        import pandas as pd

        self._check_recorded(measures)
        if self.factors:
            columns = [*COLUMNS[:2], *self.factors, *COLUMNS[2:]]
            parts = [part.scores(measures).assign(**part.levels) for part in self._each_level()]
            parts = [part for part in parts if len(part)]
            return pd.concat(parts, ignore_index=True)[columns] if parts else pd.DataFrame(columns=columns)
        done = self.trials[self.trials["status"] != "waiting"]
        groups = [((str(d), str(m)), g) for (d, m), g in done.groupby(["dataset", "method"], sort=False)]
        folded = [m for m in measures if get(m).combine == "mean"]
        whole = [m for m in measures if get(m).combine == "pooled"]
        parts = [part for (dataset, _), group in groups for part in self._scored(folded, dataset, group)]
        parts += [part for place, group in groups for part in self._pooled(whole, *place, group)]
        if not parts:
            return pd.DataFrame(columns=list(COLUMNS))
        return pd.concat(parts, ignore_index=True)[list(COLUMNS)]

    def _each_level(self) -> Iterator[StudyPredictions]:
        names = list(self.factors)
        for row in self.trials[names].drop_duplicates().sort_values(names).itertuples(index=False):
            yield self.at(dict(zip(names, row, strict=True)))

    def _scored(self, measures: Sequence[str], dataset: str, group: pd.DataFrame) -> Iterator[pd.DataFrame]:
        """One row for each trial and measure."""
        values = self._values(measures, dataset, group) if measures else {}
        yield from (group.assign(measure=name, value=values[name]) for name in measures)

    def _pooled(
        self, measures: Sequence[str], dataset: str, method: str, group: pd.DataFrame
    ) -> Iterator[pd.DataFrame]:
        """One row for each repeat and measure, from all its folds at once; a repeat that isn't complete has none."""
        if not measures:
            return
        planned = self.trials.query("dataset == @dataset and method == @method").groupby(["replicate", "repeat"]).size()
        repeats = group.groupby(["replicate", "repeat"], sort=False).agg(
            fold=("fold", "min"), n_train=("n_train", "mean"), n_test=("n_test", "sum"),
            done=("fold", "size"), ok=("status", lambda s: (s == "ok").all()),
        )  # fmt: skip
        repeats = repeats[repeats["done"] == planned.reindex(repeats.index)]
        good = repeats[repeats["ok"]]
        values = {name: np.full(len(repeats), np.nan) for name in measures}
        if len(good):
            own = group.set_index(["replicate", "repeat"]).loc[good.index].reset_index()
            number = {place: i for i, place in enumerate(good.index)}
            which = np.array([number[place] for place in zip(own["replicate"], own["repeat"], strict=True)])
            merged = self._shared(dataset, own)
            found = compute_on(
                merged.with_folds(np.repeat(which, own["n_test"])), computable(measures, merged.channels)
            )
            for name, array in found.items():
                values[name][repeats["ok"].to_numpy()] = array
        rows = repeats.reset_index().assign(dataset=dataset, method=method)
        rows["status"] = np.where(rows["ok"], "ok", "failed")
        yield from (rows.assign(measure=name, value=values[name]) for name in measures)

    def _check_recorded(self, measures: Sequence[str]) -> None:
        """What the study did not ask for may not have been recorded, and can't be found out afterwards."""
        done = self.trials[self.trials["status"] == "ok"]
        asked = self.file.definition()["measures"]
        new = [m for m in measures if m not in asked]
        for name, values in ({} if done.empty else _recorded(new, done)).items():
            if np.isnan(values).all():
                raise InputError(
                    f"{name} was not recorded in this study and can't be computed from its predictions; "
                    f"add {name!r} to the study's measures and run it into a new file"
                )

    def _values(self, measures: Sequence[str], dataset: str, group: pd.DataFrame) -> dict[str, NDArray[np.float64]]:
        """Each measure for each trial of one method on one data set."""
        values = {name: np.full(len(group), np.nan) for name in measures}
        values |= _recorded(measures, group)  # failed trials have a time only where it was cut off at the limit
        needed = frozenset[str]().union(*(get(name).reads for name in measures))
        if not needed:
            return values
        ok = np.flatnonzero(group["status"] == "ok")
        splits = group["split"].to_numpy()
        for stack in self.file.stacks(group["trial"].to_numpy()[ok].tolist(), needed):
            places = ok[list(stack.places)]
            merged = self._merged(dataset, splits[places], stack.channels)
            for name, array in compute_on(merged, computable(measures, merged.channels)).items():
                values[name][places] = array
        return values

    def _shared(self, dataset: str, group: pd.DataFrame) -> Predictions:
        """What some trials predicted, with the channels that all of them have in one form."""
        trials = group["trial"].tolist()
        stacks = self.file.stacks(trials)
        if len(stacks) > 1:
            shared = set.intersection(*(set(stack.form().items()) for stack in stacks))
            stacks = self.file.stacks(trials, [channel for channel, _ in shared])
        return self._merged(dataset, group["split"].to_numpy(), stacks[0].channels if stacks else {})

    def _merged(self, dataset: str, splits: NDArray[np.int64], channels: Mapping[str, NDArray[Any]]) -> Predictions:
        """Stacked channels of trials on these splits, with their truth; each trial is a fold."""
        tests = [self._tests[s] for s in splits.tolist()]
        facts = self.facts[dataset]
        return Predictions.checked(
            self._truth[dataset][np.concatenate(tests)],
            _oriented(channels, facts),
            n_classes=len(facts["classes"]),
            folds=np.repeat(np.arange(len(tests)), [len(t) for t in tests]),
            positive=facts["positive"],
        )

    def predictions(self, dataset: str, method: str, repeat: int | None = None) -> Predictions:
        """All that a method predicted on a data set, or in one repeat of it; folds are the test sets."""
        group = self.trials.query("dataset == @dataset and method == @method and status == 'ok'")
        group = group if repeat is None else group[group["repeat"] == repeat]
        if not len(group):
            raise InputError(f"there are no predictions of {method!r} on {dataset!r}: all its trials failed or wait")
        return self._shared(dataset, group)

    def losses(self, measure: str, dataset: str) -> pd.DataFrame:
        """The measure of each tested instance by itself, methods in columns; for measures that are means of losses."""
        import pandas as pd

        group = self.trials[(self.trials["dataset"] == dataset) & (self.trials["status"] == "ok")]
        names = dict.fromkeys(group["method"])
        merged = {str(m): self.predictions(dataset, m) for m in names}
        return pd.DataFrame(
            {m: compute_on(p.with_folds(np.arange(len(p.truth))), [measure])[measure] for m, p in merged.items()}
        )

    def frame(self) -> pd.DataFrame:
        """All predictions, one row per trial and instance."""
        import pandas as pd

        return pd.concat(self._frames(), ignore_index=True)

    def _frames(self) -> Iterator[pd.DataFrame]:
        import pandas as pd

        for row in self.trials[self.trials["status"] == "ok"].itertuples():
            facts, test = self.facts[row.dataset], self._tests[row.split]
            columns: dict[str, Any] = {
                "dataset": row.dataset, "method": row.method,
                **{name: getattr(row, name) for name in self.factors}, "replicate": row.replicate,
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


def _recorded(measures: Sequence[str], trials: pd.DataFrame) -> dict[str, NDArray[np.float64]]:
    """Those of the measures that are what trials cost, for each of some trials."""
    columns = {c: trials[c].to_numpy(dtype=float) for c in (*RESOURCES, "n_train", "n_test")}
    return from_records([name for name in measures if get(name).from_trials], columns)


def _oriented(channels: Mapping[str, NDArray[Any]], facts: Mapping[str, Any]) -> Mapping[str, NDArray[Any]]:
    """A single column of scores is for the second class; turned round where the first is the positive one."""
    score = channels.get("score")
    if score is not None and score.ndim == 1 and facts["positive"] == 0:
        return {**channels, "score": -score}
    return channels
