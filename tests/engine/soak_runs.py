"""The soak test in its long form: a run, and the commands on its file, are killed again and again and go on.

Run: python tests/engine/soak_runs.py --kills 1000 --state soak.jsonl [--seed 1]

The state file has a line for each kill, so that a soak that was stopped goes on with the next number; all chances of a
kill follow from the seed and its number (what the machine does meanwhile does not). A study is run, killed and resumed
until it is finished; then its file is compared with a quiet run, and the next one begins. ``soak_kills.py`` says what
is killed when, ``soak_check.py`` what is checked. The exit code is 1 if anything was wrong.
"""

from __future__ import annotations

import argparse
import json
import os
import signal
import sys
import tempfile
import time
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent))

import distributed.cli.dask_scheduler
import distributed.cli.dask_worker  # noqa: F401 - here, and so in all that is forked
import soak_check
from soak_check import KILLED, TENTH, Outcome, different, files_left, lost, records_in, twice
from soak_kills import ON_CLUSTER, Kill, SoakCluster, descendants, end, ended, forked, is_alive, kill_of, workers_alive
from soak_study import LOG, executions, note, quiet_run, seeds, study_of

import fairtrial as ft
from fairtrial.cli import main
from fairtrial.engine import run
from fairtrial.engine.executors import dask_executor

ENOUGH = 40  # trials in the file before a command on it
ATTEMPTS = 8  # to land a kill
WITHOUT_SCHEDULER_SECONDS = 1.5  # of 15: there is a kill every few seconds


