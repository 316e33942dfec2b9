"""Options that name a file to write: what can't be written is refused before any work is done."""

from __future__ import annotations

import os
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from fairtrial.errors import InputError
from fairtrial.tables.output_formats import FORMATS
from fairtrial.words import listed

if TYPE_CHECKING:
    _Type = click.ParamType[Path]
else:
    _Type = click.ParamType  # generic since 8.2 only

MORE_PICTURES = (".jpg", ".jpeg", ".webp", ".tif", ".tiff", ".eps", ".svgz")


class OutputFile(_Type):
    """The path of a file to write.

    Its name ends in one of ``endings``, if there are any; ``also`` are endings that work but are not recommended. Its
    folder must be there and allow writing. ``-``, the standard output, is accepted with ``stdout``.
    """

    name = "file"

    def __init__(self, *endings: str, also: tuple[str, ...] = (), stdout: bool = False) -> None:
        self.endings, self.also, self.stdout = endings, also, stdout

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> Path:  # noqa: ARG002
        """The path, if a file can be written there."""
        path = Path(value)
        if self.stdout and str(value) == "-":
            return path
        if trouble := self._trouble(path):
            option = f"{param.opts[0]} " if param is not None else ""
            raise InputError(f"{option}{str(path)!r} can't be written: {trouble}")
        return path

    def _trouble(self, path: Path) -> str | None:
        """Why a file can't be written here, and what to do; None if it can."""
        try:
            if self.endings and not path.name.lower().endswith((*self.endings, *self.also)):
                return f"its name must end in {listed(self.endings, last='or')}"
            if path.is_dir():
                return "it is a folder; add the name of a file"
            if not path.parent.is_dir():
                return f"there is no folder {str(path.parent)!r}; make it first, or choose another folder"
            if not os.access(path if os.access(path, os.F_OK) else path.parent, os.W_OK):
                return "permission denied; choose a folder that you can write to"
        except (OSError, ValueError) as error:  # a name that no file can have, such as one that is too long
            return f"{error}; choose another name"
        return None


figure_file = OutputFile(".png", ".pdf", ".svg", also=MORE_PICTURES)
report_file = OutputFile(*(form.endings[0] for form in FORMATS.values() if form.endings), also=(".markdown", ".htm"))
table_file = OutputFile(".csv", ".csv.gz", ".parquet", stdout=True)
any_file = OutputFile()


def format_by_ending(path: Path, option: str = "--out") -> str:
    """The format of a table in a file of that name.

    >>> format_by_ending(Path("scores.tex")), format_by_ending(Path("scores.txt"))
    ('latex', 'text')
    """
    known = {".txt": "text", ".csv": "csv", ".json": "json"}
    known |= {ending: form.name for form in FORMATS.values() for ending in form.endings}
    if path.suffix.lower() not in known:
        raise InputError(
            f"{option} {str(path)!r} must end in {listed(known, None, last='or')}, or --format must name its format"
        )
    return known[path.suffix.lower()]
