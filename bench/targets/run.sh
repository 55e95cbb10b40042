#!/usr/bin/env bash
# Throughput of a whole run over HTTP against a stub that takes 50 ms, beside
# the ideal, and whether memory stays flat. Goal: at least 95 % of the ideal.
set -euo pipefail
cd "$(dirname "$0")/../.."
bin=$(mktemp -d)
trap 'rm -rf "$bin"' EXIT
go build -C bench -o "$bin/targets" ./targets
"$bin/targets" "$@"
