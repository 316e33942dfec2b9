"""The lab: what the recommended procedures do on data whose truth is known: type I error, power, coverage.

``lab_runs`` runs experiments in blocks, ``grids`` has them by name; worlds stand in files by what is drawn.
"""

from fairtrial.lab.lab_runs import Experiment, Limit, Row, run_lab, to_table

__all__ = ["Experiment", "Limit", "Row", "run_lab", "to_table"]
