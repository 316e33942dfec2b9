"""SVG of every figure: valid, the same twice, safe with any name, at home in a dark page."""

import re
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from xml.etree import ElementTree

import pytest

from fairtrial.figures import (
    critical_difference_data,
    critical_difference_figure,
    differences_data,
    differences_figure,
    dots_data,
    dots_figure,
    to_svg,
)
from fairtrial.figures.drawing.style import INK, MUTED, fitted_figure, shorten

NASTY = [
    "$x_1$",
    "_hidden",
    "<b>&amp;",
    '"q" \'s',
    "Müller–Čech ±",
    "\\frac{1}{$",
    "a\nb\x00\ud800",
    f'style="fill: {INK}"',
    "]]>",
    "",
]


def critical(names):
    k = len(names)
    groups = [(0, 2), (1, 2), tuple(range(3, k))]
    data = critical_difference_data(
        names, range(1, k + 1), groups, critical_difference=1, title=names[0], note=names[2]
    )
    return critical_difference_figure(data)


def dots(names):
    grid = [[0.5 + j / 100 for j in range(len(names))] for _ in names]
    data = dots_data(
        [f"on {name}" for name in names],
        names,
        grid,
        grid,
        grid,
        measure=names[0],
        higher_is_better=True,
        yardsticks=names[:1],
        reference={names[2]: 0.6},
    )
    return dots_figure(data)


def differences(names):
    values = list(range(len(names)))
    data = differences_data(
        names, names[0], values, values, values, quantity=names[2], marks=names, higher_is_better=True
    )
    return differences_figure(data)


FIGURES = [critical, dots, differences]


@pytest.mark.slow
@pytest.mark.parametrize("make", FIGURES)
class TestToSvg:
    def test_nasty_names_stay_what_they_are(self, make):
        root = ElementTree.fromstring(to_svg(make(NASTY), title=NASTY[6] + NASTY[2]))
        texts = {element.text for element in root.iter("{http://www.w3.org/2000/svg}text")}
        assert {shorten(name) for name in NASTY if name} <= texts
        if make is dots:
            assert {shorten(f"on {name}") for name in NASTY} <= texts
        assert root.get("aria-label") == "a\nb��<b>&amp;"

    def test_same_bytes_twice(self, make):
        assert to_svg(make(NASTY)) == to_svg(make(NASTY))
        figure = make(NASTY)
        assert to_svg(figure) == to_svg(figure)

    def test_two_figures_of_a_page_share_no_id(self, make):
        figure = make(["A", "B", "C", "D"])
        first, second = (to_svg(figure, prefix=prefix) for prefix in ("f1-", "f2-"))
        ids = [set(re.findall(r'\bid="([^"]+)"', svg)) for svg in (first, second)]
        assert not ids[0] & ids[1]
        assert all(name.startswith("f1-") for name in ids[0])
        assert set(re.findall(r'(?:url\(|href=")#([\w.-]+)', first)) == ids[0]
        assert first.replace("f1-", "f2-") == second

    def test_stands_in_a_page(self, make):
        svg = to_svg(make(["A", "B", "C", "D"]), title="what it shows")
        root = ElementTree.fromstring(svg)
        assert svg.startswith('<svg xmlns="http://www.w3.org/2000/svg"')
        assert (root.get("role"), root.get("aria-label")) == ("img", "what it shows")
        assert root[0].tag.endswith("title")
        assert not any(
            element.tag.rpartition("}")[2] in ("style", "metadata", "script", "image") for element in root.iter()
        )
        assert "http" not in svg.replace("http://www.w3.org/2000/svg", "")

    def test_takes_the_colour_and_font_of_the_page(self, make):
        svg = to_svg(make(["A", "B", "C", "D"]))
        assert "currentColor" in svg
        assert not any(colour in svg for colour in (INK, MUTED, "#ffffff", "#000000", "DejaVu"))
        # matplotlib leaves out black, the default of SVG, which would vanish on a dark page
        for element in ElementTree.fromstring(svg).iter("{http://www.w3.org/2000/svg}text"):
            assert "fill: currentColor" in element.get("style")

    def test_every_reference_leads_somewhere_and_no_other_id_is_left(self, make):
        root = ElementTree.fromstring(to_svg(make(["A", "B", "C", "D"])))
        ids = [element.get("id") for element in root.iter() if element.get("id")]
        wanted = {e.get("href")[1:] for e in root.iter() if e.get("href")}
        wanted |= {e.get("clip-path")[5:-1] for e in root.iter() if e.get("clip-path")}
        assert len(ids) == len(set(ids))
        assert set(ids) == wanted

    def test_in_threads(self, make):
        with ThreadPoolExecutor(4) as pool:
            assert len(set(pool.map(lambda _: to_svg(make(["A", "B", "C", "D"])), range(8)))) == 1

    def test_leaves_settings_alone(self, make):
        import matplotlib

        before = dict(matplotlib.rcParams)
        to_svg(make(["A", "B", "C", "D"]))
        assert dict(matplotlib.rcParams) == before

    def test_also_as_png_and_pdf(self, make, tmp_path):
        names = [name for name in NASTY if "\x00" not in name]
        for kind in ("png", "pdf"):
            make(names).savefig(tmp_path / f"figure.{kind}")
            assert (tmp_path / f"figure.{kind}").stat().st_size > 1000


def test_it_shrinks_no_further_than_text_can_be_read():
    figure = differences(["A", "B", "C", "D"])
    width = 96 * figure.get_size_inches()[0]
    least = float(re.search(r"min-width: (\d+)px", to_svg(figure))[1])
    assert least == pytest.approx(width * 9 / (8 * 96 / 72), abs=1)  # its smallest text has 8 points


@pytest.mark.slow
def test_data_need_no_matplotlib():
    program = """
import sys
from fairtrial.figures import critical_difference_data, differences_data, dots_data
critical_difference_data(["A", "B"], [1, 2], [(0, 1)])
differences_data(["A"], "B", [1], [0], [2], quantity="q")
dots_data(["d"], ["A"], [[1]], [[0]], [[2]], measure="m", higher_is_better=True)
assert "matplotlib" not in sys.modules
from fairtrial.figures import critical_difference_figure
critical_difference_figure(critical_difference_data(["A", "B"], [1, 2], [(0, 1)]))
assert "matplotlib.pyplot" not in sys.modules
"""
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr


def test_a_page_may_show_it_larger_than_paper():
    data = differences_data(["forest"], "boosting", [-0.02], [-0.03], [-0.01], quantity="difference of accuracy")
    widths = [
        float(re.search(r'width="([\d.]+)pt"', to_svg(differences_figure(data), scale=scale))[1]) for scale in (1, 1.5)
    ]
    assert widths[1] == pytest.approx(1.5 * widths[0], rel=1e-4)


def test_hollow_marks_have_the_colour_of_the_page():
    def draw(ax):
        ax.plot([0.5], [0.5], "o", color=INK, markerfacecolor="white")
        ax.text(0.2, 0.2, "white", color="white")

    svg = to_svg(fitted_figure(2, 1, draw))
    assert "fill: var(--page, #ffffff)" in svg
    assert svg.count("fill: #ffffff") == 1  # text on a dark ground stays white
