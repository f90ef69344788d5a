# Every target sets up .venv by itself; `make help` lists them.
python = .venv/bin/python
everything = fast web envs arena lab inspect notebook ray llm online tui docs dev # the extras that tests need
node = .venv/node/node_modules/.bin

play: ## start the game menu
	@scripts/setup
	@scripts/play $(python)

serve: ## start the web service
	@scripts/setup web
	@$(python) -m duelbook serve

check: ## format, lint, types, layers and the fast tests: less than a minute
	@scripts/setup $(everything)
	@$(MAKE) --no-print-directory --jobs 2 lint types fast-tests

test: ## everything
	@scripts/setup $(everything)
	@$(MAKE) --no-print-directory lint types all-tests

test-long: ## everything, and the long forms of tests that `make test` shortens
	@scripts/setup $(everything)
	@$(MAKE) --no-print-directory lint types all-tests LONG=--long

format: ## format the code
	@scripts/setup $(everything)
	@.venv/bin/ruff check --fix-only --quiet
	@.venv/bin/ruff format
	@if [ -x $(node)/biome ]; then $(node)/biome check --write; fi

docs: ## regenerate what code can print: tables, the audit, the page's types, what notebooks show
	@scripts/setup $(everything)
	@$(python) -m scripts.page_types
	@$(python) -m scripts.docs
	@$(python) -m scripts.notebooks

site: ## build the documentation site in build/site
	@scripts/setup $(everything)
	@$(python) -m sphinx --quiet --fail-on-warning --jobs auto --conf-dir docs --doctree-dir build/doctrees . build/site
	@echo "The documentation site is in build/site: open build/site/index.html"

golden: ## regenerate the golden files of all games, or of one: make golden GAME=charge; review the diff
	@scripts/setup $(everything)
	@$(python) -m tests.support.regenerate $(GAME)

variants: ## measure the variants of all games again, or of one: make variants GAME=charge; review the diff
	@scripts/setup $(everything)
	@$(python) -m scripts.variants $(GAME)

pictures: ## take the pictures of the page and of the full screen again
	@scripts/setup $(everything)
	@$(python) -m tests.support.pictures
	@$(python) -m tests.support.guide_pictures
	@$(python) -m tests.support.full_screen_scenes

bench: ## measure speed side by side with other libraries
	@scripts/setup $(everything) bench
	@$(python) -m duelbook bench
	@$(python) -m benchmarks.environments
	@$(python) -m benchmarks.solving
	@$(python) -m benchmarks.startup
	@$(python) -m benchmarks.tournaments
	@$(python) -m benchmarks.service
	@$(python) -m benchmarks.page

alphazero: ## train the networks of examples/alphazero again, measure and plot them: about five minutes
	@scripts/setup fast envs arena learn
	@for game in crystal-capture charge; do $(python) -m examples.alphazero.train $$game || exit 1; done

clients: ## run the scripts of docs/compatibility.md, which need 6 GB of packages in .venv-clients and .venv-clients-rllib
	@scripts/setup
	@scripts/clients $(CLIENTS)

SECONDS = 3600

soak: ## play for an hour (or SECONDS=600) while workers are killed, and check memory, queues, handles and latency
	@scripts/setup $(everything)
	@$(python) -m benchmarks.service soak --seconds $(SECONDS)

pin = uv pip compile --quiet --universal --python-version 3.11 --all-extras --no-header --no-annotate --no-emit-index-url \
    --output-file constraints.txt pyproject.toml scripts/build-requirements.txt

audit: ## look for known faults of the pinned packages
	@scripts/setup audit
	@$(python) -m scripts.advisories

constraints: ## pin new dependencies, keep the other versions (needs uv)
	@$(pin)

upgrade: ## pin the newest versions that work together (needs uv)
	@$(pin) --upgrade

SEEDS = 2000
FIRST = 0

simulate: ## run the service in simulations with faults: make simulate SEEDS=2000 FIRST=0
	@scripts/setup $(everything)
	@$(python) -m tests.simulation --seeds $(SEEDS) --first $(FIRST)

WORDS =

breaks: ## plant breaks in the code and see that tests catch each of them; some: make breaks WORDS="undo clock"
	@scripts/setup $(everything)
	@$(python) -m scripts.breaks $(WORDS)

help: ## show this list
	@sed -n 's/^\([a-z-]*\):.* ## /  make \1\t/p' Makefile | expand -t 20

# The parts of `check` and `test`, which set up .venv first.

lint:
	@.venv/bin/ruff check --quiet
	@.venv/bin/ruff format --check --quiet
	@.venv/bin/lint-imports --no-logo >/dev/null || .venv/bin/lint-imports --no-logo
	@if [ -x $(node)/tsc ]; then $(node)/tsc --project jsconfig.json && $(node)/biome check --log-level=warn --error-on-warnings; fi

types:
	@.venv/bin/mypy --no-error-summary

# Tests start hundreds of processes, each of which would compile everything if it may not keep the result.
fast-tests all-tests: export PYTHONDONTWRITEBYTECODE =

fast-tests:
	@$(python) -m pytest --numprocesses 2 --dist loadfile --hypothesis-profile quick -m "not slow"

all-tests: # three processes for two cores: tests of the service often wait for clocks and the disk; four take as long
	@$(python) -m pytest --numprocesses 3 --dist loadfile --no-loadscope-reorder $(LONG)

.PHONY: play serve check test test-long format docs site golden variants pictures bench alphazero clients soak audit constraints upgrade simulate breaks help lint types fast-tests all-tests
