"""Attributes of libraries: what is replaced is found and put back; what is imported later is no change."""

import sys
import types

import leaky_methods
import numpy as np
import pytest
from sklearn.tree import DecisionTreeClassifier

from fairtrial.engine.isolation.library_patches import Libraries, classes_of, is_any, is_public


@pytest.fixture(scope="module")
def public() -> Libraries:
    libraries = Libraries(is_public)
    libraries.add(classes_of(DecisionTreeClassifier()))
    return libraries


@pytest.fixture(scope="module")
def everything() -> Libraries:
    return Libraries(is_any, deep=True)


class TestPatches:
    @pytest.mark.parametrize("what", leaky_methods.PATCHES)
    def test_each_is_named_and_put_back(self, public, what):
        assert public.put_back() == []
        leaky_methods.PATCHES[what]()
        assert public.put_back() == [what]
        assert public.put_back() == []

    def test_by_hand(self, public):
        argmax, norm = np.argmax, np.linalg.norm
        np.argmax = np.argmin
        del np.linalg.norm
        assert sorted(public.put_back()) == ["numpy.argmax", "numpy.linalg.norm"]
        assert (np.argmax, np.linalg.norm) == (argmax, norm)

    @pytest.mark.parametrize("what", leaky_methods.DEEP_PATCHES)
    def test_private_modules_and_code_are_compared_on_request(self, public, everything, what):
        leaky_methods.DEEP_PATCHES[what]()
        assert public.put_back() == []
        assert everything.put_back() == [what]
        assert everything.put_back() == []

    def test_values_that_can_not_be_compared(self, public):
        np.argmax = np.arange(3)  # the comparison of two arrays has no truth value
        assert public.put_back() == ["numpy.argmax"]


class TestNoPatches:
    def test_what_is_imported_or_kept_by_a_module(self, monkeypatch):
        public = Libraries(is_public)  # its own: it will know the module
        module = types.ModuleType("numpy.made_up")
        module.compute, module._cache, module.lazy = (lambda: 1), 0, None
        monkeypatch.setitem(sys.modules, "numpy.made_up", module)
        np.made_up = module
        try:
            assert public.put_back() == []
            module._cache, module.lazy, module.new = 1, 2, 3  # a counter, a value that is made when it is needed
            assert public.put_back() == []
            assert (module._cache, module.lazy, module.new) == (1, 2, 3)
            compute, module.compute = module.compute, None
            assert public.put_back() == ["numpy.made_up.compute"]
            assert module.compute is compute
            module.compute = types.ModuleType("numpy.made_up.compute")  # a submodule of its name was imported
            assert public.put_back() == []
        finally:
            del np.made_up

    def test_a_class_of_ones_own_may_count_its_fits_but_not_change_its_methods(self):
        class Own:
            fits = 0

            def fit(self):
                return 1

        public = Libraries(is_public)
        public.add([Own])
        Own.fits, Own.cache = 1, {}
        assert public.put_back() == []
        Own.fit = Own.predict = lambda _: 2
        names = public.put_back()
        assert [name.rpartition(".")[2] for name in names] == ["fit", "predict"]
        assert (Own().fit(), hasattr(Own, "predict")) == (1, False)

    def test_a_module_that_came_with_a_method_is_known_before_its_trial(self, monkeypatch):
        public = Libraries(is_public)
        module = types.ModuleType("numpy.came_late")
        module.compute = len
        monkeypatch.setitem(sys.modules, "numpy.came_late", module)
        public.add_new()
        module.compute = max
        assert public.put_back() == ["numpy.came_late.compute"]
