#!/usr/bin/env bash
# Bytes a case and a judged call in the store, and the processor time of records.
set -euo pipefail
cd "$(dirname "$0")/../.."
CACHE=${CACHE:-${XDG_CACHE_HOME:-$HOME/.cache}/assay-ci}
mkdir -p "$CACHE/bin"
go build -o "$CACHE/bin/assay" ./cmd/assay
bash bench/program.sh store -assay "$CACHE/bin/assay" "$@"
