import sys
from pathlib import Path

import pytest

sys.path.insert(0, str(Path(__file__).parent))  # for bad_methods and helpers, here and in the worker processes


@pytest.fixture(scope="module")
def client():
    """A client of a real Dask cluster: two workers, each a process with a nanny."""
    import distributed
    from dask_runs import OPTIONS

    options = {"n_workers": 2, "threads_per_worker": 1, "processes": True, **OPTIONS}
    with distributed.LocalCluster(**options) as local, distributed.Client(local) as client:
        yield client
