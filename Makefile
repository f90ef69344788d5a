# `make play` and `make test` set everything up in .venv by themselves.
python = .venv/bin/python
everything = fast web envs arena ray llm docs dev # the extras that tests need

play: ## start the game menu
	@scripts/setup
	@$(python) -m duelbook play; case $$? in 0 | 1 | 130) ;; *) exit 1 ;; esac # leaving a game is no failure

serve: ## start the web service
	@scripts/setup web
	@$(python) -m duelbook serve

# Tests start hundreds of processes, each of which would compile everything if it may not keep that.
test: export PYTHONDONTWRITEBYTECODE =
test: ## run all checks
	@scripts/setup $(everything)
	@.venv/bin/ruff check
	@.venv/bin/ruff format --check
	@.venv/bin/mypy
	@.venv/bin/lint-imports --no-logo
	@$(python) -m pytest --numprocesses 2 --dist loadfile --no-loadscope-reorder

docs: ## regenerate what code can print: the page's types
	@scripts/setup $(everything)
	@$(python) scripts/page_types.py

golden: ## regenerate the golden playthroughs and perft files; review the diff
	@scripts/setup $(everything)
	@$(python) -m tests.support.regenerate

pictures: ## take the pictures of the page anew
	@scripts/setup $(everything)
	@$(python) -m tests.support.pictures

bench: ## measure speed side by side with peers
	@scripts/setup $(everything) bench
	@$(python) -m duelbook bench
	@$(python) -m benchmarks.stepping
	@$(python) -m benchmarks.solving
	@$(python) -m benchmarks.startup
	@$(python) -m benchmarks.tournaments
	@$(python) -m benchmarks.service
	@$(python) -m benchmarks.page

constraints: ## pin the newest versions that work together (needs uv)
	@uv pip compile --quiet --universal --python-version 3.11 --all-extras \
	    --no-header --no-annotate --no-emit-index-url --upgrade \
	    --output-file constraints.txt pyproject.toml scripts/build-requirements.txt

help: ## show what can be made
	@sed -n 's/^\([a-z]*\):.* ## /  make \1  /p' Makefile | expand -t 20

.PHONY: play serve test docs golden pictures bench constraints help
