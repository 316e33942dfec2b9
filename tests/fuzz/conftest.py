"""Lets the short form of the fuzzers import them."""

import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent))
