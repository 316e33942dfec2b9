"""Tables of results by name, each from a study, a file of scores or predictions, for every output format.

``results.table("scores")``, ``fairtrial table results.csv scores``; :data:`KINDS` says what there is. A table is data
(:class:`~fairtrial.tables.Table`): caption, cells, notes, and how to read it.

A new table is a module here, whose maker has ``@table_of`` and takes results and some of
:class:`~fairtrial.choices.TableOptions`, and a row of :data:`KINDS`. Modules are imported when they are needed, so that
the command line can list :data:`KINDS` at once.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from fairtrial.kinds import Kind

if TYPE_CHECKING:
    from fairtrial.result_tables.named_tables import options_of_table, table_of_results, tables_table

__all__ = ["KINDS", "options_of_table", "table_of_results", "tables_table"]

KINDS = {
    "scores": Kind("dataset_scores", "the scores of each method on each data set: mean ± uncertainty, the best bold"),
    "measures": Kind("measure_scores", "several measures of each method, on one data set or on average"),
    "measures_by_dataset": Kind("measure_scores", "several measures of each method on each data set"),
    "ranking": Kind("letter_groups", "methods from best to worst: means, ranks, intervals, letter groups"),
    "pairwise": Kind("pairwise_matrix", "difference, wins and p of all pairs of methods"),
    "winners": Kind("letter_groups", "on how many data sets each method is the best, and significant wins"),
    "win_tie_loss": Kind("pairwise_matrix", "wins, losses and ties of all pairs, also at each level of a factor"),
    "anova": Kind("variance_table", "the analysis of variance: sums of squares, F, p and effect size"),
    "confusion": Kind("confusion_rates", "the confusion matrix of a method, with the rates of each class"),
    "mcnemar": Kind("pairwise_matrix", "McNemar's test of pairs of methods: on which instances is only one right"),
    "failures": Kind("failed_trials", "how often each method failed, for which reasons, and on which data sets"),
    "critical_values": Kind("printed_critical_values", "critical values of a test, for a class", of_results=False),
}
"""The kinds of tables of results, in the order in which they are listed."""


def __getattr__(name: str) -> Any:
    if name not in __all__:
        raise AttributeError(f"module 'fairtrial.result_tables' has no attribute {name!r}")
    from fairtrial.result_tables import named_tables

    return getattr(named_tables, name)
