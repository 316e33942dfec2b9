"""Several measures of each method on one data set, the best of each bold.

breast_cancer_measures.csv has the example of Neumann's lecture "Performance Evaluation of ML Methods", section 1.1,
after Japkowicz & Shah (2011), Evaluating Learning Algorithms, Cambridge University Press. The accuracy of NB is
misprinted there as .71.7. The lecture's RMSE is that of probabilities. Only means were published, so that there is no ±
and no test.
"""

from pathlib import Path

import fairtrial as ft

results = ft.read_scores(Path(__file__).parent / "breast_cancer_measures.csv")
print(results.table("measures"))
