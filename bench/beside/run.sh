#!/usr/bin/env bash
# Measures how much 20,000 reads a minute slow a run of 100,000 cases on the same server.
set -euo pipefail
cd "$(dirname "$0")/../.."
program=$(mktemp -d)/assay
trap 'rm -rf "$(dirname "$program")"' EXIT
go build -o "$program" ./cmd/assay
bash bench/program.sh beside -assay "$program" "$@"
