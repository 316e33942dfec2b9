"""The executor for a Dask cluster: batches go out as tasks, and records come back to the one process that writes.

Data sets and methods are scattered once; Dask workers pass them on among themselves. When a Dask worker is lost, Dask
runs its batches again elsewhere. Trials whose workers were lost again and again are then run one at a time, so that the
one that ends its worker is found, becomes a failed record, and takes no other with it.
"""

from __future__ import annotations

import json
import logging
import pickle
import time
import uuid
from collections import Counter, defaultdict, deque
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from importlib.util import find_spec
from pathlib import Path
from queue import Empty, SimpleQueue
from threading import Event, Thread
from typing import Any

from fairtrial.design import Trial
from fairtrial.engine.batches import Queue, Supplies
from fairtrial.engine.child import search_path
from fairtrial.engine.dask_worker import Job, perform_batch, stop
from fairtrial.errors import InputError, WorkerError
from fairtrial.store import Record, versions

__all__ = ["Cluster", "connect"]

LISTEN_SECONDS = 0.05
LOOK_SECONDS = 1.0  # how often the cluster's workers are counted
AHEAD_SECONDS = 1.0  # a thread with less work than this gets its next batch ahead, so that it never waits for it
CONNECT_SECONDS = 10.0
WITHOUT_SCHEDULER_SECONDS = 15.0  # Dask tries to connect again meanwhile
WITHOUT_WORKERS_SECONDS = 300.0
MOST_LOSSES = 3  # of workers that had a trial, before it is suspected; so many more, and it is to blame
MOST_GIVEN_UP = 20  # times that Dask may lose a trial through nobody's fault
QUIET_SECONDS = 3.0  # before it is said that nobody is there
CAN_IMPORT = (
    find_spec,
    "fairtrial.engine.dask_worker",
)  # of the standard library: nothing of ours opens where we are not
KEPT = "what was done is kept: run again to go on"


@contextmanager
def connect(address: str) -> Iterator[Any]:
    """A client of the Dask scheduler at an address such as ``tcp://10.0.0.1:8786``, or in a scheduler file (.json)."""
    distributed = _distributed()
    file = address if Path(address).suffix == ".json" else None
    if file is not None:
        _check_scheduler_file(Path(file))
    try:
        with _quiet():
            client = distributed.Client(None if file else address, scheduler_file=file, timeout=CONNECT_SECONDS)
    except (OSError, ValueError) as error:
        raise WorkerError(
            f"no Dask scheduler answers at {address}: {error}; start one with `dask scheduler`"
        ) from error
    with client:
        yield client


def _check_scheduler_file(path: Path) -> None:
    """Dask would wait for ever for a file that is not there."""
    start = f"start a scheduler that writes it: dask scheduler --scheduler-file {path}"
    try:
        found = json.loads(path.read_bytes())
    except OSError as error:
        raise InputError(f"the scheduler file {path} can't be read ({error.strerror}); {start}") from error
    except ValueError as error:
        raise InputError(f"the scheduler file {path} must be JSON, but is not ({error}); {start}") from error
    address = found.get("address") if isinstance(found, dict) else None
    if not isinstance(address, str) or not address:
        raise InputError(f"the scheduler file {path} must have an 'address' in text, got {address!r}; {start}")


@contextmanager
def _quiet() -> Iterator[None]:
    """Without the log lines of Dask: what matters of them, workers that are lost or missing, is said by the run."""
    loggers = [logging.getLogger(name) for name in logging.root.manager.loggerDict if name.startswith("distributed")]
    levels = [(handler, handler.level) for logger in loggers for handler in logger.handlers]
    for handler, _ in levels:
        handler.setLevel(logging.CRITICAL)
    try:
        yield
    finally:
        for handler, level in levels:
            handler.setLevel(level)


def _distributed() -> Any:
    try:
        import distributed
    except ImportError as error:
        raise InputError(f"a cluster needs Dask ({error}); install it with: pip install 'fairtrial[dask]'") from error
    return distributed


