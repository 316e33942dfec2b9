"""One worker process as its parent sees it.

Two threads carry its messages, so that the parent never waits for a child: one sends the messages in the outbox, the
other puts the messages of the child into the shared queue of events. Two processes that each wait for the other to read
would wait for ever, and finished records with them. Messages of a child that has more to do are gathered for some
milliseconds, so that the parent wakes up once for many short trials.
"""

from __future__ import annotations

import atexit
import math
import os
import signal
import socket
import subprocess
import sys
import threading
import time
from collections import deque
from collections.abc import Sequence
from contextlib import suppress
from pathlib import Path
from queue import SimpleQueue
from typing import Any

from fairtrial.design import Trial
from fairtrial.engine.executors.wire import Wire
from fairtrial.engine.gauges import environment
from fairtrial.errors import WorkerError
from fairtrial.store import Record

GATHER_SECONDS = 0.01  # that messages of a busy child may wait: a fifth of a batch, so that it never runs out of work
LAST_WORDS_SECONDS = 0.5  # between the end of a process and the end of its connection, whichever comes first
OTHER_VOICE = "Died: something else than its worker spoke on its connection"
ENVIRONMENT = {"PYTHONHASHSEED": "0"}  # otherwise methods that hash texts would give other numbers in every run


class Child:
    """A process with the trials that it was given, in order, and the one under way."""

    def __init__(self, events: SimpleQueue[Event], more_path: Sequence[str] = (), cores: int = 1) -> None:
        self.queue: deque[Trial] = deque()
        self.queued_seconds = 0.0
        self.under_way: bytes | None = None
        self.at = -1  # its place in the queue: before it are trials whose records the worker holds back
        self.since = time.monotonic()
        self.ended: float | None = None
        self.garbled = False
        self.base = 0  # bytes in use when the trial under way began
        self.cpu_base = math.nan  # CPU seconds used when the trial under way began
        self.sent_data: set[int] = set()
        self.sent_methods: set[int] = set()
        self.tried: set[int] = set()  # methods whose trials have ended here
        self.knows_conditions = False
        self._gauge: Any = None
        self._outbox: SimpleQueue[tuple[object, ...] | None] = SimpleQueue()
        self.process, self._wire = _spawn(cores)
        for work, arguments in ((self._post, ()), (self._listen, (events,))):
            threading.Thread(target=work, args=arguments, daemon=True).start()
        self.send("path", search_path() + [p for p in more_path if p not in sys.path])

    def send(self, *message: object) -> None:
        """Send a message soon. If the child is dead by then, its end is noticed and its work is put back."""
        self._outbox.put(message)

    def _post(self) -> None:
        with suppress(OSError, ValueError):
            while (message := self._outbox.get()) is not None:
                self._wire.send(*message)

    def _listen(self, events: SimpleQueue[Event]) -> None:
        try:
            while True:
                messages = self._wire.receive()
                events.put((self, messages))
                if len(self.queue) > len(messages):
                    time.sleep(GATHER_SECONDS)
        except (EOFError, OSError):
            pass
        except Exception:  # noqa: BLE001 - whatever it is, nothing more can be read from this child
            self.garbled = True
        events.put((self, None))
        self._wire.close()

    def may_send(self, message: object) -> bool:
        """Whether a message can come from the worker: records are of the first trials in the queue, in order.

        Any other message comes from a method that got hold of the connection.
        """
        match message:
            case ("loading" | "started", key):
                return self.position_of(key) >= 0
            case ("done", [*records]) if len(records) <= len(self.queue):
                pairs = zip(records, self.queue, strict=False)
                return all(isinstance(record, Record) and record.key == trial.key for record, trial in pairs)
            case ("spoiled",):
                return True
        return False

    def position_of(self, key: object) -> int:
        """The place in the queue of a trial that may start now: the one under way, the next, or the first, again."""
        for place in (self.at + 1, self.at, 0):
            if 0 <= place < len(self.queue) and self.queue[place].key == key:
                return place
        return -1

    def kill(self) -> None:
        """End the process and all that it has started."""
        with suppress(ProcessLookupError, PermissionError):
            os.killpg(self.process.pid, signal.SIGKILL)  # it leads a session of its own
        self.process.kill()
        self.process.wait()
        self._outbox.put(None)

    def memory(self) -> int:
        """Bytes in use by the process and its descendants."""
        import psutil

        try:
            family = [self._observed(), *self._observed().children(recursive=True)]
        except psutil.Error:
            return 0
        total = 0
        for process in family:
            with suppress(psutil.Error):
                total += int(process.memory_info().rss)
        return total

    def cpu(self) -> float:
        """CPU seconds of the process, in all its threads, without its descendants; nan once the process is gone."""
        import psutil

        try:
            times = self._observed().cpu_times()
        except psutil.Error:
            return math.nan
        return float(times.user + times.system)

    def _observed(self) -> Any:
        """The process as psutil sees it."""
        import psutil

        self._gauge = self._gauge or psutil.Process(self.process.pid)
        return self._gauge

    def cause_of_death(self) -> str:
        """The reason why the process answers no more, in words; it may live on without its connection."""
        if self.garbled:
            return OTHER_VOICE
        try:
            code = self.process.wait(LAST_WORDS_SECONDS)
        except subprocess.TimeoutExpired:
            return "Died: it closed its connection"
        if code >= 0:
            return f"Died: the process exited with code {code}"
        try:
            name = signal.Signals(-code).name
        except ValueError:
            name = f"signal {-code}"
        return f"Died: the process was ended by {name}{' (out of memory?)' if name == 'SIGKILL' else ''}"


