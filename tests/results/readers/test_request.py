"""What the doors for results from elsewhere were asked."""

import pytest

from fairtrial.errors import UnknownName
from fairtrial.results.readers.request import Request


class TestTask:
    @pytest.mark.parametrize(("measure", "task"), [("rmse", "values"), ("auc", "classes"), (None, None)])
    def test_as_the_measure_says(self, measure, task):
        assert Request(measure=measure).task() == task

    def test_no_such_measure(self):
        with pytest.raises(UnknownName, match="did you mean 'rmse'"):
            Request(measure="rmsee").task()
