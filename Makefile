# Everything starts here, from nothing but Python (3.11 or later) and make: `make demo`, `make test`, `make check`.
# Each target first sees to `.venv`, filled from requirements.lock with every hash checked.

PYTHON ?= python3
WORKERS ?= 2
GAMES ?= 1000
MAILS ?= 100000
SEED ?= $(shell date +%s)
VENV := .venv
BIN := $(VENV)/bin
# The environment is as good as what it was made from: Python, the lock, and the project's own description.
KEY := $(shell ($(PYTHON) -V; cat requirements.lock pyproject.toml) 2>&1 | cksum | tr -dc 0-9)
READY := $(VENV)/.ready-$(KEY)
PYTEST := $(BIN)/python -m pytest

.DEFAULT_GOAL := help
.PHONY: help setup demo test check format crash bench fuzz selfplay case lock clean

help:  ## say what there is to do
	@sed -n 's/^\([a-z]*\):.*## /  make \1\t/p' $(firstword $(MAKEFILE_LIST)) | expand -t 16

setup: $(READY)  ## fill .venv and no more

demo: $(READY)  ## play a whole game by e-mail on this machine; everything lands in demo/
	$(BIN)/adjudicator demo

test: $(READY)  ## run the tests (ARGS="tests/mail -x" for some of them)
	$(PYTEST) -q -n $(WORKERS) $(ARGS)

check: $(READY)  ## style, format, strict types, import contracts
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy
	$(BIN)/lint-imports --no-cache

format: $(READY)  ## lay the code out as `make check` wants it
	$(BIN)/ruff check --select I --fix --quiet .
	$(BIN)/ruff format .

crash: $(READY)  ## kill the service at every failpoint, on SQLite and PostgreSQL (long)
	CRASH=full $(PYTEST) -q -n $(WORKERS) tests/crash $(ARGS)

bench: $(READY)  ## print the ratios that say whether it is fast enough
	$(PYTEST) -q -s -p no:cacheprovider tests/bench $(ARGS)

fuzz: $(READY)  ## read 100,000 broken mails (MAILS=1000 for fewer, SEED= for those of a certain run)
	$(BIN)/python -m tests.mail.fuzz --mails $(MAILS) --seed $(SEED)

selfplay: $(READY)  ## play 1,000 games of bots: by the laws, from their logs, ten by mail (long; GAMES=100 for fewer)
	$(BIN)/python -m tests.engine.jackal.soak --games $(GAMES) --seed $(SEED)
	$(BIN)/python -m tests.engine.set_sail.soak --games $(GAMES) --seed $(SEED)
	SELFPLAY_GAMES=$(GAMES) $(PYTEST) -q tests/adjudicator/fairplay/test_selfplay_verified.py \
		tests/adjudicator/fairplay/test_set_sail_log.py \
		tests/adjudicator/services/test_jackal_whole_games.py \
		tests/adjudicator/services/test_blockade_games.py $(ARGS)

case: $(READY)  ## run rule cases: make case FILES="tests/cases/pirates/*"
	$(BIN)/adjudicator case $(FILES)

lock: $(READY)  ## write requirements.lock anew from pyproject.toml (UPGRADE=--upgrade for the newest of everything)
	$(BIN)/pip-compile pyproject.toml --output-file requirements.lock --all-extras --allow-unsafe --generate-hashes \
		--strip-extras --no-build-isolation --no-header --no-annotate --no-emit-index-url --no-emit-find-links \
		--no-emit-trusted-host --no-emit-options --quiet $(UPGRADE)
	grep '^[a-z ]' requirements.lock >$(VENV)/lock && mv $(VENV)/lock requirements.lock

clean:  ## throw away what make made
	rm -rf $(VENV) demo build dist *.egg-info .pytest_cache .mypy_cache .ruff_cache .import_linter_cache .hypothesis

# Debian packs the venv module's pip apart (python3-venv); where it is missing the machine's own pip fills the environment.
$(READY):
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11))' || { \
		echo "Python 3.11 or later is needed, this is $$($(PYTHON) -V 2>&1): say make PYTHON=python3.12" >&2; exit 1; }
	@if $(PYTHON) -c 'import ensurepip' 2>/dev/null; then $(PYTHON) -m venv $(VENV); \
	elif $(PYTHON) -m pip --version >/dev/null 2>&1; then $(PYTHON) -m venv --without-pip $(VENV); \
	else echo "Python's venv module lacks its pip: install python3-venv (or python3-pip) and try again" >&2; exit 1; fi
	@if $(BIN)/python -m pip --version >/dev/null 2>&1; then pip="$(BIN)/python -m pip"; \
	else pip="$(PYTHON) -m pip --python $(BIN)/python"; fi; set -e -x; \
	$$pip install --quiet --disable-pip-version-check --require-hashes --requirement requirements.lock; \
	$$pip install --quiet --quiet --disable-pip-version-check --no-deps --no-build-isolation --editable .
	@rm -f $(VENV)/.ready-*
	@touch $@
