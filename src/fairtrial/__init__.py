"""fairtrial: a fair trial for learning algorithms.

Question → design → run → measure → interpret → present::

    import fairtrial as ft

    study = ft.Study(datasets=["iris", "wine"], methods=["majority", "one_rule"], resampling="10-fold")
    print(study.plan())
    results = study.run("small.trial")
    print(results.verdict())

Names are imported when they are first used, so that ``import fairtrial`` costs nothing.
"""

from __future__ import annotations

import importlib
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from fairtrial import data, figures, measures, resampling, stats, testing
    from fairtrial.data import Dataset, datasets, read_dataset
    from fairtrial.design import Factor, Plan, Question, Study, load_study
    from fairtrial.engine import Processes, Serial
    from fairtrial.engine.executors.dask_executor import Dask
    from fairtrial.errors import FairtrialError, InputError, StudyFileError, UnknownName
    from fairtrial.measures import advise_measure
    from fairtrial.methods import Method, baseline, tuned
    from fairtrial.resampling import HeldBack, Holdout, KFold, RepeatedKFold, hold_back
    from fairtrial.results import Results, from_cv_results, read_predictions, read_scores, read_study
    from fairtrial.store import check_file, merge_studies
    from fairtrial.tables import Table
    from fairtrial.verdict import Verdict

__version__ = "0.1.0"

_HOMES = {
    "data": ("Dataset", "datasets", "read_dataset"),
    "design": ("Factor", "Plan", "Question", "Study", "load_study"),
    "engine": ("Processes", "Serial"),
    "engine.executors.dask_executor": ("Dask",),
    "errors": ("FairtrialError", "InputError", "StudyFileError", "UnknownName"),
    "measures": ("advise_measure",),
    "methods": ("Method", "baseline", "tuned"),
    "resampling": ("HeldBack", "Holdout", "KFold", "RepeatedKFold", "hold_back"),
    "results": ("Results", "from_cv_results", "read_predictions", "read_scores", "read_study"),
    "store": ("check_file", "merge_studies"),
    "tables": ("Table",),
    "verdict": ("Verdict",),
}
_ROOMS = ("data", "figures", "measures", "resampling", "stats", "testing")
_HOME_OF = {name: room for room, names in _HOMES.items() for name in names}

__all__ = [
    "Dask",
    "Dataset",
    "Factor",
    "FairtrialError",
    "HeldBack",
    "Holdout",
    "InputError",
    "KFold",
    "Method",
    "Plan",
    "Processes",
    "Question",
    "RepeatedKFold",
    "Results",
    "Serial",
    "Study",
    "StudyFileError",
    "Table",
    "UnknownName",
    "Verdict",
    "advise_measure",
    "baseline",
    "check_file",
    "data",
    "datasets",
    "figures",
    "from_cv_results",
    "hold_back",
    "load_study",
    "measures",
    "merge_studies",
    "read_dataset",
    "read_predictions",
    "read_scores",
    "read_study",
    "resampling",
    "stats",
    "testing",
    "tuned",
]


def __getattr__(name: str) -> Any:
    if name in _ROOMS:
        return importlib.import_module(f"fairtrial.{name}")
    if name in _HOME_OF:
        return getattr(importlib.import_module(f"fairtrial.{_HOME_OF[name]}"), name)
    from fairtrial.words import nearest, no_attribute

    near = ("read_study", "load_study") if name in ("load", "open", "read") else nearest(name, __all__)
    raise no_attribute("module 'fairtrial'", name, "ft", near)


def __dir__() -> list[str]:
    return sorted(__all__)
