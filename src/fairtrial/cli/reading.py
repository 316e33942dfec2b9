"""Results from a file of any kind: a study, scores or predictions."""

from __future__ import annotations

import functools
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from fairtrial.errors import InputError, UnknownName
from fairtrial.words import listed

if TYPE_CHECKING:
    from fairtrial.kinds import Kind
    from fairtrial.results import Results

__all__ = ["file_and_name", "read_results", "reading_options"]

ROLES = ("dataset", "method", "repeat", "fold", "value", "sign", "instance", "cluster")
OF_SCORES = ("value", "sign")
OF_PREDICTIONS = ("instance", "cluster")


def reading_options(command: Callable[..., None]) -> Callable[..., None]:
    """Add options that say how a table is read; the command gets them as ``reading``, for :func:`read_results`."""

    @functools.wraps(command)
    def collected(**given: Any) -> None:
        names = ("truth", "columns", "resampling", "higher_is_better")
        reading = {name: given.pop(name) for name in names}
        command(reading=reading, **given)

    options = (
        click.option("--truth", metavar="COLUMN", help="FILE has predictions; this column has the true values."),
        click.option(
            "--columns", type=columns_in, metavar="ROLE=COLUMN,…",
            help=f"What columns of a table are: {listed(ROLES, None, last='or')}.",
        ),
        click.option("--resampling", metavar="TEXT", help="How scores were made: '10x10-fold', '5 seeds', …."),
        click.option(
            "--higher-is-better/--lower-is-better", default=None,
            help="The direction of a measure that is not registered.",
        ),
    )  # fmt: skip
    return functools.reduce(lambda made, option: option(made), reversed(options), collected)


def columns_in(text: str) -> dict[str, str]:
    """The column of each role, from a text such as ``dataset=task,method=framework``.

    >>> columns_in("dataset=task, value=auc")
    {'dataset': 'task', 'value': 'auc'}
    """
    found = {}
    for part in text.split(","):
        role, equals, column = (piece.strip() for piece in part.partition("="))
        if not equals or not column:
            raise InputError(f"--columns must be roles and columns, such as dataset=task,value=auc, got {text!r}")
        if role not in ROLES:
            raise UnknownName.among("role of a column", role, ROLES)
        found[role] = column
    return found


def read_results(
    file: Path,
    *,
    truth: str | None = None,
    columns: Mapping[str, str | None] | None = None,
    resampling: str | None = None,
    higher_is_better: bool | None = None,
    measure: str | None = None,
    positive: Any = None,
    baseline: str | None = None,
    methods: list[str] | None = None,
) -> Results:
    """Read a study file (.trial), predictions (``truth`` names a column), or scores."""
    from fairtrial.results import read_predictions, read_scores, read_study

    if file.suffix == ".trial":
        return read_study(file)
    given = {role: column for role, column in (columns or {}).items() if column is not None}
    if truth is not None:
        own = {role: column for role, column in given.items() if role not in OF_SCORES}
        return read_predictions(file, truth=truth, measure=measure, resampling=resampling, positive=positive, **own)
    own: Any = {role: column for role, column in given.items() if role not in OF_PREDICTIONS}
    return read_scores(
        file, measure=measure, higher_is_better=higher_is_better, resampling=resampling, baseline=baseline,
        methods=methods, **own,
    )  # fmt: skip


def file_and_name(
    first: str, second: str | None, kinds: Mapping[str, Kind], what: str, command: str
) -> tuple[Path | None, str]:
    """The file and the name of a kind, which may come in either order; a kind that is not of results needs no file."""
    if second is None:
        if first in kinds and not kinds[first].of_results:
            return None, first
        file = f"a file with results: fairtrial {command} FILE {first}"
        missing = file if first in kinds else f"the name of a {what}"
        raise InputError(f"fairtrial {command} needs {missing}; `fairtrial list {what}s` has the names")
    if first in kinds and (second not in kinds or Path(second).exists()):
        return Path(second), first
    if second not in kinds:
        raise UnknownName.among(what, first if Path(second).exists() and not Path(first).exists() else second, kinds)
    return Path(first), second
