"""Question + Results → Verdict: the rule table, the guards, the sentences."""

from fairtrial.verdict.evidence import Check, Evidence, gather
from fairtrial.verdict.judge import judge
from fairtrial.verdict.level_verdicts import LevelVerdicts
from fairtrial.verdict.pareto_front import Front, front_of
from fairtrial.verdict.rules import RULES, Rule, to_table
from fairtrial.verdict.verdict import Verdict
from fairtrial.verdict.wins_chart import WINS, Wins, pairs_chart

__all__ = [
    "RULES",
    "WINS",
    "Check",
    "Evidence",
    "Front",
    "LevelVerdicts",
    "Rule",
    "Verdict",
    "Wins",
    "front_of",
    "gather",
    "judge",
    "pairs_chart",
    "to_table",
]
