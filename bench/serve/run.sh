#!/usr/bin/env bash
# Measures the server with 10,000 runs in its store: 1,000 reads a second beside
# 200 streams of events, its memory, and a SIGTERM in the middle of a run.
set -euo pipefail
cd "$(dirname "$0")/../.."
program=$(mktemp -d)/assay
trap 'rm -rf "$(dirname "$program")"' EXIT
go build -o "$program" ./cmd/assay
bash bench/program.sh serve -program "$program" "$@"
