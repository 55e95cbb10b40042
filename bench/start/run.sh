#!/usr/bin/env bash
# The time that assay --version takes. Goal: less than 15 ms of processor time.
set -euo pipefail
cd "$(dirname "$0")/../.."
CACHE=${CACHE:-${XDG_CACHE_HOME:-$HOME/.cache}/assay-ci}
mkdir -p "$CACHE/bin"
go build -o "$CACHE/bin/assay" ./cmd/assay
bash bench/program.sh start -assay "$CACHE/bin/assay" "$@"
