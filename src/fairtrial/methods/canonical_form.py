"""The identity of a method, apart from its name: class path and parameters, as plain data that can be hashed.

Never repr and never pickle: both change between versions and runs. Classes and functions of a notebook, a script or a
module of the user's own are known by a hash of their source (``source_versions.py``). What can't be written down in
these ways (code that was typed into a prompt, an object without attributes) needs an explicit ``version=``.
"""

from __future__ import annotations

import dataclasses
import enum
import functools
import hashlib
import importlib
import inspect
import itertools
import json
import math
import operator
import re
import sys
from collections.abc import Callable, Mapping
from datetime import date, timedelta
from decimal import Decimal
from fractions import Fraction
from pathlib import PurePath
from typing import Any

import numpy as np

from fairtrial.errors import InputError
from fairtrial.methods.source_versions import (
    MAIN,
    ChangedSource,
    NoSource,
    hides_state,
    home_of,
    is_own,
    is_typed,
    own_parts,
    source_parts,
)

WRITTEN = (date, timedelta, Decimal, Fraction)
"""Kinds of values whose text says all."""

RATIOS = ("diagnostic_odds_ratio", "negative_likelihood_ratio", "positive_likelihood_ratio")

FORMER_PATHS = {
    **{f"fairtrial.measures.likelihood_ratios.{name}": f"fairtrial.measures.rates.{name}" for name in RATIOS},
    "fairtrial.measures.operating_context.expected_accuracy": "fairtrial.measures.contexts.expected_accuracy",
    "fairtrial.measures.operating_context.expected_cost": "fairtrial.measures.contexts.expected_cost",
    "fairtrial.resampling.folds.GroupKFold": "fairtrial.resampling.groups.GroupKFold",
    "fairtrial.methods.estimators.CodedLabels": "fairtrial.methods.coded_estimator.CodedLabels",
    "fairtrial.methods.estimators.Decided": "fairtrial.methods.decided_estimator.Decided",
    "fairtrial.methods.estimators.FitPredict": "fairtrial.methods.function_method.FitPredict",
    "fairtrial.methods.estimators.OneRule": "fairtrial.methods.one_rule.OneRule",
    "fairtrial.resampling.bates.NestedKFold": "fairtrial.resampling.nested.NestedKFold",
    "fairtrial.resampling.folds.Forward": "fairtrial.resampling.forward.Forward",
    "fairtrial.resampling.holdout.Seeds": "fairtrial.resampling.fixed_split.Seeds",
    "fairtrial.resampling.own_splits.HeldBack": "fairtrial.resampling.held_back.HeldBack",
    "fairtrial.resampling.own_splits.SplitterSplits": "fairtrial.resampling.own.SplitterSplits",
}
"""Where our own classes and functions were when their paths first became part of trial keys.

They are written down so for ever: under a new path, each method that holds one would be another method, and study files
that have run would run again.
"""


def canonical(thing: object, *, version: str | None = None) -> Any:
    """An object as JSON-ready data; with a ``version``, what can't be written down is named instead.

    >>> from sklearn.neighbors import KNeighborsClassifier
    >>> canonical(KNeighborsClassifier(n_neighbors=3))["params"]["n_neighbors"]
    3
    """
    form = _Canonical(lenient=version is not None).write(thing)
    return form if version is None else {"version": version, "of": form}


def digest(form: object) -> bytes:
    """A hash of canonical data."""
    return text_digest(canonical_text(form))


def canonical_text(form: object) -> str:
    """Canonical data as the text that is hashed."""
    return json.dumps(form, sort_keys=True, separators=(",", ":"), allow_nan=False)


def text_digest(text: str) -> bytes:
    """A hash of a canonical text."""
    return hashlib.blake2b(text.encode(), digest_size=16).digest()


class _ChangedInput(InputError):
    """The code that runs is not that of its file: no text can stand for it."""


