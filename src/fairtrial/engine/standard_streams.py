"""Standard streams that a method can't close: the next one needs them, and with ``workers=0`` the caller does."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

NAMES = ("stdin", "stdout", "stderr", "__stdin__", "__stdout__", "__stderr__")
INNER = ("buffer", "raw")  # whoever wraps these in a stream of his own closes them when that stream is gone


class Shielded:
    """A stream that is only flushed when it is closed or detached.

    >>> import io
    >>> inner = io.TextIOWrapper(io.BytesIO())
    >>> with Shielded(inner) as stream:
    ...     _ = stream.write("kept")
    >>> inner.closed, stream.detach().getvalue()
    (False, b'kept')
    """

    def __init__(self, stream: Any) -> None:
        self._stream = stream

    def __getattr__(self, name: str) -> Any:
        found = getattr(self._stream, name)
        return Shielded(found) if name in INNER else found

    def __iter__(self) -> Iterator[Any]:
        return iter(self._stream)

    def __enter__(self) -> Shielded:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def close(self) -> None:
        self._stream.flush()

    def detach(self) -> Any:
        self.close()
        return self.buffer if hasattr(self._stream, "buffer") else self.raw


@contextmanager
def shielded() -> Iterator[None]:
    """A context in which nobody can close the standard streams of this process."""
    before = {name: getattr(sys, name) for name in NAMES}
    for name, stream in before.items():
        setattr(sys, name, None if stream is None else Shielded(stream))
    try:
        yield
    finally:
        for name, stream in before.items():
            setattr(sys, name, stream)
