import sys
from pathlib import Path

import pytest

sys.path.insert(0, str(Path(__file__).parent))  # for small_data


@pytest.fixture
def write(tmp_path):
    """Write a file into a folder of the test's own, and give its path."""

    def write(name: str, content: str | bytes):
        path = tmp_path / name
        path.parent.mkdir(exist_ok=True)
        path.write_bytes(content if isinstance(content, bytes) else content.encode())
        return path

    return write
