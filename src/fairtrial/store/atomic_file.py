"""Files that appear when they are complete: what is written first has a temporary name beside its target."""

from __future__ import annotations

import glob
import hashlib
import os
import platform
import secrets
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

from fairtrial.errors import StudyFileError
from fairtrial.store.paths import real_path


@contextmanager
def new_file(target: Path, doing: str) -> Iterator[Path]:
    """A temporary path to write to; the file gets its name at the end, so that a crash leaves no half study."""
    target = real_path(target)
    if target.exists():
        raise StudyFileError(f"{target} is there already; {doing} into a new file")
    if not target.parent.is_dir():
        raise StudyFileError(
            f"{target} can't be written: {target.parent} is not a folder; create it first, or choose another folder"
        )
    beside = part_beside(target)
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
        with suppress(OSError):
            beside.unlink(missing_ok=True)


def part_beside(target: Path, ending: str = "") -> Path:
    """The temporary name of a file while it is written; those that killed processes left for this target are removed.

    It has the host and the process in it, so that one that is still written is not taken for abandoned.
    """
    begin = f"{target.name[:40]}.{hashlib.sha1(platform.node().encode()).hexdigest()[:8]}-"
    for left in target.parent.glob(f"{glob.escape(begin)}*.part*"):
        process = left.name.removeprefix(begin).partition("-")[0]
        if process.isdecimal() and not _is_alive(int(process)):
            with suppress(OSError):
                left.unlink()
    return target.with_name(f"{begin}{os.getpid()}-{secrets.token_hex(4)}{ending}.part")


def _is_alive(process: int) -> bool:
    if os.name != "posix":  # there is no signal that does nothing
        return True
    try:
        os.kill(process, 0)
    except (ProcessLookupError, OverflowError):
        return False
    except OSError:
        return True
    return True
