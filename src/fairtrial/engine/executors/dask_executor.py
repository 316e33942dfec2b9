"""The executor for a Dask cluster: batches go out as tasks, and records come back to this process, which writes them.

Data sets and methods are sent once; Dask workers pass them on among themselves. When a Dask worker is lost, Dask runs
its batches again elsewhere. Trials whose workers were lost several times are suspects: they are run one at a time, so
that the one that ends its worker is found and becomes a failed record, without harm to the others.

The connection to a Dask cluster: opened by an address or a file, and watched for workers that come and go.
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
from fairtrial.doors import door
from fairtrial.engine.executors.child import search_path
from fairtrial.engine.executors.dask_worker import Job, perform_batch, stop
from fairtrial.engine.executors.processes import Queue
from fairtrial.engine.supplies import Supplies
from fairtrial.errors import InputError, WorkerError
from fairtrial.store import Record, versions
from fairtrial.words import plural

LOOK_SECONDS = 1.0  # how often the cluster's workers are counted
CONNECT_SECONDS = 10.0
WITHOUT_SCHEDULER_SECONDS = 15.0  # Dask tries to connect again meanwhile
WITHOUT_WORKERS_SECONDS = 300.0
QUIET_SECONDS = 3.0  # without workers or scheduler, before a message says so
CAN_IMPORT = (find_spec, "fairtrial.engine.executors.dask_worker")  # a worker without fairtrial can unpickle this
KEPT = "what was done is kept: run again to go on"


@contextmanager
def connect(address: str) -> Iterator[Any]:
    """Connect to the Dask scheduler at an address such as ``tcp://10.0.0.1:8786``, or in a scheduler file (.json)."""
    dask = import_dask()
    file = address if Path(address).suffix == ".json" else None
    if file is not None:
        _check_scheduler_file(Path(file))
    try:
        with quiet():
            client = dask.Client(None if file else address, scheduler_file=file, timeout=CONNECT_SECONDS)
    except (OSError, ValueError) as error:
        raise WorkerError(
            f"no Dask scheduler answers at {address}: {error}; start one with `dask scheduler`"
        ) from error
    with client:
        yield client


def _check_scheduler_file(path: Path) -> None:
    """Refuse a file that is missing or damaged, for which Dask would wait for ever."""
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
def quiet() -> Iterator[None]:
    """Hide the log lines of Dask; the run itself reports workers that are lost or missing."""
    loggers = [logging.getLogger(name) for name in logging.root.manager.loggerDict if name.startswith("distributed")]
    levels = [(handler, handler.level) for logger in loggers for handler in logger.handlers]
    for handler, _ in levels:
        handler.setLevel(logging.CRITICAL)
    try:
        yield
    finally:
        for handler, level in levels:
            handler.setLevel(level)


def import_dask() -> Any:
    """Import ``distributed``, Dask's package for clusters, or say how to install it."""
    try:
        import distributed
    except ImportError as error:
        raise InputError(f"a cluster needs Dask ({error}); install it with: pip install 'fairtrial[dask]'") from error
    return distributed


