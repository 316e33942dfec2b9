"""Messages between the parent and a child: each is a pickle behind its length, over a pair of sockets.

What has arrived is read all at once. A reader that looks only now and then, while the other side goes on, then pays for
waking up once per look and not once per message: with short trials that was most of what a trial cost.
"""

from __future__ import annotations

import pickle
from socket import socket
from typing import Any

__all__ = ["Wire"]

LENGTH = 8  # bytes of it before each message
AT_ONCE = 1 << 18  # bytes that are read in one go
SMALL = 1 << 16  # below this many bytes, copying a message is cheaper than a second call


class Wire:
    """One end of a connection. Sending and receiving may happen in two threads."""

    def __init__(self, end: socket) -> None:
        self._end = end
        self._arrived = bytearray()

    def send(self, *message: object) -> None:
        """Send a message; wait while the other side is behind with reading."""
        pickled = pickle.dumps(message, protocol=5)
        length = len(pickled).to_bytes(LENGTH, "little")
        if len(pickled) < SMALL:
            self._end.sendall(length + pickled)
        else:
            self._end.sendall(length)
            self._end.sendall(pickled)

    def receive(self) -> list[tuple[Any, ...]]:
        """All messages that have arrived, in order; wait for one if there is none. EOFError when no more can come."""
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
                following = begin + LENGTH + int.from_bytes(view[begin : begin + LENGTH], "little")
                if following > end:
                    break
                messages.append(pickle.loads(view[begin + LENGTH : following]))
                begin = following
        if messages:
            del self._arrived[:begin]
        return messages

    def close(self) -> None:
        self._end.close()
