"""Attributes of libraries: what is replaced is found and put back; what is imported later is no change."""

import sys
import types

import leaky_methods
import numpy as np
import pytest

from fairtrial.engine.library_patches import Libraries, is_any, is_public


@pytest.fixture(scope="module")
def public() -> Libraries:
    return Libraries(is_public)


class TestPatches:
    @pytest.mark.parametrize("what", [w for w in leaky_methods.PATCHES if "._core" not in w])
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

    def test_private_modules_are_compared_on_request(self, public):
        everything, what = Libraries(is_any), "numpy._core.fromnumeric._wrapfunc"
        leaky_methods.PATCHES[what]()
        assert public.put_back() == []
        assert everything.put_back() == [what]

    def test_values_that_can_not_be_compared(self, public):
        np.argmax = np.arange(3)  # the comparison of two arrays has no truth value
        assert public.put_back() == ["numpy.argmax"]


class TestNoPatches:
    def test_what_is_imported_or_kept_by_a_module(self, public, monkeypatch):
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
