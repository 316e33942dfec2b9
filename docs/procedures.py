"""Generate the page of all statistical procedures from their registry: `python docs/procedures.py`."""

from __future__ import annotations

import itertools
from pathlib import Path
from urllib.parse import quote

from fairtrial.stats.bibliography import Reference
from fairtrial.stats.procedures import PROCEDURES, QUESTIONS, Procedure

DOCS = Path(__file__).parent
PAGE = DOCS / "statistics" / "procedures.md"
HEAD = """# All procedures

The null hypothesis, the assumptions and the references of each procedure of `fairtrial.stats`, by question. The page is
generated from the facts that procedures declare (`python docs/procedures.py`); `fairtrial list tests` prints what each
procedure does. Each name links to its section with formulas, undefined cases and examples.
"""

COLUMNS = "| procedure | null hypothesis | assumes | references |\n|---|---|---|---|"


def written(work: Reference) -> str:
    """A cited work as a link, or as text if it has no address."""
    return f"[{work.name}]({quote(work.url, safe=':/')})" if work.url else work.short


def section_of(name: str) -> str:
    """The link to the section of a procedure, relative to the generated page."""
    pages = [DOCS / "statistics.md", *sorted(PAGE.parent.glob("*.md"))]
    found = next((p for p in pages if p != PAGE and f"### {name}\n" in p.read_text(encoding="utf-8")), None)
    if found is None:
        raise SystemExit(f"no page of docs/statistics has a section '### {name}'; write it first")
    return f"{'../' if found.parent == DOCS else ''}{found.name}#{name}"


def row(found: Procedure) -> str:
    """The table row of one procedure."""
    works = "; ".join(map(written, found.references))
    return f"| [{found.name}]({section_of(found.name)}) | {found.null} | {found.assumes} | {works} |"


def page() -> str:
    """The text of the whole page, with the questions in their order."""
    ranked = sorted(PROCEDURES.values(), key=lambda p: (QUESTIONS.index(p.question), p.name))
    parts = [HEAD]
    for question, group in itertools.groupby(ranked, key=lambda p: p.question):
        lines = "\n".join(map(row, group))
        parts.append(f"## {question[0].upper()}{question[1:]}\n\n{COLUMNS}\n{lines}\n")
    return "\n".join(parts)


if __name__ == "__main__":
    PAGE.write_text(page(), encoding="utf-8")
