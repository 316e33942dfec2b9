"""What deep-learning papers have: 12 data sets × 6 methods × 5 seeds, on the one split that each data set comes with.

The table is simulated with a fixed seed; yours is a CSV with the columns dataset, method, seed and accuracy. The column
called seed is enough: ± is then the noise of training, and claims are about data sets, by the mean over seeds of each.
On one data set five seeds show no difference, however large, since all of them share their training and test data.
"""

import numpy as np
import pandas as pd

import fairtrial as ft

METHODS = ("plain", "dropout", "mixup", "cutmix", "deeper", "ensemble")
GAINS = (0.0, 0.004, 0.008, 0.010, 0.012, 0.030)  # what each method is really better by, on average over data sets

rng = np.random.default_rng(1)
rows = []
for dataset in range(1, 13):
    level = rng.uniform(0.70, 0.90)  # how easy the data set is
    for method, gain in zip(METHODS, GAINS, strict=True):
        here = level + gain + rng.normal(0, 0.008)  # what the method is worth on this data set, and on its split
        rows += [(f"task {dataset}", method, seed, here + rng.normal(0, 0.005)) for seed in range(5)]
scores = pd.DataFrame(rows, columns=["dataset", "method", "seed", "accuracy"]).round(4)

results = ft.read_scores(scores, measure="accuracy")  # or ft.read_scores("results.csv", …, resampling="5 seeds")
print(results.verdict())
print()
print(results.table("scores"))
print()
one = ft.read_scores(scores[scores["dataset"] == "task 1"], measure="accuracy")
print(one.verdict().sentence)
