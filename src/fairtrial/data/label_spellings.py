"""Spellings of labels: spaces at their ends and forms of Unicode, which never make two categories."""

from __future__ import annotations

import unicodedata
from collections.abc import Iterable, Iterator
from typing import TYPE_CHECKING

import numpy as np

from fairtrial.notices import Notice
from fairtrial.words import listed

if TYPE_CHECKING:
    import pandas as pd


def with_one_spelling(title: str, column: pd.Series) -> tuple[pd.Series, list[Notice]]:
    """The column with texts without spaces at their ends, in one form of Unicode, and a note where two became one.

    >>> import pandas as pd
    >>> column, [note] = with_one_spelling("answer", pd.Series(["yes", "no", "yes "]))
    >>> column.tolist()
    ['yes', 'no', 'yes']
    >>> print(note.text)
    column 'answer' has 'yes' and 'yes ' as one label (spaces at the ends and forms of Unicode make no label)
    """
    import pandas as pd

    if pd.api.types.infer_dtype(column, skipna=True) != "string":
        return column, []
    codes, found = pd.factorize(column)
    texts = list(map(str, found))
    plain = [text.strip() if text.isascii() else unicodedata.normalize("NFC", text).strip() for text in texts]
    if plain == texts:
        return column, []
    spellings: dict[str, list[str]] = {}
    for text, label in zip(texts, plain, strict=True):
        spellings.setdefault(label, []).append(text)
    joined = [same for same in spellings.values() if len(same) > 1]
    made = np.array([*plain, None], dtype=object)[codes]  # -1 is a missing cell
    return pd.Series(made, index=column.index, name=column.name, dtype=object), list(_note(title, joined))


def _note(title: str, joined: list[list[str]]) -> Iterator[Notice]:
    if joined:
        shown = [f"{listed(map(ascii, same))} as one label" for same in joined]
        sentence = f"column {title!r} has {listed(shown, 3)} (spaces at the ends and forms of Unicode make no label)"
        yield Notice(sentence, "note", f"column {title!r}", {"column": title, "labels": joined})


def alike(labels: Iterable[str]) -> list[list[str]]:
    """Labels that differ only in capitals, in spaces, or in characters that look the same or can't be seen.

    >>> alike(["no", "Yes", "yes", "New  York", "New York", "YES"])
    [['Yes', 'yes', 'YES'], ['New  York', 'New York']]
    """
    found: dict[str, list[str]] = {}
    for label in labels:
        visible = "".join(c for c in unicodedata.normalize("NFKC", label) if unicodedata.category(c) != "Cf")
        found.setdefault(" ".join(visible.casefold().split()), []).append(label)
    return [same for same in found.values() if len(same) > 1]
