"""Predictions of one method, from the columns of a table: labels, values with deviations, scores, probabilities.

The truth of a table of predictions: its classes, which of two is the positive one, or its values.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from fairtrial.errors import InputError, UnknownName
from fairtrial.notices import Note
from fairtrial.results.how_read import Found
from fairtrial.results.readers.read_table import show_columns
from fairtrial.results.readers.score_shapes import has_numbers, refuse_cells
from fairtrial.words import listed

if TYPE_CHECKING:
    import pandas as pd


NAIVE_SCALE = "naive_scale"  # the column of the naive error of the series of each instance
QUANTILE = re.compile(r"(?:q(?:uantile)?[ _]?)?(0?\.\d+)", re.IGNORECASE)
OF_MODEL = re.compile(r"(.+?)(?::|[ _.-]?(?=q))(" + QUANTILE.pattern + ")", re.IGNORECASE)
POSITIVE_CLASS = "positive class"  # what a note is about, which matters only to measures that look at one class
CODED = (("0", "1"), ("-1", "1"), ("False", "True"))


@dataclass(frozen=True, slots=True, eq=False)
class Truth:
    """The truth as class numbers (or values), the classes, which of two is positive, and what was decided."""

    truth: NDArray[Any]
    classes: tuple[str, ...] = ()
    positive: int | None = None
    notes: tuple[str, ...] = ()


def classes_of(column: pd.Series, positive: object, dataset: str, ranked: bool) -> Truth:
    """A truth of classes; ``ranked``: some method gives numbers instead of labels, so the positive class matters."""
    import pandas as pd

    labels = labels_of(column)
    truth, classes = labels.codes.astype(np.int64), labels.texts
    if len(classes) < 2:
        raise InputError(f"the truth must have at least two classes, but all of {dataset!r} are {classes[0]!r}")
    if len(classes) > 2:
        numeric = pd.api.types.is_numeric_dtype(column)
        note = (
            f"{dataset}: the {len(classes)} whole numbers of the truth are taken as classes (measure='rmse' for values)"
        )
        return Truth(truth, classes, None, (note,) if numeric else ())
    if positive is not None:
        if label_text(positive) not in classes:
            raise UnknownName.among("class (given as positive)", str(positive), classes)
        return Truth(truth, classes, classes.index(label_text(positive)))
    if ranked:
        if classes not in CODED:
            raise InputError(
                f"the numbers predicted for {dataset!r} must be for one class, but the class is unknown; "
                f"say positive={classes[1]!r} or positive={classes[0]!r} (--positive)"
            )
        return Truth(truth, classes, 1, (_positive(f"{dataset}: positive class: {classes[1]!r} (none was declared)"),))
    rarer = int(np.bincount(truth)[1] <= np.bincount(truth)[0])
    note = f"{dataset}: positive class: {classes[rarer]!r}, the rarer of the two (none was declared)"
    return Truth(truth, classes, rarer, (_positive(note),))


def _positive(text: str) -> Note:
    """A note on the positive class."""
    return Note(text, about=POSITIVE_CLASS)


def label_text(value: object) -> str:
    """A label as text: 1 and 1.0 are the same label.

    >>> label_text(1.0), label_text(1), label_text("a")
    ('1', '1', 'a')
    """
    if isinstance(value, (float, np.floating)) and float(value).is_integer():
        value = int(value)
    return str(value)


@dataclass(frozen=True, slots=True, eq=False)
class Labels:
    """The labels of a column as text, each once, in ascending order, and the number of each row's own."""

    texts: tuple[str, ...]
    codes: NDArray[np.intp]

    def coded(self, classes: Sequence[str]) -> NDArray[np.int64]:
        """The number of each row's label among the classes; −1 where it is none of them."""
        known = {c: i for i, c in enumerate(classes)}
        return np.array([known.get(text, -1) for text in self.texts], dtype=np.int64)[self.codes]


def labels_of(column: pd.Series) -> Labels:
    """The labels of a column as text; each kind of label is looked at once.

    >>> import pandas as pd
    >>> found = labels_of(pd.Series([2.0, 1.0, 2.0]))
    >>> found.texts, found.codes.tolist()
    (('1', '2'), [1, 0, 1])
    """
    import pandas as pd

    mixed = column.dtype == object and pd.api.types.infer_dtype(column, skipna=False).startswith("mixed")
    # 1, 1.0 and True are one value to pandas, and labels of two names here
    values = np.array([label_text(v) for v in column], dtype=object) if mixed else column
    codes, kinds = pd.factorize(values, use_na_sentinel=False)
    texts, order = np.unique(np.array([label_text(v) for v in kinds], dtype=object), return_inverse=True)
    return Labels(tuple(texts.tolist()), order.reshape(-1)[codes])


