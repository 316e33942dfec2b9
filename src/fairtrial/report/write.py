"""Write a report to a file, in the format that the name ends with."""

from __future__ import annotations

import itertools
import secrets
from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager, suppress
from pathlib import Path

from fairtrial.data.file_text import check_name
from fairtrial.errors import InputError
from fairtrial.experiments import ResultsAnswer, answer_to
from fairtrial.figures import to_svg
from fairtrial.figures.drawing.style import on_paper
from fairtrial.report.sections import report_document
from fairtrial.results import Results
from fairtrial.tables import Block, Drawing, Folded, Picture, Show
from fairtrial.tables.output_formats import Format, format_of_file
from fairtrial.verdict.progress import shown_steps, step

ON_A_SCREEN = 1.3
"""How much larger figures are on a page than on paper, so that their text is as large as that around them."""


@shown_steps()
def write_report(
    results: Results,
    path: str | Path,
    verdict: ResultsAnswer | None = None,
    *,
    full_provenance: bool = False,
) -> Path:
    """Write the whole study as one file, and return its path.

    The name decides the format: ``.html`` (a page that needs no network), ``.md`` or ``.tex``. Figures of Markdown and
    LaTeX are saved beside the file (``report-1.png``, ``report-1.pdf``…). Without a verdict the results' own question
    is answered, at each level if there are several. An older report is replaced only when the new one is complete.

    A report names no host, and only the base names of files, unless ``full_provenance`` keeps hosts, paths and the
    whole command line.

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
    form = format_of_file(target.name)
    if not target.parent.is_dir():
        raise InputError(f"a report needs a folder to be in, but {str(target.parent)!r} is not there; make it first")
    verdict = answer_to(results) if verdict is None else verdict
    step("writing the report")
    document = report_document(results, verdict, full_provenance=full_provenance)
    narrow: dict[tuple[str, str], Drawing] = {}
    if form.pictures == "inside":
        with on_paper("column"):
            again = report_document(results, verdict, full_provenance=full_provenance)
        narrow = {(p.title, p.caption): p.figure for p in _pictures(again.blocks)}
    text = form.render(document, _pictures_beside(target, form, narrow))
    with replacing(target) as temporary:
        temporary.write_text(text.rstrip("\n") + "\n", encoding="utf-8")
    return target


def _pictures(blocks: Iterable[Block]) -> Iterator[Picture]:
    for block in blocks:
        if isinstance(block, Picture):
            yield block
        elif isinstance(block, Folded):
            yield from _pictures(block.blocks)


def _pictures_beside(target: Path, form: Format, narrow: Mapping[tuple[str, str], Drawing]) -> Show:
    """A function that numbers the pictures of a report, and shows them as SVG inside it or saves them beside it.

    Inside they are there twice, of which the style sheet shows one: as they are, and ``narrow``, for a phone.
    """
    numbers = itertools.count(1)

    def show(picture: Picture) -> str:
        number = next(numbers)
        if form.pictures == "inside":
            own = to_svg(picture.figure, title=picture.title, prefix=f"figure-{number}-", scale=ON_A_SCREEN)
            small = narrow.get((picture.title, picture.caption))
            if small is None:
                return own
            phone = to_svg(small, title=picture.title, prefix=f"phone-{number}-", scale=ON_A_SCREEN)
            return f'<div class="large">{own}</div><div class="small">{phone}</div>'
        name = f"{target.stem}-{number}.{form.pictures}"
        with replacing(target.with_name(name)) as temporary:
            picture.figure.savefig(temporary, format=form.pictures)
        return name

    return show


@contextmanager
def replacing(target: Path) -> Iterator[Path]:
    """Give a new file to write to, and put it in the target's place at the end; on an error the target stays."""
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
