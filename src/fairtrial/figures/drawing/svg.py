"""Figures as SVG text for a page, whose text colour and font they take."""

from __future__ import annotations

import io
import re
from typing import TYPE_CHECKING, Any
from xml.etree import ElementTree

from fairtrial.figures.drawing.style import INK, MUTED, NOT_XML

if TYPE_CHECKING:
    from fairtrial.tables import Drawing

FONTS = "system-ui, -apple-system, 'Segoe UI', 'Helvetica Neue', Arial, sans-serif"
SVG = "{http://www.w3.org/2000/svg}"
HREF = "{http://www.w3.org/1999/xlink}href"
SETTINGS: dict[Any, Any] = {"svg.fonttype": "none", "svg.hashsalt": "fairtrial", "savefig.bbox": None}
READABLE = 9.0
"""The smallest text on a phone, in CSS pixels: a figure is not shrunk any further, and scrolls instead."""

PIXELS = 96 / 72
"""CSS pixels in a point, which is the unit inside the figure."""


def to_svg(figure: Drawing, title: str = "", prefix: str = "", *, scale: float = 1.0) -> str:
    """The figure as one ``<svg>`` element, without prolog, ready for an HTML page or a file of its own.

    - Text stays text, in the reader's sans-serif font; ``title`` is what a screen reader says, and the words of a
      figure of results are its description.
    - It is ``scale`` times as wide as on paper: text of 8 to 9 points is small on a screen.
    - On a narrow screen it shrinks until its smallest text has 9 pixels; so it belongs into an element that scrolls.
    - Its ids begin with ``prefix``: figures of one page must not share ids, since closed parts of a page are not drawn.
    - Axes and text have the colour of the text around them (``currentColor``), and the background is transparent, so
      that the figure follows a dark page.
    - Nothing is loaded from elsewhere, no style leaks into the page, and equal figures give equal bytes.

    >>> from fairtrial.figures import differences_data, differences_figure
    >>> data = differences_data(["forest"], "boosting", [-0.02], [-0.03], [-0.01], quantity="difference of accuracy")
    >>> svg = to_svg(differences_figure(data), title="forest & boosting")
    >>> svg[:4], "<title>forest &amp; boosting</title>" in svg
    ('<svg', True)
    """
    root = ElementTree.fromstring(_matplotlib_svg(figure))
    for child in list(root):
        if child.tag in (f"{SVG}metadata", f"{SVG}title") or child.find(f"{SVG}style") is not None:
            root.remove(child)
    used = set(re.findall(r'(?:url\(|href=")#([\w.-]+)', ElementTree.tostring(root, encoding="unicode")))
    for element in root.iter():
        _clean(element, used)
        _rename(element, prefix)
    _head(
        root, NOT_XML.sub("\ufffd", title) or getattr(figure, "alt_title", ""), getattr(figure, "alt_words", ""), scale
    )
    return ElementTree.tostring(root, encoding="unicode")


def _matplotlib_svg(figure: Drawing) -> str:
    """The SVG that matplotlib writes, under a lock, since its settings belong to the whole process."""
    import matplotlib

    from fairtrial.figures.drawing.worded_figure import SETTINGS_ARE_GLOBAL

    stream = io.StringIO()
    with SETTINGS_ARE_GLOBAL, matplotlib.rc_context(SETTINGS):
        figure.savefig(stream, format="svg", transparent=True, dpi=72, metadata={"Date": None})
    return stream.getvalue()


def _clean(element: ElementTree.Element, used: set[str]) -> None:
    """Clean an element: no namespaces or unused ids, the colour and font of the page, paths on one line."""
    element.tag = element.tag.removeprefix(SVG)
    if HREF in element.attrib:
        element.set("href", element.attrib.pop(HREF))
    if element.get("id") not in used:
        element.attrib.pop("id", None)
    if "d" in element.attrib:
        element.set("d", " ".join(element.attrib["d"].split()))
    if "rotate(-0 " in element.get("transform", ""):
        element.attrib.pop("transform")
    style = element.get("style")
    if style is not None:
        style = re.sub(r"font-family:[^;]*", f"font-family: {FONTS}", style)
        style = re.sub(f"(fill|stroke): {MUTED}", r"\1: currentColor; \1-opacity: 0.65", style)
        if element.tag != "text":  # hollow marks have the colour of the page
            style = style.replace("fill: #ffffff", "fill: var(--page, #ffffff)")
        element.set("style", style.replace(INK, "currentColor"))
    if element.tag != "text":
        element.text = None
    element.tail = "\n" if element.tag in ("g", "text", "path", "use") else None


def _rename(element: ElementTree.Element, prefix: str) -> None:
    """Put the prefix before an element's id, and before the ids that it refers to."""
    for name, value in element.attrib.items():
        if name == "id":
            element.set(name, prefix + value)
        elif name == "href" or "url(#" in value:
            element.set(name, value.replace("#", f"#{prefix}", 1))


def _head(root: ElementTree.Element, title: str, words: str, scale: float) -> None:
    width = float(root.get("width", "").removesuffix("pt"))
    kept = {"width": f"{scale * width:g}pt", "viewBox": root.get("viewBox", "")}
    least = _least_width(root, width * PIXELS)
    root.attrib.clear()
    root.attrib.update({"xmlns": SVG.strip("{}"), **kept, "role": "img"})
    # Line styles stand here, since a style sheet would affect the whole page.
    shrink = f"max-width: 100%; min-width: {least:.0f}px; height: auto"
    root.set("style", f"{shrink}; stroke-linejoin: round; stroke-linecap: butt")
    if title:
        root.set("aria-label", title)
    for name, text in (("desc", words), ("title", title)):
        if text:
            element = ElementTree.Element(name)
            element.text = text
            root.insert(0, element)


def _least_width(root: ElementTree.Element, width: float) -> float:
    """The width in CSS pixels at which the smallest text is still readable; at most the figure's own width."""
    texts = (element.get("style", "") for element in root.iter("text"))
    sizes = [float(found[1]) for text in texts if (found := re.search(r"font(?:-size)?: *([\d.]+)px", text))]
    return min(width, width * READABLE / (PIXELS * min(sizes))) if sizes else 0.0
