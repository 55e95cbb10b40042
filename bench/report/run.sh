#!/usr/bin/env bash
# What the reports of a run and of a comparison take: processor time, memory and size
# by format, and the memory of a server that is asked for four pages at once.
set -euo pipefail
cd "$(dirname "$0")/../.."
CACHE=${CACHE:-${XDG_CACHE_HOME:-$HOME/.cache}/assay-ci}
mkdir -p "$CACHE/bin"
go build -o "$CACHE/bin/assay" ./cmd/assay
bash bench/program.sh report -assay "$CACHE/bin/assay" "$@"
