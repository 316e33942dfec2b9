"""Generate the page of how often each guard fires: `python docs/guards.py` (`make guards`), some minutes."""

from __future__ import annotations

import sys
from datetime import UTC, datetime
from pathlib import Path

DOCS = Path(__file__).parent
sys.path.insert(0, str(DOCS.parent / "tests"))
import guard_rates  # noqa: E402 - the worlds are those of the tests

PAGE = DOCS / "guards.md"
HEAD = """# How often guards fire

Each guard (`fairtrial list guards`) was tried on {worlds} random worlds that have what it looks for, and on {worlds}
that are clean. A guard must fire in at least 95 % of the first and in at most 1 % of the second. The page is generated
(`make guards`), last on {date}; CI tries {few} worlds of each.

The worlds are in `tests/guard_worlds.py` and `tests/guard_score_worlds.py`. What they promise, where it is not obvious:

- `repeated_rows`: a whole table that was copied two or three times; or a fifth to a third of the rows a second time,
  where chance makes few equal rows (numbers, or 200 rows of 12 features of three values). At least three rows must be
  copied, and 1 % of all. Copies of some rows are found in about half of the tables of 3 to 15 discrete features, and
  hardly ever in tables of a few kinds of rows: chance makes as many equal rows there. Clean are data of ten kinds,
  among them rows of few kinds, indicator columns, rounded numbers and small data sets.
- `revealing_feature`: a copy of the target with other numbers. `undeclared_order`: a first-order autoregressive process
  with coefficient 0.8 and at least 200 rows. `undeclared_groups`: a column with the name of persons or things, five
  rows each on average.
- `omnibus_disagrees`, `head_to_head` and `means_do_not_show_it` report that two tests disagree. Clean are clear
  differences; near the border of significance two tests often disagree by chance.
- `levels_alone` says of every verdict at several levels that levels are not adjusted for: nothing is clean for it.
  `equal_scores` and `fixed_models` say how such scores are treated; they are no warnings.

| guard | stage | fired where planted, of {worlds} | fired where clean, of {worlds} |
|---|---|---:|---:|
"""


def page(rates: list[guard_rates.Rate], date: str) -> str:
    """The text of the page."""
    head = HEAD.format(worlds=rates[0].worlds, few=guard_rates.FEW, date=date)
    rows = (f"| `{r.guard}` | {r.stage} | {r.planted} | {'–' if r.clean is None else r.clean} |\n" for r in rates)
    return head + "".join(rows)


if __name__ == "__main__":
    found = list(guard_rates.rates(guard_rates.MANY))
    PAGE.write_text(page(found, f"{datetime.now(UTC):%-d %B %Y}"), encoding="utf-8")
    if broken := [r for r in found if not (r.is_found and r.is_silent)]:
        sys.exit("\n".join(map(str, broken)))
