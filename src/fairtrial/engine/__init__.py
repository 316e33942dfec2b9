"""One run loop, one function that performs one trial, and executors that differ only in where it is performed."""

from fairtrial.engine.pilot import pilot
from fairtrial.engine.run import run

__all__ = ["pilot", "run"]
