"""Failed trials by method: how many, for which reasons, and on which data sets."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

from fairtrial.errors import UnknownName
from fairtrial.result_tables.named_tables import table_of
from fairtrial.results.absentees import advice_in, brief_reason, trials_of
from fairtrial.tables import Column, Table, formats
from fairtrial.words import listed, plural

if TYPE_CHECKING:
    import pandas as pd

    from fairtrial.results import Results

MOST_REASONS = 4
MOST_SETS = 3
EXPLAIN = (
    "Each row is a method, those that failed most first: how many of its trials failed, for which reasons, and on how "
    "many data sets; those on which it failed most are named, with the number of its failures there. Methods without a "
    "failure are not listed."
)


@table_of("failures")
def failures_table(results: Results, *, methods: Sequence[str] | None = None) -> Table:
    """How often each method failed, by reason and data set; of all methods, or of those that are named."""
    made = failures_by_method(results)
    if methods is None:
        return made
    for name in methods:
        if name not in results.method_names():
            raise UnknownName.among("method of these results", name, results.method_names())
    rows = tuple(row for row in made.rows if row[0] in methods)
    without = [name for name in methods if name not in [row[0] for row in rows]]
    notes = (f"without a failed trial: {listed(without)}",) if without else ()
    return replace(made, rows=rows, notes=notes)


def failures_by_method(results: Results, shown: Callable[[str], str] = str) -> Table:
    """A row for each method that failed; ``shown`` says how the text of a reason is written."""
    failed = results.failures
    reasons = [shown(brief_reason(e)) for e in failed["error"]] if "error" in failed else [""] * len(failed)
    known = [reason for reason, _ in Counter(reasons).most_common()]
    kept = known if len(known) <= MOST_REASONS else known[: MOST_REASONS - 1]
    totals = trials_of(results, None).groupby("method", observed=True).size()
    columns = (
        Column("method", align="left"),
        Column("failed trials", formats.count, key="count"),
        Column("of", formats.count, key="trials"),
        *(Column(reason or "no reason recorded", formats.count) for reason in kept),
        *([Column("other reasons", formats.count)] if len(kept) < len(known) else []),
        Column("data sets", formats.count, key="datasets"),
        Column("most on", align="left", key="where"),
    )
    rows = []
    for name, own in failed.assign(reason=reasons).groupby("method", sort=False, observed=True):
        counts = Counter(own["reason"])
        others = (len(own) - sum(counts[r] for r in kept),) if len(kept) < len(known) else ()
        there = own["dataset"].value_counts()
        rows.append(
            (str(name), len(own), int(totals[name]), *(counts[r] for r in kept), *others, len(there), _most_on(there))
        )
    rows.sort(key=lambda row: -row[1])
    without = len(results.method_names()) - len(rows)
    advice = dict.fromkeys(filter(None, map(advice_in, failed.get("error", ()))))
    notes = (*([f"{plural(without, 'method')} without a failed trial"] if without else []), *advice)
    return Table(columns, tuple(rows), caption="failed trials by method and reason", notes=notes, explain=EXPLAIN)


def _most_on(counts: pd.Series) -> str:
    """The data sets with the most failures of a method."""
    return listed([f"{name} ({n})" for name, n in counts.items()], most=MOST_SETS)
