"""Study files that are made of others: they appear when they are complete, and never replace a file."""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from fairtrial.errors import StudyFileError
from fairtrial.store.paths import real_path

__all__ = ["new_file"]


@contextmanager
def new_file(target: Path, doing: str) -> Iterator[Path]:
    """A temporary path to write to; the file gets its name at the end, so that a crash leaves no half study."""
    target = real_path(target)
    if target.exists():
        raise StudyFileError(f"{target} is there already; {doing} into a new file")
    if not target.parent.is_dir():
        raise StudyFileError(
            f"{target} can't be written: {target.parent} is no folder; make it first, or choose another"
        )
    beside = target.with_name(f"{target.name[:40]}.{os.getpid()}.part")
    try:
        beside.touch()
    except OSError as error:
        raise StudyFileError(
            f"{target} can't be written: {error.strerror}; choose a folder that you can write to"
        ) from error
    try:
        yield beside
        try:
            os.link(beside, target)  # unlike a rename, it never replaces a file that has come meanwhile
        except FileExistsError:
            raise StudyFileError(
                f"{target} has been made by somebody else meanwhile; {doing} into a new file"
            ) from None
        except OSError:  # a file system without links
            beside.rename(target)
    finally:
        beside.unlink(missing_ok=True)
