#!/usr/bin/env bash
# Builds a program of bench, which is a separate module, and runs it in the folder of the caller:
#   bash bench/program.sh table -page docs/results/speed.md sheet.json
set -euo pipefail
CACHE=${CACHE:-${XDG_CACHE_HOME:-$HOME/.cache}/assay-ci}
name=$1
shift
go build -C "$(dirname "$0")" -o "$CACHE/bin/bench-$name" "./$name"
exec "$CACHE/bin/bench-$name" "$@"
