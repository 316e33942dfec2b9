"""Best guess, one factor at a time, factorial: what does each strategy find with the same number of runs?

A support vector machine has three factors at two levels. Each strategy spends 40 runs on each data set, and searches in
one half of its rows. The settings that they choose are then compared in the other half, which no strategy has seen.

C and gamma interact: with a narrow kernel (large gamma) C should be small, with a wide one it should be large. Starting
from a large C and a large gamma, each change alone helps a little. Who makes both ends at the worst setting. Who takes
the best run that was made avoids this, and still does not know why.

The levels and the start were chosen so that this shows: the gain of C alone is within noise, the interaction is not.
Elsewhere one factor at a time may do as well.
"""

from sklearn.pipeline import Pipeline
from sklearn.preprocessing import RobustScaler, StandardScaler
from sklearn.svm import SVC

import fairtrial as ft
from fairtrial.design.layouts import BestGuess, Fractional, FullFactorial, OneAtATime

NAMES = ["iris", "wine", "glass", "vote", "breast_cancer", "breast-cancer", "ionosphere", "pima-diabetes", "credit-g"]
SCALERS = {"standard": StandardScaler(), "robust": RobustScaler()}
GUESS = {"C": 1000, "gamma": 0.1, "scaling": "standard"}
FACTORS = [
    ft.Factor("C", [1, 1000], of="svm__C"),
    ft.Factor("gamma", [0.0001, 0.1], of="svm__gamma"),
    ft.Factor("scaling", SCALERS, of="scale"),
]
STRATEGIES = {
    "best guess": (BestGuess(rows=[(1, 1, 0)]), "8x5-fold"),
    "one at a time": (OneAtATime(base={"C": 1, "gamma": 1}), "2x5-fold"),
    "half fraction": (Fractional(runs=4), "2x5-fold"),
    "full factorial": (FullFactorial(), "5-fold"),
}


def halves(name):
    """A data set as two, each with half of the rows."""
    (whole,) = ft.datasets(name)
    mixed = whole.frame().assign(target=whole.target).sample(frac=1, random_state=1)
    middle = len(mixed) // 2
    rows = {"searched": mixed[:middle], "held back": mixed[middle:]}
    return {half: ft.Dataset.from_frame(part, target="target", name=name) for half, part in rows.items()}


def pipeline(C, gamma, scaling):
    return Pipeline([("scale", SCALERS[scaling]), ("svm", SVC(C=C, gamma=gamma))])


def search(datasets, layout, resampling):
    """The results of a strategy."""
    study = ft.Study(
        datasets=datasets,
        methods={"svm": pipeline(**GUESS)},
        resampling=resampling,
        factors=FACTORS,
        plan=layout,
        measures=["accuracy"],
    )
    return study.run(workers=0, progress=False)


def best_run(means):
    """The setting with the best mean accuracy of those that were tried."""
    return dict(zip(GUESS, means.idxmax(), strict=True))


def all_that_helped(means):
    """The guess with each change that helped by itself."""
    chosen = dict(GUESS)
    for setting, mean in means.items():
        if mean > means[tuple(GUESS.values())]:
            chosen |= {n: level for n, level in zip(GUESS, setting, strict=True) if level != GUESS[n]}
    return chosen


def written(setting):
    return f"C {setting['C']:g}, gamma {setting['gamma']:g}, {setting['scaling']}"


if __name__ == "__main__":
    data = [halves(name) for name in NAMES]
    chosen = {}
    for strategy, (layout, resampling) in STRATEGIES.items():
        results = search([d["searched"] for d in data], layout, resampling)
        means = results.scores.groupby(list(GUESS))["value"].mean()
        print(f"{strategy}, {resampling} of each setting:")
        for setting, mean in means.items():
            print(f"  {mean:.3f}   {written(dict(zip(GUESS, setting, strict=True)))}")
        chosen[f"{strategy}, best run"] = best_run(means)
        if strategy == "one at a time":
            chosen[f"{strategy}, all that helped"] = all_that_helped(means)
    print("\nWhat only the full factorial shows:\n")
    print("\n".join(results.effects().sentences))

    different = {written(setting): pipeline(**setting) for setting in chosen.values()}
    comparison = ft.Study(datasets=[d["held back"] for d in data], methods=different, resampling="5-fold")
    reached = comparison.run(workers=0, progress=False)
    accuracy = reached.scores[reached.scores["measure"] == "accuracy"].groupby("method")["value"].mean()
    print("\nMean accuracy that the chosen settings reach on the rows that were held back:\n")
    for strategy, setting in chosen.items():
        print(f"  {strategy:30} {accuracy[written(setting)]:.3f}   {written(setting)}")
    print("\n".join(["", *reached.verdict(measure="accuracy").finding.sentences]))
