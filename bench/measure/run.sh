#!/usr/bin/env bash
# Scoring runs and answers beside pytrec_eval, sacreBLEU and rouge-score; the head of
# main.go lists what is measured, and -what chooses. The references are installed into the
# cache folder, at the versions and hashes of requirements.txt; the files are generated
# there too.
set -euo pipefail
cd "$(dirname "$0")/../.."
CACHE=${CACHE:-${XDG_CACHE_HOME:-$HOME/.cache}/assay-ci}
venv="$CACHE/pytrec-eval-$(sha256sum bench/measure/requirements.txt | cut -c1-12)"
if [ ! -e "$venv/installed" ]; then
  rm -rf "$venv"
  python3 -m venv "$venv"
  "$venv/bin/pip" install --quiet --require-hashes -r bench/measure/requirements.txt
  touch "$venv/installed"
fi
mkdir -p "$CACHE/bin"
go build -o "$CACHE/bin/assay" ./cmd/assay
go build -C bench -o "$CACHE/bin/measure" ./measure
"$CACHE/bin/measure" -assay "$CACHE/bin/assay" -python "$venv/bin/python" -cache "$CACHE/bench" "$@"
