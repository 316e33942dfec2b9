import shutil
import sys
from pathlib import Path

import pytest

sys.path.insert(0, str(Path(__file__).parent))  # for store_studies
sys.path.insert(0, str(Path(__file__).parents[1] / "engine"))  # for bad_methods, here and in the worker processes


@pytest.fixture
def plan():
    """Two data sets, two methods, two folds."""
    from store_studies import eight_trials

    return eight_trials()


@pytest.fixture
def file(tmp_path, plan):
    """A study file that is open for writing, with the plan registered and nothing done."""
    from fairtrial.store import StudyFile

    with StudyFile(tmp_path / "a.trial", write=True) as opened:
        opened.register(plan)
        yield opened


@pytest.fixture(scope="session")
def sized_plan():
    """Three data sets (one small, two large), two methods, two folds."""
    from store_studies import dataset

    from fairtrial.design import Study

    sets = [dataset("small", 10), dataset("large", 1000), dataset("largest", 1200)]
    return Study(datasets=sets, methods=["majority", "one_rule"], resampling="2-fold").plan()


@pytest.fixture
def sized_file(tmp_path, sized_plan):
    """A study file in the middle of a session."""
    from fairtrial.store import StudyFile

    with StudyFile(tmp_path / "a.trial", write=True) as opened:
        opened.register(sized_plan)
        opened.begin_session()
        yield opened


@pytest.fixture(scope="session")
def kept(tmp_path_factory):
    """Studies that were run already, by what they are."""
    return {"folder": tmp_path_factory.mktemp("kept")}


@pytest.fixture
def ran(tmp_path, kept):
    """A study file of that name, run now or copied from one that was run before."""
    from store_studies import study

    def run(name: str, *, again: bool = False, **changes):
        path, what = tmp_path / f"{name}.trial", repr(changes)
        if again or what not in kept:
            kept[what] = kept["folder"] / f"{len(list(kept['folder'].iterdir()))}.trial"
            study(**changes).run(kept[what], workers=0, progress=False).source.file.close()
        return shutil.copy(kept[what], path)

    return run


@pytest.fixture
def into(tmp_path):
    return tmp_path / "merged.trial"
