"""A verdict on published scores.

demsar_2006_auc.csv is Table 6 of Demšar (2006), Statistical comparisons of classifiers over multiple data sets,
JMLR 7:1-30, https://jmlr.org/papers/v7/demsar06a.html. It has the AUC of C4.5 on 14 data sets: with its defaults, with
m tuned, with cf tuned, and with both tuned.
"""

from pathlib import Path

import fairtrial as ft

results = ft.read_scores(Path(__file__).parent / "demsar_2006_auc.csv", measure="auc")
verdict = results.verdict(control="C4.5")
print(verdict)
verdict.figure().savefig("differences.png")
