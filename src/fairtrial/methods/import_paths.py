"""Methods by import path and parameters, for study files written in TOML."""

from __future__ import annotations

import importlib
import inspect
from collections.abc import Mapping
from typing import Any

from fairtrial.errors import InputError
from fairtrial.words import is_one_of, nearest


def build(spec: object, where: str = "method") -> Any:
    """An object from its description: ``{use = "import.path", args = […], params…}``, nested as deep as needed.

    ``{import = "numpy.log1p"}`` is the thing itself, not what calling it gives.

    >>> build({"use": "sklearn.neighbors.KNeighborsClassifier", "n_neighbors": 3})
    KNeighborsClassifier(n_neighbors=3)
    """
    if isinstance(spec, list):
        return [build(item, f"{where}[{i}]") for i, item in enumerate(spec)]
    if not isinstance(spec, Mapping):
        return spec
    if set(spec) == {"import"}:
        return _find(spec["import"], f"{where}.import")
    if "use" not in spec:
        return {k: build(v, f"{where}.{k}") for k, v in spec.items()}
    call = _find(spec["use"], f"{where}.use")
    if not isinstance(spec.get("args", []), list):
        raise InputError(f"{where}.args must be a list, got {spec['args']!r}")
    positional = [build(v, f"{where}.args[{i}]") for i, v in enumerate(spec.get("args", []))]
    named = {k: build(v, f"{where}.{k}") for k, v in spec.items() if k not in ("use", "args")}
    try:
        return call(*positional, **named)
    except (TypeError, ValueError) as error:
        raise InputError(f"{where}: {spec['use']} can't be made with these parameters: {error}") from error


def by_name(path: object, where: str = "method") -> Any:
    """The object that a path alone stands for: what calling it gives, or a function that takes three arguments itself.

    >>> by_name("sklearn.naive_bayes.GaussianNB")
    GaussianNB()
    """
    found = _find(path, f"{where}.use")
    return found if _fits_and_predicts(found) else build({"use": path}, where)


def _fits_and_predicts(found: Any) -> bool:
    """Whether a function needs arguments, and three are right: it does not make a method, it is one."""
    from fairtrial.methods.estimators import takes_rows

    if inspect.isclass(found) or not callable(found):
        return False
    try:
        inspect.signature(found).bind()
    except TypeError:
        return takes_rows(found)
    except ValueError:  # written in C, without a signature
        return False
    return False


def _find(path: object, where: str) -> Any:
    if not isinstance(path, str) or not all(part.isidentifier() for part in path.split(".")) or "." not in path:
        from fairtrial.methods.baselines import BASELINES

        named = f"; a baseline is named by baseline = '{path}'" if is_one_of(path, BASELINES) else ""
        raise InputError(
            f"{where} must be an import path such as 'sklearn.naive_bayes.GaussianNB', got {path!r}{named}"
        )
    module, _, name = path.rpartition(".")
    try:
        found = importlib.import_module(module)
    except ImportError as error:
        raise InputError(f"{where}: {path!r} can't be imported ({error}); is the package installed?") from error
    if not hasattr(found, name):
        near = nearest(name, dir(found))
        hint = f"did you mean {module}.{near[0]}?" if near else "check the spelling"
        raise InputError(f"{where}: module {module} has no {name}; {hint}")
    return getattr(found, name)
