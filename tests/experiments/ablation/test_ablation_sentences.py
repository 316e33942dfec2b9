"""The division of an advantage in words."""

from made_effects import results

PAIR = {"model": ["tree", "boosting"], "tuning": ["no", "yes"]}


def told(effect, levels=PAIR, **more):
    return results(effect, levels, **more).ablation()


def gains(model=0.0, tuning=0.0, both=0.0):
    def effect(setting):
        a, b = setting["model"] == "boosting", setting["tuning"] == "yes"
        return model * a + tuning * b + both * (a and b)

    return effect


class TestSentences:
    def test_nothing_is_shown(self):
        found = told(gains())
        assert found.sentence.startswith(
            "No advantage of boosting + tuning over tree in accuracy is shown on data sets"
        )
        assert "it divides as follows: " in found.sentence
        said = "2 parts may be 0: the intervals of model and tuning include it"
        assert any(notice.text == said for notice in found.notices)

    def test_worse(self):
        found = told(gains(model=-0.03, tuning=-0.01))
        assert found.sentence.startswith("Of the 0.039 [0.036, 0.043] in accuracy")
        assert "boosting + tuning falls behind tree" in found.sentence
        assert ": model 0.030 [0.026, 0.033], tuning" in found.sentence

    def test_a_component_that_hurts(self):
        found = told(gains(model=0.05, tuning=-0.02))
        assert "tuning −0.02" in found.sentence
        assert "tuning takes away from the advantage." in found.sentences
        assert any(
            "without tuning the mean is better than with all components, by 0.02" in n.text for n in found.notices
        )

    def test_one_replaces_the_other(self):
        found = told(gains(model=0.03, tuning=0.03, both=-0.03))
        assert "model and tuning partly replace each other: together they add 0.03" in found.sentences[1]
        assert any("is larger than the part of one of the two" in n.text for n in found.notices)

    def test_how_many_data_sets_it_would_take(self):
        found = told(gains(model=0.03, tuning=0.001))
        (step,) = found.next_steps
        assert step.words.render().startswith(f"about {step.amount:,} data sets would tell the part of tuning from 0")

    def test_the_sum_is_checked(self):
        assert any(n.is_fine and "parts sum to the whole" in n.text for n in told(gains(model=0.02)).notices)

    def test_tested_on_training_data(self):
        # optimistic splits are said before the answer, on the page
        found = told(gains(model=0.02), datasets=1, folds=1, resampling="resubstitution")
        assert str(found).startswith("Methods were tested on their training data")

    def test_a_name_with_the_sign_of_interactions(self):
        def effect(setting):
            return 0.03 * (setting["a × b"] == "yes" or setting["c"] == "yes")

        found = told(effect, {"a × b": ["no", "yes"], "c": ["no", "yes"]})
        assert "a × b and c partly replace each other" in found.sentences[1]
