"""The kills of the soak test: their order, their targets, and the processes that they hit.

A kill has a kind (which process is hit) and a phase (what is under way):

- in the phase ``run`` a run is under way: local for parent, parent and children, and child; on a cluster for submitter,
  Dask worker and scheduler;
- in ``merge``, ``export`` and ``verdict`` that command is under way. The kind ``parent`` hits the command itself, while
  no run is under way. All other kinds hit a run of that kind on the same study file while the command reads the file.
  A command may refuse a file that is in use, with one sentence. Afterwards it must work on what is left.

``parent``, ``child``, ``submitter``, ``Dask worker`` and ``scheduler`` are one process each; ``parent and children``
are a run and all that it has started, at once. All kills are SIGKILL.
"""

from __future__ import annotations

import json
import os
import random
import signal
import sys
import time
import traceback
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path

import psutil

KINDS = ("parent", "parent and children", "child", "submitter", "Dask worker", "scheduler")
PHASES = ("run", "merge", "export", "verdict")
ON_CLUSTER = frozenset(KINDS[3:])


@dataclass(frozen=True)
class Kill:
    """A kill with its number, from which all of its chances follow."""

    number: int
    kind: str
    phase: str
    seed: int

    @property
    def chance(self) -> random.Random:
        return random.Random(f"{self.seed}-{self.number}")

    @property
    def needs_run(self) -> bool:
        return self.phase == "run" or self.kind != "parent"


def kill_of(number: int, seed: int) -> Kill:
    """The kill of that number: each kind in each phase comes once in 24 kills, in an order that the seed shuffles."""
    block, place = divmod(number, len(KINDS) * len(PHASES))
    cells = [(kind, phase) for kind in KINDS for phase in PHASES]
    random.Random(f"{seed}-order-{block}").shuffle(cells)
    return Kill(number, *cells[place], seed)


def forked(work: Callable[[], object], output: Path) -> int:
    """Start a copy of this process that does some work and ends: a second or two sooner than a new Python.

    It exits with 0, with the code of SystemExit, or with 70 and a traceback in the file ``output``.
    """
    process = os.fork()
    if process:
        return process
    code = 70
    try:
        os.setpgid(0, 0)
        signal.signal(signal.SIGTERM, signal.SIG_DFL)
        signal.signal(signal.SIGINT, signal.default_int_handler)  # which the background of a shell ignores
        file = os.open(output, os.O_WRONLY | os.O_CREAT | os.O_TRUNC)
        os.dup2(file, 1)
        os.dup2(file, 2)
        work()
        code = 0
    except SystemExit as end:
        code = end.code if isinstance(end.code, int) else 0 if end.code is None else 1
    except KeyboardInterrupt:
        code = 130
    except BaseException:  # noqa: BLE001 - it is this process's last word
        traceback.print_exc()
    finally:
        sys.stdout.flush()
        sys.stderr.flush()
        os._exit(code)


def ended(process: int, seconds: float) -> int | None:
    """The exit code of a child of this process, or minus the signal; None if it does not end in time."""
    deadline = time.monotonic() + seconds
    while time.monotonic() < deadline:
        found, status = os.waitpid(process, os.WNOHANG)
        if found:
            return os.waitstatus_to_exitcode(status)
        time.sleep(0.01)
    return None


def is_alive(process: int) -> bool:
    try:
        return psutil.Process(process).status() != psutil.STATUS_ZOMBIE
    except psutil.Error:
        return False


def descendants(process: int) -> list[int]:
    try:
        return [child.pid for child in psutil.Process(process).children(recursive=True)]
    except psutil.Error:
        return []


def workers_alive(folder: Path) -> dict[int, int]:
    """Worker processes of fairtrial that belong to the soak in a folder, with their parents."""
    found = {}
    for process in psutil.process_iter():
        try:
            if "fairtrial.worker" in process.cmdline() and str(folder) in process.environ().get(
                "FAIRTRIAL_SOAK_LOG", ""
            ):
                found[process.pid] = process.ppid()
        except psutil.Error:
            continue
    return found


def end(process: int) -> None:
    """Kill a child of this process and wait for its end."""
    try:
        os.kill(process, signal.SIGKILL)
        os.waitpid(process, 0)
    except (ProcessLookupError, ChildProcessError):
        return


@dataclass
class SoakCluster:
    """A Dask cluster of one scheduler and two workers, which are started again when they were killed.

    Children of Dask workers that nobody needs end after 3 s instead of 60: with a kill every few seconds they would
    fill the memory.
    """

    folder: Path
    processes: dict[str, int] = field(default_factory=dict)

    @property
    def file(self) -> Path:
        return self.folder / "scheduler.json"

    @property
    def address(self) -> str:
        return str(json.loads(self.file.read_text())["address"])

    def start(self) -> None:
        """Start what is not running, and wait until the scheduler has an address."""
        if not self.pids("scheduler"):
            self.stop()
            self.file.unlink(missing_ok=True)
            options = ("--host", "127.0.0.1", "--port", "0", "--no-dashboard", "--scheduler-file", str(self.file))
            self.processes["scheduler"] = forked(lambda: _dask("scheduler", *options), self.folder / "scheduler.txt")
            deadline = time.monotonic() + 60
            while not self.file.exists() and time.monotonic() < deadline:
                time.sleep(0.02)
        options = ("--scheduler-file", str(self.file), "--nthreads", "1", "--no-nanny", "--no-dashboard")
        for name in ("worker 1", "worker 2"):
            if not self.pids(name):
                self.processes[name] = forked(lambda: _dask("worker", *options), self.folder / f"{name}.txt")

    def pids(self, name: str) -> list[int]:
        """The processes whose names begin so, and that live; those that have ended are buried."""
        for each, pid in list(self.processes.items()):
            if not is_alive(pid):
                end(pid)
                del self.processes[each]
        return [pid for each, pid in self.processes.items() if each.startswith(name)]

    def stop(self) -> None:
        for pid in self.processes.values():
            end(pid)
        self.processes.clear()


def _dask(what: str, *options: str) -> None:
    from distributed.cli import dask_scheduler, dask_worker

    from fairtrial.engine.executors import dask_worker as ours

    ours.IDLE_SECONDS = 3.0
    {"scheduler": dask_scheduler.main, "worker": dask_worker.main}[what](list(options))
