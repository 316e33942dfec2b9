"""What a surface promises, on rows that were held back."""

import numpy as np
import pytest
from made_surfaces import surface_results
from sklearn.neighbors import KNeighborsClassifier

import fairtrial as ft
from fairtrial.design.layouts import FullFactorial
from fairtrial.errors import InputError
from fairtrial.experiments.effects.effect_factors import VariedFactor
from fairtrial.experiments.surface.confirm_surface import Confirmation
from fairtrial.measures import get
from fairtrial.stats import Interval

K = VariedFactor("k", (1, 5, 9), "linear", (1.0, 9.0))
P = VariedFactor("p", (1.0, 1.5, 2.0), "linear", (1.0, 2.0))


def confirmation(searched, reached, measure="accuracy"):
    points = np.array([(-1.0, 0.0), (0.0, 0.0), (1.0, 0.0)])
    return Confirmation({"k": 5, "p": 1.5}, Interval("height", 0.9, 0.85, 0.95), 0.88, {"iris": 0.88},
                        np.array(searched), np.array(reached), get(measure), points, (K, P))  # fmt: skip


class TestOptimism:
    def test_by_hand(self):
        # losses 0.02, 0.05, 0.02: the best lost 0.05, all together 0.03
        found = confirmation([0.80, 0.92, 0.85], [0.78, 0.87, 0.83])
        assert found.best == 1
        assert found.optimism == pytest.approx(0.02)
        assert "was over-estimated by 0.020: it had 0.920 on the rows" in found.sentences[1]
        assert "the mean of all settings went from 0.857 to 0.827" in found.sentences[1]

    def test_lower_is_better(self):
        found = confirmation([0.20, 0.08, 0.15], [0.22, 0.13, 0.17], "error_rate")
        assert found.optimism == pytest.approx(0.02)

    def test_the_first_sentence_compares_with_the_prediction(self):
        found = confirmation([0.80, 0.92, 0.85], [0.78, 0.87, 0.83])
        assert found.sentence == (
            "On rows that were held back, k 5, p 1.5 reaches accuracy 0.880, as predicted: the surface said 0.900 "
            "[0.850, 0.950]."
        )
        assert found.to_table().rows[-1][-1] == "best of the surface"
        assert "optimism" in found.render("json")


@pytest.fixture(scope="module")
def confirmed():
    held = ft.hold_back(["iris", "wine"], 0.4, seed=3)
    study = ft.Study(
        datasets=list(held.searched),
        methods={"neighbours": KNeighborsClassifier()},
        resampling="2-fold",
        factors=[ft.Factor("n_neighbors", linear=(1, 21)), ft.Factor("p", linear=(1.0, 3.0))],
        plan=FullFactorial(levels=3),
        measures=["accuracy"],
    )
    surface = study.run(workers=0, progress=False).surface()
    return held, study, surface, surface.confirm(study, held)


@pytest.mark.slow
class TestConfirm:
    def test_settings_learn_from_the_searched_rows_and_are_tested_on_the_others(self, confirmed):
        held, _, surface, found = confirmed
        i = next(i for i, p in enumerate(surface.surface.points) if p.tolist() == [-1, 1])  # 1 neighbour, p = 3
        own = [
            KNeighborsClassifier(1, p=3).fit(a.X, a.target).score(b.X, b.target)
            for a, b in zip(held.searched, held.held, strict=True)
        ]
        assert found.reached[i] == pytest.approx(np.mean(own))
        assert found.searched == pytest.approx(surface.scores.mean(axis=0))

    def test_the_best_of_the_surface_is_run(self, confirmed):
        held, _, surface, found = confirmed
        setting = surface.setting
        own = [
            KNeighborsClassifier(setting["n_neighbors"], p=setting["p"]).fit(a.X, a.target).score(b.X, b.target)
            for a, b in zip(held.searched, held.held, strict=True)
        ]
        assert found.confirmed == pytest.approx(np.mean(own))
        assert list(found.by_dataset) == ["iris", "wine"]

    def test_other_rows_are_refused(self, confirmed):
        _, study, surface, _ = confirmed
        with pytest.raises(InputError, match="iris and wine had other rows"):
            surface.confirm(study, ft.hold_back(["iris", "wine"], 0.4, seed=4))


def test_says_what_it_takes():
    with pytest.raises(InputError, match=r"what ft\.hold_back gave"):
        surface_results().surface().confirm("study", None)
