"""Tables of predictions that can't be meant as they stand: refused in words, with what settles them."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from fairtrial.errors import InputError
from fairtrial.results.readers.predicted_columns import INSTEAD
from fairtrial.results.readers.summary_lines import summary_word
from fairtrial.results.readers.text_cells import decorated_number, mostly_numbers, refuse_cells, text_cells
from fairtrial.results.readers.truth_column import Truth
from fairtrial.results.score_measures import is_known_measure
from fairtrial.words import listed, quoted, verb

if TYPE_CHECKING:
    import pandas as pd

FEWEST_RANKED, CHANCE = 50, 0.1  # rows, and the distance of an area under the ROC curve from 0.5
REVERSED = 0.3  # area under the ROC curve below which numbers seem to be for the other class
MOSTLY = 0.9  # share of numbers in a truth that is meant to hold numbers


def refuse_rows_below(frame: pd.DataFrame, truth: str, instance: str | None, name: str) -> None:
    """Refuse rows that are no predictions: a total or a remark below them would become a class."""
    import pandas as pd

    truths = frame[truth]
    strange = np.zeros(len(frame), dtype=np.bool_)
    if truths.dtype.kind not in "iufb":
        numbers = pd.to_numeric(truths, errors="coerce").notna()
        texts = (~numbers & truths.notna()).to_numpy()  # decorated numbers are refused as such
        strange = (
            texts if numbers.mean() >= MOSTLY and not any(map(decorated_number, truths[texts].map(str))) else strange
        )
        once = {str(t) for t, n in truths.value_counts().items() if n == 1 and summary_word(str(t))}
        strange = strange | truths.astype(str).isin(once).to_numpy()
    if instance is not None and frame[instance].dtype.kind not in "iufb":
        ends = {str(entry) for entry in frame[instance].iloc[-5:]}
        totals = [e for e in ends if summary_word(e) or is_known_measure(e)]
        strange = strange | frame[instance].astype(str).isin(totals).to_numpy()
    if strange.any():
        rows = np.flatnonzero(strange)
        shown = ", ".join(str(c) for c in frame.iloc[rows[0]].dropna().tolist()[:3])
        raise InputError(
            f"{name}: each row must be an instance, but {verb(len(rows), 'row', 'rows')} {listed((rows + 1).tolist())} "
            f"below the titles {verb(len(rows), 'looks', 'look')} like a summary or a remark ({shown}); remove "
            f"{verb(len(rows), 'it', 'them')}"
        )


def refuse_odd_scores(channels: Mapping[str, Mapping[str, Any]], dataset: str, truth: Truth, *, ask: bool) -> None:
    """Refuse columns that may be no predictions beside others that are: an age, a cost; ``ask``: nobody named them."""
    if truth.classes:
        odd = [m for m, own in channels.items() if set(own) == {"score"}]
        odd = odd if 0 < len(odd) < len(channels) else _by_chance(channels, truth)
    else:
        odd = _far_off(channels, truth.truth)
    if odd and ask:
        others = [m for m in channels if m not in odd]
        raise InputError(
            f"the numbers of {quoted(odd)} on {dataset!r} may be predictions or not: they are not like those of "
            f"{quoted(others)}; name the methods: methods={others!r} (--methods {','.join(others)}), with {odd[0]!r} "
            "among them if it is one"
        )


def _by_chance(channels: Mapping[str, Mapping[str, Any]], truth: Truth) -> list[str]:
    """The methods whose numbers rank two classes as chance does, where all others are clearly better."""
    if truth.positive is None or len(truth.truth) < FEWEST_RANKED:
        return []
    positive = truth.truth == truth.positive
    shares = {m: own["probability"][:, truth.positive] for m, own in channels.items() if "probability" in own}
    areas = {m: _area(numbers, positive) for m, numbers in shares.items()}
    odd = [m for m, area in areas.items() if abs(area - 0.5) < CHANCE]
    rest = [area for m, area in areas.items() if m not in odd]
    return odd if rest and min(rest) > 0.5 + 2 * CHANCE else []


def _far_off(channels: Mapping[str, Mapping[str, Any]], truth: NDArray[np.float64]) -> list[str]:
    """The methods whose numbers are far off where those of others are near: they may be no predictions."""
    off = {m: float(np.sqrt(np.mean((own["value"] - truth) ** 2))) for m, own in channels.items() if "value" in own}
    far = [m for m, error in off.items() if error > 2 * truth.std()]
    return far if any(error < truth.std() for error in off.values()) else []


def refuse_reversed(channels: Mapping[str, Mapping[str, Any]], truth: Truth, positive: object, dataset: str) -> None:
    """Refuse numbers that all rank the other class first, where nobody said of which class they are."""
    if positive is not None or truth.positive is None or len(truth.classes) != 2:
        return
    of_class = [
        own["probability"][:, truth.positive] if "probability" in own else own.get("score") for own in channels.values()
    ]
    areas = [_area(numbers, truth.truth == truth.positive) for numbers in of_class if numbers is not None]
    if areas and max(areas) < REVERSED:
        raise InputError(
            f"the numbers predicted for {dataset!r} rank the class {truth.classes[truth.positive]!r} last; if they are "
            f"for the other one, say positive={truth.classes[1 - truth.positive]!r}, else "
            f"positive={truth.classes[truth.positive]!r} (--positive)"
        )


def _area(numbers: NDArray[np.float64], positive: NDArray[np.bool_]) -> float:
    """The area under the ROC curve, by ranks."""
    import pandas as pd

    ranks = pd.Series(numbers).rank().to_numpy()
    n, m = int(positive.sum()), int((~positive).sum())
    return float((ranks[positive].sum() - n * (n + 1) / 2) / (n * m))


def refuse_decorated(truth: pd.Series, dataset: str) -> None:
    """Refuse decorated numbers such as '3.5*', which would make a class of each number."""
    strange = np.flatnonzero(text_cells(truth))
    if len(strange) and mostly_numbers(truth) and any(decorated_number(str(truth.iloc[row])) for row in strange):
        refuse_cells(
            repr(dataset), [(f"row {row}", str(truth.iloc[row])) for row in strange], "the truth's values", INSTEAD
        )
