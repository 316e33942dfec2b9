"""Every random number in fairtrial comes from a seed that is derived here.

A seed is a function of what it is for, never of when, where or in which order it is used:
the numbers of a study don't depend on workers, order, engine or resuming.
"""

from __future__ import annotations

import hashlib

import numpy as np


def derive_seed(*parts: object) -> int:
    """A seed below 2³¹ from the parts' texts.

    >>> derive_seed(1, "split", 0) == derive_seed(1, "split", 0) != derive_seed(1, "split", 1)
    True
    """
    text = "\x1f".join(p.hex() if isinstance(p, bytes) else str(p) for p in parts)
    digest = hashlib.blake2b(text.encode(), digest_size=4).digest()
    return int.from_bytes(digest, "little") & 0x7FFFFFFF


def generator(*parts: object) -> np.random.RandomState:
    """A generator whose stream numpy has promised to keep for ever (the newer Generator's may change)."""
    return np.random.RandomState(derive_seed(*parts))
