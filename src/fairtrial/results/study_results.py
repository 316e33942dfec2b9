"""Results from a study file: scores are computed from the stored predictions, in bulk."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, fields, replace
from functools import cached_property, partial
from pathlib import Path
from typing import TYPE_CHECKING, Any, cast

import numpy as np
from numpy.typing import NDArray

from fairtrial.definition import DefinedMethod, StudyDefinition
from fairtrial.design import FACTORS, Level, Question
from fairtrial.doors import door
from fairtrial.errors import InputError, StudyFileError
from fairtrial.measures import Predictions, computable, compute_on, get, is_known
from fairtrial.measures.bulk import losses_on
from fairtrial.resampling import Dependence
from fairtrial.results.at_levels import REPLICATE, rows_at, rows_of, settings_as_methods
from fairtrial.results.export import LongTable, kinds_of
from fairtrial.results.prediction_source import TrialRemarks
from fairtrial.results.provenance import Provenance
from fairtrial.results.results import Results
from fairtrial.results.trial_table import (
    blocks_of,
    channels_for,
    class_columns,
    few_blocks_of,
    long_rows,
    mean_over_replicates,
    notes_on,
    oriented,
    per_method,
    prediction_columns,
    recorded_values,
    score_columns,
    trial_table,
)
from fairtrial.results.trivial import trivial_in_study
from fairtrial.store import StudyFile, anonymous_copy, check_rows, notes_on_digests, stored_tests, stored_truth
from fairtrial.store.checks.digest import content_digest
from fairtrial.store.checks.json import WARNINGS, a_mapping
from fairtrial.store.sessions import dropped_methods, plan_before_trials

if TYPE_CHECKING:
    import pandas as pd

CURRENT = "SELECT DISTINCT dataset FROM trial WHERE revision = ?"  # a file may also hold older forms of a data set


@door
def read_study(path: str | Path) -> Results:
    """The results of a study file. Nothing in the file is executed."""
    return from_study_file(StudyFile(path))


def from_study_file(file: StudyFile) -> Results:
    """Results of the current revision of the study, from an open file."""
    import pandas as pd

    check_rows(file)
    definition = file.definition()
    source = StudyPredictions(file)
    trials = source.trials
    measures = {name: get(name) for name in definition.measures if is_known(name)}
    failed = trials[trials["status"] == "failed"]
    replicate = [REPLICATE] if definition.replicates is not None else []
    columns = ["dataset", "method", *source.factors, *replicate, "repeat", "fold", "error"]
    failures = failed[columns].reset_index(drop=True)
    return Results(
        scores=cast("pd.DataFrame", partial(source.scores, list(measures))),
        question=_question(definition.question, file.name),
        dependence={str(d): _dependence(definition, str(d)) for d in pd.unique(trials["dataset"])},
        measures=measures,
        failures=failures,
        yardsticks=tuple(m.name for m in definition.methods if m.yardstick),
        trivial=trivial_in_study(definition.methods),
        baseline=_baseline(definition.methods),
        policy=definition.failures,
        facts={m.name: m.facts for m in definition.methods if m.facts},
        datasets=source.facts,
        definition=definition,
        provenance=Provenance(file.sessions(), plan=plan_before_trials(file), dropped=dropped_methods(file)),
        source=source,
        path=file.path,
        factors={f.name: f.levels or tuple(sorted({*trials[f.name].dropna().tolist()})) for f in definition.factors},
        **source.trial_remarks(),
    )


def _question(stored: Mapping[str, Any], name: str) -> Question:
    try:
        return Question.from_dict(stored)
    except (InputError, TypeError) as error:
        raise StudyFileError(
            f"{name} does not hold a question as a study file must ({error}); take a copy of the file that is whole"
        ) from error


def _dependence(definition: StudyDefinition, dataset: str) -> Dependence:
    """The dependence of the splits of a data set; older files have one for all data sets."""
    own = {d.name: d.dependence for d in definition.datasets}
    stored = own.get(dataset) or definition.dependence
    known = {f.name: stored[f.name] for f in fields(Dependence) if f.name in stored}
    return Dependence(**{**known, "test_share": np.nan if known["test_share"] is None else known["test_share"]})


def _baseline(methods: Sequence[DefinedMethod]) -> str | None:
    """The method whose scores replace those of failed trials: the yardstick, or a trivial method that was listed."""
    for method in methods:
        if method.yardstick:
            return method.name
    for method in methods:
        estimator = method.canonical["estimator"]
        if isinstance(estimator, dict) and str(estimator.get("class", "")).startswith("sklearn.dummy."):
            return method.name
    return None


@dataclass(frozen=True, eq=False)
class StudyPredictions:
    """The predictions in a study file.

    At some ``levels`` of the factors, or of a ``part`` of methods and data sets, ``whole`` has all predictions. With
    ``of_training`` they are predictions of the training instances. With ``named_by_setting`` each setting of a method
    is a method of its own.
    """

    file: StudyFile
    levels: Mapping[str, Level] = field(default_factory=dict)
    whole: StudyPredictions | None = None
    of_training: bool = False
    named_by_setting: bool = False
    part: Mapping[str, Sequence[str]] = field(default_factory=dict)

    def apparent(self) -> StudyPredictions:
        """The predictions of all training instances, if the resampling asked for them."""
        return StudyPredictions(self.file, of_training=True).at(self.levels).only(self.part)

    def at(self, levels: Mapping[str, Level]) -> StudyPredictions:
        """The predictions of trials at some levels of the factors."""
        return replace(self, levels={**self.levels, **levels}, whole=self.whole or self)

    def only(self, part: Mapping[str, Sequence[str]]) -> StudyPredictions:
        """The predictions of some methods and data sets."""
        return replace(self, part={**self.part, **part}, whole=self.whole or self)

    def by_setting(self) -> StudyPredictions:
        """The predictions with each setting of a method as a method of its own."""
        return replace(self, whole=self.whole or self, named_by_setting=True)

    def copy_anonymously(self, path: str | Path) -> Path:
        """Write a copy of the study file that names no host, command or folder."""
        return anonymous_copy(self.file, path)

    @cached_property
    def content(self) -> str:
        """A hash of the trials that were done when the file was read, at all levels."""
        trials = (self.whole or self).trials
        return content_digest(self.file, trials.loc[trials["status"] != "waiting", "trial"].tolist())

    def details(self) -> dict[int, Any]:
        """The reports of methods on themselves, by the number of the trial; only of trials that did not fail."""
        query = "SELECT id, details FROM trial WHERE revision = ? AND details IS NOT NULL AND status = 'ok'"
        rows = self.file.rows(query, self.file.revision())
        return {row["id"]: self.file.json(row["details"], a_mapping, "details of trials") for row in rows}

    def warning_counts(self) -> dict[str, Counter[str]]:
        """How often each warning was given, by method."""
        counts: dict[str, Counter[str]] = {}
        warned = self.trials.loc[self.trials["warnings"].notna(), ["method", "warnings"]]
        for method, stored in warned.itertuples(index=False):
            for text, n in self.file.json(stored, WARNINGS, "warnings of trials"):
                counts.setdefault(str(method), Counter())[text] += int(n)
        return counts

    def trial_remarks(self) -> TrialRemarks:
        """The number of trials of each method that warned or printed something, and notes."""
        definition = self.file.definition()
        names = list(dict.fromkeys(self.trials["method"]))
        missing = int((self.trials["status"] == "waiting").sum())
        return {
            "warnings": per_method(self.trials, "warnings", names),
            "outputs": per_method(self.trials, "output", names),
            "notes": (*notes_on(definition.measures, missing, len(self.trials)), *notes_on_digests(self.file)),
        }

    def datasets(self) -> set[str]:
        """The data sets of these trials, also of those that wait."""
        return set(self.trials["dataset"])

    @cached_property
    def factors(self) -> tuple[str, ...]:
        """The factors whose levels are not chosen; those that exist nowhere at the chosen levels are left out."""
        names = [f.name for f in self.file.definition().factors if f.name not in self.levels]
        if self.whole is None:
            return tuple(names)
        left = [name for name in names if not (self.named_by_setting and name in self._on_methods())]
        return tuple(name for name in left if not len(self.trials) or self.trials[name].notna().any())

    @cached_property
    def trials(self) -> pd.DataFrame:
        """One row per trial of the current revision, with a column for each factor."""
        if self.whole is None:
            return trial_table(self.file, self.factors, apparent=self.of_training)
        trials = rows_at(self.whole.trials, self.levels)
        named = settings_as_methods(trials, self._on_methods()) if self.named_by_setting else trials
        return rows_of(named, self.part, trials)

    def _on_methods(self) -> list[str]:
        return [f.name for f in self.file.definition().factors if f.name not in FACTORS]

    @cached_property
    def facts(self) -> dict[str, dict[str, Any]]:
        """The facts of each data set, by its name."""
        rows = self.file.query(f"SELECT id, name FROM dataset WHERE id IN ({CURRENT})", self.file.revision())
        facts = self.file.facts()
        return {name: facts[number] for number, name in rows}

    @cached_property
    def _truth(self) -> dict[str, NDArray[Any]]:
        if self.whole is not None:
            return self.whole._truth
        return stored_truth(self.file)

    @cached_property
    def _tests(self) -> dict[int, NDArray[np.int32]]:
        if self.whole is not None:
            return self.whole._tests
        return stored_tests(self.file)

    def scores(self, measures: Sequence[str]) -> pd.DataFrame:
        """The tidy frame of these measures; failed trials are rows without a value."""
        import pandas as pd

        self._check_recorded(measures)
        folded = [m for m in measures if get(m).combine == "mean"]
        whole = [m for m in measures if get(m).combine == "pooled"]
        parts = [part for part in (self._scored(folded), self._pooled(whole)) if len(part)]
        if not parts:
            return pd.DataFrame(columns=score_columns(self.factors))
        made = pd.concat(parts, ignore_index=True)
        if not self.factors:
            return made
        level = made.groupby(list(self.factors), dropna=False).ngroup()
        return made.iloc[np.argsort(level, kind="stable")].reset_index(drop=True)

    def _scored(self, measures: Sequence[str]) -> pd.DataFrame:
        """One row for each measure and trial."""
        done = self.trials[self.trials["status"] != "waiting"].reset_index(drop=True)
        values = {name: np.full(len(done), np.nan) for name in measures}
        values |= recorded_values(measures, done)  # a failed trial has a time only if the limit cut it off
        needed = channels_for(measures)
        for dataset, group in few_blocks_of(done[done["status"] == "ok"]) if needed else ():
            splits = group["split"].to_numpy()
            for stack in self.file.stacks(group["trial"].tolist(), needed):
                places = list(stack.places)
                merged = self._merged(dataset, splits[places], stack.channels)
                for name, array in compute_on(merged, computable(measures, merged.channels)).items():
                    values[name][group.index[places]] = array
        return long_rows(done, values, self.factors)

    def _groups(self, trials: pd.DataFrame) -> Iterator[tuple[str, pd.DataFrame]]:
        """The trials of each method on each data set at each setting, with the data set."""
        for (dataset, *_), group in trials.groupby(["dataset", "method", *self.factors], sort=False, dropna=False):
            yield str(dataset), group

    def _pooled(self, measures: Sequence[str]) -> pd.DataFrame:
        """One row for each measure and repeat, from all its folds at once; a repeat that isn't complete has none."""
        ok, done = self.trials["status"] == "ok", self.trials["status"] != "waiting"
        trials = self.trials.assign(ok=ok, done=done)
        rows = ["dataset", "method", *self.factors, "replicate", "repeat"]
        by_repeat = trials.groupby(rows, sort=False, dropna=False)
        repeats = by_repeat.agg(
            fold=("fold", "min"), n_train=("n_train", "mean"), n_test=("n_test", "sum"),
            done=("done", "all"), ok=("ok", "all"),
        ).reset_index()  # fmt: skip
        number = by_repeat.ngroup()
        values = {name: np.full(len(repeats), np.nan) for name in measures}
        needed = channels_for(measures)
        for dataset, group in self._groups(trials[repeats["ok"].to_numpy()[number]]) if needed else ():
            places, fold = np.unique(number[group.index], return_inverse=True)
            merged = self._shared(dataset, group, needed).with_folds(np.repeat(fold, group["n_test"]))
            for name, array in compute_on(merged, computable(measures, merged.channels)).items():
                values[name][places] = array
        repeats["status"] = np.where(repeats["ok"], "ok", "failed")
        complete = repeats["done"].to_numpy()
        return long_rows(repeats[complete], {name: array[complete] for name, array in values.items()}, self.factors)

    def _check_recorded(self, measures: Sequence[str]) -> None:
        """Refuse measures of costs that the study did not request, and that no trial recorded."""
        done = self.trials[self.trials["status"] == "ok"]
        asked = self.file.definition().measures
        new = [m for m in measures if m not in asked]
        for name, values in ({} if done.empty else recorded_values(new, done)).items():
            if np.isnan(values).all():
                raise InputError(
                    f"{name} was not recorded in this study and can't be computed from its predictions; "
                    f"add {name!r} to the study's measures and run it into a new file"
                )

    def _shared(self, dataset: str, group: pd.DataFrame, only: Collection[str] | None = None) -> Predictions:
        """The predictions of some trials, with the channels that all of them have in one form."""
        trials = group["trial"].tolist()
        stacks = self.file.stacks(trials, only)
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
            oriented(channels, facts),
            n_classes=len(facts["classes"]),
            folds=np.repeat(np.arange(len(tests)), [len(t) for t in tests]),
            positive=facts["positive"],
        )

    def predictions(self, dataset: str, method: str, repeat: int | None = None) -> Predictions:
        """All that a method predicted on a data set, or in one repeat of it; folds are the test sets."""
        return self._shared(dataset, self._good(dataset, method, repeat))

    def _good(self, dataset: str, method: str, repeat: int | None = None) -> pd.DataFrame:
        """The trials of a method on a data set that went well."""
        group = self.trials.query("dataset == @dataset and method == @method and status == 'ok'")
        group = group if repeat is None else group[group["repeat"] == repeat]
        if not len(group):
            raise InputError(f"{method!r} has no predictions on {dataset!r}: all its trials failed or have not run")
        return group

    def losses(self, measure: str, dataset: str) -> pd.DataFrame:
        """The measure of each tested instance by itself, methods in columns; for measures that are means of losses."""
        import pandas as pd

        group = self.trials[(self.trials["dataset"] == dataset) & (self.trials["status"] == "ok")]
        return pd.DataFrame({str(m): self.losses_of(measure, dataset, m) for m in dict.fromkeys(group["method"])})

    def losses_of(self, measure: str, dataset: str, method: str) -> NDArray[np.float64]:
        """The measure of each tested instance by itself, for one method, in the order of :meth:`tested`.

        Of several replicates it is the mean: they are no further tests of the instance.
        """
        group = self._good(dataset, method)
        predictions = self._shared(dataset, group)
        losses = losses_on(predictions, measure)
        return mean_over_replicates(losses, group["split"].to_numpy(), group["n_test"].tolist())

    def tested(self, dataset: str, method: str) -> pd.DataFrame | None:
        """The instance, repeat and fold of each test; None unless all trials are done and went well."""
        group = self.trials[(self.trials["dataset"] == dataset) & (self.trials["method"] == method)]
        if not len(group) or not (group["status"] == "ok").all():
            return None
        group = group.drop_duplicates("split")  # replicates test the same instances
        tests = [self._tests[s] for s in group["split"]]
        when = group[["repeat", "fold"]].take(np.repeat(np.arange(len(group)), [len(t) for t in tests]))
        return when.reset_index(drop=True).assign(instance=np.concatenate(tests))

    def frame(self) -> pd.DataFrame:
        """All predictions, one row per trial and instance."""
        import pandas as pd

        return pd.concat(self._frames(), ignore_index=True)

    def table(self) -> LongTable:
        """All predictions in parts, each of one method on one data set."""
        kinds = kinds_of(self.trials, ["dataset", "method", *self.factors, "replicate", "repeat", "fold"])
        target = str if any(facts["classes"] for facts in self.facts.values()) else float
        positive = {"positive": str} if any(f["positive"] is not None for f in self.facts.values()) else {}
        kinds |= {"instance": int, "truth": target, **positive}
        for dataset, channel, axes in self.file.channels():
            names = [channel] if axes == 1 else class_columns(channel, self.facts[dataset]["classes"])
            kinds |= dict.fromkeys(names, str if channel == "label" else float)
        return LongTable(kinds, self._frames)

    def _frames(self) -> Iterator[pd.DataFrame]:
        import pandas as pd

        for dataset, _, group in blocks_of(self.trials[self.trials["status"] == "ok"]):
            for stack in self.file.stacks(group["trial"].tolist()):
                own = group.iloc[list(stack.places)]
                tests = [self._tests[s] for s in own["split"]]
                rows = own[["dataset", "method", *self.factors, "replicate", "repeat", "fold"]]
                rows = rows.take(np.repeat(np.arange(len(own)), [len(t) for t in tests])).reset_index(drop=True)
                instance = np.concatenate(tests)
                facts = self.facts[dataset]
                channels = oriented(stack.channels, facts)
                columns = pd.DataFrame(prediction_columns(channels, self._truth[dataset][instance], facts["classes"]))
                if facts["positive"] is not None:
                    columns.insert(1, "positive", facts["classes"][facts["positive"]])
                yield rows.assign(instance=instance).join(columns)
