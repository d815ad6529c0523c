# The project's commands. `make repro` and `make test` need no other step: each sets up .venv first where that is
# needed, and does nothing twice.
#
#   make repro                   reproduce everything that changed, with params.yaml as it is
#   make repro EXPERIMENT=paper  compose params.yaml for that experiment first (conf/experiment/)
#   make test                    run the tests; `make test SLOW=1` the slow ones too
#   make params EXPERIMENT=paper only compose params.yaml; OVERRIDES='aligner.crf.epochs=3' changes single values
#   make refresh                 write the generated parts of dvc.yaml and README.md again
#   make setup                   only the set-up

VENV ?= .venv
EXPERIMENT ?=
OVERRIDES ?=
SLOW ?=
ARGS ?=

# Stages start `python`: it has to be the environment's own.
IN_VENV = PATH="$(abspath $(VENV))/bin:$$PATH"
COMPOSE = $(IN_VENV) python -m textsimp.params $(if $(EXPERIMENT),experiment=$(EXPERIMENT)) $(OVERRIDES)

.PHONY: help setup params repro test refresh

help:
	@sed -n 's/^#   //p' Makefile

setup:
	@PYTHON="$(PYTHON)" sh tools/setup.sh "$(VENV)"

params: setup
	@$(COMPOSE)

repro: setup
	@$(if $(EXPERIMENT)$(OVERRIDES),$(COMPOSE))
	@$(IN_VENV) python -m dvc repro $(ARGS)
	@$(IN_VENV) python tools/summary.py reports

test: setup
	@$(IN_VENV) python -m pytest $(if $(SLOW),-m "") $(ARGS)

refresh: setup
	@$(IN_VENV) python tools/refresh.py
