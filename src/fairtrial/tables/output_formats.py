"""The output formats: their names, the files that each writes, and the parts of a result that each shows.

The command line reads this list before anything heavy is imported, so this module imports next to nothing. A new format
is a row here and a file ``render_<name>.py`` with one function, ``render(document, show)``, which turns a
:class:`~fairtrial.tables.document.Document` into a string. That file also does all escaping of the format.
"""

from __future__ import annotations

import importlib
from collections.abc import Callable
from typing import Literal, NamedTuple

from fairtrial.errors import InputError, UnknownName
from fairtrial.words import listed


class Format(NamedTuple):
    """An output format.

    - ``shows``: the part of a result that is written: ``document`` is everything that it has to say, ``table`` its main
      table alone, ``data`` its ``to_dict()``.
    - ``endings``: the endings of report files in this format; empty if reports can't be written in it.
    - ``pictures``: the kind of files in which the pictures of a report are saved beside it; ``inside`` if they are SVG
      in the report itself.
    """

    name: str
    shows: Literal["document", "table", "data"] = "document"
    endings: tuple[str, ...] = ()
    pictures: Literal["", "inside", "pdf", "png", "svg"] = ""

    @property
    def render(self) -> Callable[..., str]:
        """The renderer, imported when it is needed."""
        renderer: Callable[..., str] = importlib.import_module(f"fairtrial.tables.render_{self.name}").render
        return renderer


FORMATS: dict[str, Format] = {
    form.name: form
    for form in (
        Format("text"),
        Format("json", shows="data"),
        Format("csv", shows="table"),
        Format("md", endings=(".md", ".markdown"), pictures="png"),
        # Authors take the table into their paper and write their own sentences.
        Format("latex", shows="table", endings=(".tex",), pictures="pdf"),
        Format("html", endings=(".html", ".htm"), pictures="inside"),
    )
}


def format_called(name: str) -> Format:
    """The format of that name.

    >>> format_called("md").endings
    ('.md', '.markdown')
    """
    if name not in FORMATS:
        raise UnknownName.among("format", name, FORMATS)
    return FORMATS[name]


def format_of_file(name: str) -> Format:
    """The format in which a report file of that name is written.

    >>> format_of_file("report.tex").name
    'latex'
    """
    for form in FORMATS.values():
        if name.lower().endswith(form.endings):
            return form
    stem = name.rpartition(".")[0] or name
    raise InputError(f"a report's name must end with {file_endings()}, got {name!r}; try {f'{stem}.html'!r}")


def file_endings() -> str:
    """The endings that names of report files can have, in words.

    >>> file_endings()
    '.html, .md or .tex'
    """
    return listed(sorted(form.endings[0] for form in FORMATS.values() if form.endings), last="or")
