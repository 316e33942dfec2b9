"""Minimum-aberration fractions by number of runs and of factors: the columns of the factors beyond the base factors.

The bits of a column say of which base factors it is the product: 7 = 1 + 2 + 4 is ABC. Source: Chen, Sun & Wu (1993),
International Statistical Review 61:131-145, doi:10.2307/1403599 (up to 64 runs; R's package FrF2 has the same
catalogue), Xu (2009), Technometrics 51:262-277 (128 runs). The search in
:mod:`fairtrial.design.layouts.generator_search` finds the same word-length patterns, and the tests compare all of them.
"""

from __future__ import annotations

_FACTORS_UP_TO: dict[int, tuple[tuple[int, int], ...]] = {
    4: ((3, 3),),
    8: ((4, 4), (7, 3)),
    16: ((5, 5), (8, 4), (15, 3)),
    32: ((6, 6), (16, 4), (31, 3)),
    64: ((7, 7), (8, 5), (32, 4), (63, 3)),
    128: ((8, 8), (9, 6), (11, 5), (64, 4), (127, 3)),
}
"""By number of runs: up to how many factors there is a fraction of which resolution."""


def highest_resolution(factors: int, runs: int) -> int:
    """The highest resolution of a fraction, known apart from the table of columns, which it is a check of.

    >>> highest_resolution(7, 16), highest_resolution(11, 128)
    (4, 5)
    """
    return next(resolution for most, resolution in _FACTORS_UP_TO[runs] if factors <= most)


MOST_FACTORS = 20
"""The number of factors up to which fractions are in the table."""

_32_BASE = (7, 11, 13, 14, 19, 21, 22, 25, 26, 28, 31)
_128_BASE = (31, 103, 43, 85)

MINIMUM_ABERRATION: dict[int, dict[int, tuple[int, ...]]] = {
    4: {3: (3,)},
    8: {4: (7,), 5: (3, 5), 6: (3, 5, 6), 7: (3, 5, 6, 7)},
    16: {
        5: (15,),
        6: (7, 11),
        7: (7, 11, 13),
        8: (7, 11, 13, 14),
        9: (3, 5, 9, 14, 15),
        10: (3, 5, 6, 9, 14, 15),
        11: (3, 5, 6, 9, 10, 13, 14),
        12: (3, 5, 6, 9, 10, 13, 14, 15),
        13: (3, 5, 6, 7, 9, 10, 11, 12, 13),
        14: (3, 5, 6, 7, 9, 10, 11, 12, 13, 14),
        15: (3, 5, 6, 7, 9, 10, 11, 12, 13, 14, 15),
    },
    32: {
        6: (31,),
        7: (7, 27),
        8: (7, 11, 29),
        9: (7, 11, 19, 29),
        10: (7, 11, 19, 29, 30),
        11: (7, 11, 13, 19, 21, 25),
        12: (7, 11, 13, 14, 19, 21, 25),
        13: (7, 11, 13, 14, 19, 21, 22, 25),
        14: _32_BASE[:9],
        15: _32_BASE[:10],
        16: _32_BASE,
        17: (3, 5, 9, 14, 15, 17, 22, 23, 26, 27, 28, 29),
        18: (3, 5, 6, 9, 14, 15, 17, 22, 23, 26, 27, 28, 29),
        19: (3, 5, 6, 9, 10, 14, 15, 17, 22, 23, 26, 27, 28, 29),
        20: (*_32_BASE, 3, 5, 9, 17),
    },
    64: {
        7: (63,),
        8: (15, 51),
        9: (7, 27, 45),
        10: (7, 27, 43, 53),
        11: (7, 11, 29, 45, 51),
        12: (7, 11, 29, 45, 51, 62),
        13: (7, 11, 21, 25, 38, 58, 60),
        14: (7, 11, 19, 30, 37, 41, 49, 60),
        15: (7, 11, 19, 30, 37, 41, 49, 60, 63),
        16: (7, 11, 13, 19, 21, 35, 37, 57, 58, 60),
        17: (7, 11, 13, 14, 19, 21, 35, 37, 57, 58, 60),
        18: (7, 11, 13, 14, 19, 21, 22, 35, 37, 57, 58, 60),
        19: (7, 11, 13, 14, 19, 21, 22, 35, 37, 38, 57, 58, 60),
        20: (7, 11, 13, 14, 19, 21, 22, 35, 37, 38, 57, 58, 60, 63),
    },
    128: {
        8: (127,),
        9: (31, 103),
        10: (31, 103, 43),
        11: _128_BASE,
        12: (*_128_BASE, 121),
        13: (*_128_BASE, 44, 86),
        14: (*_128_BASE, 46, 61, 114),
        15: (*_128_BASE, 46, 61, 114, 67),
        16: (*_128_BASE, 44, 86, 88, 53, 110),
        17: (*_128_BASE, 46, 61, 114, 67, 78, 116),
        18: (*_128_BASE, 46, 61, 114, 67, 78, 116, 121),
        19: (*_128_BASE, 46, 61, 114, 67, 78, 55, 58, 86),
        20: (*_128_BASE, 46, 61, 114, 67, 78, 55, 58, 86, 91),
    },
}
