"""One run loop, one function that performs one trial, and executors that differ only in where it is performed.

``run`` has the loop, ``perform`` one trial, ``gauges`` its costs, ``supplies`` what executors are opened with,
``progress`` what is shown. ``pilot`` estimates what a plan will cost, ``fit_on_all`` fits a final model. ``executors``
are in their folder; Dask is imported when it is first used. ``isolation`` undoes what a trial leaves behind.
"""

from fairtrial.engine.executors.executor import Executor, OpenExecutor
from fairtrial.engine.executors.processes import Processes
from fairtrial.engine.executors.serial import Serial
from fairtrial.engine.pilot import pilot
from fairtrial.engine.run import run
from fairtrial.engine.supplies import Supplies

__all__ = ["Executor", "OpenExecutor", "Processes", "Serial", "Supplies", "pilot", "run"]
