"""Damage of a study file at random places, and what becomes of it: it is detected, or nothing that is shown changes.

``make flips`` runs the long form: ``python tests/store/damage.py --flips 1000 --bursts 200 --seed 1``. Each case has
a number; ``--first 400`` goes on from there, and a case can be made again from the seed and its number.
"""

import argparse
import random
import re
import shutil
import signal
import sqlite3
import sys
import tempfile
import time
from collections import Counter
from contextlib import closing, contextmanager
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[1] / "engine"))  # for bad_methods, as in conftest

import bad_methods
from sklearn.naive_bayes import GaussianNB
from sklearn.tree import DecisionTreeClassifier

from fairtrial.design import Study
from fairtrial.errors import StudyFileError
from fairtrial.results import read_study
from fairtrial.store import StudyFile, check_file, study_status
from fairtrial.store.schema import TABLES

PAGE, SECTOR = 4096, 512
SECONDS = 20  # that a case may take
PLACES = re.compile(  # a row, or a part of the file
    r"row \d+ of|'\w+' in its table 'array'|its table '\w+'|its pages|was cut off|is no database|malformed|not a study "
    r"file|newer fairtrial|file version|is empty|unsupported file format"
)


def whole_study(path: Path) -> None:
    """A study with several methods, failed trials, replicates, two revisions and a log of verdicts."""
    methods = {"majority": "majority", "bayes": GaussianNB(), "tree": DecisionTreeClassifier(max_depth=2)}
    parts = {
        "datasets": ["iris", "labor"],
        "replicates": 2,
        "measures": ["accuracy", "average_recall"],
        "training_scores": True,
    }
    methods["raises"] = bad_methods.Raises(every=2)
    for resampling in ("2-fold", "2x2-fold"):
        results = Study(methods=methods, resampling=resampling, **parts).run(path, workers=0, progress=False)
        results.verdict()
        results.verdict("average_recall")
        results.source.file.close()


def flip(data: bytearray, chance: random.Random) -> str:
    place, bit = chance.randrange(len(data)), chance.randrange(8)
    data[place] ^= 1 << bit
    return f"bit {bit} of byte {place}"


def burst(data: bytearray, chance: random.Random) -> str:
    """Random or zeroed bytes, zeroed or repeated sectors and pages, or a file that ends too early."""
    kind = chance.choice(["noise", "noise", "zeros", "zeros", "repeat", "cut"])
    if kind == "cut":
        size = chance.choice([chance.randrange(len(data)), len(data) - PAGE * chance.randint(1, 5)])
        del data[size:]
        return f"cut to {size}"
    length = chance.choice([chance.randint(2, 64), SECTOR, PAGE] if kind != "noise" else [chance.randint(2, 64)])
    places = range(0, len(data), length if length in (SECTOR, PAGE) else 1)
    place, source = chance.choice(places), chance.choice(places)
    new = {"noise": chance.randbytes(length), "zeros": bytes(length), "repeat": data[source : source + length]}[kind]
    new = new[: len(data) - place]
    data[place : place + len(new)] = new
    return f"{kind} of {length} at {place} from {source}"


def shown(path: Path) -> dict[str, object]:
    """What people see of a file, by what they ask for; an error where that is what they see."""
    doors = {"status": _status, "export": _export, "verdict": _verdict, "provenance": _provenance, "check": _check}
    doors["rows"] = _rows
    return {name: _answer(door, path) for name, door in doors.items()}


def _answer(door, path: Path) -> object:
    try:
        return door(path)
    except StudyFileError as error:
        return error


def _status(path: Path) -> object:
    with StudyFile(path) as file:
        return {k: v for k, v in study_status(file, now=2e9).to_dict().items() if k not in ("holder", "pace", "file")}


def _export(path: Path) -> object:
    with tempfile.TemporaryDirectory() as folder:
        targets = [Path(folder) / name for name in ("scores.csv", "predictions.csv")]
        with _closing(read_study(path)) as results:
            results.export(scores=targets[0], predictions=targets[1])
        return [target.read_bytes() for target in targets]


def _verdict(path: Path) -> object:
    with _closing(read_study(path)) as results:
        return results.verdict().render("json")


def _provenance(path: Path) -> object:
    with _closing(read_study(path)) as results:
        return repr(results.provenance), results.source.content, results.definition.to_dict()


