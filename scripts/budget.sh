#!/usr/bin/env bash
# Counts the product lines of Go by room: neither blank nor comment, without tests, test kits,
# benches, scripts, examples, tools and generated files. Fails when the total is above the
# ceiling in scripts/budget.txt. The ceiling only falls, unless an issue grants lines.
set -euo pipefail
cd "$(dirname "$0")/.."
git ls-files '*.go' |
  grep -vE '_test\.go$|(^|/)(bench|scripts|examples|tools)/|test/' |
  xargs grep -L '^// Code generated' |
  xargs awk -v ceiling="$(awk '$1 == "total" { print $2 }' scripts/budget.txt)" '
    FNR == 1 {
      n = split(FILENAME, part, "/")
      room = n == 1 ? "." : part[1] (part[1] == "internal" ? "/" part[2] : "")
    }
    !/^[[:space:]]*($|\/\/)/ { lines[room]++; total++ }
    END {
      for (room in lines) printf "%7d  %s\n", lines[room], room | "sort -rn"
      close("sort -rn")
      printf "%7d  total, at most %d\n", total, ceiling
      if (total > ceiling) {
        print "scripts/budget.sh: too many product lines: delete what the change makes unnecessary" > "/dev/stderr"
        exit 1
      }
    }'
