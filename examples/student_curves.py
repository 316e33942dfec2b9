"""How much data does a method need, and what do wrong labels do to it?

Two factors at once: the number of training rows, and the share of them whose label is wrong. All methods learn from the
same rows with the same wrong labels; a smaller training set is part of a larger one. The test labels are never changed.
"""

from sklearn.linear_model import LogisticRegression
from sklearn.naive_bayes import GaussianNB
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler
from sklearn.tree import DecisionTreeClassifier

import fairtrial as ft

study = ft.Study(
    ft.Question("How many rows does each method need, and how many wrong labels does it stand?", measure="accuracy"),
    datasets=["breast_cancer"],
    methods={
        "bayes": GaussianNB(),
        "logistic": make_pipeline(StandardScaler(), LogisticRegression()),
        "tree": DecisionTreeClassifier(),
    },
    resampling="5-fold",
    factors={"train_size": [20, 60, 150, 400], "label_noise": [0, 0.1, 0.2, 0.3]},
)

if __name__ == "__main__":
    results = study.run("student_curves.trial")

    print("Learning curves without noise:")
    print(results.at(label_noise=0).verdicts().sentence)
    print("\nLearning curves with 30 % wrong labels:")
    print(results.at(label_noise=0.3).verdicts().sentence)
    print("\nWrong labels with 400 rows:")
    print(results.at(train_size=400).verdicts().sentence)

    results.figure("levels").savefig("student_curves.png")  # small multiples: a panel for each share of wrong labels
    results.at(label_noise=0).figure("levels").savefig("student_learning_curve.png")
    print("\nstudent_curves.png\nstudent_learning_curve.png")
