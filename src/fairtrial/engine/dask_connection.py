"""The connection to a Dask cluster: opened by an address or a file, and watched for workers that come and go."""

from __future__ import annotations

import json
import logging
import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager, suppress
from importlib.util import find_spec
from pathlib import Path
from threading import Event, Thread
from typing import Any

from fairtrial.errors import InputError, WorkerError
from fairtrial.words import plural

LOOK_SECONDS = 1.0  # how often the cluster's workers are counted
CONNECT_SECONDS = 10.0
WITHOUT_SCHEDULER_SECONDS = 15.0  # Dask tries to connect again meanwhile
WITHOUT_WORKERS_SECONDS = 300.0
QUIET_SECONDS = 3.0  # without workers or scheduler, before a message says so
CAN_IMPORT = (find_spec, "fairtrial.engine.dask_worker")  # a worker without fairtrial can unpickle this
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
