"""How tables of pairs are laid out: a matrix for a few methods, a row for each pair for many."""

from __future__ import annotations

from collections.abc import Sequence

MOST_IN_A_MATRIX = 15
"""With more methods than this a matrix can't be read, and a table of pairs has a row for each."""

LONGEST_TITLE = 14  # characters: with longer names the columns of a matrix have numbers instead
WIDEST_TITLES = 100  # characters of all titles together


def labels_of(names: Sequence[str]) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """The labels of rows and those of columns: names, or numbers above the columns where names are long.

    >>> labels_of(["tree", "forest"])
    (('tree', 'forest'), ('tree', 'forest'))
    >>> labels_of(["tree", "a forest of a hundred trees"])
    (('1 tree', '2 a forest of a hundred trees'), ('1', '2'))
    """
    if max(map(len, names)) <= LONGEST_TITLE and sum(map(len, names)) <= WIDEST_TITLES:
        return tuple(names), tuple(names)
    return tuple(f"{i} {name}" for i, name in enumerate(names, 1)), tuple(str(i) for i in range(1, len(names) + 1))
