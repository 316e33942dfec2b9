"""Messages between the parent and a child: each is a pickle behind a mark and its length, over a pair of sockets.

What has arrived is read all at once. A reader that looks only now and then, while the other side goes on, then pays for
waking up once per look and not once per message: with short trials that was most of what a trial cost.
"""

from __future__ import annotations

import pickle
from socket import socket
from typing import Any

from fairtrial.errors import WorkerError

__all__ = ["Wire"]

MARK = b"\xf7\x91"  # begins each message; no text in UTF-8 has these bytes side by side
LENGTH = 8  # bytes of the mark and the length before each message
AT_ONCE = 1 << 18  # bytes that are read in one go
NO_MESSAGE = "what came over the connection to another process is no message"
SMALL = 1 << 16  # below this many bytes, copying a message is cheaper than a second call


class Wire:
    """One end of a connection. Sending and receiving may happen in two threads."""

    def __init__(self, end: socket) -> None:
        self._end = end
        self._arrived = bytearray()

    def send(self, *message: object) -> None:
        """Send a message; wait while the other side is behind with reading."""
        pickled = pickle.dumps(message, protocol=5)
        head = MARK + len(pickled).to_bytes(LENGTH - len(MARK), "little")
        if len(pickled) < SMALL:
            self._end.sendall(head + pickled)
        else:
            self._end.sendall(head)
            self._end.sendall(pickled)

    def receive(self) -> list[tuple[Any, ...]]:
        """All messages that have arrived, in order; wait for one if there is none.

        EOFError when no more can come, WorkerError when what came is no message: after all messages before it.
        """
        while not (messages := self._whole()):
            part = self._end.recv(AT_ONCE)
            if not part:
                raise EOFError
            self._arrived += part
        return messages

    def _whole(self) -> list[tuple[Any, ...]]:
        messages = []
        begin, end = 0, len(self._arrived)
        with memoryview(self._arrived) as view:
            while begin + LENGTH <= end:
                following = begin + LENGTH + int.from_bytes(view[begin + len(MARK) : begin + LENGTH], "little")
                is_message = view[begin : begin + len(MARK)] == MARK
                if is_message and following > end:
                    break
                try:
                    messages.append(_opened(view[begin + LENGTH : following], is_message))
                except WorkerError:
                    if not messages:
                        raise
                    break  # what was said before it counts
                begin = following
        if messages:
            del self._arrived[:begin]
        return messages

    def close(self) -> None:
        self._end.close()


def _opened(pickled: memoryview, is_message: bool) -> tuple[Any, ...]:
    if not is_message:
        raise WorkerError(NO_MESSAGE)
    try:
        message: tuple[Any, ...] = pickle.loads(pickled)
    except Exception as error:  # of any kind, EOFError among them, which here would mean something else
        raise WorkerError(f"{NO_MESSAGE} ({type(error).__name__}: {error})") from error
    return message