@contextmanager
def _closing(results):
    try:
        yield results
    finally:
        results.source.file.close()


def _rows(path: Path) -> object:
    """All rows, as SQLite has them: where nothing else shows damage, they must be the same."""
    with closing(sqlite3.connect(f"{path.as_uri()}?mode=ro", uri=True)) as db:
        try:
            return {name: db.execute(f"SELECT * FROM {name}").fetchall() for name in TABLES}
        except (sqlite3.Error, UnicodeDecodeError):
            return None


def _check(path: Path) -> object:
    found = check_file(path)
    return str(found) if found.is_whole else StudyFileError(str(found))


def verdict_on(before: dict[str, object], after: dict[str, object]) -> str:
    """Whether damage was detected, did no harm, or was not noticed; in the last case with the door."""
    errors = {name: answer for name, answer in after.items() if isinstance(answer, StudyFileError)}
    for name, error in errors.items():
        if not PLACES.search(str(error)):
            return f"UNNAMED at {name}: {error}"
    changed = [name for name in before if name not in errors and after[name] != before[name]]
    if changed and (changed != ["rows"] or not errors):
        return f"SILENT at {changed[0]}"
    if errors and "check" not in errors:
        return f"MISSED by check, found at {next(iter(errors))}: {next(iter(errors.values()))}"
    return "found by check alone" if list(errors) == ["check"] else "detected" if errors else "harmless"


def case(
    whole: bytes, before: dict[str, object], path: Path, seed: int, number: int, *, bursts: bool
) -> tuple[str, str]:
    """What was done to a copy of the file, and what became of it."""
    chance = random.Random(f"{seed} {number} {bursts}")
    data = bytearray(whole)
    what = (burst if bursts else flip)(data, chance)
    for side in path.parent.glob(f"{path.name}*"):
        side.unlink()
    path.write_bytes(data)
    if bytes(data) == whole:
        return what, "harmless"
    signal.signal(signal.SIGALRM, _too_long)
    signal.alarm(SECONDS)
    try:
        return what, verdict_on(before, shown(path))
    except Exception as error:  # noqa: BLE001 - of any kind: it is what is looked for
        return what, f"RAW {type(error).__name__}: {error}"
    finally:
        signal.alarm(0)


def _too_long(*_: object) -> None:
    raise TimeoutError(f"more than {SECONDS} s")


def series(folder: Path, seed: int, first: int, count: int, *, bursts: bool) -> tuple[Counter, list[str]]:
    """How many cases came to what, and those that must not be."""
    made = folder / "whole.trial"
    if not made.exists():
        whole_study(made)
        shown(made)  # what is asked is noted in the file: once more changes nothing
    whole, counts, bad = made.read_bytes(), Counter(), []
    path = folder / "damaged" / "whole.trial"
    path.parent.mkdir(exist_ok=True)
    shutil.copy(made, path)
    before = shown(path)
    for number in range(first, first + count):
        what, found = case(whole, before, path, seed, number, bursts=bursts)
        counts[found.split(" at ")[0].split(":")[0] if found[0].isupper() else found] += 1
        if found[0].isupper():
            bad.append(f"{'burst' if bursts else 'flip'} {number} of seed {seed} ({what}): {found}")
    return counts, bad


def main() -> None:
    asked = argparse.ArgumentParser(description=__doc__)
    for name, default in (("flips", 1000), ("bursts", 200), ("seed", 1), ("first", 0)):
        asked.add_argument(f"--{name}", type=int, default=default)
    given = asked.parse_args()
    wrong = False
    with tempfile.TemporaryDirectory() as folder:
        for bursts, count in ((False, given.flips), (True, given.bursts)):
            began = time.monotonic()
            counts, bad = series(Path(folder), given.seed, given.first, count, bursts=bursts)
            told = ", ".join(f"{n} {what}" for what, n in counts.most_common())
            print(
                f"{count} {'bursts' if bursts else 'flips'} from {given.first}, seed {given.seed}: {told}; "
                f"{time.monotonic() - began:.0f} s",
                *bad,
                sep="\n  ",
                flush=True,
            )
            wrong |= bool(bad)
    sys.exit(wrong)


if __name__ == "__main__":
    main()
