"""Question + Results → Verdict: the rule table, the guards, the sentences."""

from fairtrial.verdict.evidence import Check, Evidence, gather
from fairtrial.verdict.judge import judge
from fairtrial.verdict.rules import RULES, Rule, to_table
from fairtrial.verdict.verdict import Verdict

__all__ = ["RULES", "Check", "Evidence", "Rule", "Verdict", "gather", "judge", "to_table"]
