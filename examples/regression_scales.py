"""Errors whose scales differ a thousandfold: one verdict over data sets in dollars, degrees and percent.

A mean of RMSEs over such data sets is the mean of the largest. fairtrial compares RMSE by ratios, so that every data
set has one voice.
"""

import numpy as np
from sklearn.datasets import load_diabetes, make_friedman1, make_friedman2, make_friedman3, make_regression
from sklearn.ensemble import RandomForestRegressor
from sklearn.linear_model import RidgeCV
from sklearn.neighbors import KNeighborsRegressor
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler

import fairtrial as ft

rng = np.random.default_rng(1)


def scaled(X, y, unit):
    return X, y * unit


def hours(n=300):
    """Hours of a task, skewed and multiplicative."""
    X = rng.normal(size=(n, 5))
    return X, np.exp(0.5 * X[:, 0] + 0.3 * X[:, 1] * X[:, 2] + 0.2 * rng.normal(size=n))


datasets = {
    "diabetes": load_diabetes(return_X_y=True),
    "friedman1": make_friedman1(300, noise=1.0, random_state=1),
    "impedance": make_friedman2(300, noise=50.0, random_state=2),
    "phase": make_friedman3(300, noise=0.1, random_state=3),
    "prices": scaled(*make_regression(300, 12, n_informative=6, noise=80.0, random_state=4), unit=1000),
    "percent": scaled(*make_friedman1(300, 10, noise=2.0, random_state=5), unit=0.01),
    "hours": hours(),
}

if __name__ == "__main__":
    study = ft.Study(
        ft.Question("Which regressor errs least?", measure="rmse"),
        datasets=datasets,
        methods={
            "ridge": make_pipeline(StandardScaler(), RidgeCV()),
            "forest": RandomForestRegressor(50),
            "neighbours": make_pipeline(StandardScaler(), KNeighborsRegressor(10)),
        },
        resampling="5-fold",
    )
    results = study.run("regression_scales.trial")
    print(results.verdict())
    print(results.verdict(control="ridge", smallest_difference=0.05).sentence)
