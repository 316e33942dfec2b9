# make demo    a whole small study on real data: verdict on the terminal, report in demo/report.html
# make test    tests, doctests, README, ruff, mypy, import-linter; the 20 slowest tests are listed
# make quick   the tests that are quick, in less than two minutes: no worker processes, no examples, few random cases
#
# Both set up what they need in .venv, with any Python >= 3.11 that is there (or PYTHON=…).

PYTHON ?= $(shell for p in python3.13 python3.12 python3.11 python3.14 python3 python; do \
	if command -v $$p >/dev/null 2>&1 && $$p -c 'import sys; sys.exit(sys.version_info < (3, 11))' 2>/dev/null; \
	then echo $$p; break; fi; done)
BIN := .venv/bin
# Two processes: more would disturb tests of time limits. The order of the files is that of tests/conftest.py.
BOTH := -n 2 --dist loadfile --no-loadscope-reorder

.PHONY: demo test quick orders lint axe check soak flips fuzz explore error-rates guards lab bench notebooks clean

demo: .venv/ready
	$(BIN)/fairtrial demo

test: .venv/ready-dev lint
	$(BIN)/python -m pytest -q $(BOTH) --durations=20

quick: .venv/ready-dev
	FAIRTRIAL_QUICK=1 $(BIN)/python -m pytest -q $(BOTH) -m "not slow" --durations=20 tests

# The whole suite in five other orders: no test may need one before it. The fourth and the fifth run beside a busy core.
orders: .venv/ready-dev
	for order in 1 2 3; do FAIRTRIAL_ORDER=$$order $(BIN)/python -m pytest -q $(BOTH) || exit 1; done
	$(BIN)/python -c 'while True: pass' & busy=$$!; trap "kill $$busy" EXIT; \
	for order in 4 5; do FAIRTRIAL_ORDER=$$order $(BIN)/python -m pytest -q $(BOTH) || exit 1; done

lint: .venv/ready-dev
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy
	$(BIN)/lint-imports

# The report in Chromium, with axe-core, which finds what people with disabilities can't use; it needs npm and Chromium.
axe: .venv/ready-dev
	mkdir -p .axe && cd .axe && npm pack --silent axe-core@4 && tar xzf axe-core-4*.tgz
	FAIRTRIAL_AXE=$(CURDIR)/.axe/package/axe.min.js $(BIN)/python -m pytest -q -rs tests/report/test_in_browser.py

# The notebooks of examples/ as a person sees them, light and dark, in .notebooks/; pictures of them need Chromium.
notebooks: .venv/ready-dev
	$(BIN)/python -m pip install -q --disable-pip-version-check nbconvert
	$(BIN)/python examples/notebooks/render.py

# Bad methods of every kind while the run is killed 25 times, here and on Dask; then 1,000 kills of each kind in each phase.
# The second part takes an hour or two, keeps its kills in soak.jsonl, and goes on from there if it is stopped.
soak: .venv/ready-dev
	FAIRTRIAL_KILLS=25 $(BIN)/python -m pytest -q -rP -p no:logging tests/engine/test_soak.py
	$(BIN)/python tests/engine/soak_runs.py --kills 1000 --state soak.jsonl

# 1,000 flipped bits and 200 bursts of bytes in a study file: each is detected with its place named, or nothing changes.
# SEED=2 tries others; FIRST=400 goes on from a case.
flips: .venv/ready-dev
	$(BIN)/python tests/store/damage.py --flips 1000 --bursts 200 --seed $(or $(SEED),1) --first $(or $(FIRST),0)

# Odd files, studies, arguments and commands, 100,000 of them: no Python error, no hang, nothing silently wrong. An hour;
# fuzz-*.json has how far it came, and it goes on from there.
fuzz: .venv/ready-dev
	$(BIN)/python tests/fuzz/fuzz_loop.py --state fuzz.json

# Property tests with new random examples, 20 times as many.
explore: .venv/ready-dev
	FAIRTRIAL_EXAMPLES=2000 $(BIN)/python -m pytest -q tests --ignore=tests/engine

# How often each test calls a difference that is not there, simulated where truth is known.
error-rates: .venv/ready-dev
	FAIRTRIAL_REPEATS=6000 $(BIN)/python -m pytest -q -rP tests/stats/test_error_rates.py
	FAIRTRIAL_REPEATS=1000 $(BIN)/python -m pytest -q tests/stats/factorial/test_effect_error_rates.py \
		tests/verdict/test_seeds_on_one_split.py tests/verdict/guards/test_training_guards.py

# How often each guard fires where something was planted and where nothing is wrong, 200 worlds each: docs/guards.md.
guards: .venv/ready-dev
	$(BIN)/python docs/guards.py

# The long form of docs/lab.md, some hours: it keeps its runs in lab.jsonl and goes on from there if it is stopped.
lab: .venv/ready-dev
	$(BIN)/fairtrial lab over-datasets best pages fixed-models equivalence skewed answers several-measures surfaces families bayesian \
		--runs 4000 --workers 2 --into lab.jsonl --wide; kept=$$?; \
	$(BIN)/fairtrial lab one-dataset effects --runs 1500 --workers 2 --into lab.jsonl --wide && exit $$kept

# The long form of examples/svm_surface.py: 5 data sets × 20 seeds, some minutes.
surface: .venv/ready-dev
	$(BIN)/python examples/svm_surface.py long

bench: .venv/ready-dev
	$(BIN)/python benchmarks/start.py
	$(BIN)/python benchmarks/engine.py
	$(BIN)/python benchmarks/measures.py
	$(BIN)/python benchmarks/readers.py
	$(BIN)/python benchmarks/stats_several.py
	$(BIN)/python benchmarks/stats_pairs.py
	$(BIN)/python benchmarks/stats_domains.py
	$(BIN)/python benchmarks/stats_bayes.py
	$(BIN)/python benchmarks/verdicts.py
	$(BIN)/python benchmarks/growth.py
	$(BIN)/python benchmarks/layouts.py
	$(BIN)/python benchmarks/factors.py

clean:
	rm -rf .venv demo

.venv/ready: pyproject.toml
	@test -n "$(PYTHON)" || { echo "fairtrial needs Python 3.11 or newer: install it, or say make PYTHON=/path/to/python"; exit 1; }
	test -x $(BIN)/python || $(PYTHON) -m venv .venv
	$(BIN)/python -m pip install -q --disable-pip-version-check -e .
	touch $@

.venv/ready-dev: .venv/ready
	$(BIN)/python -m pip install -q --disable-pip-version-check -e '.[dev]'
	touch $@
