"""Question + Results → Verdict: the rule table, the guards, the sentences."""

import fairtrial.verdict.guards.comparison_guards
import fairtrial.verdict.guards.result_guards
import fairtrial.verdict.guards.score_guards
import fairtrial.verdict.guards.training_guards  # noqa: F401 - they register their guards
from fairtrial.verdict.answer import Answer
from fairtrial.verdict.claims.level import Claim
from fairtrial.verdict.consistency import check_consistency
from fairtrial.verdict.evidence import Evidence, gather
from fairtrial.verdict.gate import Gate, GateCase, check_gate, gate_of
from fairtrial.verdict.guards.doubts import guards_table
from fairtrial.verdict.judge import judge
from fairtrial.verdict.level_verdicts import LevelVerdicts
from fairtrial.verdict.pareto_front import Front, front_of
from fairtrial.verdict.rules.choose_procedure import rules_document, to_table
from fairtrial.verdict.rules.rule import Rule
from fairtrial.verdict.rules.rules import RULES
from fairtrial.verdict.verdict import Verdict
from fairtrial.verdict.verify import Verification, verify
from fairtrial.verdict.wins_chart import WINS, Wins, pairs_chart

__all__ = [
    "RULES",
    "WINS",
    "Answer",
    "Claim",
    "Evidence",
    "Front",
    "Gate",
    "GateCase",
    "LevelVerdicts",
    "Rule",
    "Verdict",
    "Verification",
    "Wins",
    "check_consistency",
    "check_gate",
    "front_of",
    "gate_of",
    "gather",
    "guards_table",
    "judge",
    "pairs_chart",
    "rules_document",
    "to_table",
    "verify",
]
