"""Accuracy ± standard error, with the time of a prediction in brackets.

plant_disease.csv has Table 4 in Neumann's lecture "Performance Evaluation of ML Methods", section 1.1: features for
detecting and classifying plant diseases, beside the most frequent class (MFC) and chance (RAND). Times that were
printed as 0.00 s are left out.
"""

from pathlib import Path

import fairtrial as ft

results = ft.read_scores(Path(__file__).parent / "plant_disease.csv")
print(results.table("scores", beside="predict_time", strong="none"))