class Watch:
    """A thread that counts the workers of a cluster, checks each new one, and reports when none is there."""

    def __init__(self, client: Any, say: Callable[[str], None]) -> None:
        self.client = client
        self.say = say
        self.threads: dict[str, int] = {}  # of each worker that was checked
        self.address = client.scheduler.address if client.scheduler is not None else "(closed)"
        self._fit: set[str] = set()
        self._unfit: WorkerError | None = None
        self._over = Event()
        self._alone_since: float | None = None
        self._last_report = ""

    def start(self) -> None:
        """Begin to count."""
        Thread(target=self._keep_counting, daemon=True).start()

    def stop(self) -> None:
        self._over.set()

    def _keep_counting(self) -> None:
        self._check_scheduler()
        while not self._over.is_set():
            workers = self.alive() or {}
            new = list(workers.keys() - self._fit)
            if new:
                with suppress(Exception):  # a worker was lost in this moment
                    self._check_workers(self.client.run(*CAN_IMPORT, workers=new, on_error="return"))
            self.threads = {worker: n for worker, n in workers.items() if worker in self._fit}
            self._over.wait(LOOK_SECONDS)

    def alive(self) -> dict[str, int] | None:
        """Threads of all workers that are there now; None when the scheduler does not answer."""
        if self.client.status != "running":
            return None
        try:
            return dict(self.client.nthreads())
        except Exception:  # noqa: BLE001 - Dask has many errors for a lost connection
            return None

    def _check_scheduler(self) -> None:
        try:
            found = self.client.run_on_scheduler(*CAN_IMPORT)
        except ImportError as error:
            found = error
        except Exception:  # noqa: BLE001 - no answer now; if it can't import fairtrial, the first batch fails
            return
        self._check_workers({"scheduler": found})

    def _check_workers(self, found: Mapping[str, object]) -> None:
        for who, result in found.items():
            if isinstance(result, OSError):
                continue  # it was lost while it was asked
            if result is None or isinstance(result, Exception):
                reason = f"{type(result).__name__}: {result}" if result is not None else "it has an older one"
                self._unfit = WorkerError(
                    f"the Dask {'scheduler' if who == 'scheduler' else f'worker at {who}'} can't import fairtrial "
                    f"({reason}); it needs the same packages as this process; {KEPT}"
                )
            self._fit.add(who)

    def is_there(self) -> bool:
        """Whether workers are there; changes are reported, and waiting too long is an error."""
        if self._unfit is not None:
            raise self._unfit
        connected = self.client.status == "running"
        if connected and self.threads:
            n = sum(self.threads.values())
            self._report_once("there", f"Dask at {self.address}, {plural(n, 'thread')}")
            self._alone_since = None
            return True
        self._alone_since = self._alone_since or time.monotonic()
        waited = time.monotonic() - self._alone_since
        if connected:
            what, most = f"the Dask cluster at {self.address} has no workers", WITHOUT_WORKERS_SECONDS
        else:
            what, most = f"the connection to the Dask scheduler at {self.address} is lost", WITHOUT_SCHEDULER_SECONDS
        if self.client.status == "closed" or waited > most:
            raise WorkerError(f"{what}, for {waited:.0f} s now; {KEPT}")
        if waited > QUIET_SECONDS:
            self._report_once(what, f"{what}; waiting for up to {most:.0f} s")
        return False

    def _report_once(self, what: str, text: str) -> None:
        """Show a text, unless the last one was about the same."""
        if what != self._last_report:
            self._last_report = what
            self.say(text)


LISTEN_SECONDS = 0.02
AHEAD_SECONDS = 1.0  # of work for a thread: with less, it gets its next batch ahead and never waits
MOST_LOSSES = 3  # of workers, before a trial becomes a suspect; after twice as many it has failed
MOST_GIVEN_UP = 20  # times that Dask may give up a trial whose worker lives


@dataclass(frozen=True, slots=True)
class Batch:
    """Trials under way on the cluster, and the Dask worker that they were sent to."""

    trials: list[Trial]
    worker: str
    seconds: float
    alone: bool = False


@door
@dataclass(frozen=True, slots=True)
class Dask:
    """An executor that performs trials on a Dask cluster: ``study.run(executor=ft.Dask(client))``.

    ``client`` is a ``dask.distributed.Client``; it stays open. Limits are kept, and the numbers are those of a run on
    one machine.
    """

    client: Any

    def __post_init__(self) -> None:
        if not isinstance(self.client, import_dask().Client) or self.client.asynchronous:
            raise InputError(f"client must be a dask.distributed.Client that is not asynchronous, got {self.client!r}")

    @property
    def keeps_limits(self) -> bool:
        return True

    @property
    def keeps_exclusive_timing(self) -> bool:
        return False  # nobody here knows what else the machines of the cluster do

    @contextmanager
    def open(self, supplies: Supplies, /) -> Iterator[Cluster]:
        cluster = Cluster(self.client, supplies)
        with quiet():
            cluster.watch.start()
            try:
                yield cluster
            finally:
                cluster.close()


