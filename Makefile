# Everything sets itself up: a fresh clone needs Python 3.11 and nothing else.
PYTHON := .venv/bin/python

.PHONY: test check prove bench environment

environment:
	@.ci/environment dev

test: environment
	$(PYTHON) -m pytest -n 2 --dist worksteal -m "not large" tests src --doctest-modules

check: environment
	.venv/bin/ruff format --check src tests bench
	.venv/bin/ruff check src tests bench
	.venv/bin/mypy
	.venv/bin/lint-imports

prove: environment
	$(PYTHON) bench/prove.py

bench: environment
	$(PYTHON) bench/all.py
