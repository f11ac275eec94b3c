# spanwise: `make demo` shows it, `make test` proves it. Both set up what they need in .venv.

PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
# LangChain, LlamaIndex, Haystack and chonkie, with all that they pull in.
ADAPTERS := $(VENV)-adapters
# Spark, which needs Java, too.
SPARK := $(VENV)-spark
NATIVE := $(wildcard src/spanwise/native/*.[ch])
INSTALL := -m pip install --quiet --disable-pip-version-check
PIP := $(BIN)/python $(INSTALL)

FUZZ_SECONDS ?= 600
FUZZ_SEED ?= 1
JOBS ?= auto

.PHONY: demo test quick test-heavy adapters spark fuzz browser check bench wheels docs format clean

demo: $(VENV)/installed
	$(BIN)/spanwise demo

test: $(VENV)/tested browser
	$(BIN)/python -m pytest -n $(JOBS) $(PYTEST)

# What a change breaks first: policies, formats, statistics, papers' and official numbers, the face.
quick: $(VENV)/tested
	$(BIN)/python -m pytest -n $(JOBS) tests/evaluation tests/formats tests/statistics tests/papers \
		tests/golden tests/render tests/cli/test_golden.py tests/test_*.py $(PYTEST)

# What takes long: the tests marked heavy (pytest fails if there are none), the tests that see every
# score without the native core, the packages of others, Spark, then a minute of fuzzing.
test-heavy: $(VENV)/tested $(ADAPTERS)/tested
	$(BIN)/python -m pytest -m heavy -n $(JOBS) $(PYTEST)
	SPANWISE_NATIVE=0 $(BIN)/python -m pytest -n $(JOBS) tests/laws tests/golden tests/formats \
		tests/papers tests/native $(PYTEST)
	$(MAKE) adapters
	$(MAKE) spark
	$(BIN)/python tests/fuzz/run.py --seconds 60 --seed $(FUZZ_SEED)

# Here pytest collects these tests only because the packages are installed; it fails if it runs none.
adapters: $(ADAPTERS)/tested
	$(ADAPTERS)/bin/python -m pytest -m heavy -n $(JOBS) tests/adapters $(PYTEST)

# Likewise. Without a Java these tests are left out, which is said; with CI set that fails.
spark: $(SPARK)/tested
	if $(SPARK)/bin/python scripts/java.py; then \
		$(SPARK)/bin/python -m pytest -m heavy -n $(JOBS) tests/engines/spark $(PYTEST); \
	else test -z "$$CI"; fi

fuzz: $(VENV)/tested
	$(BIN)/python tests/fuzz/run.py --seconds $(FUZZ_SECONDS) --seed $(FUZZ_SEED)

# The report is tested in a real browser, which pip cannot install.
browser: $(VENV)/tested
	-@$(BIN)/python scripts/browser.py

check: $(VENV)/checked
	$(BIN)/ruff format --check .
	$(BIN)/ruff check .
	$(BIN)/mypy
	$(BIN)/lint-imports

# Beside trec_eval, too, if TREC_EVAL_SOURCE is the folder of its source.
bench: $(VENV)/benched
	$(BIN)/python benchmarks/run.py $(BENCH)

# One with the native core for this platform, one without for all; both are installed and tried.
wheels: $(VENV)/tested
	$(BIN)/python scripts/wheels.py dist

docs: $(VENV)/tested
	$(BIN)/python scripts/reference.py

format: $(VENV)/checked
	$(BIN)/ruff format .
	$(BIN)/ruff check --fix .

clean:
	rm -rf $(VENV) $(ADAPTERS) $(SPARK) .pytest_cache .mypy_cache .ruff_cache .hypothesis build dist

$(VENV)/bin/python:
	$(PYTHON) -m venv $(VENV)

# A core that no longer compiles must not leave an older one in its place.
$(VENV)/installed: pyproject.toml setup.py $(NATIVE) | $(VENV)/bin/python
	rm -f src/spanwise/native/_core*.so src/spanwise/native/_core*.pyd
	$(PIP) --editable .
	@touch $@

$(VENV)/tested: $(VENV)/installed scripts/group.py
	$(PIP) $$($(BIN)/python scripts/group.py test)
	@touch $@

$(ADAPTERS)/bin/python:
	$(PYTHON) -m venv $(ADAPTERS)

# The native core is the one that the first environment compiled.
$(ADAPTERS)/tested: $(VENV)/installed scripts/group.py | $(ADAPTERS)/bin/python
	SPANWISE_BUILD=pure $(ADAPTERS)/bin/python $(INSTALL) --editable . \
		$$($(BIN)/python scripts/group.py adapters)
	@touch $@

$(SPARK)/bin/python:
	$(PYTHON) -m venv $(SPARK)

$(SPARK)/tested: $(VENV)/installed scripts/group.py | $(SPARK)/bin/python
	SPANWISE_BUILD=pure $(SPARK)/bin/python $(INSTALL) --editable . \
		$$($(BIN)/python scripts/group.py spark)
	@touch $@

$(VENV)/checked: $(VENV)/tested
	$(PIP) $$($(BIN)/python scripts/group.py check)
	@touch $@

$(VENV)/benched: $(VENV)/installed scripts/group.py
	$(PIP) $$($(BIN)/python scripts/group.py bench)
	@touch $@
