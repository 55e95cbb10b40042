#!/usr/bin/env bash
# Runs the programs of bench beside their peers on little data, and fails where the answers
# differ. It says nothing of speed. The peers are installed into the cache folder. Not here:
# bm25s with numba, which compiles for longer than the rest takes, the peers of the judged run, which
# take a gigabyte, and what has no peer but the start and the run over recorded responses.
set -euo pipefail
cd "$(dirname "$0")/.."
export CACHE=${CACHE:-${XDG_CACHE_HOME:-$HOME/.cache}/assay-ci}
go -C bench test ./...
results=$(mktemp -d)
trap 'rm -rf "$results"' EXIT
smoke() { # name, directory, arguments…
  local name=$1 dir=$2
  shift 2
  echo "-- $name"
  bash "bench/$dir/run.sh" -json "$results/$name.json" "$@" >"$results/$name.txt" 2>&1 || {
    cat "$results/$name.txt"
    echo "bench/smoke.sh: bench/$dir failed" >&2
    exit 1
  }
}
smoke start start -rounds 3
smoke measure measure -queries 50 -results 200 -pairs 300 -rounds 1
smoke transcript transcript -pairs 500 -alone 0 -text 500 -rounds 1
smoke bm25 bm25 -texts 2000 -rounds 1 -backends numpy
smoke dense dense -rows 5000 -rounds 5
smoke embed embed -tokens 300 -rounds 1
smoke permutation permutation -cases 200 -metrics 2 -rounds 1 -share 100
smoke run run -cases 500
smoke traces traces -spans 2000 -rate 1000 -seconds 2
smoke judged judged -alone -cases 10 -own 20 -rounds 1
bash bench/program.sh table "$results"/*.json >"$results/page.md"
grep -c '^| ' "$results/page.md" | awk '{ print $1 - 1 " rows" }'
