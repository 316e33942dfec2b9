"""How much data does a method need?

Naive Bayes stops improving after a few rows; logistic regression and forests need more rows and become better (Ng &
Jordan 2001, On discriminative vs. generative classifiers, NIPS 14:841-848). All methods have the same training sets;
smaller ones are part of larger ones. The test data are the same at all sizes.
"""

from sklearn.ensemble import RandomForestClassifier
from sklearn.linear_model import LogisticRegression
from sklearn.naive_bayes import GaussianNB
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler

import fairtrial as ft

study = ft.Study(
    ft.Question("How many rows does each method need?", measure="accuracy"),
    datasets=["breast_cancer", "breast-cancer", "credit-g", "digits", "glass", "ionosphere", "pima-diabetes", "vote"],
    methods={
        "bayes": GaussianNB(),
        "logistic": make_pipeline(StandardScaler(), LogisticRegression()),
        "forest": RandomForestClassifier(20),
    },
    resampling="5-fold",
    factors={"train_size": [10, 20, 40, 80, 160]},
)

if __name__ == "__main__":
    results = study.run("learning_curve.trial")
    print(results.verdicts())
    results.figure("levels").savefig("learning_curve.png")
    results.figure("levels", dataset="pima-diabetes").savefig("learning_curve_pima.png")
