.DEFAULT_GOAL := help
CACHE ?= $(if $(XDG_CACHE_HOME),$(XDG_CACHE_HOME),$(HOME)/.cache)/assay
LINT  := bin/golangci-lint
DEAD  := bin/deadcode
GO    ?= go

.PHONY: help certify questions check test race lint deadcode budget nightly fuzz docs site results golden dev release bench quickstart pictures clean

help: ## list the targets
	@awk -F ':.*## ' '/^[a-z-]+:.*## / {printf "  %-12s %s\n", $$1, $$2}' $(MAKEFILE_LIST)

check: ## what CI runs: tests, lint, race detector, docs, browsers, clients, changed slow checks
	CACHE="$(CACHE)" bash .ci/run

test: ## the tests that need nothing but Go
	$(GO) test ./...

race: ## the tests under the race detector
	CGO_ENABLED=1 $(GO) test -race ./...

lint: $(LINT) ## gofmt, go vet and golangci-lint
	@test -z "$$(gofmt -l .)" || { gofmt -d .; exit 1; }
	$(GO) vet ./...
	$(GO) vet -tags results ./...
	$(LINT) run ./...
	cd tools/release && ../../$(LINT) run ./...
	cd bench && $(GO) vet ./... && $(GO) vet -tags results ./... && ../$(LINT) run ./...

$(LINT): tools/go.mod
	cd tools && $(GO) build -o ../$(LINT) github.com/golangci/golangci-lint/v2/cmd/golangci-lint

deadcode: $(DEAD) ## fails when a function is reached by no program and no example
	@dead="$$($(DEAD) ./cmd/... ./examples/... ./assaytest/...)" && \
		{ test -z "$$dead" || { echo "$$dead"; echo "make deadcode: use these, or delete them" >&2; exit 1; }; }

$(DEAD): tools/go.mod
	cd tools && $(GO) build -o ../$(DEAD) golang.org/x/tools/cmd/deadcode

budget: ## product lines by room, against the ceiling in scripts/budget.txt
	@bash scripts/budget.sh

nightly: ## the slow checks that CI runs only where their files changed; some by STEPS="arm64 wine"
	CACHE="$(CACHE)" bash scripts/nightly.sh $(STEPS)

fuzz: ## every fuzz target for ten seconds, and the property tests on more cases
	bash scripts/fuzz.sh 10s

docs: ## write the generated documentation (docs/metrics, docs/cli.md)
	bash scripts/docs.sh

site: ## build the documentation as a site, in results/site
	CACHE="$(CACHE)" bash scripts/site.sh results/site

results: ## run the published figures again and write docs/results (needs the shared data)
	$(GO) test -tags results -timeout 30m -count=1 -run TestResults ./internal/cli -update
	$(GO) test -tags results -timeout 30m -count=1 -run TestResults ./judge/audit/attack -update
	$(GO) test -tags results -timeout 30m -count=1 -run TestResults ./judge/audit/certify -update
	$(GO) test -tags results -timeout 30m -count=1 -run TestResults ./judge/offline -update
	$(GO) test -tags results -timeout 30m -count=1 -run TestResults ./judge/model -update
	$(GO) test -tags results -timeout 30m -count=1 -run TestResults ./judge/pairwise -update
	$(GO) test -tags results -timeout 30m -count=1 -run TestResults ./stats -update
	$(GO) test -tags results -timeout 30m -count=1 -run TestResults ./metric/stage -update
	$(GO) test -tags results -timeout 30m -count=1 -run TestResults ./rag -update
	$(GO) -C bench test -tags results -count=1 -run TestResults ./queue -update

golden: ## rewrite the expected outputs of tests; review the difference
	ASSAY_UPDATE=1 $(GO) test ./internal/cli ./report

dev: ## the quickstart from source, with its report served on loopback
	$(GO) run ./cmd/assay quickstart --output results/quickstart
	python3 -m http.server --bind 127.0.0.1 --directory results 8321

certify: ## certify a judge on the shared data into results/certificates.txt: JUDGE=openai:gpt-4.1-mini
	mkdir -p results
	$(GO) run ./scripts/labels/prepare results/labels ../shared/data/support ../shared/data/answers
	$(GO) run ./cmd/assay judge certify --judge "$(JUDGE)" --data results/labels/support --data results/labels/answers \
		--certificates results/certificates.json $(ARGS) >results/certificates.part
	mv results/certificates.part results/certificates.txt

questions: ## what the changes of questions did, into results/questions.md; with JUDGE=openai:gpt-4.1-mini also that model (needs numpy)
	mkdir -p results
	bash scripts/questions/compare.sh ../shared results/questions $(JUDGE) >results/questions.part
	mv results/questions.part results/questions.md

release: ## what is published for VERSION=v1.4.0, into the folder dist
	bash scripts/release.sh "$(VERSION)" dist

bench: ## the speed ratios against reference tools (installs them into the cache)
	CACHE="$(CACHE)" bash bench/run.sh

quickstart: ## the tour on bundled data
	$(GO) run ./cmd/assay quickstart

pictures: ## draw the pictures of the README (needs Chromium)
	bash scripts/web/pictures.sh

clean: ## remove what was built here
	rm -rf bin dist results
