"""Kernels in rows, data sets in columns: bold where a kernel beats all others, and OUT OF MEMORY.

The means, standard errors and signs are those of Table 4.5 in Neumann's lecture "Performance Evaluation of ML Methods",
section 1.1. Scores of folds were not published. Those in kernels.csv are made up: ten folds for each kernel and data
set, with the published mean and standard error, so that there is something to test. * means a normalised kernel.
"""

from pathlib import Path

import fairtrial as ft

results = ft.read_scores(Path(__file__).parent / "kernels.csv", measure="accuracy", resampling="10-fold")
marks = {"*": ["normalised kernel"]}
options = {"transpose": True, "spread": "standard error", "strong": "winner", "adjust": "none", "decimals": 1}
print(results.table("scores", marks=marks, **options))
