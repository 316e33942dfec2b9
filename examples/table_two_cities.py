"""Several measures on several data sets, with signs for chosen comparisons.

two_cities.csv has Table 4.2 in Neumann's lecture "Performance Evaluation of ML Methods", section 1.1: five models of
traffic in two German cities. Only means and signs were published. Nothing can be tested again, so the signs are those
of the table, and ``marks`` says what they mean. On scores of folds the same call makes the tests itself.
"""

from pathlib import Path

import fairtrial as ft

results = ft.read_scores(Path(__file__).parent / "two_cities.csv")
marks = {"◊": ["GP:kNN"], "•": ["SGP:GP", "XGP:GP"], "*": ["SXGP:XGP"]}
print(results.table("measures_by_dataset", marks=marks, strong="none"))
