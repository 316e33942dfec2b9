"""Question + Results → Verdict: the rule table, the designs, the guards, the words.

``judge`` goes from ``evidence`` to a ``finding`` and an ``answer``; ``verdict`` is that about methods. ``rules`` choose
the procedure, ``designs`` carry it out, ``claims`` are the kinds of statements, ``words`` say them; ``consistency``
holds all against each other. ``gate`` decides for CI, ``level_verdicts`` at each level, ``verify`` makes it again.
"""

import fairtrial.verdict.guards.comparison_guards
import fairtrial.verdict.guards.result_guards
import fairtrial.verdict.guards.score_guards
import fairtrial.verdict.guards.sources
import fairtrial.verdict.guards.training_guards  # noqa: F401 - they register their guards
from fairtrial.rooms import lazy_names

_HOMES = {
    "answer": "Answer",
    "claims.level": "Claim",
    "consistency": "check_consistency",
    "evidence": "Evidence gather",
    "gate": "Gate GateCase check_gate gate_of",
    "guards.notices_in_answer": "guards_table",
    "level_verdicts": "LevelVerdicts",
    "pareto_front": "Front front_of",
    "rules.choose_procedure": "rules_document to_table",
    "rules.rule": "Rule",
    "rules.rules": "RULES",
    "verdict": "Verdict",
    "verify": "Verification",
    "wins_chart": "WINS Wins pairs_chart",
}

__all__, __getattr__, __dir__ = lazy_names(__name__, _HOMES)
