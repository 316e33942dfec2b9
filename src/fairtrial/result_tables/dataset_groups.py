"""Data sets that stand in groups: their names say so, as ``city/mode`` does."""

from __future__ import annotations

from collections.abc import Sequence

from fairtrial.tables import Marked


def groups_of(names: Sequence[str]) -> list[tuple[str, str]] | None:
    """The group of each data set and its name in the group, where all names have one slash; None where they don't.

    There must be several groups, and several data sets in each.

    >>> groups_of(["FR/bus", "FR/walk", "KL/bus", "KL/walk"])
    [('FR', 'bus'), ('FR', 'walk'), ('KL', 'bus'), ('KL', 'walk')]
    >>> groups_of(["uci/iris", "uci/wine"]), groups_of(["a/x", "b/y"]), groups_of(["a/x", "a/y", "b"])
    (None, None, None)
    """
    pairs = [tuple(part.strip() for part in name.split("/")) for name in names]
    if any(len(pair) != 2 or not all(pair) for pair in pairs):
        return None
    groups = [pair[0] for pair in pairs]
    if len(set(groups)) < 2 or any(groups.count(g) < 2 for g in set(groups)):
        return None
    return [(first, second) for first, second in pairs]


def starts_of_groups(groups: Sequence[object]) -> tuple[int, ...]:
    """The numbers of the rows, after the first, at which another group begins.

    >>> starts_of_groups(["a", "a", "b", "c", "c"])
    (2, 3)
    """
    return tuple(i for i in range(1, len(groups)) if groups[i] != groups[i - 1])


def named_once(names: Sequence[str]) -> list[object]:
    """Names of groups, of which readers see only the first of equal neighbours; programs have them all.

    >>> [getattr(name, "text", name) for name in named_once(["a", "a", "b"])]
    ['a', ' ', 'b']
    """
    return [Marked(n, text=" ") if i and names[i - 1] == n else n for i, n in enumerate(names)]
