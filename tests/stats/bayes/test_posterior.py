import json
import pickle

from fairtrial.stats import bayes_sign, bayes_signed_rank
from fairtrial.stats.bayes.posterior import Posterior

FOREST = [0.81, 0.92, 0.77, 0.85, 0.90, 0.68, 0.74]
BAYES = [0.79, 0.87, 0.78, 0.81, 0.84, 0.65, 0.66]


class TestPosterior:
    def test_tells_the_answer_first(self):
        assert str(bayes_sign(FOREST, BAYES, rope=0.01)).startswith(
            "the first is larger by more than 0.01: probability"
        )
        assert str(bayes_sign(BAYES, FOREST)).splitlines()[0] == "the second is larger: probability 0.984"

    def test_goes_through_pickle_and_dict(self):
        found = bayes_signed_rank(FOREST, BAYES, rope=0.01, draws=500)
        assert pickle.loads(pickle.dumps(found)) == found
        assert json.loads(json.dumps(found.to_dict()))["right"] == found.right

    def test_is_never_certain_in_print(self):
        found = Posterior("t", "q", 0.1, 1e-9, 0.0, 1 - 1e-9, ("l", "e", "r"), "m", "p", 3)
        assert [row[2] for row in found.to_table().cells()] == ["<0.001", "0.000", ">0.999"]
