"""Who should get a retention offer? A churn study in money: costs by label, decisions by costs, a verdict in EUR.

Losing a customer who could have been kept costs 300 EUR, an offer to one who would have stayed 10 EUR. Each method
decides at a threshold that is tuned inside each training set. The best trivial policy (offer to everyone, or to no
one) stands beside them, and no method is worth its work unless it is shown to be cheaper. The data are made here: 1,500
customers, one in ten of whom leave.

Run: python examples/churn_costs.py
"""

import numpy as np
import pandas as pd
from sklearn.linear_model import LogisticRegression
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler

import fairtrial as ft

try:
    from xgboost import XGBClassifier
except ImportError:
    raise SystemExit("This example needs XGBoost: pip install xgboost-cpu") from None


def customers(n: int = 1500, seed: int = 7) -> pd.DataFrame:
    """Contracts of a telephone company; who calls support often and is new leaves more often."""
    rng = np.random.default_rng(seed)
    monthly = rng.random(n) < 0.55
    tenure = np.minimum(rng.gamma(1.6, 18, n), 72).round()
    calls = rng.poisson(np.where(monthly, 1.6, 0.9))
    charge = (30 + 45 * rng.beta(2, 2, n) + 15 * monthly).round(2)
    late = rng.poisson(0.5, n)
    odds = -4.1 + 1.3 * monthly - 0.045 * tenure + 0.75 * calls + 0.02 * (charge - 60) + 0.5 * late
    leaves = rng.random(n) < 1 / (1 + np.exp(-odds))
    return pd.DataFrame(
        {
            "contract": np.where(monthly, "monthly", "yearly"),
            "tenure": tenure,
            "support_calls": calls,
            "monthly_charge": charge,
            "late_payments": late,
            "churned": np.where(leaves, "yes", "no"),
        }
    )


def main() -> None:
    question = ft.Question(
        "Who should get a retention offer?",
        context={"costs": {"yes": 300, "no": 10}, "unit": "EUR"},  # what a mistake costs, by the true label
    )
    study = ft.Study(
        question,
        datasets={"churn": customers()},
        target="churned",
        methods={
            "logistic": make_pipeline(StandardScaler(), LogisticRegression()),
            "xgboost": XGBClassifier(n_estimators=60, max_depth=3, learning_rate=0.1),
            "xgboost at 0.5": ft.Method(
                "labels", XGBClassifier(n_estimators=60, max_depth=3, learning_rate=0.1), decide="labels"
            ),
        },
        resampling="2x5-fold",
    )
    results = study.run(progress=False)
    print(results.verdict())
    print()
    print(results.confusion_matrix("logistic"))


if __name__ == "__main__":
    main()
