"""Tables of critical values, which need no results."""

from __future__ import annotations

from dataclasses import replace

from fairtrial.errors import InputError
from fairtrial.result_tables.named_tables import table_of
from fairtrial.stats import critical_values
from fairtrial.stats.distributions.critical_values import TESTS
from fairtrial.tables import Table
from fairtrial.words import quoted


@table_of("critical_values")
def printed_critical_values(*, test: str | None = None) -> Table:
    """The critical values of a test, as textbooks print them."""
    if test is None:
        raise InputError(
            f"test must name the test whose critical values are shown (--test): {quoted(TESTS, None, last='or')}"
        )
    call = f"ft.stats.critical_values({test!r})"
    return replace(critical_values(test), call=call, label=f"tab:critical_values_{test}")
