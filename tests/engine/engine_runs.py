"""Studies, runs and looks at what they left, which several tests of the engine share."""

import time

from sklearn.ensemble import RandomForestClassifier
from sklearn.linear_model import LogisticRegression
from sklearn.naive_bayes import GaussianNB

import fairtrial as ft
from fairtrial.engine import run
from fairtrial.store import StudyFile


def small_study(**changes: object) -> ft.Study:
    options: dict = {
        "datasets": ["iris", "labor"],
        "methods": {"forest": RandomForestClassifier(5), "bayes": GaussianNB(), "logistic": LogisticRegression()},
        "resampling": "3-fold",
    }
    return ft.Study(**{**options, **changes})


def quick(study: ft.Study, path: object, workers: int = 2, **options: object) -> StudyFile:
    return run(study, path, workers=workers, progress=False, **options)


def numbers(file: StudyFile) -> dict:
    """Everything that must not depend on how the study ran: not times, memory and order of writing."""
    return {
        r.key: (
            r.status,
            (r.error or "").split("\n")[0],
            [(channel, a.dtype, a.shape, a.data) for channel, a in sorted(r.arrays.items())],
        )
        for r in file.read()
    }


def recorded(file: object, resource: str) -> dict[str, list[float | None]]:
    """What was recorded, by method."""
    rows = file.query(f"SELECT m.name, t.{resource} FROM trial t JOIN method m ON m.id = t.method")
    found: dict = {}
    for method, amount in rows:
        found.setdefault(method, []).append(amount)
    return found


def done(path: object) -> int:
    """How many trials of a study file are done; none where it is not there yet."""
    try:
        with StudyFile(path) as file:
            return file.query("SELECT COUNT(*) FROM trial WHERE status = 'ok'")[0][0]
    except OSError:
        return 0


def until(true, seconds: float = 60.0) -> None:
    """Wait for something to become true."""
    deadline = time.monotonic() + seconds
    while not true() and time.monotonic() < deadline:
        time.sleep(0.05)
    assert true()
