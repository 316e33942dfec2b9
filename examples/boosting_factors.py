"""Which settings of a boosting pipeline matter, which interact, and what should be set?

Four factors at two levels each, in all 16 combinations, on ten data sets: a 2⁴ study. Every effect is computed on each
data set, and all effects are tested together over the data sets. Trees don't depend on the scale of features, so that
scaling is a control: it changes nothing but random draws, and no effect of it should be found.
"""

from sklearn.ensemble import GradientBoostingClassifier
from sklearn.pipeline import Pipeline
from sklearn.preprocessing import StandardScaler

import fairtrial as ft

ROUNDS = [10, 60]

study = ft.Study(
    ft.Question("Which settings of boosting matter?", measure="accuracy", smallest_difference=0.01),
    datasets=[
        "iris",
        "wine",
        "glass",
        "labor",
        "vote",
        "breast-cancer",
        "breast_cancer",
        "ionosphere",
        "pima-diabetes",
        "credit-g",
    ],
    methods={"boosting": Pipeline([("scale", "passthrough"), ("trees", GradientBoostingClassifier(subsample=0.5))])},
    resampling="5-fold",
    factors=[
        ft.Factor("rate", [0.03, 0.3], of="trees__learning_rate"),
        ft.Factor("rounds", ROUNDS, of="trees__n_estimators"),
        ft.Factor("depth", [1, 4], of="trees__max_depth"),
        ft.Factor("scaling", {"none": "passthrough", "standard": StandardScaler()}, of="scale"),
    ],
    measures=["accuracy", "log_loss", "fit_time"],
)

if __name__ == "__main__":
    print(study.plan(), "\n")
    results = study.run("boosting_factors.trial")
    effects = results.effects()
    print(effects)
    print("\nThe same for probabilities:\n")
    print("\n".join(results.effects("log_loss").sentences))
    effects.figure("interactions").savefig("boosting_interactions.png")
    print(results.report("boosting_factors.html"))
