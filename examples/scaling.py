"""How does the cost of a method grow with the data, and is the method worth its cost?

The costs are time to fit, time to predict and the size of the model, against the number of training rows. On a log-log
scale a power law is a straight line, and its exponent says how the cost grows (1: linearly, 2: with the square). At the
end accuracy is set against cost. The data are synthetic, since the bundled data sets are too small. Trials run one at a
time (``workers=1``) and their CPU time is measured, so that other trials and programs hardly disturb the times.
"""

from sklearn.datasets import make_classification
from sklearn.linear_model import LogisticRegression
from sklearn.naive_bayes import GaussianNB
from sklearn.neighbors import KNeighborsClassifier
from sklearn.svm import SVC
from sklearn.tree import DecisionTreeClassifier

import fairtrial as ft

X, y = make_classification(8_000, 20, n_informative=8, flip_y=0.05, class_sep=1.2, random_state=1)
study = ft.Study(
    ft.Question("Which method is worth its cost?", measure="accuracy"),
    datasets=[ft.Dataset.from_arrays(X, y, name="made")],
    methods={
        "svm": SVC(),
        "tree": DecisionTreeClassifier(),
        "neighbours": KNeighborsClassifier(algorithm="brute"),
        "bayes": GaussianNB(),
        "logistic": LogisticRegression(),
    },
    resampling=ft.Holdout(test_share=0.2, repeats=3),
    factors={"train_size": [200, 400, 800, 1600, 3200, 6400]},
    measures=["accuracy", "fit_cpu", "predict_cpu", "model_size"],
)

if __name__ == "__main__":
    results = study.run("scaling.trial", workers=1)
    print(results.growth("fit_cpu", at=100_000), "\n")
    print(results.growth("predict_cpu"), "\n")
    print(results.growth("model_size"), "\n")
    print(results.at(train_size=6400).pareto("predict_cpu"))
    results.figure("growth", measure="fit_cpu").savefig("growth.png")
    results.at(train_size=6400).figure("pareto", cost="predict_cpu").savefig("pareto.png")
