"""The register of kinds: names, options, and what is refused."""

from __future__ import annotations

from typing import TypedDict

import pytest

from fairtrial.errors import InputError, UnknownName
from fairtrial.kinds import Kind, Makers


class Options(TypedDict, total=False):
    size: int | None
    colour: str | None


def makers() -> Makers[str]:
    """Two kinds whose module is one that is there, which register themselves here."""
    register: Makers[str] = Makers(
        "shape",
        "fairtrial",
        {"dot": Kind("words", "a dot"), "box": Kind("words", "a box")},
        Options,
        {"colour": "black"},
    )

    @register("dot")
    def dot(page: str, *, size: int = 1) -> str:
        return f"{page}: {size} dots"

    @register("box")
    def box(page: str, *, colour: str = "black") -> str:
        return f"{page}: a {colour} box"

    return register


class TestMakers:
    def test_makes_with_the_options_that_were_given(self):
        assert makers().make("dot", "here", options={"size": 3}) == "here: 3 dots"

    def test_an_option_that_was_not_given_has_the_makers_default(self):
        assert makers().make("dot", "here", options={"size": None}) == "here: 1 dots"

    def test_options_follow_from_the_signature(self):
        assert makers().options_of("box") == ("colour",)

    def test_an_option_of_another_kind_is_refused(self):
        with pytest.raises(InputError, match=r"size is for dot, not for the shape 'box'; leave it out"):
            makers().make("box", "here", options={"size": 3})

    def test_an_option_of_no_kind_is_answered_with_those_there_are(self):
        with pytest.raises(InputError, match=r"no option of the shape 'box' is called 'format'; known are: colour"):
            makers().make("box", "here", options={"format": "latex"})

    def test_a_neutral_value_counts_as_left_out(self):
        assert makers().make("dot", "here", options={"colour": "black"}) == "here: 1 dots"

    def test_an_option_that_asks_changes_what_the_maker_is_given(self):
        register: Makers[str] = Makers(
            "shape", "fairtrial", {"dot": Kind("words", "a dot")}, Options,
            ask=lambda page, asked: f"{page} in {asked['colour']}", asks={("colour",): ["dot"]},
        )  # fmt: skip
        register("dot")(lambda page, *, size=1: f"{page}: {size} dots")
        assert register.options_of("dot") == ("size", "colour")
        assert register.make("dot", "here", options={"size": 2, "colour": "red"}) == "here in red: 2 dots"
        assert register.make("dot", "here", options={"size": 2}) == "here: 2 dots"

    def test_unknown_kind(self):
        with pytest.raises(UnknownName, match=r"no shape is called 'dott'; did you mean 'dot'"):
            makers().make("dott", "here", options={})
