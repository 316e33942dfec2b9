"""Costs of mistakes by label, as people know them, brought into the order of the classes."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np

from fairtrial.errors import InputError
from fairtrial.measures import channel_checks
from fairtrial.words import quoted, shown


def with_label_costs(
    context: Mapping[str, object], classes: Sequence[object], positive: int | None
) -> dict[str, object]:
    """The context with costs that were given by label brought into the order of the classes.

    ``{"no": 1, "yes": 30}`` is what a mistake costs if that label is true; ``{"yes": {"no": 30}}`` says it for each
    true and predicted label, and what is not named costs 0.

    >>> with_label_costs({"costs": {"yes": 30, "no": 1}}, ["no", "yes"], positive=1)
    {'costs': (1, 30)}
    >>> with_label_costs({"costs": {"a": 2, "b": 1, "c": {"a": 9}}}, ["a", "b", "c"], positive=None)
    {'costs': ((0, 2, 2), (1, 0, 1), (9, 0, 0))}
    """
    costs = context.get("costs")
    if not isinstance(costs, Mapping):
        return dict(context)
    return {**context, "costs": costs_by_label(costs, list(map(str, classes)), positive)}


def costs_by_label(given: Mapping[object, object], classes: list[str], positive: int | None) -> tuple[object, ...]:
    """The costs as a pair (false positive, false negative) where two classes allow it, else as a matrix."""
    by_label = {str(label): cost for label, cost in given.items()}
    inner = {str(label) for cost in by_label.values() if isinstance(cost, Mapping) for label in cost}
    if strange := sorted((set(by_label) | inner) - set(classes)):
        raise InputError(f"costs must be given by labels of the data, {quoted(classes)}, got {strange[0]!r}")
    if missing := [label for label in classes if label not in by_label]:
        raise InputError(f"costs must be given for each true label, but {missing[0]!r} has none; give it 0 if so")
    rows = [_cost_row(by_label[label], i, classes) for i, label in enumerate(classes)]
    costs = [cost for row in rows for cost in row]
    if not all(channel_checks.is_number(cost) and np.isfinite(cost) for cost in costs):
        raise InputError(f"costs must be finite numbers, or numbers by predicted label, got {shown(given)}")
    if len(classes) == 2 and positive is not None and rows[0][0] == rows[1][1] == 0 and min(costs) >= 0:
        return rows[1 - positive][positive], rows[positive][1 - positive]
    return tuple(rows)


def _cost_row(given: object, own: int, classes: list[str]) -> tuple[float, ...]:
    """The costs of one true label, by predicted label."""
    if not isinstance(given, Mapping):
        return tuple(0 if k == own else given for k in range(len(classes)))  # type: ignore[misc]
    by_label = {str(label): cost for label, cost in given.items()}
    return tuple(by_label.get(label, 0) for label in classes)
