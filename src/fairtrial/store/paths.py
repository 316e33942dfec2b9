"""Where a study file is: its real place, so that one file has one lock and one log, whatever name it is called by."""

from __future__ import annotations

import os
from pathlib import Path

from fairtrial.errors import InputError, StudyFileError
from fairtrial.words import visible

__all__ = ["check_one_name", "real_path"]


def real_path(path: str | Path) -> Path:
    """The absolute path without symbolic links; an error for what SQLite or the system would take for something else.

    >>> real_path(":memory:")
    Traceback (most recent call last):
    ...
    fairtrial.errors.InputError: path must name a study file, got ':memory:'; leave it out (None) to keep all in memory
    """
    if not isinstance(path, (str, os.PathLike)):
        raise InputError(f"path must name a study file such as study.trial, got {path!r}")
    name = os.fspath(path)
    if not isinstance(name, str) or name.strip() in ("", ".") or "\0" in name:
        raise InputError(f"path must name a study file such as study.trial, got {name!r}")
    if name == ":memory:":
        raise InputError(f"path must name a study file, got {name!r}; leave it out (None) to keep all in memory")
    if name.startswith("file:"):
        raise InputError(f"path must be a plain path such as study.trial, got the address {name!r}")
    try:
        return Path(name).resolve()
    except (OSError, RuntimeError, ValueError) as error:  # links that lead in a circle, or a name that is too long
        raise StudyFileError(f"{visible(name)} can't be opened: {error}; give another path") from error


def check_one_name(path: Path) -> None:
    """Refuse to write a file that has several names (hard links): each name would have a lock of its own."""
    names = path.stat().st_nlink if path.exists() else 1
    if names > 1:
        raise StudyFileError(
            f"{path} can't be written: it has {names} names (hard links), and two runs could write it at once; copy it "
            f"and write the copy, or remove the other names (find them with: find . -samefile {path.name})"
        )
