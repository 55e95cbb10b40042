#!/usr/bin/env bash
# Writes the generated pages: docs/metrics from the definitions of the metrics,
# docs/cli.md from the commands, docs/presets.md from the presets, docs/formats.md
# from the formats of datasets, and the tables between markers in the pages named
# below. With --check it fails when they are not current.
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
tables="targets recordings filter traces embedders judging"
for page in $tables; do
  [ "$out" = docs ] || cp "docs/$page.md" "$out/"
  go run ./cmd/assay docs --tables "$out/$page.md"
done
if [ "$out" != docs ]; then
  same=yes
  for page in metrics cli.md presets.md formats.md $(printf '%s.md ' $tables); do
    diff -r "docs/$page" "$out/$page" || same=no
  done
  if [ $same = no ]; then
    echo "the generated documentation is not current: make docs" >&2
    exit 1
  fi
fi
