"""A benchmark's table of 100,000 results: 50 methods on 200 tasks, 10 folds, with failures and their reasons.

The table is made up here; with yours only the last lines are needed. It takes some seconds; on a terminal you see what
is being done.
"""

import numpy as np
import pandas as pd

import fairtrial as ft

METHODS, TASKS, FOLDS = 50, 200, 10


def made_up_table(seed=1):
    """Scores in a long table; half a per cent of the trials ran out of time or memory."""
    rng = np.random.default_rng(seed)
    task, method, fold = (index.ravel() for index in np.indices((TASKS, METHODS, FOLDS)))
    skill = np.sort(rng.normal(0, 0.02, METHODS))[::-1]
    level, taste = rng.uniform(0.6, 0.9, TASKS), rng.normal(0, 0.02, (TASKS, METHODS))
    accuracy = level[task] + skill[method] + taste[task, method] + rng.normal(0, 0.02, task.size)
    table = pd.DataFrame(
        {"task": task, "framework": method, "fold": fold, "accuracy": accuracy.clip(0, 1), "status": "ok"}
    )
    table["task"] = "task " + table["task"].astype(str)
    table["framework"] = "m" + table["framework"].astype(str)
    failed = rng.uniform(size=len(table)) < 0.005
    table.loc[failed, "accuracy"] = np.nan
    table.loc[failed, "status"] = rng.choice(["timeout", "OOM"], failed.sum())
    return table


if __name__ == "__main__":
    made_up_table().to_csv("benchmark.csv", index=False)
    results = ft.read_scores("benchmark.csv", dataset="task", method="framework", measure="accuracy")
    print(results.verdict(failures="worst"))
