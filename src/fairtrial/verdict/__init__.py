"""Question + Results → Verdict: the rule table, the guards, the sentences."""

from fairtrial.verdict.charts import WINS, Wins, pairs_chart
from fairtrial.verdict.evidence import Check, Evidence, gather
from fairtrial.verdict.front import Front, front_of
from fairtrial.verdict.judge import judge
from fairtrial.verdict.levels import LevelVerdicts
from fairtrial.verdict.rules import RULES, Rule, to_table
from fairtrial.verdict.verdict import Verdict

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
