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
  copied, and 1 % of all. The second table has what it finds elsewhere.
- `revealing_feature`: a copy of the target with other numbers. `undeclared_order`: a first-order autoregressive process
  with coefficient 0.8 and at least 200 rows. `undeclared_groups`: a column with the name of persons or things, five
  rows each on average.
- `omnibus_disagrees`, `head_to_head` and `means_do_not_show_it` report that two tests disagree. Clean are clear
  differences; near the border of significance two tests often disagree by chance.
- `levels_alone` says of every verdict at several levels that levels are not adjusted for: nothing is clean for it.
  `equal_scores` and `fixed_models` say how such scores are treated; they are no warnings.
- `promised_costs`: probabilities of 500 to 2,000 cases whose log odds are three times the true ones; clean are the true
  ones.

| guard | stage | fired where planted, of {worlds} | fired where clean, of {worlds} |
|---|---|---:|---:|
"""


COPIES = """
## Copies of rows, by the kind of data

Where the features have few values, rows are equal by chance, and copies of some rows can't be told from them. Copies of
the whole table can: each different row then occurs a multiple of two or three times. The kinds are those of
`tests/data/clean_data.py`: `kinds` are rows of two to nine kinds with small deviations, `indicators` columns of 0 and
1, and `small` data sets have 12 to 40 rows, of which a fifth may be fewer than three.

| kind of data | whole table copied, of {worlds} | a fifth to a third copied, of {worlds} | clean, of {worlds} |
|---|---:|---:|---:|
"""


SOURCES = """
## Sources by name

`parts_of_sources` was tried on the names of 77 real benchmarks (`tests/verdict/guards/benchmark_names.py`): their
families were written down by somebody who had not seen the detector, mostly from memory. It was tuned on half of
them. After a look at the other half it learned combinations of words (`hopper-medium`) and a few spellings, so
that these are no longer unseen; before that it found 36 of their 142 families, with 1 wrong group of 58. Families
without a common letter (australian, crx) can't be found. What is *wrong* is a group of which no two names are of
one source, or may be.

| lists | families | found by name | groups by name | wrong | by first parts, too | wrong |
|---|---:|---:|---:|---:|---:|---:|
{lists}
Worlds: names of one of these lists, three methods, normal scores. *Planted*: most names have a family, and the lead of
the first method varies between sources by twice as much as within them. *Clean*: no names have one.

| worlds | a doubt, of {worlds} |
|---|---:|
| planted: sources count once | {planted} |
| clean | {clean} |

The misses are nearly all of two lists whose families share no part of their names (`AluminiumConcentration`,
`CopperConcentration`).
"""


def page(rates: list[guard_rates.Rate], copies: list[guard_rates.Copies], date: str, sources: str = "") -> str:
    """The text of the page."""
    head = HEAD.format(worlds=rates[0].worlds, few=guard_rates.FEW, date=date)
    rows = (f"| `{r.guard}` | {r.stage} | {r.planted} | {'–' if r.clean is None else r.clean} |\n" for r in rates)
    kinds = (f"| {c.kind} | {c.whole} | {c.part} | {c.clean} |\n" for c in copies)
    return head + "".join(rows) + COPIES.format(worlds=rates[0].worlds) + "".join(kinds) + sources


def of_sources(worlds: int) -> str:
    """The section on sources."""
    planted, clean = guard_rates.sources(worlds)
    rows = ("| " + " | ".join(map(str, row)) + " |\n" for row in guard_rates.by_name())
    return SOURCES.format(lists="".join(rows), worlds=worlds, planted=planted, clean=clean)


if __name__ == "__main__":
    found = list(guard_rates.rates(guard_rates.MANY))
    by_kind = list(guard_rates.copies(guard_rates.MANY))
    date = f"{datetime.now(UTC):%-d %B %Y}"
    PAGE.write_text(page(found, by_kind, date, of_sources(guard_rates.MANY)), encoding="utf-8")
    if broken := [r for r in found if not (r.is_found and r.is_silent)]:
        sys.exit("\n".join(map(str, broken)))
