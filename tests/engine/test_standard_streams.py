"""Standard streams: a method can wrap, close and detach them, and the next one still has them."""

import gc
import io
import sys

from fairtrial.engine.isolation.between_methods import Shielded, shielded


class TestShielded:
    def test_a_wrapper_that_is_gone_has_not_closed_it(self):
        inner = io.TextIOWrapper(io.BytesIO(), write_through=True)
        shield = Shielded(inner)
        wrapper = io.TextIOWrapper(shield.buffer, encoding="utf-8")
        wrapper.write("from the wrapper")
        del wrapper
        gc.collect()
        shield.close()
        assert (inner.closed, inner.buffer.getvalue()) == (False, b"from the wrapper")

    def test_it_is_read_like_the_stream(self):
        assert list(Shielded(io.StringIO("a\nb\n"))) == ["a\n", "b\n"]


class TestContext:
    def test_streams_are_the_same_after_it(self, monkeypatch):
        monkeypatch.setattr(sys, "stdin", None)  # as in a program without a console
        before = sys.stdin, sys.stdout, sys.__stdout__
        with shielded():
            sys.stdout.close()
            assert sys.stdin is None
            assert sys.stdout is not before[1]
        assert (sys.stdin, sys.stdout, sys.__stdout__) == before
        assert not sys.stdout.closed
