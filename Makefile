# Everything sets itself up: a fresh clone needs Python 3.11 and nothing else.
PYTHON := .venv/bin/python

.PHONY: test check prove bench chaos environment

environment:
	@.ci/environment dev

# More processes than cores: many tests wait for a browser, a clock or another process.
test: environment
	$(PYTHON) -m pytest -n 3 --dist worksteal -m "not large" tests src --doctest-modules

check: environment
	.venv/bin/ruff format --check src tests bench training
	.venv/bin/ruff check src tests bench training
	.venv/bin/mypy
	.venv/bin/lint-imports
	$(PYTHON) .ci/licences.py

prove: environment
	$(PYTHON) bench/prove.py

bench: environment
	$(PYTHON) bench/all.py

chaos: environment
	$(PYTHON) bench/chaos.py
