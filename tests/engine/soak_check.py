"""What is checked after each kill of the soak test, and the table of all kills.

- ``lost``: trials whose record had reached the run over a tenth of a second before the kill, and is not in the file;
- ``twice``: trials that were executed although the file had them before, or twice in one run by processes that lived;
- ``bits``: records whose predictions differ from those of a quiet run, in the file, its merge or its export;
- ``failed``: trials that failed for another reason than the kill;
- ``processes``: workers that live on though their run, or their Dask worker, is gone;
- ``files``: logs, locks and temporary files that are left beside the finished file;
- ``broken``: a run or a command that ended otherwise than it may, with its last lines.
"""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Collection, Iterable, Mapping
from dataclasses import asdict, dataclass, field
from pathlib import Path

from soak_kills import KINDS, PHASES, Kill
from soak_study import Arrays, Execution, bits

from fairtrial.store import StudyFile

TENTH = 0.1  # seconds before a kill whose trials may be lost
KILLED = ("Died: the process was ended by SIGKILL (out of memory?)", "Died: it closed its connection")
FAULTS = ("lost", "twice", "bits", "failed", "processes", "files", "broken")


@dataclass
class Outcome:
    """All that was found wrong after one kill."""

    number: int
    kind: str
    phase: str
    landed: bool = False
    seconds: float = 0.0
    lost: list[str] = field(default_factory=list)
    twice: list[str] = field(default_factory=list)
    bits: list[str] = field(default_factory=list)
    failed: list[str] = field(default_factory=list)
    processes: list[str] = field(default_factory=list)
    files: list[str] = field(default_factory=list)
    broken: list[str] = field(default_factory=list)

    @classmethod
    def of(cls, kill: Kill) -> Outcome:
        return cls(kill.number, kill.kind, kill.phase)

    @property
    def faults(self) -> dict[str, list[str]]:
        return {name: found for name in FAULTS if (found := getattr(self, name))}

    def to_json(self) -> str:
        return json.dumps(asdict(self))


def records_in(path: Path) -> tuple[dict[bytes, Arrays], dict[bytes, str]]:
    """The predictions in a study file, and the first line of each failure; nothing if there is no whole file yet."""
    if not path.exists() or path.stat().st_size == 0:
        return {}, {}
    with StudyFile(path) as file:
        if file.query("PRAGMA quick_check") != [("ok",)]:
            raise AssertionError(f"{path.name} is not whole")
        if not file.query("SELECT 1 FROM sqlite_master WHERE name = 'trial'"):
            return {}, {}
        failures = {r.key: (r.error or "").split("\n")[0] for r in file.read() if r.status == "failed"}
        return bits(file), failures


def lost(received: Iterable[Execution], before: float, there: Collection[bytes]) -> list[str]:
    """Records that reached the run before some time and are not in its file, with the seconds before."""
    gone = [e for e in received if e.time < before and bytes.fromhex(e.trial) not in there]
    return sorted(f"{e.trial} {before - e.time:.3f} s" for e in gone)


def twice(
    log: Iterable[Execution], keys: Mapping[str, bytes], done_before: Collection[bytes], killed: Collection[int]
) -> list[str]:
    """Trials that were executed in one run without need."""
    seen: dict[bytes, int] = {}
    found = []
    for execution in log:
        key = keys[execution.trial]
        if key in done_before or (key in seen and seen[key] not in killed):
            found.append(key.hex())
        seen[key] = execution.process
    return found


def different(found: Mapping[bytes, Arrays], quiet: Mapping[bytes, Arrays]) -> list[str]:
    return [key.hex() for key, arrays in found.items() if quiet.get(key) != arrays]


def files_left(folder: Path, finished: Iterable[str]) -> list[str]:
    """Files that belong to a finished one and should be gone."""
    return sorted(p.name for name in finished for p in folder.glob(f"{name}*") if p.name not in set(finished))


def table(outcomes: Iterable[Outcome]) -> str:
    """Kills by kind and phase, and the faults of each sort."""
    outcomes = [o for o in outcomes if o.landed]
    counts = Counter((o.kind, o.phase) for o in outcomes)
    lines = [f"{'':<20}" + "".join(f"{phase:>9}" for phase in PHASES)]
    lines += [f"{kind:<20}" + "".join(f"{counts[kind, phase]:>9}" for phase in PHASES) for kind in KINDS]
    faults = {name: sum(len(getattr(o, name)) for o in outcomes) for name in FAULTS}
    seconds = sum(o.seconds for o in outcomes)
    lines.append(
        f"{len(outcomes)} kills in {seconds / 60:.0f} min; " + ", ".join(f"{n} {f}" for f, n in faults.items())
    )
    return "\n".join(lines)
