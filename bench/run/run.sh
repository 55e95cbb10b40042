#!/usr/bin/env bash
# What a run over recorded responses takes: processor time and memory by the number of
# cases, with JSON lines and with a TREC run.
set -euo pipefail
cd "$(dirname "$0")/../.."
CACHE=${CACHE:-${XDG_CACHE_HOME:-$HOME/.cache}/assay-ci}
mkdir -p "$CACHE/bin"
go build -o "$CACHE/bin/assay" ./cmd/assay
go run ./bench/run -assay "$CACHE/bin/assay" "$@"
