#!/usr/bin/env bash
# Measures every speed ratio against its reference tool, each pair in one run, and the server
# under load, and writes docs/results/speed.md. Installs the references into the cache folder,
# where the results stay as JSON.
set -euo pipefail
cd "$(dirname "$0")/.."
export CACHE=${CACHE:-${XDG_CACHE_HOME:-$HOME/.cache}/assay-ci}
results="$CACHE/bench/results"
mkdir -p "$results"
sheets=()
measure() { # name, directory, arguments…
  local name=$1 dir=$2
  shift 2
  echo "== $name"
  bash "bench/$dir/run.sh" -json "$results/$name.json" "$@"
  sheets+=("$results/$name.json")
}
measure measure measure
measure transcript transcript
measure bm25 bm25
measure dense dense
measure embed embed
measure permutation permutation
measure run run
measure judged judged
measure traces traces
measure million run -cases 1000000 -form trec
measure start start
bash bench/program.sh table -page docs/results/speed.md "${sheets[@]}"
for dir in engine targets queue serve beside pages; do
  echo "== $dir"
  bash "bench/$dir/run.sh"
done