@dataclass(frozen=True, slots=True)
class Batch:
    """Trials that are out on the cluster, at the Dask worker that they were meant for."""

    trials: list[Trial]
    worker: str
    seconds: float
    alone: bool = False


class Cluster:
    """Performs trials on the workers of a Dask client and hands each record to ``done`` as it comes."""

    def __init__(
        self, supplies: Supplies, client: Any, *, accept_versions: bool = False, say: Callable[[str], None] = print
    ) -> None:
        if not isinstance(client, _distributed().Client) or client.asynchronous:
            raise InputError(f"client must be a dask.distributed.Client that is not asynchronous, got {client!r}")
        self.supplies = supplies
        self.client = client
        wanted = None if accept_versions else versions()
        self.job = Job(uuid.uuid4().hex, wanted, supplies.conditions, supplies.limits, tuple(search_path()))
        self.todo = Queue()
        self.suspects: deque[Trial] = deque()
        self.threads: dict[str, int] = {}  # by worker, as last counted
        self.out: dict[Any, Batch] = {}  # by future
        self.batches: Counter[str] = Counter()  # of these, by worker, and their seconds
        self.load: defaultdict[str, float] = defaultdict(float)
        self.scattered: dict[tuple[str, int], Any] = {}
        self.outcomes: SimpleQueue[tuple[Any, bytes | BaseException]] = SimpleQueue()
        self.reserved: str | None = None  # the worker that is kept for suspects
        self.losses: Counter[bytes] = Counter()  # of workers that had a trial, by its key
        self.innocent: Counter[bytes] = Counter()  # times that it was given up while its worker lived
        self.say = say
        self.watch = Watch(client, say)

    def run(self, trials: Iterable[Trial], done: Callable[[Record], None], tick: Callable[[], None]) -> None:
        """Perform all trials. ``tick`` is called about every 50 ms, for writing and for the progress bar."""
        self.todo.add(trials)
        self.watch = Watch(self.client, self.say)
        self.watch.start()
        with _quiet():
            try:
                while self.todo or self.suspects or self.out:
                    if self.watch.is_there():
                        self._feed()
                    self._listen(done)
                    tick()
            finally:
                self._stop()

    def _stop(self) -> None:
        self.watch.stop()
        out = list(self.out)
        self.out.clear()
        self.scattered.clear()
        if self.client.status == "running":
            with suppress(Exception):  # the records are what counts; the workers notice some time, too
                self.client.cancel(out)
                self.client.run(stop, self.job.run, on_error="ignore")

    # Giving work

    def _feed(self) -> None:
        self.threads = self.watch.threads
        self._feed_suspects()
        while self.todo and (hungry := [worker for worker in self.threads if self._wants_more(worker)]):
            trials, seconds = self.todo.batch(sum(self.threads.values()))
            if not self._send(Batch(trials, min(hungry, key=self._share), seconds)):
                return

    def _feed_suspects(self) -> None:
        """One at a time, on a worker that has nothing else: its end harms nobody and says whose fault it was."""
        if self.reserved not in self.threads:
            self.reserved = min(self.threads, key=self._share) if self.threads and self.suspects else None
        if self.reserved is None or self.batches[self.reserved] or any(batch.alone for batch in self.out.values()):
            return
        if self.suspects:
            trial = self.suspects.popleft()
            self._send(Batch([trial], self.reserved, self.todo.seconds(trial), alone=True))
        else:
            self.reserved = None

    def _share(self, worker: str) -> float:
        """Batches per thread."""
        return self.batches[worker] / self.threads[worker]

    def _wants_more(self, worker: str) -> bool:
        """A batch for each thread, and the next ahead while its work is short."""
        if worker == self.reserved:
            return False
        share = self._share(worker)
        return share < 1 or (share < 2 and self.load[worker] < AHEAD_SECONDS * self.threads[worker])

    def _send(self, batch: Batch) -> bool:
        """Whether it went out; if not, the connection was just lost, and the watch tells what comes of it."""
        try:
            future = self._submit(batch)
        except Exception as error:
            if self.client.status == "running" and not isinstance(error, OSError):
                raise
            self._put_back(batch)
            return False
        self.out[future] = batch
        self.batches[batch.worker] += 1
        self.load[batch.worker] += batch.seconds
        self.client.loop.add_callback(self._follow, future)
        return True

    def _submit(self, batch: Batch) -> Any:
        trials = batch.trials
        splits = {t.split: self.supplies.splits[t.split] for t in trials}
        return self.client.submit(
            perform_batch,
            self._thing("job", 0),
            {n: self._thing("data", n) for n in {t.dataset for t in trials}},
            {n: self._thing("method", n) for n in {t.method for t in trials}},
            pickle.dumps((trials, splits), protocol=5),
            key=f"fairtrial-{uuid.uuid4().hex}",
            workers=[batch.worker],
            allow_other_workers=True,  # when that one is lost
            pure=False,
        )

    def _thing(self, kind: str, number: int) -> Any:
        """A job, data set or method on the cluster, scattered at its first use, or when Dask has lost it."""
        known = self.scattered.get((kind, number))
        if known is not None and known.status == "finished":
            return known
        if kind == "method":
            thing: Any = self.supplies.methods[number]
        else:
            thing = pickle.dumps(self.job if kind == "job" else self.supplies.datasets[number], protocol=5)
        self.scattered[kind, number] = future = self.client.scatter(thing, hash=False)
        return future

    async def _follow(self, future: Any) -> None:
        """Wait for a batch in the client's own loop, so that many wait and travel at once."""
        try:
            outcome: bytes | BaseException = await self.client.gather(future, asynchronous=True)
        except BaseException as error:  # noqa: BLE001 - whatever it is, the run loop decides
            outcome = error
        self.outcomes.put((future, outcome))

    # Hearing of it

    def _listen(self, done: Callable[[Record], None]) -> None:
        with suppress(Empty):
            future, outcome = self.outcomes.get(timeout=LISTEN_SECONDS)
            while True:
                batch = self.out.pop(future, None)
                if batch is not None:
                    self.batches[batch.worker] -= 1
                    self.load[batch.worker] -= batch.seconds
                    self._hear(batch, outcome, done)
                future, outcome = self.outcomes.get_nowait()

    def _hear(self, batch: Batch, outcome: bytes | BaseException, done: Callable[[Record], None]) -> None:
        from asyncio import CancelledError

        from distributed import KilledWorker
        from distributed.client import FutureCancelledError

        if isinstance(outcome, bytes):
            self._finish(batch, pickle.loads(outcome), done)
        elif isinstance(outcome, KilledWorker):
            self._lost(batch, outcome.allowed_failures + 1, done)
        elif isinstance(outcome, (FutureCancelledError, CancelledError, OSError)):
            self._given_up(batch, outcome, done)
        elif isinstance(outcome, WorkerError):
            raise outcome
        else:
            raise WorkerError(
                f"the cluster can't perform trials ({type(outcome).__name__}: {outcome}); the Dask scheduler and all "
                f"workers need fairtrial and the same packages as this process; {KEPT}"
            ) from outcome

    def _finish(self, batch: Batch, records: list[Record], done: Callable[[Record], None]) -> None:
        trials = {t.key: t for t in batch.trials}
        for record in records:
            self.todo.learn(trials[record.key], record)
            done(record)

    def _lost(self, batch: Batch, times: int, done: Callable[[Record], None]) -> None:
        """Workers were lost while they had this batch: by chance, or one of its trials ends them."""
        for trial in batch.trials:
            self.losses[trial.key] += times
        if not batch.alone:
            suspects = [t for t in batch.trials if self.losses[t.key] >= MOST_LOSSES]
            self.suspects.extend(suspects)
            self.todo.put_back(t for t in batch.trials if self.losses[t.key] < MOST_LOSSES)
            return
        (trial,) = batch.trials
        if self.losses[trial.key] < 2 * MOST_LOSSES:
            self.suspects.appendleft(trial)
        else:
            reason = f"Died: its Dask worker was lost {self.losses[trial.key]} times (out of memory?)"
            done(Record(trial.key, "failed", reason))

    def _given_up(self, batch: Batch, reason: BaseException, done: Callable[[Record], None]) -> None:
        """The only worker with some data, the connection or the whole cluster was lost: Dask can't run it again."""
        alive = self.watch.alive()
        if alive is not None and batch.worker not in alive:
            self._lost(batch, 1, done)
            return
        for trial in batch.trials:
            self.innocent[trial.key] += 1
            if self.innocent[trial.key] > MOST_GIVEN_UP:
                raise WorkerError(f"Dask gives up the same trials again and again ({reason}); {KEPT}")
        self._put_back(batch)

    def _put_back(self, batch: Batch) -> None:
        if batch.alone:
            self.suspects.extendleft(batch.trials)
        else:
            self.todo.put_back(batch.trials)


