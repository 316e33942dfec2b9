"""Seeds on one fixed split: what they are as data, and where they are refused."""

import json
import math

import pytest

from fairtrial.data import datasets
from fairtrial.design import Study
from fairtrial.errors import InputError
from fairtrial.methods.tuning import as_inner
from fairtrial.resampling import Dependence, KFold, Seeds, read_splits, score_unit

IRIS = datasets("iris")[0]


class TestSeeds:
    def test_no_test_on_one_data_set_may_use_them(self):
        found = Seeds(5).dependence()
        assert (found.scheme, found.repeats, found.folds, found.seeds) == ("5 seeds", 5, 1, True)
        assert math.isnan(found.test_share)
        assert not found.known
        assert found.caution.startswith("seeds show the noise of training on one fixed split, not how scores vary")
        assert Seeds(1).dependence().scheme == "1 seed"

    @pytest.mark.parametrize("resampling", ["5 seeds", Seeds(5)])
    def test_a_study_has_replicates_for_them(self, resampling):
        with pytest.raises(InputError, match=r"resampling must say how data are split, got 5 seeds.*replicates=5 \("):
            Study(datasets=[IRIS], methods=["majority"], resampling=resampling)
        assert Study(datasets=[IRIS], methods=["majority"], resampling="holdout 0.3", replicates=5).replicates == 5

    def test_they_split_nothing(self):
        with pytest.raises(InputError, match="resampling must say how data are split"):
            list(Seeds(3).splits(IRIS, 1))

    def test_other_splits_are_not_like_them(self, tmp_path):
        path = tmp_path / "splits.csv"
        path.write_text("fold,row\n0,1\n1,2\n")
        with pytest.raises(InputError, match="like must say how data are split, got 5 seeds"):
            read_splits(path, like="5 seeds")

    def test_tuning_is_not_on_them(self):
        with pytest.raises(InputError, match="inner must say how data are split, got 3 seeds"):
            as_inner("3 seeds")


class TestScoreUnit:
    def test_seeds_only_if_all_are(self):
        seeds, folds = Seeds(5).dependence(), KFold(5).dependence()
        assert score_unit([seeds, Seeds(3).dependence()]) == "seed"
        assert score_unit([seeds, folds]) == score_unit([folds]) == score_unit([]) == "split"


class TestToDict:
    def test_only_seeds_are_new_in_it(self):
        assert "seeds" not in KFold(5).dependence().to_dict()  # so that files stay as those of earlier versions
        stored = json.loads(json.dumps(Seeds(5).dependence().to_dict()))
        assert Dependence(**stored | {"test_share": math.nan}).seeds

    def test_files_of_earlier_versions_know_no_seeds(self):
        stored = KFold(5).dependence().to_dict()
        assert not Dependence(**stored).seeds
