#!/usr/bin/env bash
# Traces: the import of a file, as a whole process, and the receiver of assay serve, which is
# killed in the middle of a minute of spans.
set -euo pipefail
cd "$(dirname "$0")/../.."
CACHE=${CACHE:-${XDG_CACHE_HOME:-$HOME/.cache}/assay-ci}
mkdir -p "$CACHE/bin"
go build -o "$CACHE/bin/assay" ./cmd/assay
bash bench/program.sh traces -assay "$CACHE/bin/assay" "$@"
