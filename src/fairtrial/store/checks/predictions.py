"""A second check of the predictions in older files, which were stored without a check.

Some of them are invalid for every measure: a single method whose probabilities do not sum to 1 would stop every reading
of the study. Trials are now checked when they are performed. Trials of older sessions are checked when they are read,
and count as failed if they are invalid.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import TYPE_CHECKING, Any

from fairtrial.errors import InputError

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from fairtrial.store.study_file import StudyFile

AT_ONCE = 1000  # trials
UNCHECKED = """
SELECT t.dataset, t.id FROM trial t LEFT JOIN session s ON s.id = t.session
WHERE t.status = 'ok' AND s.checks IS NULL ORDER BY t.dataset, t.id
"""


def refused_trials(file: StudyFile) -> dict[int, str]:
    """The unchecked trials whose predictions no measure takes, by number, each with the reason."""
    if not file.query("SELECT 1 FROM session WHERE checks IS NULL LIMIT 1"):
        return {}
    unchecked: dict[int, list[int]] = {}
    for dataset, trial in file.query(UNCHECKED):
        unchecked.setdefault(dataset, []).append(trial)
    classes = {number: len(facts["classes"]) for number, facts in file.facts().items()}
    return {
        trial: reason
        for dataset, trials in unchecked.items()
        for start in range(0, len(trials), AT_ONCE)
        for trial, reason in _refused(file, trials[start : start + AT_ONCE], classes[dataset])
    }


def _refused(file: StudyFile, trials: list[int], n_classes: int) -> Iterator[tuple[int, str]]:
    """Check trials all at once and, only where something is wrong, one by one."""
    if _reason(file, trials, n_classes) is not None:
        for trial in trials:
            if (reason := _reason(file, [trial], n_classes)) is not None:
                yield trial, reason


def _reason(file: StudyFile, trials: list[int], n_classes: int) -> str | None:
    channels = (item for stack in file.stacks(trials) for item in stack.channels.items())
    try:
        _check(channels, n_classes)
    except InputError as error:
        return f"InputError: {error}"
    return None


def _check(channels: Iterable[tuple[str, NDArray[Any]]], n_classes: int) -> None:
    from fairtrial.measures import channel_checks
    from fairtrial.measures.probabilities import check_probabilities

    for name, array in channels:
        match name:
            case "label":
                channel_checks.codes_of("label", array, n_classes)
            case "probability":
                check_probabilities(array, n_classes)
            case "score":
                channel_checks.numbers(name, array, infinite=True)
            case _:
                channel_checks.check_squares(name, channel_checks.numbers(name, array))
