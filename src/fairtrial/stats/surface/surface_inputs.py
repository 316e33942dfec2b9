"""What a response surface is fitted to: settings, values, ranges and blocks, checked and brought into arrays."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np
import numpy.typing as npt
from scipy.special import logit

from fairtrial.errors import InputError
from fairtrial.measures.channel_checks import list_of
from fairtrial.stats.factorial.coded_factors import Design, factor_columns
from fairtrial.stats.factorial.model_terms import BLOCKS
from fairtrial.stats.score_arrays import FloatArray, numbers
from fairtrial.stats.surface.natural_range import NaturalRange
from fairtrial.words import listed


def read_points(design: Design, names: Sequence[str] | None) -> tuple[FloatArray, tuple[str, ...]]:
    factors = factor_columns(design, names, None)
    for factor in factors:
        if factor.levels is not None or not factor.present.all():
            raise InputError(
                f"factor {factor.name!r} must be a number in every setting, since a surface has slopes; leave factors "
                "with names out, or fit a surface at each of their levels"
            )
    return np.column_stack([factor.values for factor in factors]), tuple(factor.name for factor in factors)


def read_values(values: npt.ArrayLike, settings: int, scale: str) -> FloatArray:
    y = numbers(values, "values")
    if y.ndim not in (1, 2) or y.shape[-1] != settings or y.size == 0:
        raise InputError(
            f"values must be one for each of the {settings} rows of the design, or a table with a row for each data "
            f"set and a column for each setting, got an array of shape {y.shape}"
        )
    if not np.isfinite(y).all():
        raise InputError("values must be finite, but some are not; leave settings or data sets without a score out")
    if scale == "measure":
        return y
    if y.min() <= 0 or y.max() >= 1:
        worst = float(y.min() if y.min() <= 0 else y.max())
        raise InputError(
            f"values must lie strictly between 0 and 1 on the logit scale, got {worst:g}; take scale='measure', or a "
            "measure without perfect scores"
        )
    return np.asarray(logit(y))


def read_ranges(given: Mapping[str, NaturalRange] | None, names: Sequence[str]) -> dict[str, NaturalRange]:
    found = dict(given or {})
    for name, own in found.items():
        if name not in names or not isinstance(own, NaturalRange):
            raise InputError(
                f"ranges must map names of factors ({listed(names)}) to NaturalRange(low, high), got {name!r}: {own!r}"
            )
    return found


def block_columns(blocks: Sequence[object] | None, rows: int) -> FloatArray | None:
    if blocks is None:
        return None
    labels = [str(block) for block in list_of("blocks", blocks, f"{rows} blocks, one for each row")]
    if len(labels) != rows:
        raise InputError(f"blocks must have one block for each of the {rows} rows, got {len(labels)}")
    (block,) = factor_columns({BLOCKS: labels}, None, None)
    if len(block.steps(block.present)) < 2:
        return None
    return block.coding(block.present, all_pairs=False).columns
