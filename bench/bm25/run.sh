#!/usr/bin/env bash
# Indexing and searching SciFact and 200,000 texts beside bm25s. The reference is installed into
# the cache folder, at the versions and hashes of requirements.txt.
set -euo pipefail
cd "$(dirname "$0")/../.."
CACHE=${CACHE:-${XDG_CACHE_HOME:-$HOME/.cache}/assay-ci}
venv="$CACHE/bm25s-$(sha256sum bench/bm25/requirements.txt | cut -c1-12)"
if [ ! -e "$venv/installed" ]; then
  rm -rf "$venv"
  python3 -m venv "$venv"
  "$venv/bin/pip" install --quiet --require-hashes -r bench/bm25/requirements.txt
  touch "$venv/installed"
fi
bash bench/program.sh bm25 -python "$venv/bin/python" -data "${ASSAY_SHARED:-../shared}/data/retrieval/scifact" "$@"
