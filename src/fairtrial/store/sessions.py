"""Sessions: who ran a study, when, on which machine and with which versions."""

from __future__ import annotations

import datetime
import os
import platform
import shlex
import sys
from collections.abc import Mapping
from dataclasses import asdict, dataclass
from importlib import metadata
from typing import Any


@dataclass(frozen=True, slots=True)
class Session:
    """One run of a study: its number, when it began, host, process, command line and versions of packages.

    Host, process and command are empty in an anonymous copy.
    """

    id: int
    started: str
    host: str
    pid: int
    command: str
    versions: Mapping[str, str]

    def to_dict(self) -> dict[str, Any]:
        """All fields as plain data."""
        return asdict(self)


def this_session(number: int = 0) -> Session:
    """The session of this process, beginning now; the study file gives it its number."""
    return Session(number, now(), platform.node(), os.getpid(), shlex.join(sys.argv), versions())


def versions() -> dict[str, str]:
    """The versions of Python and of the packages that can change the numbers."""
    found = {"python": platform.python_version()}
    for package in ("fairtrial", "numpy", "scipy", "scikit-learn", "pandas"):
        try:
            found[package] = metadata.version(package)
        except metadata.PackageNotFoundError:
            found[package] = "not installed"
    return found


def now() -> str:
    """This moment, as study files write it."""
    return datetime.datetime.now(datetime.UTC).isoformat(timespec="milliseconds")
