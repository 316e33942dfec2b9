"""A study from a TOML file: all that can be named by import path and parameters."""

from __future__ import annotations

import importlib
import sys
import tomllib
from collections.abc import Iterable, Mapping
from dataclasses import fields
from pathlib import Path
from typing import Any

from fairtrial.data import Dataset, bundled_names, datasets, read_dataset
from fairtrial.data.file_text import check_name, home_path
from fairtrial.data.openml import PREFIX
from fairtrial.design.amounts import parse as parse_amount
from fairtrial.design.factors import FACTORS, OPTIONS, AnyFactor, Factor, as_factors, training_factor
from fairtrial.design.question import Question
from fairtrial.design.study import Study
from fairtrial.doors import door
from fairtrial.errors import FairtrialError, InputError, UnknownName
from fairtrial.methods import Method, baseline, build, by_name, tuned
from fairtrial.resampling import SCHEMES, OwnSplits, Resampling, SplitterSplits, from_sklearn, parse, read_splits
from fairtrial.words import shown

STUDY_KEYS = (
    "question",
    "datasets",
    "target",
    "methods",
    "resampling",
    "factors",
    "factor",
    "plan",
    "replicates",
    "measures",
    "seed",
    "failures",
    "time_limit",
    "memory_limit",
    "timing",
    "memory",
    "training_scores",
    "decide",
    "imports",
)
PLAIN_KEYS = (  # of Study, as they are
    "plan", "replicates", "measures", "seed", "failures", "time_limit", "timing", "memory", "training_scores", "decide"
)  # fmt: skip
DATASET_KEYS = ("file", "use", "name", "target", "positive", "task")
COLUMN_KEYS = ("groups", "order", "weights")  # columns of a file
METHOD_KEYS = ("inputs", "facts", "version", "threads", "labels", "decide", "tune")
TUNE_KEYS = ("space", "search", "budget", "inner", "measure")


@door
def load_study(path: str | Path) -> Study:
    """Read a study from a TOML file; data files and modules named in it are also looked up in its folder.

    An error names the line (for wrong syntax) or the table and the key, and says what to do.
    """
    check_name(path)
    path = Path(path)
    content = _parse(path)
    _let_import_from(path.parent)
    with _Located(path.name):
        _check_keys(content, STUDY_KEYS, "the study")
        for needed, example in (("datasets", "datasets = ['iris']"), ("methods", "[methods.forest]")):
            if needed not in content:
                raise InputError(f"the study must have {needed}; add {example}, for example")
        import_modules(content.get("imports", []))
        given = {k: content[k] for k in PLAIN_KEYS if k in content}
        return Study(
            _question(content.get("question", {}), path.parent),
            datasets=_datasets(content["datasets"], content.get("target"), path.parent),
            methods=_methods(content["methods"], path.parent),
            resampling=_resampling(content.get("resampling", "10x10-fold"), path.parent),
            factors=_factors(content),
            memory_limit=content.get("memory_limit"),
            **given,
        )


def import_modules(names: object, where: str = "imports") -> None:
    """Import modules that declare measures; their names can then be used like any other."""
    if not isinstance(names, (list, tuple)) or not all(isinstance(n, str) for n in names):
        raise InputError(f"{where} must be a list of modules (['my_measures']), got {shown(names)}")
    for name in names:
        try:
            importlib.import_module(name)
        except ImportError as error:
            raise InputError(f"{where}: the module {name!r} can't be imported ({error})") from error


class _Located:
    """A context in which errors get the file's name."""

    def __init__(self, name: str) -> None:
        self.name = name

    def __enter__(self) -> None:
        return None

    def __exit__(self, kind: object, error: BaseException | None, trace: object) -> None:
        if isinstance(error, FairtrialError) and not str(error).startswith(self.name):
            raise type(error)(f"{self.name}: {error}") from error


def _let_import_from(folder: Path) -> None:
    """Put a folder last on the import path, so that it hides nothing installed; workers get the same path."""
    if str(folder.resolve()) not in sys.path:
        sys.path.append(str(folder.resolve()))


def _parse(path: Path) -> dict[str, Any]:
    try:
        return tomllib.loads(path.read_text(encoding="utf-8-sig"))
    except tomllib.TOMLDecodeError as error:
        raise InputError(f"{path.name} is not valid TOML: {error}") from error
    except RecursionError as error:
        raise InputError(f"{path.name}: its lists or tables are nested too deeply for a study") from error
    except UnicodeDecodeError as error:
        if path.suffix == ".trial":
            read = f"read it with ft.read_study({str(path)!r}) (fairtrial compare {path})"
            raise InputError(f"{path.name} is a study file, no study in TOML; {read}") from error
        raise InputError(f"{path.name} must be UTF-8 text: {error}") from error
    except OSError as error:
        raise InputError(f"{path} can't be read: {error.strerror}; give the path of a study in TOML") from error


