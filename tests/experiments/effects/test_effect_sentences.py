"""The answer about factors in words."""

from dataclasses import replace

from made_effects import THREE, TWO, nothing, planted, results, two_by_two

from fairtrial.experiments.effects.effect_sentences import EffectStory, setting_in_words


class TestEffectStory:
    def test_an_interaction_says_which_level_is_better_where(self):
        text = " ".join(results(planted, THREE).effects().sentences)
        assert "depth and rate interact: at rate 1, depth 12 is better than 3 by 0.0" in text
        assert "but at rate 0.1 there is hardly a difference" in text

    def test_an_interaction_that_turns(self):
        found = results(lambda s: 0.04 * ((s["depth"] == 12) == (s["rate"] == 1)), TWO).effects()
        assert found.sentences[0] == (
            "None of 2 factors shows an effect on accuracy by itself on data sets such as these 12."
        )
        assert ", depth 12 is better than 3 by 0.04" in found.sentences[1]
        assert ", depth 3 is better than 12 by 0.04" in found.sentences[1]

    def test_what_shows_no_effect_may_be_chosen_by_cost(self):
        found = results(planted, THREE).effects().sentences
        assert any(text.startswith("The data show no effect of kind; effects of up to 0.00") for text in found)
        assert found[-1] == "kind, which shows no effect, may be chosen by cost."

    def test_what_to_set(self):
        found = two_by_two(8).effects().sentences
        assert "depth 12, rate 1 (0.824 over 8 data sets); as the best of 4 settings it is over-estimated." in found[-1]

    def test_nothing_at_all(self):
        found = results(nothing, TWO, seed=3).effects().sentences
        assert found[0] == "The data show no effect of any of 2 factors on accuracy on data sets such as these 12."
        assert found[1].startswith("This does not mean that there is none: effects of up to 0.00")

    def test_a_smallest_difference(self):
        found = results(planted, THREE).effects(smallest_difference=0.01).sentences
        assert "more than the 0.01 that you said matters" in found[0]
        assert "kind changes it by less than the 0.01 that matter." in found

    def test_uncontrollable_factors_are_not_set(self):
        found = results(planted, TWO).effects()
        factors = (found.varied[0], replace(found.varied[1], controllable=False))
        story = EffectStory(
            found.measure, False, factors, found.settings, found.scores, found.rows, "here", "data set"
        )  # fmt: skip
        first, best = (remark.words.render() for remark in story.advice())
        assert first.startswith("rate is uncontrollable and can't be set")
        assert "depth 12 (" in best
        assert "best of 2 settings" in best


class TestSettingInWords:
    def test_absent_factors_are_left_out(self):
        assert setting_in_words({"method": "svm", "C": 10}, ["method", "C", "depth"]) == "svm, C 10"
