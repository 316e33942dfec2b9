"""One test for all entries of a registry fails if one of them does, and says which."""

import pytest
from offenders import for_each


class TestForEach:
    def test_all_offenders_are_listed_with_their_reasons(self):
        @for_each("n", [1, 2, 3, 4])
        def is_odd(n):
            if n % 2 == 0:
                raise ValueError(f"{n} is even")

        with pytest.raises(AssertionError) as found:
            is_odd()
        assert str(found.value) == "2 of 4 fail\n2: 2 is even\n4: 4 is even"
        assert str(found.value.__cause__) == "2 is even"

    def test_a_missing_error_is_an_offence(self):
        @for_each(("kind", "text"), [(ValueError, "a"), (ValueError, "1")], ids=("first", "second"))
        def is_refused(kind, text):
            with pytest.raises(kind):
                int(text)

        with pytest.raises(AssertionError, match="1 of 2 fail\nsecond: DID NOT RAISE"):
            is_refused()

    def test_fixtures_are_given_and_classes_are_wrapped(self):
        seen = []

        @for_each("n", [pytest.param(1, id="one"), 2])
        class Tests:
            def test_it(self, n, tmp_path):
                seen.append((n, tmp_path))

            def test_without(self):
                seen.append("without")

        tests = Tests()
        tests.test_it(tmp_path="here")
        tests.test_without()
        assert seen == [(1, "here"), (2, "here"), "without"]

    def test_skips_where_a_case_is_skipped_and_none_fails(self):
        @for_each("n", [1, 2, 3])
        def skips(n, fails):
            if n == 2:
                pytest.skip("no two here")
            assert not (fails and n == 3)

        with pytest.raises(pytest.skip.Exception, match="1 of 3: no two here"):
            skips(fails=False)
        with pytest.raises(AssertionError, match="1 of 3 fail"):
            skips(fails=True)

    def test_an_empty_registry_is_refused(self):
        with pytest.raises(ValueError, match="there is no n to test"):
            for_each("n", [])
