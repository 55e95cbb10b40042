#!/usr/bin/env bash
# The time that assay --version takes, beside that of /bin/true: starting must
# not pay for the weights inside the binary. Goal: under 50 ms.
set -euo pipefail
cd "$(dirname "$0")/../.."
bin=$(mktemp -d)
trap 'rm -rf "$bin"' EXIT
go build -o "$bin/assay" ./cmd/assay
runs=51
median() { # command
  for _ in $(seq $runs); do
    start=$(date +%s%N)
    "$@" >/dev/null
    echo $((($(date +%s%N) - start) / 1000))
  done | sort -n | sed -n "$((runs / 2 + 1))p"
}
"$bin/assay" --version >/dev/null
a=$(median "$bin/assay" --version)
b=$(median /bin/true)
awk -v a="$a" -v b="$b" 'BEGIN { printf "assay --version: median %.1f ms of '"$runs"' starts (/bin/true: %.1f ms); goal < 50 ms\n", a/1000, b/1000 }'
