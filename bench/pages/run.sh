#!/usr/bin/env bash
# What the pages of the web interface take of a server: processor time, first and later, and
# its memory, on large runs.
set -euo pipefail
cd "$(dirname "$0")/../.."
CACHE=${CACHE:-${XDG_CACHE_HOME:-$HOME/.cache}/assay-ci}
mkdir -p "$CACHE/bin"
go build -o "$CACHE/bin/assay" ./cmd/assay
bash bench/program.sh pages -assay "$CACHE/bin/assay" "$@"