def search_path() -> list[str]:
    """Folders where this process looks for modules, as absolute paths."""
    return [str(Path.cwd()) if p == "" else p for p in sys.path]


Event = tuple[Child, list[tuple[Any, ...]] | None]
"""A child and its messages; None instead of messages is its end."""


IDLE_SECONDS = 300.0  # after which processes that wait for the next run are ended

Place = tuple[int, int, str, frozenset[tuple[str, str]]]  # of this process: what one that it starts depends on
_ready: dict[Place, list[tuple[subprocess.Popen[bytes], Wire]]] = {}
_idle: list[threading.Timer] = []
_lock = threading.Lock()


def keep_ready(processes: int, cores: int) -> None:
    """Start processes for the next run of a session: it need not wait until they have imported what all methods need.

    They have seen no data and no method. They are ended where the environment or the folder changes, or after a while.
    """
    place = _place(cores)
    end_ready(other_than=place)
    with _lock:
        waiting = _ready.setdefault(place, [])
        while len(waiting) < processes:
            waiting.append(_start(cores))
    _idle.append(threading.Timer(IDLE_SECONDS, end_ready))
    _idle[-1].daemon = True
    _idle[-1].start()


@atexit.register
def end_ready(other_than: Place | None = None) -> None:
    """End the processes of this one that wait for a run; but those that would be started alike now."""
    while _idle:
        _idle.pop().cancel()
    with _lock:
        ended = [
            p for place in list(_ready) if place[0] == os.getpid() and place != other_than for p in _ready.pop(place)
        ]
    for process, wire in ended:
        wire.close()
        process.kill()
        process.wait()


def _place(cores: int) -> Place:
    return os.getpid(), cores, str(Path.cwd()), frozenset(os.environ.items())


def _spawn(cores: int) -> tuple[subprocess.Popen[bytes], Wire]:
    """A process that waits already, or a new one."""
    with _lock:
        waiting = _ready.get(_place(cores), [])
        while waiting:
            process, wire = waiting.pop()
            if process.poll() is None:
                return process, wire
            wire.close()
    return _start(cores)


def _start(cores: int) -> tuple[subprocess.Popen[bytes], Wire]:
    ours, theirs = socket.socketpair()
    try:
        process = subprocess.Popen(
            [sys.executable, "-m", "fairtrial.worker", str(theirs.fileno()), str(os.getpid())],
            pass_fds=[theirs.fileno()],
            stdin=subprocess.DEVNULL,
            env={**os.environ, **ENVIRONMENT, **environment(cores)},
            start_new_session=True,  # so that Ctrl-C reaches only the parent
        )
    except OSError as error:
        ours.close()
        raise WorkerError(f"a worker process can't be started: {error}; try fewer workers") from error
    finally:
        theirs.close()
    return process, Wire(ours)
