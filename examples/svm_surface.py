"""The best C and gamma of a support vector machine: response surfaces with a quarter of the trials of a grid.

Rows are held back before anything is planned. On the others, the grid tries 10 × 10 settings. The surface tries 25, in
three steps: 9 over the whole ranges, then 8 and 8 more, each time around the best point of the surface so far, in
ranges half as wide. What both have chosen is tested on the rows that were held back.

The short form takes seconds. ``python svm_surface.py long`` takes minutes: 5 data sets × 20 seeds.
"""

import json
import sys
import warnings

import numpy as np
from matplotlib.figure import Figure
from sklearn.model_selection import GridSearchCV, StratifiedKFold
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler
from sklearn.svm import SVC

import fairtrial as ft
from fairtrial.design.layouts import CentralComposite
from fairtrial.stats import NaturalRange

NAMES = ["wine", "glass", "breast_cancer", "ionosphere", "pima-diabetes"]
RANGES = {"C": NaturalRange(0.01, 1000, log=True), "gamma": NaturalRange(1e-5, 10, log=True)}
FOLDS = 3
STEPS = [
    (1.0, 1),
    (0.5, 0),
    (0.25, 0),
]  # half the width of the ranges (coded), center points: 9 + 8 + 8 runs


def svm(**setting):
    return make_pipeline(StandardScaler(), SVC(**setting))


def around(center, half):
    """Both ends of each range around a point, inside of the whole ranges."""
    ends = {name: np.clip([x - half, x + half], -1, 1) for name, x in center.items()}
    return {name: tuple(RANGES[name].natural(x) for x in own) for name, own in ends.items()}


def by_surface(data, seed):
    """The best setting that was run on the way to which three surfaces lead, the number of runs, and the surfaces."""
    center, means, surfaces = dict.fromkeys(RANGES, 0.0), {}, []
    for half, middle in STEPS:
        study = ft.Study(
            datasets=[data],
            methods={"svm": svm()},
            resampling=f"{FOLDS}-fold",
            factors=[ft.Factor(name, log=ends, of=f"svc__{name}") for name, ends in around(center, half).items()],
            plan=CentralComposite(alpha="face", center=middle),
            measures=["accuracy"],
            seed=seed,
        )
        results = study.run(workers=0, progress=False)
        own = results.scores[results.scores["method"] == "svm"]
        means |= own.groupby(list(RANGES))["value"].mean().to_dict()
        surfaces.append(results.surface())
        center = {name: RANGES[name].coded(value) for name, value in surfaces[-1].setting.items()}
    return dict(zip(RANGES, max(means, key=means.get), strict=True)), len(means), surfaces


def by_grid(data, seed, steps=10):
    """The best setting of a grid over the whole ranges."""
    grid = {f"svc__{name}": [own.natural(x) for x in np.linspace(-1, 1, steps)] for name, own in RANGES.items()}
    folds = StratifiedKFold(FOLDS, shuffle=True, random_state=seed)
    found = GridSearchCV(svm(), grid, cv=folds).fit(data.X, data.target)
    return {name.removeprefix("svc__"): value for name, value in found.best_params_.items()}


def compare(name, seed, steps=10):
    """What both strategies reach on the rows of a data set that were held back."""
    parts = ft.hold_back([name], 0.4, seed=seed)
    searched, held = parts.searched[0], parts.held[0]
    chosen, runs, surfaces = by_surface(searched, seed)
    settings = {"surface": chosen, "grid": by_grid(searched, seed, steps)}
    scores = {
        strategy: float(svm(**setting).fit(searched.X, searched.target).score(held.X, held.target))
        for strategy, setting in settings.items()
    }
    return {"name": name, "seed": seed, "runs": runs, **scores}, surfaces


def draw(rows, path):
    """Accuracy on the rows that were held back: by the surface against by the grid, and the loss."""
    figure = Figure(figsize=(8, 3.6), layout="constrained")
    left, right = figure.subplots(1, 2)
    for name in dict.fromkeys(row["name"] for row in rows):
        own = [row for row in rows if row["name"] == name]
        left.plot([row["grid"] for row in own], [row["surface"] for row in own], "o", alpha=0.6, label=name)
    ends = [min(row["grid"] for row in rows), 1.0]
    left.plot(ends, ends, color="gray", linewidth=0.8)
    left.set(xlabel="grid, 100 settings", ylabel="surface, 25 settings", title="accuracy on rows held back")
    left.legend(fontsize=8)
    losses = sorted(row["grid"] - row["surface"] for row in rows)
    right.plot(losses, np.linspace(0, 1, len(losses)), drawstyle="steps-post")
    right.axvline(float(np.median(losses)), color="tab:orange", label=f"median {np.median(losses):+.4f}")
    right.axvline(0.005, color="gray", linestyle="dashed", label="0.005")
    right.set(xlabel="loss of the surface against the grid", ylabel="share of data sets and seeds")
    right.legend(fontsize=8)
    figure.savefig(path)


if __name__ == "__main__":
    warnings.simplefilter("ignore")
    long = sys.argv[1:] == ["long"]
    rows, surfaces = [], []
    for seed in range(20 if long else 1):
        for name in NAMES if long else NAMES[:1]:
            row, surfaces = compare(name, seed, steps=10 if long else 4)
            rows.append(row)
            print(json.dumps(row), flush=True)
    losses = [row["grid"] - row["surface"] for row in rows]
    print(f"\nThe surface has run {max(row['runs'] for row in rows)} settings at most, a quarter of a grid of 100.")
    print(f"It loses {np.median(losses):+.4f} at the median on rows held back, {np.mean(losses):+.4f} on average.\n")
    print("\n".join(surfaces[-1].sentences))
    draw(rows, "svm_surface.png")
    surfaces[0].figure("contour").savefig("svm_contour.png")
