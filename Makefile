# The project's commands. `make repro` and `make test` need no other step: each sets up .venv first where that is
# needed, and does nothing twice.
#
#   make repro                   reproduce everything that changed, with params.yaml as it is
#   make repro EXPERIMENT=smoke  every stage at a tiny size, a first look; `make params` brings the default back
#   make repro EXPERIMENT=paper  compose params.yaml for that experiment first (conf/experiment/)
#   make plan EXPERIMENT=paper   what is missing for an experiment, and what it would cost by the rehearsal's measure
#   make test                    check style and types, then run the tests; `make test SLOW=1` the slow ones too;
#                                ARGS='-n 0' in one process
#   make verify                  compute everything in a clean clone, compare it with the committed numbers: an hour;
#                                ARGS=cheap, as in CI: the experiment `smoke`, and the numbers that cost seconds
#   make lint                    only check style (ruff) and types (mypy)
#   make params EXPERIMENT=paper only compose params.yaml; OVERRIDES='aligner.crf.epochs=3' changes single values
#   make refresh                 write the generated parts of README.md and docs/ again
#   make fuzz N=10000 SEED=7     try mutated inputs; with CASE=4711 that one alone, and what it says
#   make nightly                 100,000 mutated inputs with a new seed, kills at every file-system event, races
#   make setup                   only the set-up

VENV ?= .venv
EXPERIMENT ?=
OVERRIDES ?=
SLOW ?=
ARGS ?=
N ?= 1000
SEED ?=
CASE ?=

# Stages start `python`: it has to be the environment's own.
IN_VENV = PATH="$(abspath $(VENV))/bin:$$PATH"
COMPOSE = $(IN_VENV) python -m textsimp.core.params $(if $(EXPERIMENT),experiment=$(EXPERIMENT)) $(OVERRIDES) && $(IN_VENV) python tools/settings.py

REHEARSAL = $(filter rehearsal,$(EXPERIMENT))

.PHONY: help setup params repro plan lint test verify fuzz nightly refresh

help:
	@sed -n 's/^#   //p' Makefile

setup:
	@PYTHON="$(PYTHON)" sh tools/setup.sh "$(VENV)"

params: setup
	@$(COMPOSE)

repro: setup
	@$(if $(EXPERIMENT)$(OVERRIDES),$(COMPOSE))
	@$(IN_VENV) python $(if $(REHEARSAL),tools/rehearse.py reports/costs data/stand-ins,tools/repro.py $(if $(ARGS),--plain $(ARGS)))
	@$(IN_VENV) python tools/plots_page.py
	@$(IN_VENV) python tools/summary.py reports

plan: setup
	@$(IN_VENV) python tools/plan.py $(or $(EXPERIMENT),paper) $(ARGS)

lint: setup
	@$(IN_VENV) ruff check --quiet
	@$(IN_VENV) mypy --no-error-summary

# Threads that wait do not spin: test processes run side by side, and each would keep the others from their processor.
test: lint
	@$(IN_VENV) OMP_WAIT_POLICY=PASSIVE python -m pytest -n auto --dist loadfile --maxprocesses 8 $(if $(SLOW),-m "") $(ARGS)

verify: setup
	@$(IN_VENV) bash tools/verify.sh $(ARGS)

FUZZING = $(IN_VENV) PYTHONPATH=.:tests python -m

fuzz: setup
	@$(FUZZING) fuzzing.runner $(N) $(if $(SEED),--seed $(SEED)) $(if $(CASE),--case $(CASE)) $(ARGS)

nightly: setup
	@$(FUZZING) fuzzing.runner 100000 $(if $(SEED),--seed $(SEED))
	@$(FUZZING) fuzzing.kills

refresh: setup
	@$(IN_VENV) python tools/refresh.py