class _Canonical:
    def __init__(self, *, lenient: bool) -> None:
        self.lenient = lenient
        self.open: set[int] = set()
        self.typed: dict[int, Any] = {}
        self.in_source = 0

    def write(self, thing: object) -> Any:
        if thing is None or isinstance(thing, (bool, int, str)):
            return thing
        if isinstance(thing, (float, np.floating)):
            value = float(thing)
            return value if math.isfinite(value) else {"float": repr(value)}
        if isinstance(thing, (np.integer, np.bool_)):
            return thing.item()
        if not self.lenient and is_typed(thing):
            return {"path": self.source(thing)}
        if id(thing) in self.open:
            return self.refuse(thing, "it contains itself")
        self.open.add(id(thing))
        try:
            return self.write_compound(thing)
        finally:
            self.open.discard(id(thing))

    def write_compound(self, thing: Any) -> Any:
        if isinstance(thing, (list, tuple)):
            return [self.write(item) for item in thing]
        if isinstance(thing, (set, frozenset)):
            return {"set": sorted((self.write(item) for item in thing), key=_text)}
        if isinstance(thing, Mapping):
            return {"map": sorted(([self.write(k), self.write(v)] for k, v in thing.items()), key=_text)}
        if isinstance(thing, (slice, range)):
            return {type(thing).__name__: self.write([thing.start, thing.stop, thing.step])}
        if isinstance(thing, (bytes, complex)):
            return {type(thing).__name__: str(thing)}
        if isinstance(thing, np.dtype):
            return {"dtype": thing.str}
        if isinstance(thing, (np.random.RandomState, np.random.Generator)):
            return self.refuse(thing, "a generator changes while it is used; give a whole number as random_state")
        if isinstance(thing, np.ndarray):
            return self.array(thing)
        if isinstance(thing, functools.partial):
            return {"partial": self.write(thing.func), "args": self.write(thing.args), **self.write(thing.keywords)}
        if _is_bound(thing):
            return {"method": thing.__name__, "of": self.write(thing.__self__)}
        if inspect.isroutine(thing) or inspect.isclass(thing) or isinstance(thing, np.ufunc):
            return {"path": self.path(thing)}
        if inspect.ismodule(thing):
            return {"path": self.module(thing) if is_own(thing) and not self.lenient else thing.__name__}
        return self.instance(thing)

    def instance(self, thing: Any) -> Any:
        """An object by its class and what makes it different from others of its class."""
        kind = type(thing)
        if self.in_source:
            if (form := self.constant(thing, kind)) is not None:
                return form
            if hides_state(kind):
                return self.refuse(thing, "its state can't be read")
        if hasattr(thing, "get_params"):
            uses = thing.fairtrial_uses() if hasattr(thing, "fairtrial_uses") else {}
            more = {"uses": self.attributes(uses)} if uses else {}
            return {"class": self.path(kind), "params": self.attributes(thing.get_params(deep=False)), **more}
        if kind.__module__ == "joblib.memory":
            return {"class": "joblib.Memory"}  # a cache changes no number
        if kind.__module__.startswith("scipy.stats") and hasattr(thing, "dist"):  # a frozen distribution
            return {"class": self.path(type(thing.dist)), "args": self.write(thing.args), **self.write(thing.kwds)}
        if hasattr(thing, "__dict__"):
            return {"class": self.path(kind), "state": self.attributes(vars(thing))}
        if dataclasses.is_dataclass(thing):  # one with slots, as resamplings are
            state = {f.name: getattr(thing, f.name) for f in dataclasses.fields(thing)}
            return {"class": self.path(kind), "state": self.attributes(state)}
        return self.refuse(thing, "it has neither parameters nor attributes")

    def constant(self, thing: Any, kind: type) -> Any:
        """A value that a script uses, of a kind that parameters of estimators hardly have; None for other kinds."""
        if isinstance(thing, PurePath):
            return {"file": thing.as_posix()}
        if isinstance(thing, WRITTEN):
            return {"class": self.path(kind), "text": str(thing)}
        if isinstance(thing, re.Pattern):
            return {"pattern": self.write(thing.pattern), "flags": int(thing.flags)}
        if isinstance(thing, enum.Enum) and is_typed(kind):
            return {"class": self.path(kind), "member": thing.name}
        if hasattr(thing, "get_params") and any(n.endswith("_") and not n.startswith("_") for n in vars(thing)):
            return {"class": self.path(kind), "fitted": self.attributes(vars(thing))}
        return None

    def attributes(self, values: Mapping[str, Any]) -> dict[str, Any]:
        return {name: self.write(value) for name, value in sorted(values.items())}

    def array(self, thing: Any) -> Any:
        if thing.dtype.hasobject:  # its bytes are addresses
            return {"items": self.write(thing.tolist()), "shape": list(thing.shape)}
        content = hashlib.blake2b(np.ascontiguousarray(thing).tobytes(), digest_size=16).hexdigest()
        return {"array": content, "shape": list(thing.shape), "dtype": thing.dtype.str}

    def path(self, thing: Any) -> Any:
        """Import path of a class or function, when importing it gives the same thing back; the source of one's own."""
        for own in (thing, getattr(thing, "__wrapped__", None)):  # a function that functools.cache stands around
            if not self.lenient and is_typed(own):
                return self.source(own)
        module = str(getattr(thing, "__module__", None) or getattr(type(thing), "__module__", ""))
        name = str(getattr(thing, "__qualname__", None) or getattr(thing, "__name__", ""))
        if isinstance(thing, np.ufunc):
            module = "numpy" if hasattr(np, name) else "scipy.special"
        if module in MAIN or _imported(module, name) is not thing:
            return self.refuse(thing, "it can't be imported by name")
        path = f"{_public_module(module, name, thing)}.{name}"
        return FORMER_PATHS.get(path, path)

    def source(self, thing: Any) -> Any:
        """The name of a class or function of the user's own, and a hash of its source and of all that it uses."""
        home = home_of(thing).get("__name__", MAIN[0])
        name = thing.__qualname__ if home in MAIN else f"{home}.{thing.__qualname__}"
        return self.hashed(thing, name, lambda: self.source_or_module(thing))

    def source_or_module(self, thing: Any) -> Any:
        """What a class or function is made of; where that can't be written down, the module that it is found in."""
        module = sys.modules.get(home_of(thing).get("__name__", ""))
        is_found = is_own(module) and _imported(thing.__module__, thing.__qualname__) is thing
        try:
            return self.write(source_parts(thing))
        except ChangedSource as error:
            raise _ChangedInput(*self.refusal(thing, str(error)).args) from None
        except _ChangedInput:
            raise
        except (NoSource, InputError) as error:
            if is_found:  # others of its module, such as lambdas on one line, would be the same
                return self.module(module)
            if isinstance(error, InputError):
                raise
            return self.refuse(thing, str(error))

    def module(self, module: Any) -> Any:
        """The name of a module of the user's own, and a hash of its text and of the modules that it uses."""
        return self.hashed(module, module.__name__, lambda: self.write(own_parts(module)))

    def hashed(self, thing: object, name: str, parts: Callable[[], Any]) -> Any:
        if id(thing) not in self.typed:
            self.typed[id(thing)] = {"named": name, "source": "around"}  # for what uses itself
            self.in_source += 1
            try:
                self.typed[id(thing)] = {"named": name, "source": digest(parts()).hex()}
            finally:
                self.in_source -= 1
        return self.typed[id(thing)]

    def refuse(self, thing: object, why: str) -> Any:
        if self.lenient:
            return {"named": getattr(thing, "__qualname__", type(thing).__qualname__)}
        raise self.refusal(thing, why)

    def refusal(self, thing: object, why: str) -> InputError:
        return InputError(
            f"a method must be made of things that have an import path or a source, but {_short(thing)} is not: {why}; "
            "put it in a module, or say version='1' in Method(…) and raise it whenever you change the code"
        )


def _is_bound(thing: Any) -> bool:
    """Whether a routine belongs to an object, whose state it then uses."""
    owner = getattr(thing, "__self__", None)
    return inspect.isroutine(thing) and owner is not None and not inspect.ismodule(owner)


def _text(form: Any) -> str:
    return json.dumps(form, sort_keys=True)


def _public_module(module: str, name: str, thing: object) -> str:
    """``sklearn.ensemble`` rather than ``sklearn.ensemble._forest``: private modules move between versions."""
    public = ".".join(itertools.takewhile(lambda part: not part.startswith("_"), module.split(".")))
    return public if public and _imported(public, name) is thing else module


def _imported(module: str, name: str) -> object:
    """The object at an import path; None if it can't be imported."""
    try:
        return operator.attrgetter(name)(importlib.import_module(module))
    except (ImportError, AttributeError, ValueError):
        return None


def _short(thing: object) -> str:
    text = getattr(thing, "__qualname__", None) or repr(thing)
    return text if len(text) <= 60 else text[:57] + "…"
