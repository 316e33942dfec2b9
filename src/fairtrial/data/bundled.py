"""Data sets that come with fairtrial: scikit-learn's own, and classics of the UCI repository."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

from fairtrial.data.arff import parse_arff
from fairtrial.data.build_dataset import Roles, from_columns
from fairtrial.data.dataset import Dataset, Task
from fairtrial.data.files import ArffColumns
from fairtrial.errors import UnknownName
from fairtrial.tables import Column, Table

UCI = Path(__file__).parent / "uci"


@dataclass(frozen=True, slots=True)
class Bundled:
    """The facts of a bundled data set, known without loading it (0 classes: the target is a quantity)."""

    name: str
    origin: str
    instances: int
    features: int
    classes: int
    missing: bool
    about: str

    @property
    def task(self) -> Task:
        """The task of the data set: classes or values."""
        return "classes" if self.classes else "values"


_FACTS = (
    Bundled("breast_cancer", "scikit-learn", 569, 30, 2, False, "tumours, malignant or benign (Wisconsin, diagnostic)"),
    Bundled("diabetes", "scikit-learn", 442, 10, 0, False, "progression of diabetes after one year"),
    Bundled("digits", "scikit-learn", 1797, 64, 10, False, "handwritten digits, 8 × 8 pixels"),
    Bundled("iris", "scikit-learn", 150, 4, 3, False, "three species of iris"),
    Bundled("wine", "scikit-learn", 178, 13, 3, False, "chemistry of wines from three growers"),
    Bundled("breast-cancer", "UCI", 286, 9, 2, True, "recurrence of breast cancer (Ljubljana)"),
    Bundled("credit-g", "UCI", 1000, 20, 2, False, "German credit, good or bad risk"),
    Bundled("glass", "UCI", 214, 9, 6, False, "type of glass from its composition"),
    Bundled("ionosphere", "UCI", 351, 34, 2, False, "radar returns, good or bad"),
    Bundled("labor", "UCI", 57, 16, 2, True, "Canadian labour contracts, acceptable or not"),
    Bundled("pima-diabetes", "UCI", 768, 8, 2, False, "onset of diabetes among Pima women"),
    Bundled("vote", "UCI", 435, 16, 2, True, "party of US congressmen from their votes in 1984"),
)
BUNDLED = {facts.name: facts for facts in _FACTS}


def bundled_names() -> tuple[str, ...]:
    """The names that :func:`fairtrial.datasets` knows; those from UCI also go by ``uci/…``.

    >>> bundled_names()[:5]
    ('breast_cancer', 'diabetes', 'digits', 'iris', 'wine')
    """
    return tuple(BUNDLED)


def bundled_table() -> Table:
    """All bundled data sets with their facts.

    >>> print(bundled_table().cells()[3])
    ['iris', '150', '4', '3', 'no', 'scikit-learn', 'three species of iris']
    """
    columns = (
        Column("name", align="left"),
        Column("instances"),
        Column("features"),
        Column("classes"),
        Column("missing values", align="left", key="missing"),
        Column("from", align="left"),
        Column("what", align="left"),
    )
    rows = tuple((f.name, f.instances, f.features, f.classes or None, f.missing, f.origin, f.about) for f in _FACTS)
    return Table(columns, rows, caption="Bundled data sets", notes=("no classes: the target is a quantity",))


def load_bundled(name: str) -> Dataset:
    """Load a bundled data set.

    >>> load_bundled("breast_cancer")
    Dataset('breast_cancer', 569 × 30, 2 classes)
    >>> load_bundled("uci/vote").balance
    {'democrat': 0.6138, 'republican': 0.3862}
    """
    short = name.removeprefix("uci/")
    if short not in BUNDLED or (short != name and BUNDLED[short].origin != "UCI"):
        raise UnknownName.among("bundled data set", name, bundled_names())
    return _from_uci(short) if BUNDLED[short].origin == "UCI" else _from_sklearn(short)


@cache
def _from_uci(name: str) -> Dataset:
    columns = ArffColumns(parse_arff((UCI / f"{name}.arff").read_text(encoding="utf-8")))
    source = f"UCI repository, as shipped with WEKA ({name}.arff)"
    return from_columns(columns, Roles(target=columns.names[-1]), name=name, source=source)


@cache
def _from_sklearn(name: str) -> Dataset:
    from sklearn import datasets

    loaders: dict[str, Callable[[], Any]] = {
        "breast_cancer": datasets.load_breast_cancer,
        "diabetes": datasets.load_diabetes,
        "digits": datasets.load_digits,
        "iris": datasets.load_iris,
        "wine": datasets.load_wine,
    }
    bunch = loaders[name]()
    task = BUNDLED[name].task
    target = bunch.target if task == "values" else bunch.target_names[bunch.target]
    names = [str(n) for n in bunch.feature_names]
    return Dataset.from_arrays(
        bunch.data, target, name=name, task=task, features=names, source=f"sklearn.datasets.load_{name}"
    )