class Cluster:
    """The workers of a Dask cluster, which perform trials of one run."""

    def __init__(self, client: Any, supplies: Supplies) -> None:
        self.client = client
        self.supplies = supplies.pickled()
        wanted = None if supplies.accept_versions else versions()
        self.job = Job(uuid.uuid4().hex, wanted, self.supplies.conditions, supplies.limits, tuple(search_path()))
        self.todo = Queue()
        self.suspects: deque[Trial] = deque()
        self.threads: dict[str, int] = {}  # of each worker, as last counted
        self.out: dict[Any, Batch] = {}  # batches under way, by future
        self.batches: Counter[str] = Counter()  # batches under way at each worker
        self.load: defaultdict[str, float] = defaultdict(float)  # seconds of work under way at each worker
        self.scattered: dict[tuple[str, int], Any] = {}
        self.outcomes: SimpleQueue[tuple[Any, bytes | BaseException]] = SimpleQueue()
        self.reserved: str | None = None  # the worker that is kept for suspects
        self.losses: Counter[bytes] = Counter()  # workers lost while they had a trial, by its key
        self.innocent: Counter[bytes] = Counter()  # times that Dask gave up a trial while its worker lived, by its key
        self.watch = Watch(client, supplies.say)

    def run(self, trials: Iterable[Trial], done: Callable[[Record], None], tick: Callable[[], None]) -> None:
        """Perform all trials. ``tick`` is called about every 50 ms, for writing and for the progress bar."""
        self.todo.add(trials)
        while self.todo or self.suspects or self.out:
            if self.watch.is_there():
                self._feed(tick)
            self._listen(done)
            tick()

    def close(self) -> None:
        """Take back the batches under way and end the child processes of the workers."""
        self.watch.stop()
        out = list(self.out)
        self.out.clear()
        self.scattered.clear()
        if self.client.status == "running":
            with suppress(Exception):  # all records are here; workers that can't be reached now notice it later
                self.client.cancel(out)
                self.client.run(stop, self.job.run, on_error="ignore")

    # Giving work

    def _feed(self, tick: Callable[[], None]) -> None:
        """Send batches to workers that want them; sending may take a while, and records must be written meanwhile."""
        self.threads = self.watch.threads
        self._feed_suspects()
        while self.todo and (hungry := [worker for worker in self.threads if self._wants_more(worker)]):
            trials, seconds = self.todo.batch(sum(self.threads.values()))
            if not self._send(Batch(trials, min(hungry, key=self._share), seconds)):
                return
            tick()

    def _feed_suspects(self) -> None:
        """Send one suspect to a worker that has nothing else: if that worker is lost, the suspect is to blame."""
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
        """Batches under way for each thread of a worker."""
        return self.batches[worker] / self.threads[worker]

    def _wants_more(self, worker: str) -> bool:
        """Whether a worker has fewer batches than threads, or little work in the next ones."""
        if worker == self.reserved:
            return False
        share = self._share(worker)
        return share < 1 or (share < 2 and self.load[worker] < AHEAD_SECONDS * self.threads[worker])

    def _send(self, batch: Batch) -> bool:
        """Send a batch and return whether it went out; if not, the connection was lost, and the watch reports it."""
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
            allow_other_workers=True,  # if that worker is lost
            pure=False,
        )

    def _thing(self, kind: str, number: int) -> Any:
        """The future of a job, data set or method, sent to the cluster at its first use or when Dask has lost it."""
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
        """Wait for a batch in the client's event loop, where many can be waited for at once."""
        try:
            outcome: bytes | BaseException = await self.client.gather(future, asynchronous=True)
        except BaseException as error:  # noqa: BLE001 - the run loop decides what it means
            outcome = error
        self.outcomes.put((future, outcome))

    # Receiving results

    def _listen(self, done: Callable[[Record], None]) -> None:
        with suppress(Empty):
            future, outcome = self.outcomes.get(timeout=LISTEN_SECONDS)
            while True:
                batch = self.out.pop(future, None)
                if batch is not None:
                    self.batches[batch.worker] -= 1
                    self.load[batch.worker] -= batch.seconds
                    self._receive(batch, outcome, done)
                future, outcome = self.outcomes.get_nowait()

    def _receive(self, batch: Batch, outcome: bytes | BaseException, done: Callable[[Record], None]) -> None:
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
        """Count workers that were lost with this batch, by chance or because one of its trials ends them."""
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
        """Put back a batch that Dask gave up: the only worker with its data, the connection or the cluster was lost."""
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
