"""One attempt to read something: what came of it, and what is a finding."""

from __future__ import annotations

import tempfile
import traceback
import warnings
from collections.abc import Callable
from pathlib import Path
from typing import Any

from fairtrial.errors import FairtrialError

_folder = tempfile.TemporaryDirectory(prefix="fairtrial-fuzz-")


class Refused(Exception):
    """An error of ours: what was wrong was told."""


def file_with(name: str, content: bytes) -> Path:
    """A file in a folder of this process."""
    path = Path(_folder.name) / name
    path.write_bytes(content)
    return path


def attempt(work: Callable[[], Any]) -> Any:
    """What the work returns; Refused for an error of ours, and anything else that it raises is left alone."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        try:
            return work()
        except FairtrialError as error:
            if not str(error).strip():
                raise
            raise Refused(str(error)) from error


def finding(work: Callable[[], str | None]) -> str | None:
    """What is wrong: the description that the work returns, or the end of a raw traceback."""
    try:
        return work()
    except Refused:
        return None
    except Exception as error:  # noqa: BLE001 - whatever is raised here is what is looked for
        where = traceback.extract_tb(error.__traceback__)[-1]
        own = [f for f in traceback.extract_tb(error.__traceback__) if "fairtrial" in f.filename][-1:]
        at = f"{Path(own[0].filename).name}:{own[0].lineno}" if own else f"{where.filename}:{where.lineno}"
        return f"raw {type(error).__name__} at {at}: {str(error)[:300]}"