@dataclass
class Soak:
    """A folder with a study that is killed, the quiet run of the same study, and another study to merge it with."""

    folder: Path
    resampling: str = "8x10-fold"
    cluster: SoakCluster = field(init=False)

    def __post_init__(self) -> None:
        os.environ[LOG] = str(self.folder / "executions.log")
        self.study = study_of(resampling=self.resampling)
        self.keys = seeds(self.study)
        self.path, self.other = self.folder / "study.trial", self.folder / "other.trial"
        self.quiet = quiet_run(self.study, self.folder / "quiet.trial")
        self.quiet_other = quiet_run(study_of(("other",), self.resampling), self.other)
        self.lines = self.exported(self.folder / "quiet.trial")
        self.seconds = {phase: self.time_of(phase) for phase in ("merge", "export", "verdict")}
        self.clear(self.path, self.log, self.received)
        self.cluster = SoakCluster(self.folder)

    @property
    def log(self) -> Path:
        return Path(os.environ[LOG])

    @property
    def received(self) -> Path:
        return self.folder / "received.log"

    def clear(self, *paths: Path) -> None:
        for path in (p for stem in paths for p in stem.parent.glob(f"{stem.name}*")):
            path.unlink()

    # Processes

    def run_here(self, address: str | None, workers: int) -> None:
        """Run the study; each record that arrives is noted. This is the work of a process of its own."""
        module = sys.modules["fairtrial.engine.run"]
        add = module._Buffer.add

        def noted(buffer: object, record: object) -> None:
            note(self.received, f"{record.key.hex()} {os.getpid()} {time.time()}")
            add(buffer, record)

        module._Buffer.add = noted
        dask_executor.WITHOUT_SCHEDULER_SECONDS = WITHOUT_SCHEDULER_SECONDS
        options = {"progress": False, "retry_failed": True}
        if address is None:
            run(self.study, self.path, workers=workers, **options).close()
            return
        with dask_executor.connect(address) as client:  # which says in words that a scheduler is gone
            run(self.study, self.path, executor=ft.Dask(client), **options).close()

    def start_run(self, kind: str = "parent", workers: int = 2) -> int:
        if kind in ON_CLUSTER:
            self.cluster.start()
        address = self.cluster.address if kind in ON_CLUSTER else None
        return forked(lambda: self.run_here(address, workers), self.folder / "run.txt")

    def command(self, phase: str, into: str = "made") -> Callable[[], None]:
        made = {"merge": f"{into}.trial", "export": f"{into}.csv"}.get(phase, "")
        arguments = {
            "merge": ["merge", self.path, self.other, "--into", self.folder / made],
            "export": ["export", self.path, "--scores", self.folder / made, "--measure", "accuracy"],
            "verdict": ["compare", self.path],
        }[phase]

        def work() -> None:
            sys.argv = ["fairtrial", *map(str, arguments)]
            main()

        return work

    def time_of(self, phase: str) -> float:
        """The seconds that a command takes; what it imports is then imported here, too, for all that are forked."""
        self.path.write_bytes((self.folder / "quiet.trial").read_bytes())
        taken = []
        for _ in range(2):
            begun = time.monotonic()
            process = forked(self.command(phase), self.folder / "command.txt")
            if ended(process, 120) != 0:
                raise RuntimeError((self.folder / "command.txt").read_text())
            taken.append(time.monotonic() - begun)
            self.clear(self.folder / "made")
        return min(taken)

    def exported(self, path: Path) -> set[str]:
        (table,) = ft.read_study(path).export(scores=self.folder / "quiet.csv")
        return {line for line in Path(table).read_text().splitlines() if ",accuracy," in line}

    # One kill

    def step(self, kill: Kill) -> Outcome:
        """Kill until it lands: a run may be done, or a command may have ended, before it is hit."""
        begun = time.monotonic()
        for attempt in range(ATTEMPTS):
            outcome = Outcome.of(kill)
            self.attempt(kill, attempt, outcome)
            if outcome.landed or outcome.faults:
                break
        outcome.seconds = round(time.monotonic() - begun, 2)
        return outcome

    def attempt(self, kill: Kill, attempt: int, outcome: Outcome) -> None:
        chance = kill.chance
        if not self.left_to_do():
            self.finish(outcome)
        if not kill.needs_run:
            self.prepare()
        before, failed_before = records_in(self.path)
        marks = len(executions(self.log)), len(executions(self.received))
        target_run = self.start_run(kill.kind, chance.choice((1, 2))) if kill.needs_run else None
        if target_run is not None:
            early = chance.random() < 0.2 and kill.phase == "run" and attempt == 0  # while workers start
            self.wait(target_run, 0 if early else 1, kill.phase != "run")
        command = forked(self.command(kill.phase), self.folder / "command.txt") if kill.phase != "run" else None
        most = 0.5 if command is None else self.seconds[kill.phase] * 0.8**attempt
        time.sleep(chance.uniform(0, most))
        hit = self.targets(kill, target_run, command, chance)
        killed = {*hit, *(p for pid in hit for p in descendants(pid))}
        under_way = [p for p in (target_run, command) if p is not None]
        outcome.landed = bool(hit) and all(map(is_alive, {*hit, *under_way}))
        at = time.time()
        for pid in hit:
            if is_alive(pid):
                os.kill(pid, signal.SIGKILL)
        end_of_run = self.wait_for_end(kill, target_run, outcome, chance)
        if target_run in hit:
            outcome.landed = outcome.landed and end_of_run == -signal.SIGKILL  # it may have ended just before
        if command is not None:
            self.check_command(kill, command, outcome)
        self.check_file(kill, outcome, before, marks, killed, at if end_of_run == -signal.SIGKILL else None)
        new = {key: reason for key, reason in records_in(self.path)[1].items() if key not in failed_before}
        outcome.failed += [reason for reason in new.values() if kill.kind != "child" or reason not in KILLED]
        self.check_processes(outcome)
        if kill.kind == "submitter":
            self.settle()

    def settle(self, quiet: float = 0.5) -> None:
        """Wait until nothing is executed any more: workers of a cluster go on for a moment without the submitter.

        What they finish belongs to the run that was killed. Without this wait it would be counted for the next one.
        """
        lines, since, deadline = -1, time.monotonic(), time.monotonic() + 10
        while time.monotonic() < min(since + quiet, deadline):
            if (now := len(executions(self.log))) != lines:
                lines, since = now, time.monotonic()
            time.sleep(0.05)

    def left_to_do(self) -> bool:
        there, failures = records_in(self.path)
        return bool(failures) or len(there) < len(self.quiet)

    def prepare(self) -> None:
        """Let a run go on, undisturbed, until the file has enough for a command."""
        if len(records_in(self.path)[0]) < ENOUGH:
            process = self.start_run()
            self.wait(process, 1, enough=True)
            os.kill(process, signal.SIGINT)
            if ended(process, 60) is None:
                end(process)

    def wait(self, process: int, lines: int, enough: bool) -> None:
        """Wait until a run has executed so many trials, and its file has enough of them if a command needs it."""
        begun, deadline = len(executions(self.log)), time.monotonic() + 60
        while time.monotonic() < deadline and is_alive(process):
            if len(executions(self.log)) >= begun + lines and (not enough or len(records_in(self.path)[0]) >= ENOUGH):
                return
            time.sleep(0.02)

    def targets(self, kill: Kill, target_run: int | None, command: int | None, chance: object) -> list[int]:
        if target_run is None:
            return [command] if command is not None else []
        match kill.kind:
            case "parent" | "submitter":
                return [target_run]
            case "parent and children":
                return [target_run, *descendants(target_run)]
            case "child":
                return descendants(target_run)[:1] if chance.random() < 0.5 else descendants(target_run)[-1:]
            case "Dask worker":
                return [chance.choice(self.cluster.pids("worker"))]
        return self.cluster.pids("scheduler")

    def wait_for_end(self, kill: Kill, process: int | None, outcome: Outcome, chance: object) -> int | None:
        """The exit code of the run. One that the kill did not hit goes on for a while and is stopped as by Ctrl-C."""
        if process is None:
            return None
        if kill.kind in ("child", "Dask worker"):
            time.sleep(chance.uniform(0.3, 1.0))
            if is_alive(process):
                os.kill(process, signal.SIGINT)
        code = ended(process, 60)
        if code is None:
            end(process)
        output = (self.folder / "run.txt").read_text(errors="replace")
        stopped = kill.kind == "scheduler" and "WorkerError" in output  # it says so and stops
        if code not in (0, 130, -signal.SIGKILL) and not stopped:
            outcome.broken.append(f"run ended with {code}: {output[-600:]}")
        return code

    # What is left

    def check_command(self, kill: Kill, process: int, outcome: Outcome) -> None:
        """The command that was under way has ended well, was killed, or refused the file; now it works."""
        output = self.folder / "command.txt"
        code = ended(process, 60)
        said = output.read_text(errors="replace")
        if kill.kind == "parent":
            outcome.landed = outcome.landed and code == -signal.SIGKILL  # it may have ended just before
        may_be = (-signal.SIGKILL,) if kill.kind == "parent" else (0, 1, 2)
        if outcome.landed and (code not in may_be or "Traceback" in said):
            outcome.broken.append(f"{kill.phase} ended with {code}: {said[-600:]}")
        if code == 0:
            self.check_made(kill.phase, outcome, exact=False)
            self.clear(self.folder / "made")
        again = forked(self.command(kill.phase), output)
        code, said = ended(again, 60), output.read_text(errors="replace")
        without_baseline = code == 2 and "the baseline 'majority' failed too" in said
        if without_baseline:
            return  # the trial of a child that was killed is a failed one, here of the baseline: no verdict, in words
        if code not in (0, 1) or not (said.strip() or kill.phase == "export"):
            outcome.broken.append(f"{kill.phase} on what was left ended with {code}: {said[-600:]}")
        else:
            self.check_made(kill.phase, outcome, exact=True)
        outcome.files += files_left(self.folder, ["made.trial"] if kill.phase == "merge" else ["made.csv"])
        self.clear(self.folder / "made")

    def check_made(self, phase: str, outcome: Outcome, *, exact: bool) -> None:
        """What a command has made holds what the quiet run has: all that is in the file, if nothing ran meanwhile."""
        there, _ = records_in(self.path)
        if phase == "merge":
            found, _ = records_in(self.folder / "made.trial")
            outcome.bits += different(found, {**self.quiet, **self.quiet_other})
            complete = not exact or found.keys() == {*there, *self.quiet_other}
        elif phase == "export":
            lines = {line for line in (self.folder / "made.csv").read_text().splitlines() if ",accuracy," in line}
            outcome.bits += sorted(line for line in lines - self.lines if not line.endswith(",failed"))
            complete = not exact or len(lines & self.lines) == len(there)
        else:
            complete = True
        if not complete:
            outcome.bits.append(f"{phase} has not all of the {len(there)} trials")

    def check_file(
        self, kill: Kill, outcome: Outcome, before: dict, marks: tuple[int, int], killed: set[int], at: float | None
    ) -> None:
        """What the run has left in its file; ``at`` is when it was killed, None where it ended by itself."""
        there, failures = records_in(self.path)
        log, received = executions(self.log)[marks[0] :], executions(self.received)[marks[1] :]
        outcome.lost += lost(received, time.time() if at is None else at - TENTH, {*there, *failures})
        excused = {e.process for e in log} if kill.kind == "scheduler" else killed
        outcome.twice += twice(log, self.keys, before, excused)
        outcome.bits += different(there, self.quiet)

    def check_processes(self, outcome: Outcome, seconds: float = 5.0) -> None:
        """No worker outlives its run or its Dask worker."""
        deadline = time.monotonic() + seconds
        while True:
            hosts = set(self.cluster.pids("worker"))
            left = [str(pid) for pid, parent in workers_alive(self.folder).items() if parent not in hosts]
            if not left or time.monotonic() > deadline:
                break
            time.sleep(0.05)
        outcome.processes += left

    def finish(self, outcome: Outcome) -> None:
        """The study is done: compare it with the quiet run, look for what is left, and begin anew."""
        process = self.start_run()
        if ended(process, 120) != 0:
            outcome.broken.append(f"last run: {(self.folder / 'run.txt').read_text()[-600:]}")
            end(process)
        there, failures = records_in(self.path)
        outcome.bits += different(there, self.quiet) + sorted(k.hex() for k in self.quiet.keys() - there.keys())
        outcome.failed += list(failures.values())
        outcome.files += files_left(self.folder, ["study.trial"])
        self.clear(self.path, self.log, self.received)

    def close(self, outcome: Outcome) -> None:
        """End the cluster, and look for processes that are left."""
        self.cluster.stop()
        self.check_processes(outcome, 15.0)


