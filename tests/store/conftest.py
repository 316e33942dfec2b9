import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[1] / "engine"))  # for bad_methods, here and in the worker processes
