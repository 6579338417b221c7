.DEFAULT_GOAL := help
TOOL = go tool -modfile=tools/go.mod

help: ## this list
	@grep -E '^[a-z-]+:.*##' $(MAKEFILE_LIST) | sed -E 's/:.*## /\t/' | expand -t 12

build: ## the binary, bin/streamsql, static and without cgo
	CGO_ENABLED=0 go build -trimpath -o bin/streamsql ./cmd/streamsql

test: ## all tests
	go test ./...

race: ## all tests under the race detector
	go test -race ./...

lint: ## gofumpt, go vet, staticcheck
	@test -z "$$($(TOOL) gofumpt -l $$(git ls-files '*.go'))" || { $(TOOL) gofumpt -d $$(git ls-files '*.go'); exit 1; }
	go vet ./...
	$(TOOL) staticcheck ./...

bench: ## benchmarks against DuckDB, medians of alternating pairs
	cd bench && go run .

.PHONY: help build test race lint bench
