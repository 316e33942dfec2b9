"""Fuzzer of studies in TOML: valid ones of every section, with values of other kinds, odd texts and damaged bytes."""

from __future__ import annotations

import copy
import tomllib
from random import Random
from typing import Any

from attempts import attempt, file_with, finding
from fuzzed_tables import damaged

from fairtrial.design import load_study

DATA = "x,z,y\n" + "".join(f"{i},{i * i % 7},{'ab'[i % 2]}\n" for i in range(12))
SPLITS = "dataset,repeat,fold,row\n"
STUDIES: tuple[dict[str, Any], ...] = (
    {
        "question": {
            "text": "which is better?",
            "measure": "accuracy",
            "control": "majority",
            "yardsticks": {"old": {"iris": 0.9}},
        },
        "datasets": ["iris", "d.csv"],
        "methods": {
            "majority": "majority",
            "tree": {"use": "sklearn.tree.DecisionTreeClassifier", "max_depth": 3},
            "knn": {
                "use": "sklearn.neighbors.KNeighborsClassifier",
                "tune": {"space": {"n_neighbors": [1, 3]}, "inner": "2-fold"},
            },
        },
        "resampling": "2x3-fold",
        "measures": ["accuracy", "auc"],
        "seed": 7,
        "failures": "baseline",
        "time_limit": 10.0,
        "memory_limit": "2 GB",
    },
    {
        "question": "does depth matter?",
        "datasets": [{"file": "d.csv", "target": "y", "positive": "a"}, {"name": "iris"}],
        "methods": {
            "tree": {
                "use": "sklearn.tree.DecisionTreeClassifier",
                "threads": True,
                "inputs": "encoded",
                "facts": {"a": 1},
            }
        },
        "resampling": {"scheme": "k-fold", "folds": 3},
        "factors": {"label_noise": [0, 0.1]},
        "replicates": 2,
        "factor": [{"name": "max_depth", "levels": [1, 2]}],
        "plan": "full factorial",
        "timing": "shared",
    },
    {"datasets": "iris", "methods": ["majority", "one_rule"], "training_scores": True, "imports": [], "memory": "mark"},
)
ODD: tuple[Any, ...] = (
    0,
    1,
    -1,
    3.5,
    True,
    False,
    "",
    "x",
    "iris",
    "~nouser/x.csv",
    "a\0b.csv",
    "~",
    "/",
    ".",
    "..",
    "*.csv",
    "[",
    "nan",
    "1e400",
    10**30,
    -(10**30),
    float("inf"),
    float("nan"),
    [],
    [1],
    ["x"],
    [[]],
    [{}],
    {},
    {"a": 1},
    {"use": 1},
    {"use": "os.path.join"},
    {"use": "no.such"},
    {"use": "sklearn.tree.DecisionTreeClassifier", "zzz": 1},
    "2-fold",
    "0x3-fold",
    "\ud7ff",
    "é" * 300,
    {"": ""},
    [None],
    "2 GB",
    "-5 GB",
    {"scheme": "k-fold", "folds": "x"},
    {"scheme": 7},
    "splits.csv",
    ["iris", "iris"],
    {"file": "d.csv", "target": 7},
    {"file": 1},
)


def case(seed: int) -> str | None:
    """Load a study that may be odd; what was loaded must be what the file says."""
    random = Random(f"toml {seed}")
    content = copy.deepcopy(random.choice(STUDIES))
    for _ in range(random.choice((0, 1, 1, 1, 2))):
        _change(content, random)
    file_with("d.csv", DATA.encode())
    text = "".join(f"{_key(k)} = {_toml(v)}\n" for k, v in content.items())
    harmed = random.random() < 0.25
    path = file_with("study.toml", damaged(text.encode(), random) if harmed else text.encode())
    return finding(lambda: _compared(path))


def _change(content: Any, random: Random) -> None:
    """Change a value somewhere in the tree."""
    places = list(_places(content))
    holder, key = random.choice(places)
    what = random.random()
    if what < 0.75:
        holder[key] = copy.deepcopy(random.choice(ODD))
    elif what < 0.85 and isinstance(holder, dict):
        del holder[key]
    elif isinstance(holder, dict):
        holder[random.choice(("x", "use", "seed", "levels", "name", "question", "factor", "plan", "order"))] = (
            random.choice(ODD)
        )


def _places(tree: Any) -> Any:
    for key in list(tree) if isinstance(tree, dict) else range(len(tree)):
        yield tree, key
        if isinstance(tree[key], (dict, list)):
            yield from _places(tree[key])


def _key(key: str) -> str:
    return _toml(key)


def _toml(value: Any) -> str:
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, str):
        return '"' + "".join(c if c.isprintable() and c not in '"\\' else f"\\U{ord(c):08X}" for c in value) + '"'
    if isinstance(value, (list, tuple)):
        return "[" + ", ".join(_toml(v) for v in value if v is not None) + "]"
    if isinstance(value, dict):
        return "{" + ", ".join(f"{_toml(k)} = {_toml(v)}" for k, v in value.items()) + "}"
    return repr(value)


def _compared(path: Any) -> str | None:
    study = attempt(lambda: load_study(path))
    content = tomllib.loads(path.read_text(encoding="utf-8-sig"))
    methods = content["methods"]
    names = list(methods) if isinstance(methods, dict) else [m.rpartition(".")[2] for m in methods]
    read = [m.name for m in study.methods if not m.yardstick and m.name != "majority"]  # a control may be added
    if [n for n in names if n not in [m.name for m in study.methods]] or [n for n in read if n not in names]:
        return f"silent: methods {read} instead of {names}"
    for key in ("seed", "replicates", "failures", "time_limit", "timing", "training_scores"):
        if key in content and (
            getattr(study, key) != content[key]
            or isinstance(content[key], bool) != isinstance(getattr(study, key), bool)
        ):
            return f"silent: {key} is {getattr(study, key)!r} instead of {content[key]!r}"
    given = content["datasets"]
    if (
        isinstance(given, list)
        and all(isinstance(d, str) and "*" not in d for d in given)
        and len(study.datasets) != len(given)
    ):
        return f"silent: {len(study.datasets)} data sets instead of {len(given)}"
    return None
