"""Factors on methods: a parameter or a step of a pipeline that is varied on purpose, with levels or over a range.

Levels of factors: what a level may be, how it is written, and how a level is found again in a table.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Literal, get_args

import numpy as np

from fairtrial.doors import door
from fairtrial.errors import InputError
from fairtrial.measures import all_measures
from fairtrial.methods import canonical
from fairtrial.words import from_to, is_one_of, shown

Number = float | int
Level = float | int | str | bool | None
"""A level: a number, a text, true or false, or None (``max_depth=None``)."""

Role = Literal["controllable", "uncontrollable"]
ROLES: tuple[Role, ...] = get_args(Role)


def as_role(name: str, role: Any) -> Role:
    """The role of a factor, checked."""
    if not is_one_of(role, ROLES):
        raise InputError(f"role of {name} must be 'controllable' or 'uncontrollable', got {shown(role)}")
    checked: Role = role
    return checked


def is_number(level: object) -> bool:
    """Whether a level is a number; true and false are not."""
    return isinstance(level, (int, float)) and not isinstance(level, bool)


def are_numbers(levels: Iterable[object]) -> bool:
    """Whether all levels are numbers, so that a table can hold them as numbers."""
    return all(map(is_number, levels))


def as_level(value: Any) -> Any:
    """A value of numpy as a plain one; anything else as it is."""
    return value.item() if isinstance(value, np.generic) else value


def is_level(value: object) -> bool:
    """Whether a value can be a level by itself: JSON can hold it, and people can read it."""
    return value is None or isinstance(value, (str, bool)) or (is_number(value) and math.isfinite(value))  # type: ignore[arg-type]


def level_text(level: Level) -> str:
    """A level as text in a table; the levels of one factor all differ as text.

    >>> level_text(None), level_text(0.1), level_text(3.0), level_text(True)
    ('None', '0.1', '3', 'True')
    """
    return str(int(level)) if isinstance(level, float) and level.is_integer() and abs(level) < 1e15 else str(level)


def find_level(levels: Sequence[Level], given: object) -> tuple[Level, ...]:
    """The level among ``levels`` that is meant by ``given``, alone in a tuple; an empty tuple if none is.

    Text that is written like a level means that level, as on the command line.

    >>> find_level((3, 6, None), "6"), find_level((3, 6), 9)
    ((6,), ())
    """
    wanted = as_level(given)
    text = level_text(wanted) if is_level(wanted) else None
    return next(((level,) for level in levels if level_text(level) == text), ())


def write_level(level: Level) -> str:
    """A level in words: numbers with at most six digits."""
    return f"{level:.6g}" if is_number(level) else str(level)


METHOD = "method"
"""The name by which ``when`` means methods instead of another factor."""

RESERVED = frozenset(
    {
        *("dataset", "method", "replicate", "repeat", "fold", "measure", "value", "n_train", "n_test", "status"),
        *("error", "warnings", "output", "begun", "details", "trial", "split", "instance", "truth", "positive"),
        *("label", "probability", "score", "std", "training_scores"),
        *(m.name for m in all_measures() if m.from_trials),
    }
)
"""Names of columns in tables of scores, trials and predictions, which a factor must not have."""

DIGITS = 12  # of a level in a range: more would differ between machines


@door
@dataclass(frozen=True, init=False, eq=False)
class Factor:
    """A parameter of methods, or a step of a pipeline, that is varied on purpose.

    ``levels`` is a list of values (numbers, texts, true or false, None), or a mapping of names to values of any kind,
    such as estimators. ``linear=(50, 500)`` or ``log=(0.01, 100)`` is a range instead: the plan chooses its levels, and
    the default plan takes its two ends. If both ends are whole numbers (``int``), so are all levels.

    ``of`` is what is varied, by default the name: ``"forest.max_depth"`` is the parameter of one method,
    ``"max_depth"`` that of every method which has it (yardsticks excepted). Parameters have scikit-learn's names, with
    ``__`` for those of a step. ``when`` makes the factor nested: it exists only where other factors, or ``"method"``,
    are at one of these levels. If such a factor is a step, ``of`` may be a parameter of that step.

    ``ordered`` says that the given order of levels means something; that of numbers always does. An uncontrollable
    factor (``role``) is a block: every setting of the others is run at each of its levels.

    >>> Factor("C", log=(0.01, 100), when={"model": "svm"}).at(0)
    1.0
    >>> Factor("n_estimators", linear=(50, 501)).at(0)
    276
    >>> Factor("forest.max_depth", [3, 6, None]).kind
    'categories'
    """

    name: str
    levels: tuple[Level, ...]
    values: Mapping[str, Any] | None
    linear: tuple[Number, Number] | None
    log: tuple[Number, Number] | None
    of: str
    when: Mapping[str, tuple[Level, ...]]
    role: Role
    ordered: bool

    def __init__(
        self,
        name: str,
        levels: Sequence[Any] | Mapping[str, Any] | None = None,
        *,
        linear: Sequence[Number] | None = None,
        log: Sequence[Number] | None = None,
        of: str | None = None,
        when: Mapping[str, Any] | None = None,
        role: Role = "controllable",
        ordered: bool = False,
    ) -> None:
        if not isinstance(name, str) or not name.strip():
            raise InputError(f"a factor's name must be a text that can be read, got {shown(name)}")
        if name in RESERVED:
            raise InputError(
                f"the factor must not be called {name!r}, which is a column of tables of results; give it another "
                f"name: Factor('my_{name}', …, of={of or name!r})"
            )
        if sum(given is not None for given in (levels, linear, log)) != 1:
            raise InputError(
                f"the factor {name} must have levels, or linear=(low, high), or log=(low, high): one of them"
            )
        if of is not None and (not isinstance(of, str) or not of.strip()):
            raise InputError(f"of must be a parameter such as 'forest.max_depth' in the factor {name}, got {shown(of)}")
        if not isinstance(ordered, bool):
            raise InputError(f"ordered of {name} must be true or false, got {shown(ordered)}")
        ends = _range(name, linear if log is None else log, log is not None)
        parts = {
            "name": name,
            "levels": () if ends else _levels(name, levels),
            "values": dict(levels) if isinstance(levels, Mapping) else None,
            "linear": ends if log is None else None,
            "log": ends if log is not None else None,
            "of": of or name,
            "when": _when(name, when),
            "role": as_role(name, role),
            "ordered": ordered,
        }
        for part, value in parts.items():
            object.__setattr__(self, part, value)

    def __repr__(self) -> str:
        listed = list(self.levels) if self.values is None else dict(self.values)
        levels = f"{self.scale}={self.ends}" if self.ends else repr(listed)
        of = "" if self.of == self.name else f", of={self.of!r}"
        when = f", when={ ({k: list(v) for k, v in self.when.items()})!r}" if self.when else ""
        role = "" if self.role == "controllable" else f", role={self.role!r}"
        return f"Factor({self.name!r}, {levels}{of}{when}{role})"

    @property
    def ends(self) -> tuple[Number, Number] | None:
        """The two ends of a range; None where levels are listed."""
        return self.linear or self.log

    @property
    def scale(self) -> str:
        """``"linear"`` or ``"log"`` for a range, else empty."""
        return "linear" if self.linear else "log" if self.log else ""

    @property
    def kind(self) -> str:
        """The kind of its levels, in words."""
        if self.ends:
            return "log range" if self.log else "range"
        if are_numbers(self.levels):
            return "numbers"
        return "ordered levels" if self.ordered else "categories"

    def value(self, level: Level) -> Any:
        """The value that a level stands for."""
        return level if self.values is None else self.values[str(level)]

    def at(self, coded: float) -> Number:
        """The level of a range at −1 (low end), 0 (the middle; of a log range the geometric one), +1 (high end)."""
        low, high = self._ends()
        if coded in (-1, 1):
            level: float = (low, high)[coded > 0]
        elif self.log:
            level = math.exp(math.log(low) + (coded + 1) / 2 * (math.log(high) - math.log(low)))
        else:
            level = low + (coded + 1) / 2 * (high - low)
        whole = isinstance(low, int) and isinstance(high, int)
        return round(level) if whole else float(f"{level:.{DIGITS}g}")

    def coded(self, level: Number) -> float:
        """The place of a level in its range: −1 for the low end, +1 for the high end."""
        low, high = self._ends()
        if self.log:
            return float(2 * math.log(level / low) / math.log(high / low) - 1)
        return float(2 * (level - low) / (high - low) - 1)

    def _ends(self) -> tuple[Number, Number]:
        if self.ends is None:
            raise InputError(f"the factor {self.name} has listed levels and no range; give linear=… or log=…")
        return self.ends

    @classmethod
    def write(cls, level: Level) -> str:
        """A level in words."""
        return write_level(level)

    def in_words(self) -> str:
        """All levels, or the range, in words."""
        return from_to(*map(write_level, self.ends)) if self.ends else ", ".join(map(write_level, self.levels))

    def to_dict(self) -> dict[str, Any]:
        """The factor as plain data, as the study file keeps it; what has its default value is left out."""
        found: dict[str, Any] = {"name": self.name, "levels": list(self.levels), "of": self.of}
        if self.ends:
            found[self.scale] = list(self.ends)
        if self.values is not None:
            found["values"] = {name: _form(value) for name, value in self.values.items()}
        if self.when:
            found["when"] = {name: list(levels) for name, levels in self.when.items()}
        if self.role != "controllable":
            found["role"] = self.role
        return found | ({"ordered": True} if self.ordered else {})


def _form(value: Any) -> Any:
    """What a value is, as plain data; what has no import path is named, and the version of its method counts."""
    try:
        return canonical(value)
    except InputError:
        return canonical(value, version="")


def _levels(name: str, given: Any) -> tuple[Level, ...]:
    """The listed levels, checked: they differ as text, since tables show them as text."""
    if isinstance(given, (str, bytes)) or not isinstance(given, (Sequence, Mapping, np.ndarray)):
        raise InputError(
            f"levels of {name} must be a list of values, or a mapping of names to values, got {shown(given)}"
        )
    levels = tuple(map(as_level, given))
    for level in levels:
        if isinstance(given, Mapping) and not (isinstance(level, str) and level.strip()):
            raise InputError(f"names of levels of {name} must be texts, got {shown(level)}")
        if not is_level(level):
            raise InputError(
                f"levels of {name} must be numbers, texts, true or false, or None, got {shown(level)}; name other "
                "values: levels={'a name': …}"
            )
    if not levels or len({level_text(level) for level in levels}) < len(levels):
        raise InputError(f"levels of {name} must be one or more, each once as text, got {shown(list(levels))}")
    return levels


def _range(name: str, given: Any, log: bool) -> tuple[Number, Number] | None:
    if given is None:
        return None
    how = "log" if log else "linear"
    ends = tuple(map(as_level, given)) if isinstance(given, Iterable) and not isinstance(given, str) else ()
    good = len(ends) == 2 and all(is_number(end) and math.isfinite(end) for end in ends) and ends[0] < ends[1]
    if not good or (log and ends[0] <= 0):
        above = " above 0" if log else ""
        raise InputError(f"{how} of {name} must be two numbers{above}, the lower one first, got {shown(given)}")
    return ends[0], ends[1]


def _when(name: str, given: Any) -> dict[str, tuple[Level, ...]]:
    if given is None:
        return {}
    if not isinstance(given, Mapping):
        raise InputError(f"when of {name} must name factors and levels, such as {{'model': 'svm'}}, got {shown(given)}")
    found: dict[str, tuple[Level, ...]] = {}
    for other, levels in given.items():
        several = isinstance(levels, (list, tuple, set, frozenset))
        found[str(other)] = tuple(map(as_level, levels)) if several else (as_level(levels),)
        if not found[str(other)] or not all(map(is_level, found[str(other)])):
            raise InputError(f"when of {name} must have a level or a list of levels of {other}, got {shown(levels)}")
    return found
