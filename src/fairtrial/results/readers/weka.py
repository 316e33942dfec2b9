"""Result files of WEKA's Experimenter: one row per run, fold, data set and scheme, all metrics in columns."""

from __future__ import annotations

import math
from collections import Counter
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from fairtrial.data.arff import ArffTable
from fairtrial.data.file_text import check_name
from fairtrial.data.files import data_suffix, read_arff
from fairtrial.errors import InputError
from fairtrial.measures import Measure
from fairtrial.resampling import Dependence
from fairtrial.results.readers.long_scores import LongScores
from fairtrial.results.readers.request import Request, Source
from fairtrial.results.score_measures import measure_among
from fairtrial.words import is_number, listed

if TYPE_CHECKING:
    import pandas as pd

INF = math.inf
NEEDED = ("Key_Dataset", "Key_Scheme", "Key_Run", "Key_Fold", "Key_Scheme_options", "Number_of_training_instances",
          "Number_of_testing_instances")  # fmt: skip
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
    return isinstance(source, (str, Path)) and data_suffix(Path(source)) == ".arff"


def read_experimenter(source: Source, request: Request) -> LongScores:
    """Read a result file of WEKA's Experimenter."""
    import pandas as pd

    path = Path(str(source))
    check_name(path)
    if not path.is_file():
        raise InputError(f"{path} does not exist; give a CSV, Parquet or ARFF file of results")
    table, notes = read_arff(path)
    found = {a.name for a in table.attributes}
    missing = [k for k in NEEDED if k not in found]
    if missing:
        raise InputError(
            f"{path.name} must be a result file of WEKA's Experimenter, but it has no {missing[0]}; "
            "to read it as data, use fairtrial.read_dataset"
        )
    keys = pd.DataFrame({
        "dataset": _known(table, "Key_Dataset", path.name),
        "method": _schemes(table, path.name),
        "repeat": pd.factorize(_numbers(table, "Key_Run", path.name, known=True), sort=True)[0],
        "fold": pd.factorize(_numbers(table, "Key_Fold", path.name, known=True), sort=True)[0],
        "n_train": _numbers(table, "Number_of_training_instances", path.name),
        "n_test": _numbers(table, "Number_of_testing_instances", path.name),
    })  # fmt: skip
    measures = {n: Measure(n, n, (), "any", *MEASURES[n]) for n in MEASURES if n in found}
    if not measures or keys.empty:
        lacks = "rows" if measures else f"measures such as {listed(MEASURES, 3, last='or')}"
        raise InputError(f"{path.name} must have scores, but it has no {lacks}; run the experiment again")
    parts = [keys.assign(measure=n, value=_numbers(table, n, path.name)) for n in measures]
    long = pd.concat(parts, ignore_index=True)
    defined = long.groupby("measure")["value"].transform(lambda v: v.notna().any())
    main = "Percent_correct" if "Percent_correct" in measures else next(iter(measures))
    if request.measure:
        main = measure_among(measures, request.measure)
    return LongScores(
        long[defined], path.name, measures, main, dependence=_dependence(keys), lacking_is_undefined=True,
        notes=tuple(note.text for note in notes),
    )  # fmt: skip


def _known(table: ArffTable, name: str, file: str) -> list[str]:
    """The names in an attribute, none of which may be missing."""
    names = [None if v is None or v != v else str(v).strip() for v in table.values(name)]
    empty = [row for row, text in enumerate(names, start=1) if not text]
    if empty:
        raise InputError(
            f"{file}: {name} must be known in every row, but it is missing in rows {listed(empty)} of @data"
        )
    return [str(text) for text in names]


def _numbers(table: ArffTable, name: str, file: str, *, known: bool = False) -> NDArray[np.float64]:
    """The numbers in an attribute, which WEKA may declare as text or as categories."""
    values = table.values(name)
    for row, value in enumerate(values, start=1):
        lost = value is None or value != value
        if (lost and known) or (isinstance(value, str) and not is_number(value)):
            shown = "nothing" if lost else repr(value)
            raise InputError(f"{file}: {name} must hold numbers, but row {row} of @data has {shown}")
    return np.asarray(values, dtype=float)


def _schemes(table: ArffTable, file: str) -> list[str]:
    """Short names of schemes: the class, with its options only where several schemes have that class."""
    classes = [s.rsplit(".", 1)[-1] or s for s in _known(table, "Key_Scheme", file)]
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
