# Made by tests/test_rooms.py from the map of names; don't edit: the test writes it anew.

from fairtrial.methods.baselines import BASELINES as BASELINES
from fairtrial.methods.baselines import BEST_POLICY as BEST_POLICY
from fairtrial.methods.baselines import baseline as baseline
from fairtrial.methods.baselines import is_baseline as is_baseline
from fairtrial.methods.baselines import to_table as to_table
from fairtrial.methods.baselines import trivial_policy as trivial_policy
from fairtrial.methods.baselines import yardstick_for as yardstick_for
from fairtrial.methods.canonical_form import canonical as canonical
from fairtrial.methods.canonical_form import digest as digest
from fairtrial.methods.decision_rules import ByCosts as ByCosts
from fairtrial.methods.decision_rules import DECIDE as DECIDE
from fairtrial.methods.decision_rules import Decide as Decide
from fairtrial.methods.import_paths import build as build
from fairtrial.methods.import_paths import by_name as by_name
from fairtrial.methods.method import Inputs as Inputs
from fairtrial.methods.method import Method as Method
from fairtrial.methods.method import as_methods as as_methods
from fairtrial.methods.tuning.declaration import tuned as tuned
__all__: list[str]
