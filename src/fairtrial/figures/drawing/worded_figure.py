"""Figures that save text as text, with a title and words for readers who can't see them, and that notebooks show."""

from __future__ import annotations

import base64
import html
import io
import threading
import warnings
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import matplotlib
from matplotlib.figure import Figure

from fairtrial.figures.drawing.style import NOT_XML

SETTINGS_ARE_GLOBAL = threading.RLock()
"""Held while matplotlib's settings, which belong to the whole process, are changed for a file."""

TEXT_AS_TEXT: Any = {"pdf.fonttype": 42, "ps.fonttype": 42, "svg.fonttype": "none"}
"""Journals refuse Type 3 fonts, and outlines of letters can't be searched or read aloud."""

KEYS = {"png": ("Title", "Description"), "svg": ("Title", "Description"), "pdf": ("Title", "Subject")}
LONGEST = 2000

ON_A_SCREEN = 1.25
"""In a notebook a figure is so many times as wide as on paper: text of 8 to 9 points is small on a screen."""

IMAGE_STYLE = "max-width: 100%; height: auto; background: white"
CSS_INCH = 96
SHARP = 2
"""Pixels of a picture for each CSS pixel of a notebook, as screens with many dots need."""


@contextmanager
def quiet() -> Iterator[None]:
    """Say nothing of letters that the font lacks, such as emoji: they are drawn as boxes, but SVG files keep them."""
    with SETTINGS_ARE_GLOBAL, warnings.catch_warnings():
        warnings.filterwarnings("ignore", r"Glyph \d+ .* missing from")
        yield


class WordedFigure(Figure):
    """A Figure whose files carry what it shows in words, where their format has a place for it."""

    alt_title: str = ""
    alt_words: str = ""

    def savefig(self, fname: Any, *, transparent: bool | None = None, **options: Any) -> None:
        """Save the figure as matplotlib does, with text as text, and with its title and words."""
        ending = str(options.get("format") or Path(str(fname)).suffix.removeprefix(".") or "png").lower()
        own = dict(zip(KEYS.get(ending, ()), (self.alt_title, self.alt_words), strict=False))
        words = {key: text for key, text in own.items() if text} | dict(options.pop("metadata", None) or {})
        if words:
            options["metadata"] = words
        with quiet(), matplotlib.rc_context(TEXT_AS_TEXT):
            super().savefig(fname, transparent=transparent, **options)

    def _repr_mimebundle_(self, **_: Any) -> tuple[dict[str, Any], dict[str, Any]]:
        """The picture of a notebook's cell, with its words as alternative text.

        No display of pyplot is needed, and where there is one, it shows nothing, since the figure is not its own. The
        picture has a white ground, so that it can be read on a dark page. It is there twice: in HTML, the only form
        whose alternative text all notebooks keep, and as it is, for those that export to other formats.
        """
        words = "\n".join(filter(None, (self.alt_title, self.alt_words))) or "figure"
        width, height = (round(inches * CSS_INCH * ON_A_SCREEN) for inches in self.get_size_inches())
        picture = _small_png(self)
        source = f"data:image/png;base64,{base64.b64encode(picture).decode()}"
        image = f'<img alt="{html.escape(words)}" width="{width}" style="{IMAGE_STYLE}" src="{source}">'
        about = {"width": width, "height": height, "alt": words}
        return {"text/html": image, "image/png": picture, "text/plain": words}, {"image/png": about}


def _small_png(figure: Figure) -> bytes:
    """The figure as PNG for a screen, in 256 colours, which are a third of the bytes and look the same."""
    from PIL import Image

    whole, small = io.BytesIO(), io.BytesIO()
    figure.savefig(whole, format="png", dpi=CSS_INCH * ON_A_SCREEN * SHARP)
    Image.open(whole).convert("RGB").quantize(256, dither=Image.Dither.NONE).save(small, format="png")
    return small.getvalue()


def describe(figure: Figure, title: str, words: str) -> None:
    """Give a figure its title and its words, which are cut where they are as long as a page."""
    if isinstance(figure, WordedFigure):
        clean = NOT_XML.sub("\ufffd", words)
        figure.alt_title = NOT_XML.sub("\ufffd", " ".join(title.split()))
        figure.alt_words = clean if len(clean) <= LONGEST else f"{clean[: LONGEST - 1].rstrip()}…"
