#!/usr/bin/env bash
# Writes what is in the program into docs/binary.md, between its markers. With --check it
# fails when the program is more than 2 % larger or smaller than that page says: one change
# adds kilobytes, and the page need not follow each.
set -euo pipefail
cd "$(dirname "$0")/.."
page=docs/binary.md
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
bash scripts/build.sh linux amd64 "$work/assay"
if [ "${1:-}" = --check ]; then
  now=$(wc -c <"$work/assay")
  said=$(sed -n 's/^The program for linux\/amd64 has \([0-9.]*\) MB\.$/\1/p' "$page")
  awk -v now="$now" -v said="$said" 'BEGIN {
    if (said == "" || now/1e6 > said*1.02 || now/1e6 < said*0.98) {
      printf "the program has %.1f MB, docs/binary.md says %s: ", now/1e6, said
      print "find out why (bash scripts/size.sh writes the table), then commit the page"
      exit 1
    }
  }' >&2
  exit
fi
# The last -ldflags holds: this program keeps its symbols.
bash scripts/build.sh linux amd64 "$work/symbols" -ldflags=
bash bench/program.sh size -stripped "$work/assay" -symbols "$work/symbols" >"$work/table"
awk -v table="$work/table" '
  /^<!-- size: generated -->$/ { print; print ""; while ((getline line < table) > 0) print line; print ""; inside = 1; next }
  /^<!-- end -->$/ { inside = 0 }
  !inside' "$page" >"$work/page"
mv "$work/page" "$page"
