"""Who will leave? A study on a polars DataFrame, as it is held.

Tables of pandas, polars and Arrow are all taken as they are, and the same data have the same fingerprint in each of
them: a study that was begun on one goes on with another.
"""

import numpy as np
from sklearn.ensemble import RandomForestClassifier
from sklearn.linear_model import LogisticRegression

import fairtrial as ft


def customers():
    """400 customers, of whom those with a basic plan and many calls tend to leave."""
    import polars as pl

    random = np.random.default_rng(7)
    plan = random.choice(["basic", "gold"], 400, p=[0.7, 0.3])
    calls, age = random.poisson(2, 400), random.integers(18, 80, 400)
    leaves = random.random(400) < 1 / (1 + np.exp(3.5 - calls - (plan == "basic")))
    frame = pl.DataFrame({"plan": plan, "age": age, "calls": calls, "churned": np.where(leaves, "yes", "no")})
    return frame.with_columns(pl.col("plan").cast(pl.Categorical), age=pl.when(pl.col("age") > 25).then(pl.col("age")))


def study(frame):
    return ft.Study(
        ft.Question("Who will leave?", measure="auc", control="logistic"),
        datasets={"churn": frame},
        target="churned",
        methods={"logistic": LogisticRegression(max_iter=1000), "forest": RandomForestClassifier(20)},
        resampling="5-fold",
    )


if __name__ == "__main__":
    try:
        frame = customers()
    except ImportError:
        raise SystemExit("This example needs polars: pip install polars") from None
    chosen = study(frame)
    print(chosen.datasets[0], "\n")
    print(chosen.run(workers=0, progress=False).verdict())