def has_more_kinds(column: pd.Series, most: int) -> bool:
    """Whether a column holds more different values than this; its beginning tells of nearly all that do."""
    return bool(column.iloc[: 10 * most + 10].nunique() > most or column.nunique() > most)


def are_classes(column: pd.Series, classes: Collection[str]) -> bool:
    """Whether all that a column holds are some of these classes."""
    many = column.dtype.kind in "iuf" and has_more_kinds(column, len(classes))
    return not many and set(labels_of(column).texts) <= set(classes)


INSTEAD = "take out what can't be predicted, for all methods"


def quantile_columns(titles: Iterable[str]) -> dict[float, str]:
    """The columns of quantiles in a long table, by their levels in ascending order.

    >>> quantile_columns(["value", "q0.9", "0.1", "quantile_0.5", "q1"])
    {0.1: '0.1', 0.5: 'quantile_0.5', 0.9: 'q0.9'}
    """
    found = {float(level[1]): title for title in titles if (level := QUANTILE.fullmatch(title))}
    return {level: found[level] for level in sorted(found) if level > 0}


def quantiles_of_models(titles: Iterable[str]) -> dict[str, dict[float, str]]:
    """The columns of quantiles of each model in a wide table, where a model has at least two.

    >>> quantiles_of_models(["a:0.1", "a:0.9", "b_q0.1", "b_q0.5", "c_q0.5", "v0.2"])
    {'a': {0.1: 'a:0.1', 0.9: 'a:0.9'}, 'b': {0.1: 'b_q0.1', 0.5: 'b_q0.5'}}
    """
    found: dict[str, dict[float, str]] = {}
    for title in titles:
        if (parts := OF_MODEL.fullmatch(title)) and float(parts[3]) > 0:
            found.setdefault(parts[1], {})[float(parts[3])] = title
    return {model: dict(sorted(own.items())) for model, own in found.items() if len(own) > 1}


@dataclass(frozen=True, slots=True, eq=False)
class MethodRows:
    """The rows of a table for one method on one data set; the instances have the same order for all methods.

    ``rows`` have the truth, the repeat and fold and, in a long table, the columns label, value, std, score and
    p_<class>; for forecasts perhaps q<level> and naive_scale, in a wide table too. ``unlabelled`` is a column of
    predictions whose title does not say whether it holds labels, values or scores: the column of a model in a wide
    table, or one called "prediction" in a long one.
    """

    rows: pd.DataFrame
    unlabelled: pd.Series | None = None

    def predicts_fractions(self) -> bool:
        """Whether some predicted value is not a whole number."""
        value = self.rows["value"] if "value" in self.rows.columns else None
        return any(_has_fractions(column) for column in (self.unlabelled, value) if column is not None)

    def distances(self, truth: NDArray[np.float64]) -> NDArray[np.float64]:
        """How far predicted numbers are off, where they are; nothing where labels are no numbers."""
        import pandas as pd

        column = next((self.rows[c] for c in ("label", "value") if c in self.rows.columns), self.unlabelled)
        numbers = pd.to_numeric(column, errors="coerce") if column is not None else pd.Series(dtype=float)
        off = np.abs(numbers.to_numpy(dtype=float) - truth) if len(numbers) == len(truth) else np.zeros(0)
        return np.asarray(off[off > 0])

    def ranks(self, classes: Collection[str]) -> bool:
        """Whether the single column, or that of scores, ranks instances for one class."""
        import pandas as pd

        column = self.rows.get("score") if self.unlabelled is None else self.unlabelled
        return column is not None and pd.api.types.is_numeric_dtype(column) and not are_classes(column, classes)

    def channels(self, truth: Truth, where: str) -> tuple[dict[str, NDArray[Any]], Found | None]:
        """The predictions by channel, and what was found out about numbers; ``where`` names method and data set."""
        own, classes, positive = self.rows, truth.classes, truth.positive
        there = set(own.columns[own.notna().any()])  # a column may be there for other methods only
        shares = [own[f"p_{c}"] for c in classes if f"p_{c}" in there]
        given = self._given(classes, there)
        for column in (*given.values(), *shares):
            if column.isna().any():
                raise InputError(f"{where}: {int(column.isna().sum())} predictions are empty")
        found = {kind: _channel(kind, column, classes, where) for kind, column in given.items()}
        if classes and len(shares) == len(classes):
            found["probability"] = np.column_stack([_numbers(s, where, f"probabilities ({s.name})") for s in shares])
        elif positive is not None and "score" in found and _are_shares(found["score"]):
            found["probability"] = _two_columns(found.pop("score"), positive)
        remark: Found | None = None
        if "score" in found and positive is not None and _may_be_percent(found["score"]):
            remark = "percent" if _is_informed(found["score"] / 100, truth.truth == positive) else "scores"
            if remark == "percent":
                found["probability"] = _two_columns(found.pop("score") / 100, positive)
        if "probability" in found and len(shares) and np.allclose(found["probability"].sum(axis=1), 100, atol=1):
            found["probability"], remark = found["probability"] / 100, "percent"
        if "probability" in found and "label" not in found:
            found["label"] = found["probability"].argmax(axis=1).astype(np.int64)
        if "value" in found and "std" in there:
            found["std"] = _deviations(own["std"], where)
        if not classes:
            found |= _of_forecasts(own, there, where, has_value="value" in found)
        if not found:
            raise InputError(f"{where}: no column holds predictions; columns: {show_columns(own)}")
        return found, remark

    def _given(self, classes: tuple[str, ...], there: Collection[str]) -> dict[str, pd.Series]:
        """The columns by channel (label, value, score), with the single column under the channel that it holds."""
        if self.unlabelled is not None:
            return {_kind(self.unlabelled, classes): self.unlabelled}
        return {c: self.rows[c] for c in ("label", "value", "score") if c in there}


