"""Files of figures: text as text, with a title and words."""

import base64
import io
import re

import pandas as pd
import pytest
from PIL import Image

from fairtrial.figures import to_svg
from fairtrial.figures.drawing.style import fitted_figure
from fairtrial.figures.drawing.worded_figure import describe
from fairtrial.results import read_scores

TABLE = pd.DataFrame({"dataset": list("abc"), "A": [0.5, 0.6, 0.7], "B & <C>": [0.4, 0.7, 0.5]})


@pytest.fixture(scope="module")
def figure():
    return read_scores(TABLE, measure="accuracy").figure("scatter")


class TestFiles:
    def test_png_has_words(self, figure, tmp_path):
        figure.savefig(tmp_path / "f.png", metadata={"Software": None})
        text = Image.open(tmp_path / "f.png").text
        assert text["Title"] == (
            "A against B & <C> on 3 data sets: the scores of two methods against each other, a point for each data set"
        )
        assert "A is better on 2, B & <C> on 1; on 0 they are equal" in text["Description"]
        assert "Software" not in text

    @pytest.mark.slow
    def test_pdf_has_text_and_no_type_3_fonts(self, figure, tmp_path):
        figure.savefig(tmp_path / "f.pdf")
        content = (tmp_path / "f.pdf").read_bytes()
        assert b"/Type3" not in content
        assert b"/Title (A against B" in content

    def test_svg_has_text(self, figure, tmp_path):
        figure.savefig(tmp_path / "f.svg")
        assert "B &amp; &lt;C&gt; better" in (tmp_path / "f.svg").read_text(encoding="utf-8")

    def test_svg_for_a_page_has_title_and_description(self, figure):
        svg = to_svg(figure)
        assert 'role="img"' in svg
        assert svg.count("<title") == 1
        assert "<title>A against B &amp; &lt;C&gt; on 3 data sets: " in svg
        assert "<desc>accuracy of A and B &amp; &lt;C&gt; on 3 data sets\n" in svg
        assert "<title>my own</title>" in to_svg(figure, title="my own")


class TestInANotebook:
    def test_is_a_picture_with_its_words(self, figure):
        data, about = figure._repr_mimebundle_()
        picture, told = Image.open(io.BytesIO(data["image/png"])), about["image/png"]
        assert picture.size == pytest.approx((2 * told["width"], 2 * told["height"]), abs=2)
        assert told["width"] == pytest.approx(figure.get_figwidth() * 120, abs=0.5)
        assert picture.convert("RGBA").getpixel((0, 0)) == (255, 255, 255, 255)  # a dark page does not shine through
        assert "A is better on 2, B & <C> on 1; on 0 they are equal" in told["alt"]
        assert data["text/plain"] == told["alt"]
        assert len(data["image/png"]) < 60_000

    def test_alternative_text_is_in_html_and_escaped(self, figure):
        data, _ = figure._repr_mimebundle_()
        assert data["text/html"].startswith('<img alt="A against B &amp; &lt;C&gt; on 3 data sets: ')
        picture = re.search('src="data:image/png;base64,(.*)">$', data["text/html"])[1]
        assert base64.b64decode(picture) == data["image/png"]

    def test_figure_of_a_verdict_has_words(self):
        words = read_scores(TABLE, measure="accuracy").verdict().figure()._repr_mimebundle_()[0]["text/plain"]
        assert words.startswith("Levels on each data set\nAccuracy")

    def test_figure_without_words(self):
        figure = fitted_figure(1.0, 1.0, lambda ax: ax.set_axis_off())
        assert figure._repr_mimebundle_(include=None, exclude=None)[0]["text/plain"] == "figure"


def test_words_as_long_as_a_page_are_cut():
    figure = fitted_figure(1.0, 1.0, lambda ax: ax.set_axis_off())
    describe(figure, "a\nb\x00", "word " * 1000)
    assert figure.alt_title == "a b\ufffd"
    assert len(figure.alt_words) <= 2000
    assert figure.alt_words.endswith("word…")


def test_letters_that_the_font_lacks_are_no_warning(recwarn, tmp_path):
    figure = fitted_figure(1.0, 1.0, lambda ax: ax.set_xlabel("🌲"))
    figure.savefig(tmp_path / "f.png")
    assert not recwarn.list
    assert "🌲" in to_svg(figure)
