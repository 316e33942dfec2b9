"""What tests of your own can call: contracts that a measure or an executor must keep, and assertions about methods.

Contracts raise :class:`~fairtrial.errors.ContractError`, which lists all that is wrong. Assertions raise AssertionError
with the sentence of the verdict.
"""

from fairtrial.testing.asserted_gates import assert_better, assert_equivalent, assert_not_worse
from fairtrial.testing.executors import check_executor
from fairtrial.testing.measures import check_measure

__all__ = ["assert_better", "assert_equivalent", "assert_not_worse", "check_executor", "check_measure"]
