"""Which ensemble of trees withstands wrong labels?

The study follows Dietterich's comparison (2000, doi:10.1023/A:1007607513941). A share of the training labels is made
wrong, the same labels for all methods. Wins, losses and ties over the data sets are counted at each level of noise. The
test data have no noise.
"""

from pathlib import Path

from sklearn.ensemble import AdaBoostClassifier, BaggingClassifier, ExtraTreesClassifier
from sklearn.tree import DecisionTreeClassifier

import fairtrial as ft

study = ft.Study(
    ft.Question("Which ensemble of trees withstands wrong labels?", measure="accuracy"),
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
    ],
    methods={
        "tree": DecisionTreeClassifier(),
        "boosted": AdaBoostClassifier(DecisionTreeClassifier(max_depth=3), n_estimators=10),
        "bagged": BaggingClassifier(DecisionTreeClassifier(), n_estimators=10),
        "random": ExtraTreesClassifier(n_estimators=10),
    },
    resampling="5-fold",
    factors={"label_noise": [0, 0.05, 0.1, 0.2]},
    measures=["accuracy"],
)

if __name__ == "__main__":
    print(study.plan(), "\n")
    results = study.run("label_noise.trial")
    verdicts = results.verdicts()
    print(verdicts)
    chart = results.table("win_tie_loss")  # Dietterich's table 3
    print("\n", chart, "\n\n", chart.explain, "\n", sep="")
    print("Only differences that are significant on their data set are counted here:\n")
    print(results.table("win_tie_loss", test="corrected_t"), "\n")
    print(results.at(label_noise=0.2).table("winners"), "\n")
    Path("label_noise_wins.tex").write_text(chart.to_latex(), encoding="utf-8")
    print(results.report("label_noise.html"))
