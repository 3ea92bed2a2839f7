# Every developer verb. `make help` lists them; continuous integration runs the same ones.

SHELL := /bin/bash
.DEFAULT_GOAL := help
BIN := .venv/bin
DATA_DIR ?= .memplane
PYTEST := $(BIN)/python -m pytest

.PHONY: help install lock up down status demo fmt lint types imports spell check \
        test unit contract integration blackbox faults bench ci clean

help: ## List the verbs
	@awk -F':.*## ' '/^[a-z-]+:.*## / {printf "  %-12s %s\n", $$1, $$2}' $(MAKEFILE_LIST)

install: ## Make .venv from the lock, only if something changed
	@scripts/install.sh

lock: install ## Compile requirements/all.lock anew from pyproject.toml
	UV_FIND_LINKS="$${PIP_FIND_LINKS:-}" $(BIN)/uv pip compile --quiet --python-version 3.11 --generate-hashes --all-extras \
		--no-header pyproject.toml -o requirements/all.lock

up: install ## Start the local platform in the background
	@$(BIN)/memplane up --detach --data-dir $(DATA_DIR)

down: ## Stop the local platform; the data stays
	@$(BIN)/memplane down --data-dir $(DATA_DIR)

status: ## Say how the local platform is
	@$(BIN)/memplane status --data-dir $(DATA_DIR)

demo: ## Install, start, load the demo conversation, recall from it
	@echo "demo: [1/3] install"
	@scripts/install.sh
	@echo "demo: [2/3] start the platform"
	@$(BIN)/memplane up --detach --data-dir $(DATA_DIR)
	@echo "demo: [3/3] load a conversation and recall from it"
	@$(BIN)/memplane demo --data-dir $(DATA_DIR)

fmt: install ## Format the code and fix what can be fixed
	$(BIN)/ruff check --fix .
	$(BIN)/ruff format .

lint: install ## Lint, and check the format
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .

types: install ## Check types (mypy, strict)
	$(BIN)/mypy

imports: install ## Check which layer imports which
	$(BIN)/lint-imports

spell: install ## Check spelling
	$(BIN)/codespell

check: lint types imports spell ## All static checks

test: install ## All tests
	@$(PYTEST) -q

unit: install ## Pure tests, seconds
	@$(PYTEST) -q tests/unit

contract: install ## Every port: in-process and real
	@$(PYTEST) -q tests/contract

integration: install ## Real stores, processes, Serve
	@$(PYTEST) -q tests/integration

blackbox: install ## The HTTP interface of a running platform
	@$(PYTEST) -q tests/blackbox

faults: install ## Kills and restarts
	@$(PYTEST) -q tests/faults

bench: install ## Measurements
	@$(PYTEST) -q -s tests/bench

ci: ## What continuous integration runs
	@.ci/run

clean: ## Remove caches and build products; the environment and the data stay
	rm -rf .pytest_cache .mypy_cache .ruff_cache .import_linter_cache .hypothesis dist build
	find platform serve_apps jobs tests -name __pycache__ -type d -prune -exec rm -rf {} +
