#!/usr/bin/env bash
# Measures every speed ratio against its reference tool, each pair in one run, and
# the server under load.
# Installs the references into the cache folder.
set -euo pipefail
cd "$(dirname "$0")/.."
export CACHE=${CACHE:-${XDG_CACHE_HOME:-$HOME/.cache}/assay-ci}
for dir in start run measure transcript bm25 dense embed engine targets queue permutation serve beside pages; do
  echo "== $dir"
  bash "bench/$dir/run.sh"
done
echo "== run, a million cases"
bash bench/run/run.sh -cases 1000000 -form trec
