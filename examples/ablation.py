"""Why is it better? The advantage of a random forest over a single tree, divided into what each of its ideas adds.

A random forest averages many trees, gives each of them a bootstrap sample of the rows, and lets each split choose among
a few features only. Each idea is switched off and on, in all eight combinations, on eleven data sets. The part of an
idea is its Shapley value: what it adds on average over all orders in which the ideas can be added. The parts sum to the
advantage, and each has an interval over data sets. Ideas that only work together show as interactions: a bootstrap
sample makes a single tree worse, and many trees that do not differ are no better than one.
"""

from sklearn.ensemble import RandomForestClassifier

import fairtrial as ft

MANY = 40

study = ft.Study(
    ft.Question("Why is a random forest better than a tree?", measure="accuracy"),
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
        "digits",
    ],
    methods={"forest": RandomForestClassifier()},
    resampling="5-fold",
    factors=[
        ft.Factor("many trees", {"no": 1, "yes": MANY}, of="n_estimators"),
        ft.Factor("bootstrap", {"no": False, "yes": True}),
        ft.Factor("random features", {"no": None, "yes": "sqrt"}, of="max_features"),
    ],
)

if __name__ == "__main__":
    results = study.run("ablation.trial")
    ablation = results.ablation()
    print(ablation)
    ablation.figure().savefig("ablation.png")
    print("\nOn one data set only its splits carry the error:\n")
    print(results.ablation(dataset="credit-g"))
