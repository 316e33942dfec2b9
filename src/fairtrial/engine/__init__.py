"""One run loop, one function that performs one trial, and executors that differ only in where it is performed.

The Dask executor is imported from its own file when it is first used.
"""

from fairtrial.engine.executors.executor import Executor, OpenExecutor
from fairtrial.engine.executors.processes import Processes
from fairtrial.engine.executors.serial import Serial
from fairtrial.engine.pilot import pilot
from fairtrial.engine.run import run
from fairtrial.engine.supplies import Supplies

__all__ = ["Executor", "OpenExecutor", "Processes", "Serial", "Supplies", "pilot", "run"]
