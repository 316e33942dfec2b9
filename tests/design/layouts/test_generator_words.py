import pytest

from fairtrial.design.layouts.generators import fraction_from, parse_word, word_column
from fairtrial.errors import InputError, UnknownName

NAMES = ["rate", "depth", "trees", "leaf"]


class TestParseWord:
    @pytest.mark.parametrize(
        ("text", "places", "sign"),
        [
            ("ABD", [0, 1, 3], 1),
            ("DBA", [0, 1, 3], 1),
            ("-AB", [0, 1], -1),
            ("−AB", [0, 1], -1),
            ("rate*leaf", [0, 3], 1),
            ("rate:leaf", [0, 3], 1),
            ("rate × depth", [0, 1], 1),
            ("trees", [2], 1),
        ],
    )
    def test_letters_and_names(self, text, places, sign):
        assert parse_word(text, NAMES) == (places, sign)

    def test_names_of_one_letter_are_not_positions(self):
        assert parse_word("BA", ["B", "A", "C"]) == ([0, 1], 1)
        with pytest.raises(UnknownName):
            parse_word("D", ["X", "Y", "Z", "W"])

    @pytest.mark.parametrize("text", ["", "-", None, 3])
    def test_nothing(self, text):
        with pytest.raises(InputError, match="must be a product of factors"):
            parse_word(text, NAMES)

    def test_twice(self):
        with pytest.raises(InputError, match="each factor once, got 'ABA'"):
            parse_word("ABA", NAMES)

    def test_unknown(self):
        with pytest.raises(UnknownName, match="no factor is called 'deph'; did you mean 'depth'"):
            parse_word("rate*deph", NAMES)


class TestFractionFrom:
    def test_generators_of_generated_factors(self):
        # D = AB, E = CD is E = ABC
        found = fraction_from({"E": "CD", "D": "AB"}, tuple("ABCDE"))
        assert found.columns == (1, 2, 4, 3, 7)
        assert set(found.defining_words) == {"ABD", "CDE", "ABCE"}

    def test_signs_multiply(self):
        found = fraction_from({"D": "-AB", "E": "-CD"}, tuple("ABCDE"))
        assert found.signs == (1, 1, 1, -1, 1)
        assert "ABCE" in found.defining_words

    def test_the_generated_factor_may_be_the_first(self):
        found = fraction_from({"rate": "depth*trees"}, ("rate", "depth", "trees"))
        assert found.columns == (3, 1, 2)
        assert found.generators == ("rate = depth × trees",)

    def test_a_word_in_a_fraction(self):
        assert word_column(fraction_from({"D": "AB"}, tuple("ABCD")), "AD") == 2

    @pytest.mark.parametrize(
        ("generators", "says"),
        [
            ({"D": "AB", "C": "AB"}, "'C' and 'D' the same column|'D' and 'C' the same column"),
            ({"C": "D", "D": "C"}, "must lead back to factors without one"),
            ({"C": "A"}, "the same column"),
            ({"D": "AB", "depth": "AC"}, "one generator"),
        ],
    )
    def test_impossible_ones(self, generators, says):
        names = ("A", "B", "C", "D") if "depth" not in generators else ("a1", "b1", "c1", "depth")
        with pytest.raises(InputError, match=says):
            fraction_from(generators, names)

    @pytest.mark.parametrize("key", ["AB", "-C"])
    def test_for_one_factor(self, key):
        with pytest.raises(InputError, match=f"must be for one factor, .* got '{key}'"):
            fraction_from({key: "AB"}, tuple("ABCD"))

    def test_too_many_runs(self):
        with pytest.raises(InputError, match=r"at most 16 factors without one \(65,536 runs\), got 19"):
            fraction_from({"A": "BC"}, tuple("ABCDEFGHJKLMNOPQRSTU"))

    def test_a_constant_factor(self):
        with pytest.raises(InputError, match="keep 'D' constant"):
            fraction_from({"C": "AB", "D": "ABC"}, tuple("ABCD"))
