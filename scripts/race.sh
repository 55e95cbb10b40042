#!/usr/bin/env bash
# Lists the packages that can have a data race: those with a go statement, a loop of
# judge.ForEach, or a variable of package sync, in their code or their tests. CI tests these under the race detector.
set -euo pipefail
cd "$(dirname "$0")/.."
go list -f '{{.ImportPath}}{{range .GoFiles}} {{$.Dir}}/{{.}}{{end}}{{range .TestGoFiles}} {{$.Dir}}/{{.}}{{end}}{{range .XTestGoFiles}} {{$.Dir}}/{{.}}{{end}}' ./... |
  while read -r package files; do
    # shellcheck disable=SC2086 # a list
    if [ -n "$files" ] && grep -qE '^\s*go (func\b|[A-Za-z_][A-Za-z0-9_.]*\()|^\s*"sync(/atomic)?"$|/errgroup"$|\bjudge\.ForEach\(' $files; then
      echo "$package"
    fi
  done
