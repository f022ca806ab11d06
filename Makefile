# Two commands for a newcomer: `make demo` and `make test`. Each target is one or two lines; what is longer is in scripts/.
.DEFAULT_GOAL := help
.PHONY: help demo test setup build fmt lint check-fmt check-proto check-generated unit e2e python docs bench bench-redact fuzz fuzz-seeds redact-report excerpt-report soak deny transcript check-transcript clean ci

CARGO := cargo
BIN := $(or $(CARGO_TARGET_DIR),target)/debug

help: ## Show this
	@grep -hE '^[a-z0-9-]+:.*##' $(MAKEFILE_LIST) | awk -F ':.*## ' '{printf "make %-16s %s\n", $$1, $$2}'

demo: ## The main job on the examples: build, serve, assemble, fetch, verify, search for planted secrets
	@scripts/demo

test: ## Install what is missing, then run everything: checks, units, end-to-end on a directory and an S3 engine, docs
	@scripts/test

setup: ## Install what a fresh machine lacks (.venv, .tools)
	@scripts/setup test

build: ## Build binaries and tests (dev profile)
	$(CARGO) build --locked --workspace --bins --tests

fmt: ## Format Rust and proto files
	$(CARGO) fmt --all
	.tools/bin/buf format -w

check-fmt: ## Are Rust and proto files formatted?
	$(CARGO) fmt --all --check
	.tools/bin/buf format -d --exit-code

lint: ## Clippy on everything, warnings refused
	$(CARGO) clippy --locked --workspace --all-targets -- -D warnings

check-proto: ## Lint the API
	.tools/bin/buf lint

check-generated: ## Are the generated pages current?
	$(BIN)/dossierd config reference | diff -u docs/config.md -
	$(BIN)/dossierd config example | diff -u examples/dossierd.toml -

unit: ## Tests beside the code, and those of the documentation
	$(CARGO) test --locked --workspace --lib --bins
	$(CARGO) test --locked --workspace --doc

e2e: ## Test suites: crates from outside, real processes, a directory and a real S3 engine
	$(CARGO) test --locked --workspace --test '*' --no-fail-fast

python: ## The tests in Python: a client and a verifier that share no code with us
	scripts/pytest

docs: ## Build the crates' documentation, warnings refused
	RUSTDOCFLAGS="-D warnings -A rustdoc::private_intra_doc_links" $(CARGO) doc --locked --workspace --no-deps --document-private-items

bench: ## Benchmarks (release profile)
	scripts/bench

bench-redact: ## Redaction against SHA-256 and a public scanner
	scripts/bench-redact

fuzz: ## Fuzz the redaction engine for a minute a target
	scripts/fuzz

fuzz-seeds: ## The same with the committed seeds alone
	scripts/fuzz seeds

redact-report: ## What redaction finds of made-up secrets, and what it wrongly takes of real text
	scripts/redact-report

excerpt-report: ## How well excerpts keep the error, over the logs of bundle/corpus, and how fast they are
	$(CARGO) run --release --locked -p dossier-bundle --example excerpts
	$(CARGO) run --release --locked -p dossier-bundle --example excerpt-speed -- bundle/corpus/logs/long-pytest-log.log
	$(CARGO) run --release --locked -p dossier-bundle --example excerpt-speed -- bundle/corpus/logs/long-cargo-verbose.log

soak: ## The long forms of the kill, race and property tests
	scripts/soak
	DOSSIER_SOAK=1 scripts/pytest -s

deny: ## Licences, bans and sources of all dependencies
	@scripts/setup deny
	.tools/bin/cargo-deny --locked check --hide-inclusion-graph licenses bans sources

transcript: ## Put the output of `make demo` into README.md
	scripts/transcript

check-transcript: ## Does README.md show what `make demo` prints?
	scripts/transcript --check

clean: ## Remove what was built and installed here
	$(CARGO) clean
	rm -rf .venv .tools

ci: ## What CI runs
	.ci/run
