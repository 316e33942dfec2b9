"""A published table in its own form: error rates ± half-widths on 33 data sets, with the column P.

c45_ensembles.csv has the table "Experiments with Standard Deviation" of Riddle's lecture "Evaluating Hypothesis and
Experimental Design #2". What stands behind ± there is half the 95 % interval, and P says where trees were pruned; both
come from Dietterich (2000), Machine Learning 40:139-157, doi:10.1023/A:1007607513941.
"""

from pathlib import Path

import fairtrial as ft

results = ft.read_scores(Path(__file__).parent / "c45_ensembles.csv", measure="error_rate", sign="P")
print(results.table("scores", marks={"*": ["pruned trees"]}, strong="none"))
