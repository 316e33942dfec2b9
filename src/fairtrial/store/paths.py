"""Paths of study files: the real place, so that one file has one lock and one log under any name.

Files that appear when they are complete: what is written first has a temporary name beside its target.

The lock of a study file, for one writer at a time: a file beside it that the system frees even after kill -9.

The lock is fcntl's, which Linux and macOS have. On other systems study files can be read, but not written.
"""

from __future__ import annotations

import glob
import hashlib
import os
import platform
import secrets
import stat
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

from fairtrial.errors import InputError, StudyFileError
from fairtrial.words import visible

SIDES = ("-journal", "-wal", "-shm", ".lock")
DATABASE = b"SQLite format 3\0"
JOURNAL_END = bytes.fromhex("d9d505f920a163d7")  # SQLite's mark at the end of a journal that names another file


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
        real = Path(name).resolve()
        kind = real.stat().st_mode if real.exists() else stat.S_IFREG
    except (OSError, RuntimeError, ValueError) as error:  # links that lead in a circle, or a name that is too long
        raise StudyFileError(f"{visible(name)} can't be opened: {_reason(error)}; give another path") from error
    if stat.S_ISDIR(kind):
        raise StudyFileError(
            f"{visible(name)} must be a study file, but it is a folder; give a file such as study.trial"
        )
    if not stat.S_ISREG(kind):
        raise StudyFileError(f"{visible(name)} must be a study file, but it is a device or a pipe; give another path")
    return real


def log_of(path: Path) -> Path:
    """The log that SQLite keeps beside a file while it is written: the last changes may be only there."""
    return path.with_name(path.name + "-wal")


def _reason(error: Exception) -> str:
    return visible(getattr(error, "strerror", None) or str(error))


def check_side_files(path: Path) -> None:
    """Refuse files that a stranger may have put beside a study file: SQLite would write to them, or remove others.

    The log and the journal of SQLite are files of its own, and a journal of ours never names another file.
    """
    for side in SIDES:
        beside = path.with_name(path.name + side)
        try:
            found = beside.lstat()
        except OSError:
            continue
        if not stat.S_ISREG(found.st_mode) or found.st_nlink > 1:
            raise StudyFileError(f"{beside} must be a plain file of SQLite, but it is a link or a device; remove it")
        if side == "-journal" and _last_bytes(beside) == JOURNAL_END:
            raise StudyFileError(f"{beside} names another file, which SQLite would remove; remove this journal")


def check_kind(path: Path) -> None:
    """Refuse a study in TOML or a table where a study file is asked for, with the command that takes it."""
    if path.suffix == ".trial" or not path.is_file() or not os.access(path, os.R_OK):
        return
    from fairtrial.data.files import SUFFIXES  # imports numpy, which no study file needs

    with path.open("rb") as file:
        command = {".toml": "run", **dict.fromkeys(SUFFIXES, "compare")}.get(path.suffix)
        if command is None or file.read(len(DATABASE)) == DATABASE:
            return
    beside = path.with_suffix(".trial")
    near = f"; did you mean {beside}, which is beside it?" if beside.is_file() else ""
    raise StudyFileError(f"{path} is no study file (.trial); it is for `fairtrial {command} {path}`{near}")


def _last_bytes(path: Path) -> bytes:
    """The end of a file; nothing where another process has just removed it, as SQLite does with its journals."""
    try:
        with path.open("rb") as file:
            file.seek(max(0, os.fstat(file.fileno()).st_size - len(JOURNAL_END)))
            return file.read()
    except OSError:
        return b""


def check_one_name(path: Path) -> None:
    """Refuse to write a file that has several names (hard links): each name would have a lock of its own."""
    names = path.stat().st_nlink if path.exists() else 1
    if names > 1:
        raise StudyFileError(
            f"{path} can't be written: it has {names} names (hard links), and two runs could write it at once; copy it "
            f"and write the copy, or remove the other names (find them with: find . -samefile {path.name})"
        )


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


try:
    import fcntl
except ImportError:  # Windows
    fcntl = None  # type: ignore[assignment]

PATIENCE = 0.1  # seconds to wait: the holder may only be noting a verdict


def can_lock() -> bool:
    """Whether this system has the locks that writing needs."""
    return fcntl is not None


class Lock:
    """A lock that is held from creation to :meth:`release`; the error for a second holder names the first.

    It lies beside the real file, so that a symbolic link to the file has the same lock.
    """

    def __init__(self, path: Path) -> None:
        if not can_lock():
            raise StudyFileError(
                f"{path} can't be written: study files are written on Linux and macOS only, since this system lacks "
                "their locks; it can be read here (on Windows, WSL can write it)"
            )
        real = real_path(path)
        check_one_name(real)
        check_side_files(real)
        self.path = _beside(real)
        self._file = self._hold(path)
        os.ftruncate(self._file, 0)
        os.pwrite(self._file, f"process {os.getpid()} on {platform.node()}".encode(), 0)

    def _hold(self, path: Path) -> int:
        given_up = time.monotonic() + PATIENCE
        while True:
            file = self._open(path)
            try:
                fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
            except BlockingIOError as error:
                who = _holder_line(file)
                os.close(file)
                if time.monotonic() < given_up:
                    time.sleep(PATIENCE / 10)
                    continue
                raise StudyFileError(
                    f"{path} is being written by {who}; wait for it, stop it, or run into another file"
                ) from error
            if self._is_current(file):
                return file
            os.close(file)

    def _open(self, path: Path) -> int:
        try:
            return os.open(self.path, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o644)
        except OSError as error:
            raise StudyFileError(
                f"{path} can't be written: {error.strerror}; choose a folder that you can write to"
            ) from error

    def _is_current(self, file: int) -> bool:
        """Whether the locked file is still the one at the path: its last holder may just have removed it."""
        try:
            return os.path.samestat(os.fstat(file), self.path.stat())
        except FileNotFoundError:
            return False

    def release(self) -> None:
        self.path.unlink(missing_ok=True)
        os.close(self._file)


def holder(path: Path) -> str | None:
    """The process that writes a study file now; None where nobody does, even if a killed process left its lock file."""
    if not can_lock():
        return None
    try:
        file = os.open(_beside(real_path(path)), os.O_RDONLY | os.O_CLOEXEC)
    except OSError:
        return None
    try:
        fcntl.flock(file, fcntl.LOCK_SH | fcntl.LOCK_NB)
    except OSError:
        return _holder_line(file)
    finally:
        os.close(file)
    return None


def _beside(path: Path) -> Path:
    return path.with_name(path.name + ".lock")


def _holder_line(file: int) -> str:
    """The text that the holder wrote into the lock file."""
    return os.pread(file, 200, 0).decode(errors="replace").strip() or "another process"
