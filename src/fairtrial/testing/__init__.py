"""Contracts that are shipped: rules that a measure or an executor of your own must keep.

Call them from your tests; they raise :class:`~fairtrial.errors.ContractError`, which lists all that is wrong.
"""

from fairtrial.testing.executors import check_executor
from fairtrial.testing.measures import check_measure

__all__ = ["check_executor", "check_measure"]
