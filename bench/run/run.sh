#!/usr/bin/env bash
# What a run over recorded responses takes: processor time and memory by the number of
# cases, with JSON lines and with a TREC run, and what is asked of the stored runs. For a
# million cases: bench/run/run.sh -cases 1000000 -form trec.
set -euo pipefail
cd "$(dirname "$0")/../.."
CACHE=${CACHE:-${XDG_CACHE_HOME:-$HOME/.cache}/assay-ci}
mkdir -p "$CACHE/bin"
go build -o "$CACHE/bin/assay" ./cmd/assay
bash bench/program.sh run -assay "$CACHE/bin/assay" "$@"
