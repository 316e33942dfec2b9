"""Which method is best for class balances and costs other than those of the test data?

The first part compares two classifiers of Flach (2012), Machine Learning, example 12.1. The second classifier is more
accurate on the test data; the first one is more accurate if all class balances are equally likely. The second part is a
small study on German credits: granting a bad credit (a miss) costs five times as much as refusing a good one. The
methods keep their own labels (decide="labels"), so that nothing is run again for another context. In churn_costs.py
they decide by the costs.
"""

from sklearn.linear_model import LogisticRegression
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler

import fairtrial as ft
from fairtrial.measures import ConfusionMatrix, context_map

models = {
    "first": ConfusionMatrix.of_table(tp=60, fn=20, fp=0, tn=20),
    "second": ConfusionMatrix.of_table(tp=75, fn=5, fp=10, tn=10),
}
for measure in ("accuracy", "average_recall", "expected_accuracy(prior=0.9)", "expected_accuracy(prior='beta(2, 5)')"):
    values = {name: round(model.measure(measure), 3) for name, model in models.items()}
    print(f"{measure}: {max(values, key=values.get)} is best, {values}")
print(context_map(models, shares=[0.1, 0.3, 0.5, 0.8, 0.9], ratios=[0.2, 1, 5]))

study = ft.Study(
    ft.Question("Who should get a credit?", context={"costs": [1, 5]}),
    datasets=["credit-g"],
    methods={
        "logistic": make_pipeline(StandardScaler(), LogisticRegression()),
        "careful": make_pipeline(StandardScaler(), LogisticRegression(class_weight={"bad": 5, "good": 1})),
    },
    resampling="10-fold",
    decide="labels",
)
results = study.run()
for context in ({"costs": [1, 5]}, {"costs": [1, 1]}, {"positives": 0.05, "costs": [1, 5]}):
    print(f"\n{context}:\n{results.verdict(context=context)}")
print(f"\n{results.contexts()}")
results.figure("contexts").savefig("contexts.png")
