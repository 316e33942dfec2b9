"""The errors that fairtrial raises on purpose.

::

    FairtrialError
    ├── InputError          (ValueError)   an argument, a file or a table is not what it must be
    │   ├── CallError       (TypeError)    a function lacks an argument, or does not take one
    │   └── UnknownName     (KeyError)     no measure, method, data set… has that name
    ├── StudyFileError      (OSError)      a study file can't be opened, is in use, or is not one
    ├── WorkerError         (RuntimeError) the worker processes can't be started or keep dying
    └── ContractError       (AssertionError) a measure of a user's own breaks what holds for all of them

Each message is one sentence: the argument, what it must be, what it was, what to do.
All take the message as their only argument, so that they survive the way back from a worker process.
"""

from __future__ import annotations

from collections.abc import Iterable

from fairtrial.words import nearest, shortened, shown, visible_lines

LONGEST = 1500
"""So many characters a message has at most; of a longer one its beginning and its end are shown."""

MOST_NAMES = 30
"""So many known names are listed where none comes near."""


class FairtrialError(Exception):
    """Base of all errors that fairtrial raises on purpose; ``notice`` is what a guard found, where one refused."""

    notice: object = None

    def __str__(self) -> str:
        """The message; what came with it from data, such as terminal escapes or a cell of a megabyte, does no harm."""
        return shortened(visible_lines(shortened(str(self.args[0]), LONGEST)), LONGEST) if self.args else ""


class InputError(FairtrialError, ValueError):
    """An argument, a file or a table is not what it must be."""


class CallError(InputError, TypeError):
    """A function was called without an argument that it needs, or with one that it does not take."""


class UnknownName(InputError, KeyError):
    """No registered thing has that name."""

    @classmethod
    def among(cls, kind: str, name: object, known: Iterable[str], otherwise: str = "") -> UnknownName:
        """The error for ``name``, with the nearest known names, and what else can be done.

        >>> print(UnknownName.among("measure", "precison", ["precision", "recall"]))
        no measure is called 'precison'; did you mean 'precision'?
        >>> print(UnknownName.among("measure", "precison", ["precision", "recall"], "register it"))
        no measure is called 'precison'; did you mean 'precision'? Or register it
        """
        names = sorted(known)
        near = nearest(name if isinstance(name, str) else shown(name), names)
        if near:
            hint = "did you mean " + " or ".join(repr(n) for n in near) + "?"
        else:
            more = f" and {len(names) - MOST_NAMES} more" if len(names) > MOST_NAMES else ""
            hint = f"known are: {', '.join(names[:MOST_NAMES])}{more}" if names else "none is known"
        more = f"{' Or' if near else '; or'} {otherwise}" if otherwise else ""
        return cls(f"no {kind} is called {shown(name)}; {hint}{more}")


class StudyFileError(FairtrialError, OSError):
    """A study file can't be opened, is in use by another run, or is not a study file."""


class WorkerError(FairtrialError, RuntimeError):
    """The worker processes can't be started, or keep dying before they do any work."""


class ContractError(FairtrialError, AssertionError):
    """Something of a user's own breaks a contract of :mod:`fairtrial.testing`."""
