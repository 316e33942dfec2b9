"""Answers about factors: effects, response surfaces, ablation, the most robust setting. It stands on verdicts."""

from fairtrial.experiments.ablation.ablation import Ablation
from fairtrial.experiments.ablation.find_ablation import ablation_of
from fairtrial.experiments.answer_to import FactorAnswer, ResultsAnswer, answer_to
from fairtrial.experiments.effects.factor_effects import FactorEffects
from fairtrial.experiments.effects.find_effects import effects_of
from fairtrial.experiments.robust.find_robust import RobustSetting, robust_setting_of
from fairtrial.experiments.surface.confirm_surface import Confirmation
from fairtrial.experiments.surface.find_surface import surface_of
from fairtrial.experiments.surface.fitted_surface import FittedSurface

__all__ = [
    "Ablation",
    "Confirmation",
    "FactorAnswer",
    "FactorEffects",
    "FittedSurface",
    "ResultsAnswer",
    "RobustSetting",
    "ablation_of",
    "answer_to",
    "effects_of",
    "robust_setting_of",
    "surface_of",
]
