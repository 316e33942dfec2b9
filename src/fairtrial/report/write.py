"""Write a report to a file, in the format that the name ends with."""

from __future__ import annotations

import secrets
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

from fairtrial.data.files import check_name
from fairtrial.errors import InputError
from fairtrial.figures import Picture
from fairtrial.report.contents import Contents
from fairtrial.report.html import report_html
from fairtrial.report.latex import report_latex
from fairtrial.report.markdown import report_markdown
from fairtrial.report.sections import contents_of, contents_of_levels
from fairtrial.results import Results
from fairtrial.verdict import LevelVerdicts, Verdict

__all__ = ["write_report"]

Renderer = Callable[[Contents, list[str]], str]

FORMATS: dict[str, tuple[Renderer, str | None]] = {
    ".html": (lambda contents, _: report_html(contents), None),
    ".htm": (lambda contents, _: report_html(contents), None),
    ".md": (report_markdown, "png"),
    ".markdown": (report_markdown, "png"),
    ".tex": (report_latex, "pdf"),
}
"""What writes a file of that name, and in which format its figures are saved beside it; None: they are in the page."""


def write_report(
    results: Results,
    path: str | Path,
    verdict: Verdict | LevelVerdicts | None = None,
    *,
    full_provenance: bool = False,
) -> Path:
    """Write the whole study as one file and say where: ``.html`` (a page that needs no network), ``.md`` or ``.tex``.

    Without a verdict the results' own question is answered, at each level where there are several. Figures of
    Markdown and LaTeX are saved beside the file (``report-1.png``, ``report-1.pdf``…). A report that
    is there is replaced only when the new one is complete. It names no host, and files by their base names, unless
    ``full_provenance`` keeps what is known of the machine: host, paths, the whole command line.

    >>> import tempfile, pandas as pd
    >>> from fairtrial.results import read_scores
    >>> scores = pd.DataFrame({"dataset": list("abcdef"), "A": [3, 4, 5, 6, 7, 8], "B": [1, 3, 4, 4, 6, 5.5]})
    >>> results = read_scores(scores, measure="rmse")
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     written = write_report(results, f"{folder}/report.html")
    ...     written.name, results.verdict().sentence in written.read_text(encoding="utf-8")
    ('report.html', True)
    """
    check_name(path)
    target = Path(path)
    if target.suffix.lower() not in FORMATS:
        raise InputError(
            f"a report's name must end with .html, .md or .tex, got {target.name!r}; try {target.stem + '.html'!r}"
        )
    render, pictures = FORMATS[target.suffix.lower()]
    if not target.parent.is_dir():
        raise InputError(f"a report needs a folder to be in, but {str(target.parent)!r} is not there; make it first")
    if verdict is None:
        verdict = results.verdicts() if results.factors else results.verdict()
    contents = (
        contents_of(results, verdict, full_provenance=full_provenance)
        if isinstance(verdict, Verdict)
        else contents_of_levels(results, verdict, full_provenance=full_provenance)
    )
    names = [] if pictures is None else _save_pictures(contents, target, pictures)
    with replacing(target) as temporary:
        temporary.write_text(render(contents, names), encoding="utf-8")
    return target


def _save_pictures(contents: Contents, target: Path, suffix: str) -> list[str]:
    """The figures of the sections, numbered, beside the report."""
    shown: list[Picture] = [p for section in contents.sections for p in section.pictures]
    names = [f"{target.stem}-{n}.{suffix}" for n in range(1, len(shown) + 1)]
    for name, picture in zip(names, shown, strict=True):
        with replacing(target.with_name(name)) as temporary:
            picture.figure.savefig(temporary, format=suffix)
    return names


@contextmanager
def replacing(target: Path) -> Iterator[Path]:
    """A new file to write to, which then takes the target's place at once; on an error the target stays as it was."""
    temporary = target.with_name(f".{target.stem}-{secrets.token_hex(6)}{target.suffix}")
    try:
        yield temporary
        temporary.replace(target)
    except OSError as error:
        raise _cannot_write(target, error) from error
    finally:
        with suppress(OSError):
            temporary.unlink(missing_ok=True)


def _cannot_write(target: Path, error: OSError) -> InputError:
    return InputError(f"{str(target)!r} can't be written ({error.strerror or error}); choose another place")
