# Made by tests/test_rooms.py from the map of names; don't edit: the test writes it anew.

from fairtrial.verdict.answer import Answer as Answer
from fairtrial.verdict.claims.level import Claim as Claim
from fairtrial.verdict.consistency import check_consistency as check_consistency
from fairtrial.verdict.evidence import Evidence as Evidence
from fairtrial.verdict.evidence import gather as gather
from fairtrial.verdict.gate import Gate as Gate
from fairtrial.verdict.gate import GateCase as GateCase
from fairtrial.verdict.gate import check_gate as check_gate
from fairtrial.verdict.gate import gate_of as gate_of
from fairtrial.verdict.guards.notices_in_answer import guards_table as guards_table
from fairtrial.verdict.level_verdicts import LevelVerdicts as LevelVerdicts
from fairtrial.verdict.pareto_front import Front as Front
from fairtrial.verdict.pareto_front import front_of as front_of
from fairtrial.verdict.rules.choose_procedure import rules_document as rules_document
from fairtrial.verdict.rules.choose_procedure import to_table as to_table
from fairtrial.verdict.rules.rule import Rule as Rule
from fairtrial.verdict.rules.rules import RULES as RULES
from fairtrial.verdict.verdict import Verdict as Verdict
from fairtrial.verdict.verify import Verification as Verification
from fairtrial.verdict.wins_chart import WINS as WINS
from fairtrial.verdict.wins_chart import Wins as Wins
from fairtrial.verdict.wins_chart import pairs_chart as pairs_chart
__all__: list[str]
