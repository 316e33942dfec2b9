"""One writer at a time: a lock file beside the study file, which the system frees even after kill -9."""

from __future__ import annotations

import fcntl
import os
import platform
from pathlib import Path

from fairtrial.errors import StudyFileError

__all__ = ["Lock"]


class Lock:
    """Held from creation to :meth:`release`; a second holder is refused and told who holds it."""

    def __init__(self, path: Path) -> None:
        self.path = path.with_name(path.name + ".lock")
        self._file = self._hold(path)
        os.ftruncate(self._file, 0)
        os.pwrite(self._file, f"process {os.getpid()} on {platform.node()}".encode(), 0)

    def _hold(self, path: Path) -> int:
        while True:
            file = self._open(path)
            try:
                fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
            except BlockingIOError as error:
                holder = os.read(file, 200).decode(errors="replace").strip() or "another process"
                os.close(file)
                raise StudyFileError(
                    f"{path} is being written by {holder}; wait for it, stop it, or run into another file"
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
