"""The lock of a study file, for one writer at a time: a file beside it that the system frees even after kill -9.

The lock is fcntl's, which Linux and macOS have. On other systems study files can be read, but not written.
"""

from __future__ import annotations

import os
import platform
import time
from pathlib import Path

from fairtrial.errors import StudyFileError
from fairtrial.store.paths import check_one_name, check_side_files, real_path

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
