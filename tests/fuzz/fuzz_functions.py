"""Public functions of stats and measures with arguments of every kind: an error of ours, or an answer that holds.

``case(seed)`` makes one call. It returns None if all is well, or one line that says what went wrong: a raw traceback, a
RuntimeWarning, an argument that was changed, or an answer that can't be right.
"""

from __future__ import annotations

import warnings
from collections.abc import Callable
from typing import Any

import numpy as np
from broken_arguments import BROKEN, SAME, changed_by
from function_arguments import Arguments, World, functions, valid
from function_oracles import alike, other_than, strange

from fairtrial.errors import FairtrialError

FUNCTIONS = functions()


class Refused:
    """The answer of a function that raised an error of ours."""

    def __init__(self, error: FairtrialError) -> None:
        self.error = error


def case(seed: int) -> str | None:
    """Call one public function with arguments that follow from the seed, and report what went wrong."""
    random = np.random.default_rng([17, seed])
    name = sorted(FUNCTIONS)[seed % len(FUNCTIONS)]
    arguments = valid(FUNCTIONS[name], World.of(random))
    kind = str(random.choice(["valid", "valid", "same", "broken", "broken", "twice"]))
    found = {"valid": _valid, "same": _same, "broken": _broken, "twice": _broken_twice}[kind](name, arguments, random)
    return None if found is None else f"seed {seed}: {name}: {found}"


def _valid(name: str, arguments: Arguments, random: np.random.Generator) -> str | None:
    found, wrong = _call(name, arguments)
    if wrong or isinstance(found, Refused):
        return wrong
    ask: Callable[[Arguments], Any] = lambda changed: _call(name, changed)[0]  # noqa: E731
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        return other_than(name, arguments, found, ask, random)


def _same(name: str, arguments: Arguments, random: np.random.Generator) -> str | None:
    """The same numbers in another form give the same answer, or are refused."""
    key = _some_array(arguments, random)
    if key is None:
        return _valid(name, arguments, random)
    how = str(random.choice(sorted(SAME)))
    other = changed_by(SAME[how], arguments[key])
    first, _ = _call(name, arguments)
    second, wrong = _call(name, {**arguments, key: other})
    if wrong:
        return f"{key} as {how}: {wrong}"
    if isinstance(first, Refused) or isinstance(second, Refused) or alike(first, second):
        return None
    return f"{key} as {how} gives another answer: {_short(first)} and {_short(second)}"


def _broken(name: str, arguments: Arguments, random: np.random.Generator) -> str | None:
    if not arguments:
        return None
    key = str(random.choice(sorted(arguments)))
    how = str(random.choice(sorted(BROKEN)))
    _, wrong = _call(name, {**arguments, key: changed_by(BROKEN[how], arguments[key])})
    return wrong and f"{key} is {how}: {wrong}"


def _broken_twice(name: str, arguments: Arguments, random: np.random.Generator) -> str | None:
    """All arrays broken in the same way, so that their lengths and kinds agree."""
    how = str(random.choice(sorted(BROKEN)))
    changed = {key: changed_by(BROKEN[how], v) for key, v in arguments.items() if isinstance(v, np.ndarray)}
    _, wrong = _call(name, {**arguments, **changed})
    return wrong and f"all arrays are {how}: {wrong}"


def _call(name: str, arguments: Arguments) -> tuple[Any, str | None]:
    """The answer, and what is wrong with the way it came."""
    before = _shown(arguments)
    with warnings.catch_warnings(record=True) as heard:
        warnings.simplefilter("always")
        try:
            found = FUNCTIONS[name](**arguments)
            shown = strange(found)
        except FairtrialError as error:
            found, shown = Refused(error), _unreadable(error)
        except Exception as error:  # noqa: BLE001 - this is what the fuzzer looks for
            return None, f"{type(error).__name__}: {str(error)[:160]}"
    noisy = [w for w in heard if issubclass(w.category, RuntimeWarning | DeprecationWarning | FutureWarning)]
    if noisy and not _from_elsewhere(arguments):
        return found, f"warns {noisy[0].category.__name__}: {str(noisy[0].message)[:120]} ({noisy[0].filename})"
    if before != _shown(arguments):
        return found, "changes its arguments"
    return found, shown


def _from_elsewhere(arguments: Arguments) -> bool:
    """Whether numpy warns of the argument as such: overflow in a cast of a long double, a matrix."""
    return any(isinstance(v, np.matrix) for v in arguments.values())


def _unreadable(error: FairtrialError) -> str | None:
    text = str(error)
    return None if 10 < len(text) <= 1600 else f"an error of {len(text)} characters: {text[:80]!r}"


def _some_array(arguments: Arguments, random: np.random.Generator) -> str | None:
    arrays = [key for key, value in arguments.items() if isinstance(value, np.ndarray)]
    return str(random.choice(arrays)) if arrays else None


def _shown(arguments: Arguments) -> dict[str, str]:
    """The content of all arrays, to see whether it stays."""
    return {key: repr(v.tolist()) for key, v in arguments.items() if isinstance(v, np.ndarray)}


def _short(found: Any) -> str:
    return " ".join(str(found).split())[:150]