def _check_keys(table: Mapping[str, Any], keys: Iterable[str], where: str) -> None:
    for key in table:
        if key not in keys:
            raise UnknownName.among(f"key of {where}", key, keys)


def _question(table: object, folder: Path) -> Question:
    if isinstance(table, str):
        return Question(table)
    if not isinstance(table, Mapping):
        raise InputError(f"question must be a text or a table, got {shown(table)}")
    _check_keys(table, [f.name for f in fields(Question)], "[question]")
    with _Located("[question]"):
        yardsticks = table.get("yardsticks", {})
        if not isinstance(yardsticks, Mapping):
            return Question(**table)
        beside = {n: folder / v if isinstance(v, str) and parse_amount(v) is None else v for n, v in yardsticks.items()}
        return Question(**{**table, "yardsticks": beside})


def _datasets(entries: object, target: object, folder: Path) -> list[Dataset]:
    """All data sets; ``target`` is the column of those that come from files and name no other."""
    if isinstance(entries, (str, Mapping)):
        entries = [entries]
    if not isinstance(entries, list):
        raise InputError(f"datasets must be a list of names, files or tables, got {shown(entries)}")
    if target is not None and not isinstance(target, str):
        raise InputError(f"target must be the name of a column, such as 'churned', got {shown(target)}")
    found: list[Dataset] = []
    for i, entry in enumerate(entries):
        with _Located(f"datasets[{i}]"):
            found += _dataset(entry, target, folder)
    if target is not None and not any(_is_file(entry, folder) for entry in entries):
        raise InputError(f"target = {target!r} is for files, but every data set here has its own; leave it out")
    return found


def _dataset(entry: object, target: str | None, folder: Path) -> list[Dataset]:
    if isinstance(entry, str):
        return datasets(_beside(entry, folder), target=target if _is_file(entry, folder) else None)
    where = ("file", "use", "name")
    if not isinstance(entry, Mapping) or not isinstance(next((entry[k] for k in where if k in entry), None), str):
        raise InputError(
            f"a data set must be a name, a file, or a table with the key 'file' or 'name', got {shown(entry)}"
        )
    _check_keys(entry, DATASET_KEYS + COLUMN_KEYS * ("file" in entry), "a data set")
    if "file" not in entry:
        return _named_dataset(**entry)
    if "use" in entry:
        raise InputError(f"a data set must have one of 'file' and 'use', got {shown(entry)}; leave one out")
    options = {"target": target, **entry}
    return [read_dataset(folder / home_path(entry["file"]), **{k: v for k, v in options.items() if k != "file"})]


def _named_dataset(*, name: Any = None, use: Any = None, **options: Any) -> list[Dataset]:
    """The data set that ``use`` names, called ``name``; or the one called so."""
    if use is None or name is None:
        return datasets(name if use is None else use, **options)
    return datasets({name: use}, **options)


def _is_file(entry: str | Mapping[str, Any], folder: Path) -> bool:
    return isinstance(_beside(entry, folder), Path) if isinstance(entry, str) else "file" in entry


def _beside(name: str, folder: Path) -> str | Path:
    """A file, folder or pattern beside the study; the name as it is when it is one of the bundled data sets."""
    if name.startswith(PREFIX):
        return name
    path = folder / home_path(name)
    looks_like_a_path = Path(name).suffix or len(Path(name).parts) > 1 or any(c in name for c in "*?[")
    if name.removeprefix("uci/") in bundled_names():
        return name
    return path if looks_like_a_path or path.exists() else name


def _methods(tables: object, folder: Path) -> dict[str, Method]:
    if isinstance(tables, list) and all(isinstance(name, str) for name in tables):
        tables = {name.rpartition(".")[2]: name for name in tables}
    if not isinstance(tables, Mapping):
        raise InputError(f"methods must be tables such as [methods.forest], or a list of names, got {shown(tables)}")
    return {name: _method(name, table, folder) for name, table in tables.items()}


def _method(name: str, table: object, folder: Path) -> Method:
    where = f"methods.{name}"
    if isinstance(table, str):
        table = {"baseline": table} if "." not in table else {"use": table}
    if not isinstance(table, Mapping) or not ("use" in table) ^ ("baseline" in table):
        raise InputError(
            f"[{where}] must have use = 'import.path' (and parameters), or baseline = 'majority', got {shown(table)}"
        )
    if "baseline" in table:
        _check_keys(table, ("baseline",), f"[{where}]")
        with _Located(f"[{where}]"):
            return baseline(str(table["baseline"]))
    extra = {k: table[k] for k in METHOD_KEYS if k in table and k != "tune"}
    spec = {k: v for k, v in table.items() if k not in METHOD_KEYS}
    estimator = by_name(spec["use"], where) if set(spec) == {"use"} else build(spec, where)
    if "tune" in table:
        with _Located(f"[{where}.tune]"):
            estimator = _tuned(estimator, table["tune"], f"{where}.tune", folder)
    return Method(name, estimator, **extra)


