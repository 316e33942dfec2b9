"""Messages between two ends of a connection: whole, in order, as many as have come."""

import socket
import threading

import pytest
from hypothesis import given
from hypothesis import strategies as st

from fairtrial.engine.executors.wire import AT_ONCE, MARK, SMALL, Wire
from fairtrial.errors import WorkerError


@pytest.fixture
def ends():
    one, other = (Wire(end) for end in socket.socketpair())
    yield one, other
    one.close()
    other.close()


class Slices:
    """A connection to itself that gives what was sent in small pieces."""

    def __init__(self, step: int) -> None:
        self.sent = b""
        self.step = step

    def sendall(self, data: bytes) -> None:
        self.sent += data

    def recv(self, most: int) -> bytes:
        part, self.sent = self.sent[: self.step], self.sent[self.step :]
        return part


class TestWire:
    def test_all_that_has_come_is_read_at_once(self, ends):
        here, there = ends
        here.send("one")
        here.send("two", 2, None)
        assert there.receive() == [("one",), ("two", 2, None)]
        here.send("three")
        assert there.receive() == [("three",)]

    @pytest.mark.parametrize("size", [0, SMALL - 100, SMALL, AT_ONCE, 5 * AT_ONCE + 1])
    def test_messages_of_any_size(self, ends, size):
        here, there = ends
        sent = [("a", b"x" * size), ("b", b"y" * size)]
        threading.Thread(target=lambda: [here.send(*message) for message in sent]).start()
        received: list = []
        while len(received) < 2:
            received += there.receive()
        assert received == sent

    @given(st.lists(st.binary(max_size=300), min_size=1, max_size=20), st.integers(1, 50))
    def test_it_does_not_matter_where_the_stream_is_cut(self, contents, step):
        stream = Slices(step)
        wire = Wire(stream)
        for content in contents:
            wire.send("word", content)
        received: list = []
        while len(received) < len(contents):
            received += wire.receive()
        assert received == [("word", content) for content in contents]
        with pytest.raises(EOFError):
            wire.receive()

    def test_the_end_is_an_error_and_half_a_message_is_none(self):
        here, there = socket.socketpair()
        here.sendall(MARK + (100).to_bytes(6, "little") + b"half")
        here.close()
        wire = Wire(there)
        with pytest.raises(EOFError):
            wire.receive()
        wire.close()

    @given(st.text(min_size=1), st.integers(1, 50))
    def test_what_is_no_message_is_not_waited_for(self, text, step):
        """Between messages, and however short it is."""
        stream = Slices(step)
        wire = Wire(stream)
        stream.sendall(text.encode())
        wire.send("word")
        with pytest.raises(WorkerError, match="no message"):
            wire.receive()

    @pytest.mark.parametrize("pickled", [b"", b"no pickle", b"cno_such_module\nname\n."])
    def test_nor_is_what_can_not_be_opened(self, pickled):
        stream = Slices(50)
        stream.sendall(MARK + len(pickled).to_bytes(6, "little") + pickled)
        with pytest.raises(WorkerError, match=r"no message \(\w+Error: "):
            Wire(stream).receive()

    @pytest.mark.parametrize("garbage", [b"hi\n", b"garbage of some length", MARK + bytes([3, 0, 0, 0, 0, 0]) + b"abc"])
    @pytest.mark.parametrize("step", [1, 7, 1000])
    def test_what_was_said_before_it_counts(self, garbage, step):
        """Else a trial that is done would be blamed for what the next one writes."""
        stream = Slices(step)
        wire = Wire(stream)
        wire.send("done", 1)
        wire.send("done", 2)
        stream.sendall(garbage)
        wire.send("done", 3)
        received: list = []
        while len(received) < 2:
            received += wire.receive()
        assert received == [("done", 1), ("done", 2)]
        with pytest.raises(WorkerError, match="no message"):
            wire.receive()
