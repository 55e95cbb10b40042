#!/usr/bin/env bash
# Fits the weights of the offline judge anew and writes judge/offline/weights.go.
# Needs the shared data (ASSAY_SHARED) and Python 3.11, and takes some minutes.
#
# usage: train.sh CACHE
set -euo pipefail
cache=$(mkdir -p "${1:?a folder for downloads}" && cd "$1" && pwd)
cd "$(dirname "$0")/../.."
python=$(bash scripts/minilm/venv.sh scripts/offline/requirements.txt "$cache")
features="$cache/offline-features.jsonl"
go test -tags results -count=1 -timeout 2h -run '^TestFeatures$' ./judge/offline -features "$features"
"$python" scripts/offline/train.py "$features" judge/offline/weights.go judge/offline/swapped_test.go
gofmt -w judge/offline/weights.go judge/offline/swapped_test.go