def kept(state: Path) -> list[Outcome]:
    """The outcomes of the kills so far."""
    lines = state.read_text(encoding="utf-8").splitlines() if state.exists() else []
    return [Outcome(**json.loads(line)) for line in lines]


def soak(kills: int, state: Path, seed: int, folder: Path, resampling: str, first: int = 0) -> bool:
    """Go on until there are so many kills from the ``first`` number on; return whether all was well."""
    outcomes = kept(state)
    made = Soak(folder, resampling)
    try:
        for number in range(first + len(outcomes), first + kills):
            outcome = made.step(kill_of(number, seed))
            note(state, outcome.to_json())
            outcomes.append(outcome)
            if outcome.faults or not outcome.landed:
                print(f"kill {number}: {outcome.to_json()}", flush=True)
            if (number + 1) % 24 == 0:
                print(soak_check.table(outcomes), flush=True)
    finally:
        last = Outcome(-1, "", "")
        made.close(last)
    print(soak_check.table(outcomes), f"left at the end: {last.faults or 'nothing'}", sep="\n", flush=True)
    return not last.faults and all(o.landed and not o.faults for o in outcomes)


def arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--kills", type=int, default=1000)
    parser.add_argument("--state", type=Path, default=Path("soak.jsonl"))
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--first", type=int, default=0, help="the number of the first kill, on another machine")
    parser.add_argument("--resampling", default="8x10-fold")
    return parser.parse_args()


if __name__ == "__main__":
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(143))  # so that the cluster ends, too
    given = arguments()
    with tempfile.TemporaryDirectory(prefix="soak") as made_up:
        well = soak(
            given.kills, given.state.resolve(), given.seed, Path(made_up).resolve(), given.resampling, given.first
        )
    sys.exit(0 if well else 1)