def _of_forecasts(
    own: pd.DataFrame, there: Collection[str], where: str, *, has_value: bool
) -> dict[str, NDArray[np.float64]]:
    """Quantiles with their levels, of which the median is the value if there is no other, and the naive error."""
    found: dict[str, NDArray[np.float64]] = {}
    columns = quantile_columns(str(c) for c in own.columns if c in there)
    if columns:
        found["quantiles"] = np.column_stack([_numbers(own[c], where, f"quantiles ({c})") for c in columns.values()])
        found["levels"] = np.tile(list(columns), (len(own), 1))
    if 0.5 in columns and not has_value:
        found["value"] = found["quantiles"][:, list(columns).index(0.5)]
    if NAIVE_SCALE in there and (found or has_value):
        # empty where a series has no naive error, which is undefined as 0 is
        found[NAIVE_SCALE] = _numbers(own[NAIVE_SCALE].fillna(0.0), where, "naive errors")
    return found


def _channel(kind: str, column: pd.Series, classes: tuple[str, ...], where: str) -> NDArray[Any]:
    """A channel as an array: labels as numbers of classes (−1: none of them), all else as numbers."""
    import pandas as pd

    if kind == "label":
        return labels_of(column).coded(classes)
    if classes and not pd.api.types.is_numeric_dtype(column) and not has_numbers(column):
        strange = next((text for text in map(label_text, column) if text not in classes), "")
        raise InputError(
            f"{where} must predict one of the classes {listed(classes, last='or')}, or give numbers, "
            f"but there is {strange!r}"
        )
    return _numbers(column, where, "predictions")


def _has_fractions(column: pd.Series) -> bool:
    import pandas as pd

    return pd.api.types.is_numeric_dtype(column) and bool((column.dropna() % 1 != 0).any())


def _numbers(column: pd.Series, where: str, what: str) -> NDArray[np.float64]:
    """A column as numbers; cells that are text are named."""
    import pandas as pd

    values: NDArray[np.float64] = pd.to_numeric(column, errors="coerce").to_numpy(dtype=float)
    strange = np.flatnonzero(np.isnan(values))
    refuse_cells(where, [(f"row {row}", str(column.iloc[row])) for row in strange], what, INSTEAD)
    return values


def _deviations(column: pd.Series, where: str) -> NDArray[np.float64]:
    import pandas as pd

    values: NDArray[np.float64] = pd.to_numeric(column, errors="coerce").to_numpy(dtype=float)
    bad = ~(np.isfinite(values) & (values >= 0))
    if bad.any():
        raise InputError(
            f"{where}: std must be a number of at least 0 for each instance, "
            f"but {bad.sum()} are not, such as {column[bad].iloc[0]}"
        )
    return values


def _kind(column: pd.Series, classes: tuple[str, ...]) -> str:
    """The channel that a model's single column holds: value, label, or score of the positive class."""
    import pandas as pd

    if not classes:
        return "value"
    if are_classes(column.dropna(), classes):
        return "label"
    if pd.api.types.is_numeric_dtype(column) and not pd.api.types.is_bool_dtype(column):
        return "label" if len(classes) > 2 and not _has_fractions(column) else "score"
    return "label" if set(labels_of(column.dropna()).texts) & set(classes) else "score"


def _are_shares(values: NDArray[Any]) -> bool:
    return bool(((values >= 0) & (values <= 1)).all())


def _may_be_percent(values: NDArray[Any]) -> bool:
    return bool(values.min() >= 0 and 1 < values.max() <= 100)


def _is_informed(shares: NDArray[Any], positive: NDArray[np.bool_]) -> bool:
    """Whether numbers are better probabilities than the share of positives alone: then they are meant as such."""
    return bool(((shares - positive) ** 2).mean() < ((positive.mean() - positive) ** 2).mean())


def _two_columns(shares: NDArray[Any], positive: int) -> NDArray[Any]:
    columns = [1 - shares, shares] if positive == 1 else [shares, 1 - shares]
    return np.column_stack(columns)
