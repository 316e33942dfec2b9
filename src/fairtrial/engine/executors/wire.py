"""Messages between the parent and a child: each is a pickle behind a mark and its length, over a pair of sockets.

All that has arrived is read at once. So a reader that looks only now and then wakes up once for many messages: with
short trials, waking up for each message would cost more than all else.
"""

from __future__ import annotations

import pickle
from socket import socket
from typing import Any

from fairtrial.errors import WorkerError

MARK = b"\xf7\x91"  # the start of each message; no text in UTF-8 has these two bytes side by side
LENGTH = 8  # bytes before each message: the mark, and the length of the message
AT_ONCE = 1 << 18  # bytes that are read by one call
NO_MESSAGE = "what came over the connection to another process is no message"
SMALL = 1 << 16  # below this many bytes, copying a message is cheaper than a second call


class Wire:
    """One end of a connection; one thread may send while another receives."""

    def __init__(self, end: socket) -> None:
        self._end = end
        self._arrived = bytearray()

    def send(self, *message: object) -> None:
        """Send a message; wait until the other side has read enough to make room."""
        pickled = pickle.dumps(message, protocol=5)
        head = MARK + len(pickled).to_bytes(LENGTH - len(MARK), "little")
        if len(pickled) < SMALL:
            self._end.sendall(head + pickled)
        else:
            self._end.sendall(head)
            self._end.sendall(pickled)

    def receive(self) -> list[tuple[Any, ...]]:
        """Return all messages that have arrived, in order; wait for one if there is none.

        Raises EOFError when no more can come, and WorkerError when bytes came that are no message; messages that came
        before them are returned first.
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
                    break  # messages before it are returned first
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
    except Exception as error:  # of any kind: EOFError must not look like the end of the connection
        raise WorkerError(f"{NO_MESSAGE} ({type(error).__name__}: {error})") from error
    return message
