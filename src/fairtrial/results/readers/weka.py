"""Result files of WEKA's Experimenter: one row per run, fold, data set and scheme, all metrics in columns."""

from __future__ import annotations

import math
from collections import Counter
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

from fairtrial.data.arff import ArffTable, parse_arff
from fairtrial.errors import InputError
from fairtrial.measures import Measure
from fairtrial.resampling import Dependence
from fairtrial.results.readers.long_scores import LongScores
from fairtrial.results.readers.request import Request, Source
from fairtrial.results.score_measures import measure_among

if TYPE_CHECKING:
    import pandas as pd

__all__ = ["is_experimenter_file", "read_experimenter"]

INF = math.inf
# the worst and best value of each measure, by its name in the file
MEASURES: dict[str, tuple[float, float]] = {
    "Percent_correct": (0, 100),
    "Percent_incorrect": (100, 0),
    "Kappa_statistic": (-1, 1),
    "Mean_absolute_error": (INF, 0),
    "Root_mean_squared_error": (INF, 0),
    "Relative_absolute_error": (INF, 0),
    "Root_relative_squared_error": (INF, 0),
    "Correlation_coefficient": (-1, 1),
    "KB_information": (-INF, INF),
    "True_positive_rate": (0, 1),
    "False_positive_rate": (1, 0),
    "IR_precision": (0, 1),
    "IR_recall": (0, 1),
    "F_measure": (0, 1),
    "Area_under_ROC": (0, 1),
    "Weighted_avg_F_measure": (0, 1),
    "Weighted_avg_area_under_ROC": (0, 1),
    "Elapsed_Time_training": (INF, 0),
    "Elapsed_Time_testing": (INF, 0),
    "UserCPU_Time_training": (INF, 0),
    "UserCPU_Time_testing": (INF, 0),
    "Serialized_Model_Size": (INF, 0),
}


def is_experimenter_file(source: Source) -> bool:
    """Whether a file has an ending of result files of WEKA's Experimenter."""
    return isinstance(source, (str, Path)) and Path(source).suffix.lower() == ".arff"


def read_experimenter(source: Source, request: Request) -> LongScores:
    """Read a result file of WEKA's Experimenter."""
    import pandas as pd

    path = Path(str(source))
    if not path.is_file():
        raise InputError(f"{path} does not exist; give a CSV, Parquet or ARFF file of results")
    table = parse_arff(path.read_text(encoding="utf-8", errors="replace"))
    found = {a.name for a in table.attributes}
    missing = [k for k in ("Key_Dataset", "Key_Scheme", "Key_Run", "Key_Fold") if k not in found]
    if missing:
        raise InputError(
            f"{path.name} must be a result file of WEKA's Experimenter, but it has no {missing[0]}; "
            "to read it as data, use fairtrial.read_dataset"
        )
    keys = pd.DataFrame({
        "dataset": table.values("Key_Dataset"),
        "method": _schemes(table),
        "repeat": pd.factorize(np.asarray(table.values("Key_Run"), dtype=float), sort=True)[0],
        "fold": pd.factorize(np.asarray(table.values("Key_Fold"), dtype=float), sort=True)[0],
        "n_train": table.values("Number_of_training_instances"),
        "n_test": table.values("Number_of_testing_instances"),
    })  # fmt: skip
    measures = {n: Measure(n, n, (), "any", *MEASURES[n]) for n in MEASURES if n in found}
    parts = [keys.assign(measure=n, value=np.asarray(table.values(n), dtype=float)) for n in measures]
    long = pd.concat(parts, ignore_index=True)
    defined = long.groupby("measure")["value"].transform(lambda v: v.notna().any())
    main = "Percent_correct" if "Percent_correct" in measures else next(iter(measures))
    if request.measure:
        main = measure_among(measures, request.measure)
    return LongScores(long[defined], path.name, measures, main, dependence=_dependence(keys), lacking_is_undefined=True)


def _schemes(table: ArffTable) -> list[str]:
    """Short names of schemes: the class, with its options only where several schemes have that class."""
    classes = [str(s).rsplit(".", 1)[-1] for s in table.values("Key_Scheme")]
    options = [str(o or "") for o in table.values("Key_Scheme_options")]
    kinds = Counter(c for c, _ in set(zip(classes, options, strict=True)))
    return [f"{c} {o}".strip() if kinds[c] > 1 else c for c, o in zip(classes, options, strict=True)]


def _dependence(keys: pd.DataFrame) -> dict[str, Dependence]:
    found = {}
    for dataset, own in keys.groupby("dataset", sort=False):
        repeats, folds = own["repeat"].nunique(), own["fold"].nunique()
        share = float(own["n_test"].mean() / (own["n_test"].mean() + own["n_train"].mean()))
        scheme = f"{repeats}×{folds}-fold" if folds > 1 else f"{repeats}× holdout"
        found[str(dataset)] = Dependence(scheme, repeats, folds, share, disjoint=folds > 1)
    return found