class Watch:
    """Counts the threads of the cluster now and then, looks at each new worker, and says when nobody is there."""

    def __init__(self, client: Any, say: Callable[[str], None]) -> None:
        self.client = client
        self.say = say
        self.threads: dict[str, int] = {}  # of the workers that may be given trials
        self.address = client.scheduler.address if client.scheduler is not None else "(closed)"
        self._fit: set[str] = set()
        self._unfit: WorkerError | None = None
        self._over = Event()
        self._alone_since: float | None = None
        self._said = ""

    def start(self) -> None:
        """Begin to count, in a thread of its own."""
        Thread(target=self._count_on, daemon=True).start()

    def stop(self) -> None:
        self._over.set()

    def _count_on(self) -> None:
        self._look_at_scheduler()
        while not self._over.is_set():
            workers = self.alive() or {}
            new = list(workers.keys() - self._fit)
            if new:
                with suppress(Exception):  # a worker was just lost
                    self._look_at(self.client.run(*CAN_IMPORT, workers=new, on_error="return"))
            self.threads = {worker: n for worker, n in workers.items() if worker in self._fit}
            self._over.wait(LOOK_SECONDS)

    def alive(self) -> dict[str, int] | None:
        """Threads of all workers that are there now; None when nobody answers."""
        if self.client.status != "running":
            return None
        try:
            return dict(self.client.nthreads())
        except Exception:  # noqa: BLE001 - Dask has many words for a connection that was just lost
            return None

    def _look_at_scheduler(self) -> None:
        try:
            found = self.client.run_on_scheduler(*CAN_IMPORT)
        except ImportError as error:
            found = error
        except Exception:  # noqa: BLE001 - it can't be asked just now; if it is unfit, the first batch will tell
            return
        self._look_at({"scheduler": found})

    def _look_at(self, found: Mapping[str, object]) -> None:
        for who, result in found.items():
            if result is None or isinstance(result, Exception):
                reason = f"{type(result).__name__}: {result}" if result is not None else "it has an older one"
                self._unfit = WorkerError(
                    f"the Dask {'scheduler' if who == 'scheduler' else f'worker at {who}'} can't import fairtrial "
                    f"({reason}); it needs the same packages as this process; {KEPT}"
                )
            self._fit.add(who)

    def is_there(self) -> bool:
        """Is anybody there? Says when that changes; an error when nobody was for too long."""
        if self._unfit is not None:
            raise self._unfit
        connected = self.client.status == "running"
        if connected and self.threads:
            n = sum(self.threads.values())
            self._say("there", f"Dask at {self.address}, {n} thread{'s' if n > 1 else ''}")
            self._alone_since = None
            return True
        self._alone_since = self._alone_since or time.monotonic()
        waited = time.monotonic() - self._alone_since
        if connected:
            whom, most = f"the Dask cluster at {self.address} has no workers", WITHOUT_WORKERS_SECONDS
        else:
            whom, most = f"the connection to the Dask scheduler at {self.address} is lost", WITHOUT_SCHEDULER_SECONDS
        if self.client.status == "closed" or waited > most:
            raise WorkerError(f"{whom}, for {waited:.0f} s now; {KEPT}")
        if waited > QUIET_SECONDS:
            self._say(whom, f"{whom}; waiting for up to {most:.0f} s")
        return False

    def _say(self, what: str, text: str) -> None:
        """Once, until there is something else to say."""
        if what != self._said:
            self._said = what
            self.say(text)
