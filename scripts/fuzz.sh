#!/usr/bin/env bash
# Runs every fuzz target for the given time (default 10s), then the property tests on many
# more cases than go test draws.
set -euo pipefail
cd "$(dirname "$0")/.."
time=${1:-10s}
for dir in $(go list -f '{{.Dir}}' ./...); do
  for target in $(grep -hoE '^func Fuzz[A-Za-z0-9_]*' "$dir"/*_test.go 2>/dev/null | awk '{print $2}' | sort -u); do
    echo "== ${dir#"$PWD"/} $target"
    go test "$dir" -run '^$' -fuzz "^$target\$" -fuzztime "$time" -fuzzminimizetime 1x
  done
done
drawn=$(go list -f '{{.ImportPath}} {{.TestImports}} {{.XTestImports}}' ./... | awk '/pgregory.net\/rapid/ {print $1}')
# shellcheck disable=SC2086 # a list
RAPID_CHECKS=5000 go test -count=1 -timeout 30m $drawn
