import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent))  # for bad_methods, here and in the worker processes
