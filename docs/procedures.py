"""Make the page of all statistical procedures from their registry: `python docs/procedures.py`."""

from __future__ import annotations

import itertools
from pathlib import Path
from urllib.parse import quote

from fairtrial.stats.bibliography import Reference
from fairtrial.stats.procedures import PROCEDURES, QUESTIONS, Procedure

DOCS = Path(__file__).parent
PAGE = DOCS / "statistics" / "procedures.md"
HEAD = """# All procedures

What each procedure of `fairtrial.stats` tests, what it assumes, and where it comes from, by question. The page is made
from the facts that procedures declare (`python docs/procedures.py`); `fairtrial list tests` prints what each does.
Names lead to the formulas, edge cases and examples.
"""

COLUMNS = "| procedure | null hypothesis | assumes | references |\n|---|---|---|---|"


def written(work: Reference) -> str:
    """A work as a link, where it has an address."""
    return f"[{work.name}]({quote(work.url, safe=':/')})" if work.url else work.short


def section_of(name: str) -> str:
    """The page that has the section of a procedure, as seen from this one."""
    pages = [DOCS / "statistics.md", *sorted(PAGE.parent.glob("*.md"))]
    found = next(p for p in pages if p != PAGE and f"### {name}\n" in p.read_text(encoding="utf-8"))
    return f"{'../' if found.parent == DOCS else ''}{found.name}#{name}"


def row(found: Procedure) -> str:
    """One line of the table."""
    works = "; ".join(map(written, found.references))
    return f"| [{found.name}]({section_of(found.name)}) | {found.null} | {found.assumes} | {works} |"


def page() -> str:
    """The whole page, questions in the order of their list."""
    ranked = sorted(PROCEDURES.values(), key=lambda p: (QUESTIONS.index(p.question), p.name))
    parts = [HEAD]
    for question, group in itertools.groupby(ranked, key=lambda p: p.question):
        lines = "\n".join(map(row, group))
        parts.append(f"## {question.capitalize()}\n\n{COLUMNS}\n{lines}\n")
    return "\n".join(parts)


if __name__ == "__main__":
    PAGE.write_text(page(), encoding="utf-8")
