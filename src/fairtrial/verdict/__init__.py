"""Question + Results → Verdict: the rule table, the guards, the sentences."""

import fairtrial.verdict.comparison_guards
import fairtrial.verdict.decision_guards
import fairtrial.verdict.result_guards
import fairtrial.verdict.score_guards
import fairtrial.verdict.training_guards  # noqa: F401 - they register their guards
from fairtrial.verdict.ablation import Ablation
from fairtrial.verdict.answer_to import FactorAnswer, ResultsAnswer, answer_to
from fairtrial.verdict.claims import Claim
from fairtrial.verdict.confirm_surface import Confirmation
from fairtrial.verdict.evidence import Evidence, gather
from fairtrial.verdict.factor_effects import FactorEffects
from fairtrial.verdict.find_ablation import ablation_of
from fairtrial.verdict.find_effects import effects_of
from fairtrial.verdict.find_robust import robust_setting_of
from fairtrial.verdict.find_surface import surface_of
from fairtrial.verdict.fitted_surface import FittedSurface
from fairtrial.verdict.gate import Gate, GateCase, check_gate, gate_of
from fairtrial.verdict.guards_table import guards_table
from fairtrial.verdict.judge import judge
from fairtrial.verdict.level_verdicts import LevelVerdicts
from fairtrial.verdict.pareto_front import Front, front_of
from fairtrial.verdict.robust_setting import RobustSetting
from fairtrial.verdict.rules import RULES, Rule
from fairtrial.verdict.rules_table import rules_document, to_table
from fairtrial.verdict.verdict import Verdict
from fairtrial.verdict.verify import Verification, verify
from fairtrial.verdict.wins_chart import WINS, Wins, pairs_chart

__all__ = [
    "RULES",
    "WINS",
    "Ablation",
    "Claim",
    "Confirmation",
    "Evidence",
    "FactorAnswer",
    "FactorEffects",
    "FittedSurface",
    "Front",
    "Gate",
    "GateCase",
    "LevelVerdicts",
    "ResultsAnswer",
    "RobustSetting",
    "Rule",
    "Verdict",
    "Verification",
    "Wins",
    "ablation_of",
    "answer_to",
    "check_gate",
    "effects_of",
    "front_of",
    "gate_of",
    "gather",
    "guards_table",
    "judge",
    "pairs_chart",
    "robust_setting_of",
    "rules_document",
    "surface_of",
    "to_table",
    "verify",
]
