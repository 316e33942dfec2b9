"""A tail probability together with its logarithm, which stays accurate where the probability underflows.

Null distributions are summed from positive terms only, starting with the small tail, so that a p-value of 1e-300 is as
accurate as one of 0.05.
"""

from __future__ import annotations

import math
from typing import NamedTuple

LOG10_2 = math.log10(2.0)


class Tail(NamedTuple):
    """A tail probability and its decimal logarithm, which stays finite where the probability underflows."""

    value: float
    log10: float

    def doubled(self) -> Tail:
        """Twice the tail, for both sides of a symmetric distribution; at most 1.

        >>> Tail(0.01, -2.0).doubled().value, Tail(0.7, -0.155).doubled()
        (0.02, Tail(value=1.0, log10=0.0))
        """
        return Tail(2 * self.value, self.log10 + LOG10_2) if self.value < 0.5 else Tail(1.0, 0.0)

    def complement(self) -> Tail:
        """The complementary probability, 1 minus this tail.

        >>> Tail(0.25, -0.602).complement()
        Tail(value=0.75, log10=-0.1249)
        """
        return Tail(1.0 - self.value, math.log1p(-self.value) / math.log(10))

    @classmethod
    def from_log(cls, log: float) -> Tail:
        """The tail with this natural logarithm.

        >>> Tail.from_log(-1000.0)
        Tail(value=0.0, log10=-434.29)
        """
        return cls(math.exp(log), log / math.log(10))

    @classmethod
    def from_binary(cls, mantissa: float, exponent: int) -> Tail:
        """The tail ``mantissa * 2**exponent``.

        >>> Tail.from_binary(11.0, -10).value
        0.0107421875
        """
        return cls(math.ldexp(mantissa, exponent), math.log10(mantissa) + exponent * LOG10_2)
