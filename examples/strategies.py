"""Best guess, one factor at a time, factorial, surface, random, TPE: what does each find with the same number of runs?

A support vector machine has three factors at two levels. Each strategy spends 40 runs on each data set, and searches in
one half of its rows. The settings that they choose are then compared in the other half, which no strategy has seen.

The last three strategies take C and gamma as numbers between the same ends, with standard scaling, and try 8 settings
by 5-fold cross-validation: a response surface, random settings, and Optuna's TPE (where optuna is installed).

C and gamma interact: with a narrow kernel (large gamma) C should be small, with a wide one it should be large. Starting
from a large C and a large gamma, each change alone helps a little. Who makes both ends at the worst setting. Who takes
the best run that was made avoids this, and still does not know why.

The levels and the start were chosen so that this shows: the gain of C alone is within noise, the interaction is not.
Elsewhere one factor at a time may do as well.
"""

import numpy as np
from sklearn.pipeline import Pipeline
from sklearn.preprocessing import RobustScaler, StandardScaler
from sklearn.svm import SVC

import fairtrial as ft
from fairtrial.design.layouts import BestGuess, CentralComposite, Fractional, FullFactorial, OneAtATime

NAMES = ["iris", "wine", "glass", "vote", "breast_cancer", "breast-cancer", "ionosphere", "pima-diabetes", "credit-g"]
SCALERS = {"standard": StandardScaler(), "robust": RobustScaler()}
GUESS = {"C": 1000, "gamma": 0.1, "scaling": "standard"}
FACTORS = [
    ft.Factor("C", [1, 1000], of="svm__C"),
    ft.Factor("gamma", [0.0001, 0.1], of="svm__gamma"),
    ft.Factor("scaling", SCALERS, of="scale"),
]
NUMBERS = [ft.Factor("C", log=(1.0, 1000.0), of="svm__C"), ft.Factor("gamma", log=(0.0001, 0.1), of="svm__gamma")]
TRIES = 8
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


def search(datasets, layout, resampling, factors=FACTORS):
    """The results of a strategy."""
    study = ft.Study(
        datasets=datasets,
        methods={"svm": pipeline(**GUESS)},
        resampling=resampling,
        factors=factors,
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


def numbers(datasets):
    """The settings that strategies over ranges choose, as the pairs of a strategy and its setting."""
    surface = search(datasets, CentralComposite(alpha="face", center=0), "5-fold", NUMBERS).surface()
    print("\nThe response surface:\n")
    print("\n".join(surface.sentences))
    yield "response surface", surface.setting
    rows = np.random.default_rng(1).uniform(-1, 1, size=(TRIES, 2)).tolist()
    tried = search(datasets, BestGuess(rows=rows), "5-fold", NUMBERS)
    yield "random, best run", best_number(tried)
    try:
        yield "TPE, best run", by_tpe(datasets)
    except ImportError:
        print("\nOptuna is not installed: TPE is left out.")


def best_number(results):
    """The setting of C and gamma with the best mean accuracy."""
    means = results.scores.groupby(["C", "gamma"])["value"].mean()
    return dict(zip(("C", "gamma"), means.idxmax(), strict=True))


def by_tpe(datasets):
    """The best setting that Optuna's TPE finds; after three random ones it learns from those before."""
    import optuna

    optuna.logging.set_verbosity(optuna.logging.WARNING)

    def objective(trial):
        row = [trial.suggest_float(factor.name, -1, 1) for factor in NUMBERS]
        scores = search(datasets, BestGuess(rows=[row]), "5-fold", NUMBERS).scores
        return scores.loc[scores["method"] == "svm", "value"].mean()

    study = optuna.create_study(
        direction="maximize", sampler=optuna.samplers.TPESampler(seed=1, n_startup_trials=min(3, TRIES))
    )
    study.optimize(objective, n_trials=TRIES)
    return {factor.name: factor.at(study.best_params[factor.name]) for factor in NUMBERS}


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

    for strategy, setting in numbers([d["searched"] for d in data]):
        chosen[strategy] = {**setting, "scaling": "standard"}

    different = {written(setting): pipeline(**setting) for setting in chosen.values()}
    comparison = ft.Study(datasets=[d["held back"] for d in data], methods=different, resampling="5-fold")
    reached = comparison.run(workers=0, progress=False)
    accuracy = reached.scores[reached.scores["measure"] == "accuracy"].groupby("method")["value"].mean()
    print("\nMean accuracy that the chosen settings reach on the rows that were held back:\n")
    for strategy, setting in chosen.items():
        print(f"  {strategy:30} {accuracy[written(setting)]:.3f}   {written(setting)}")
    print("\n".join(["", *reached.verdict(measure="accuracy").sentences]))
