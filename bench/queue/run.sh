#!/usr/bin/env bash
# Runs over workers, with a real PostgreSQL: throughput with 1, 2, 4 and 8 workers, with and
# without a judge; chaos; a large run that is drained, cancelled and resumed. "all" repeats the
# figures of docs/results/scale.md and takes half an hour; "smoke" checks the same in a minute.
set -euo pipefail
cd "$(dirname "$0")/../.."
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
go build -o "$dir/assay" ./cmd/assay
go build -C bench -o "$dir/queue" ./queue
part=${1:-throughput}
shift || true
if [ "$part" != all ]; then
  "$dir/queue" "$part" -assay "$dir/assay" "$@"
  exit
fi
for part in throughput judged chaos budget operate idle limits; do
  echo "== $part"
  "$dir/queue" "$part" -assay "$dir/assay" -keep bench/queue/measured "$@"
done
