#!/usr/bin/env bash
# The time that assay --version takes, in turns with that of /bin/true: starting must pay
# neither for the weights inside the binary nor for what a command may need later. Goal:
# less than 15 ms of processor time. GODEBUG=inittrace=1 lists what packages do at a start.
set -euo pipefail
cd "$(dirname "$0")/../.."
bin=$(mktemp -d)
trap 'rm -rf "$bin"' EXIT
go build -o "$bin/assay" ./cmd/assay
rounds=10 starts=20
TIMEFORMAT='%R %U %S'
starts() { for _ in $(seq $starts); do "$@" >/dev/null; done; }
"$bin/assay" --version
for _ in $(seq $rounds); do
  { time starts "$bin/assay" --version; } 2>>"$bin/assay.times"
  { time starts /bin/true; } 2>>"$bin/true.times"
done
for name in assay true; do
  for column in 1 2; do
    awk -v c=$column -v n=$starts '{ print 1000 * (c == 1 ? $1 : $2 + $3) / n }' "$bin/$name.times" | sort -n | sed -n "$((rounds / 2 + 1))p"
  done | tr '\n' ' ' | awk -v name=$name '{ printf "%-6s wall %5.1f ms  processor %5.1f ms  (median of rounds of '"$starts"' starts)\n", name, $1, $2 }'
done
