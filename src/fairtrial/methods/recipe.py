"""A method in one line: its class and the parameters that differ from their defaults."""

from __future__ import annotations

import inspect
import sys
from typing import Any

from fairtrial.methods.canonical_form import FORMER_PATHS
from fairtrial.words import shortened

MISSING = object()
PRESENT_PATHS = {former: present for present, former in FORMER_PATHS.items()}
TUNED = "fairtrial.methods.tuning.estimator.Tuned"
FUNCTION = "fairtrial.methods.function_method.FitPredict"


def recipe(form: Any) -> str:
    """A canonical form as people would write it: without parameters that have their default values.

    Only classes that are loaded already tell their default values. Nothing is imported, since the form may come from a
    stranger's study file: a class that is not loaded is shown with all its parameters.

    >>> from fairtrial.methods.canonical_form import canonical
    >>> from sklearn.pipeline import make_pipeline
    >>> from sklearn.preprocessing import StandardScaler
    >>> from sklearn.svm import SVC
    >>> recipe(canonical(SVC(C=10)))
    'sklearn.svm.SVC(C=10)'
    >>> recipe(canonical(make_pipeline(StandardScaler(), SVC(C=10))))
    'StandardScaler → SVC(C=10)'
    >>> from fairtrial import tuned
    >>> recipe(canonical(tuned(SVC(), {"C": [1, 10]}, measure="auc")))
    'sklearn.svm.SVC, tuned: C in [1, 10] (grid of 2, auc over KFold(folds=5))'
    """
    try:
        return _recipe(form)
    except (KeyError, TypeError, ValueError, AttributeError, RecursionError):  # no canonical form, but somebody's JSON
        return shortened(repr(form), 200)


def _recipe(form: Any) -> str:
    if isinstance(form, dict) and "of" in form:
        return f"{_recipe(form['of'])}, version {form.get('version')}"
    steps = _steps(form)
    return " → ".join(_write(step, short=True) for step in steps) if steps else _write(form, short=False)


def _steps(form: Any) -> list[Any]:
    """The steps of a pipeline, without the names that scikit-learn gives them."""
    if not isinstance(form, dict) or form.get("class") != "sklearn.pipeline.Pipeline":
        return []
    return [step for _, step in form["params"]["steps"]]


def _write(form: Any, *, short: bool = True) -> str:
    if isinstance(form, list):
        return f"[{', '.join(map(_write, form))}]"
    if not isinstance(form, dict):
        return repr(form)
    if "partial" in form:
        given = [*map(_write, form["args"]), *(f"{k}={_write(v)}" for k, v in form["map"])]
        return f"{_write(form['partial'])}({', '.join(given)})"
    if "path" in form:
        return _name(form["path"]).rpartition(".")[2]
    if "map" in form and "class" not in form:
        return "{" + ", ".join(f"{_write(k)}: {_write(v)}" for k, v in form["map"]) + "}"
    if "class" not in form:
        return str(next(iter(form.values()), ""))
    name = _name(form["class"])
    if name == FUNCTION:
        return f"function {_write(form['params']['function'])}"
    if name == TUNED:
        return _tuned(form["params"], short=short)
    parameters = form.get("params") or form.get("state") or {}
    defaults = _defaults(name)
    changed = [f"{k}={_write(v)}" for k, v in parameters.items() if not _same(v, defaults.get(k, MISSING))]
    shown = name.rpartition(".")[2] if short else name
    return shown + (f"({', '.join(changed)})" if changed else "")


def _name(path: Any) -> str:
    """An import path; of a class or function of a script, its name there."""
    return str(path["named"]) if isinstance(path, dict) else str(path)


def _tuned(form: Any, *, short: bool) -> str:
    """A tuned estimator as people would write it, with its search."""
    what = _recipe(form["estimator"]) if not short else _write(form["estimator"])
    tried = ", ".join(f"{name} {_values(values)}" for name, values in form["space"]["map"])
    how = f"{form['search']} of {form['budget']}, {form['measure'] or 'open'} over {_write(form['inner'])}"
    return f"{what}, tuned: {tried} ({how})"


def _values(form: Any) -> str:
    """The values of a parameter that are tried, in words."""
    if isinstance(form, list):
        return f"in {_write(form)}"
    given = dict(form["map"])
    if "distribution" in given:
        return f"from {given['distribution']}({', '.join(map(_write, given['args']))})"
    return f"from {given['low']} to {given['high']}{' (log)' if given['log'] else ''}"


def _same(value: Any, default: Any) -> bool:
    return default is not MISSING and type(value) is type(default) and bool(value == default)


def _defaults(path: str) -> dict[str, Any]:
    """The default values of a class that is loaded."""
    module, _, name = PRESENT_PATHS.get(path, path).rpartition(".")
    found = vars(sys.modules.get(module, sys)).get(name)  # not getattr: packages import what is asked of them
    if not isinstance(found, type):
        return {}
    try:
        signature = inspect.signature(found)
    except (TypeError, ValueError):
        return {}
    return {k: p.default for k, p in signature.parameters.items() if p.default is not inspect.Parameter.empty}
