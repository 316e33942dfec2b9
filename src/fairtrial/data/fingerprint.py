"""The fingerprint of a data set's content: the same on every platform, whatever the data set is called."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

import numpy as np
import numpy.typing as npt

if TYPE_CHECKING:
    from fairtrial.data.dataset import Dataset

VERSION = "fairtrial data 1"


def fingerprint(data: Dataset) -> str:
    """Hex of a 128-bit BLAKE2b over everything that can change what is learned or measured."""
    digest = hashlib.blake2b(digest_size=16)
    for part in _parts(data):
        digest.update(len(part).to_bytes(8, "little"))
        digest.update(part)
    return digest.hexdigest()


def _parts(data: Dataset) -> Iterator[bytes]:
    features = [[f.name, f.kind, list(f.categories)] for f in data.features]
    yield _json([VERSION, data.task, list(data.X.shape), features, list(data.classes), data.positive])
    yield _numbers(data.X)
    yield _array(data.codes if data.task == "classes" else data.target)
    for optional in (data.groups, data.order, data.weights):
        yield b"" if optional is None else _array(optional)


def _array(values: npt.NDArray[Any]) -> bytes:
    if values.dtype.kind == "f":
        return b"f" + _numbers(values)
    if values.dtype.kind in "bi":
        return b"i" + np.ascontiguousarray(values, dtype="<i8").tobytes()
    return b"s" + _json(values.tolist())


def _numbers(values: npt.NDArray[Any]) -> bytes:
    """Numbers as little-endian doubles, with one form of nan."""
    return np.ascontiguousarray(np.where(np.isnan(values), np.nan, values), dtype="<f8").tobytes()


def _json(content: object) -> bytes:
    return json.dumps(content, separators=(",", ":")).encode("ascii")
