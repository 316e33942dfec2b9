"""The report as Markdown, for a README, an issue or a wiki."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from fairtrial.report.contents import Contents, Section
from fairtrial.tables.render import escape_markdown

__all__ = ["report_markdown"]


def report_markdown(contents: Contents, pictures: Sequence[str] = ()) -> str:
    """The text; ``pictures`` are the files of the figures, in the order in which they appear, or none."""
    return "\n".join(_lines(contents, iter(pictures))).rstrip() + "\n"


def _lines(contents: Contents, files: Iterator[str]) -> Iterator[str]:
    e = escape_markdown
    yield from (f"# {e(contents.question)}", "")
    yield from (f"**{e(sentence)}**\n" for sentence in (contents.absence, contents.answer) if sentence)
    for sentence in contents.more:
        yield from (e(sentence), "")
    yield " · ".join(f"{e(number)} {e(what)}" for number, what in contents.key_figures)
    yield ""
    for section in contents.sections:
        yield from _section(section, files)


def _section(section: Section, files: Iterator[str]) -> Iterator[str]:
    e = escape_markdown
    yield from (f"## {e(section.title)}", "")
    for text in section.text:
        yield from (e(text), "")
    yield from (f"- **{e(label)}:** {e(text)}" for label, text in section.facts)
    yield from (f"- {e(str(point))}" for point in section.points)
    yield from (f"{n}. {e(r.text)} <{r.url}>" for n, r in enumerate(section.references, 1))
    if section.facts or section.points or section.references:
        yield ""
    for table in section.tables:
        yield from (table.to_markdown(), "")
    for picture in section.pictures:
        file = next(files, None)
        if file is not None:
            yield from (f"![{e(picture.title)}](<{file}>)", "", f"*{e(picture.caption)}*", "")
    for folded in section.folded:
        if folded.table is not None:
            yield from (f"### {e(folded.title)}", "", *(e(text) + "\n" for text in folded.text))
            yield from (folded.table.to_markdown(), "")