def _tuned(estimator: Any, table: object, where: str, folder: Path) -> Any:
    if not isinstance(table, Mapping) or "space" not in table:
        raise InputError(f"tune must be a table with space, such as space = {{ C = [0.1, 1, 10] }}, got {shown(table)}")
    _check_keys(table, TUNE_KEYS, f"[{where}]")
    given = {k: table[k] for k in ("search", "budget", "measure") if k in table}
    inner = _resampling(table.get("inner", "5-fold"), folder)
    return tuned(estimator, build(table["space"], f"{where}.space"), inner=inner, **given)


def _factors(content: Mapping[str, Any]) -> tuple[AnyFactor, ...]:
    """The factors of both ways to write them: the table [factors] with levels, and a table [[factor]] for each."""
    tables = content.get("factor", [])
    if not isinstance(tables, list) or not all(isinstance(table, Mapping) for table in tables):
        raise InputError(f"factor must be tables, each under [[factor]], got {shown(tables)}")
    given = content.get("factors", ())
    if isinstance(given, Mapping):
        given = [_factor({"name": name, **_options(name, levels)}, f"factors.{name}") for name, levels in given.items()]
    return as_factors([*as_factors(given), *(_factor(table, f"factor[{i}]") for i, table in enumerate(tables))])


def _options(name: str, given: Any) -> Mapping[str, Any]:
    """The options of a factor in the table [factors], where levels may stand alone."""
    known = isinstance(given, Mapping) and (name in FACTORS or (bool(given) and all(key in OPTIONS for key in given)))
    return given if known else {"levels": given}


def _factor(table: Mapping[str, Any], where: str) -> AnyFactor:
    """A factor from its table; levels may be tables with use = …, as methods are."""
    with _Located(f"[[{where}]]" if "[" in where else f"[{where}]"):
        name, options = table.get("name"), {k: v for k, v in table.items() if k != "name"}
        if not isinstance(name, str):
            raise InputError(f"a factor must have a name, such as name = 'max_depth', got {shown(dict(table))}")
        if name in FACTORS and "of" not in table:
            return training_factor(name, options)
        _check_keys(options, OPTIONS, f"the factor {name}")
        if "levels" in options:
            options["levels"] = _levels(options["levels"], f"{where}.levels")
        return Factor(name, **options)


def _levels(given: Any, where: str) -> Any:
    """The levels of a factor: a list, or a table of names; 'None' is None, which TOML can't write."""
    if isinstance(given, Mapping):
        return {name: _none(build(value, f"{where}.{name}")) for name, value in given.items()}
    return [_none(value) for value in build(given, where)] if isinstance(given, list) else given


def _none(value: Any) -> Any:
    return None if isinstance(value, str) and value == "None" else value


def _resampling(entry: object, folder: Path) -> Resampling:
    if isinstance(entry, str):
        return read_splits(folder / entry) if entry.endswith(".csv") else parse(entry)
    if not isinstance(entry, Mapping) or "scheme" not in entry:
        raise InputError(f"resampling must be a text such as '10x10-fold' or a table with 'scheme', got {shown(entry)}")
    schemes: dict[str, type[Resampling]] = {s.name: s for s in SCHEMES} | {s.__name__: s for s in SCHEMES}
    name = str(entry["scheme"])
    if name not in schemes:
        raise UnknownName.among("resampling scheme", name, schemes)
    chosen = schemes[name]
    options = {k: v for k, v in entry.items() if k != "scheme"}
    with _Located("[resampling]"):
        if chosen is SplitterSplits:
            return _splitter(options)
        _check_keys(options, scheme_keys(chosen), "[resampling]")
        return _own_splits(options, folder) if chosen is OwnSplits else chosen(**options)


def scheme_keys(scheme: type[Resampling]) -> tuple[str, ...]:
    """The keys of a resampling as a table, beside ``scheme``; a splitter has its own parameters as well."""
    if scheme is OwnSplits:
        return ("file", "like")
    if scheme is SplitterSplits:
        return ("use", "like")
    return tuple(f.name for f in fields(scheme))  # type: ignore[arg-type]


def _own_splits(options: Mapping[str, Any], folder: Path) -> Resampling:
    if not isinstance(options.get("file"), str):
        raise InputError(f"own splits must have file = 'splits.csv', got {shown(dict(options))}")
    return read_splits(folder / home_path(options["file"]), like=options.get("like"))


def _splitter(options: Mapping[str, Any]) -> Resampling:
    if "use" not in options:
        raise InputError(f"a splitter must have use = 'sklearn.model_selection.…', got {shown(dict(options))}")
    made = build({k: v for k, v in options.items() if k != "like"}, "resampling")
    return from_sklearn(made, like=options.get("like"))
