#!/usr/bin/env bash
# Scoring 100,000 pairs of short utterances beside jiwer, at the version that the tests
# compare with, which is installed into the cache folder; then a million pairs, and two long
# texts, with assay alone. The files are generated into the cache folder.
set -euo pipefail
cd "$(dirname "$0")/../.."
CACHE=${CACHE:-${XDG_CACHE_HOME:-$HOME/.cache}/assay-ci}
python=$(bash scripts/minilm/venv.sh scripts/speech/requirements.txt "$CACHE/speech")
mkdir -p "$CACHE/bin"
go build -o "$CACHE/bin/assay" ./cmd/assay
bash bench/program.sh transcript -assay "$CACHE/bin/assay" -python "$python" -cache "$CACHE/bench" "$@"
