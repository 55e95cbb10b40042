#!/usr/bin/env bash
# Writes the generated pages: docs/metrics from the definitions of the metrics,
# docs/cli.md from the commands, docs/presets.md from the presets, docs/formats.md
# from the formats of datasets, and the tables between markers in docs/targets.md,
# docs/recordings.md and docs/filter.md. With --check it fails when they are not current.
set -euo pipefail
cd "$(dirname "$0")/.."
out=docs
if [ "${1:-}" = --check ]; then
  out=$(mktemp -d)
  trap 'rm -rf "$out"' EXIT
fi
go run ./cmd/assay metrics --markdown "$out/metrics"
go run ./cmd/assay docs "$out/cli.md"
go run ./cmd/assay docs --presets "$out/presets.md"
go run ./cmd/assay docs --formats "$out/formats.md"
for page in targets recordings filter; do
  [ "$out" = docs ] || cp "docs/$page.md" "$out/"
  go run ./cmd/assay docs --tables "$out/$page.md"
done
if [ "$out" != docs ]; then
  diff docs/targets.md "$out/targets.md" && diff docs/recordings.md "$out/recordings.md" && diff docs/filter.md "$out/filter.md" && diff -r docs/metrics "$out/metrics" && diff docs/cli.md "$out/cli.md" && diff docs/presets.md "$out/presets.md" &&
    diff docs/formats.md "$out/formats.md" || {
    echo "the generated documentation is not current: make docs" >&2
    exit 1
  }
fi
