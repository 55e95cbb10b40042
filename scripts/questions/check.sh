#!/usr/bin/env bash
# Checks the tables of docs/results/questions.md. The rows of the small model follow from scores.jsonl.xz.
# Those of the offline judge are measured of its rulings today: they were the same before and after the
# change, so that one version stands for both. The rows of what the small model wrote are not checked,
# because its texts repeat the data and are not kept.
#
# usage: check.sh SHARED PYTHON
#
# PYTHON is an interpreter with numpy.
set -euo pipefail
cd "$(dirname "$0")/../.."
shared=$1 python=$2
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
go run ./scripts/questions/items "$shared" >"$work/items.jsonl"
go run ./scripts/questions/ask rulings <"$work/items.jsonl" >"$work/rulings.jsonl"
"$python" scripts/questions/measure.py "$work/items.jsonl" scripts/questions/scores.jsonl.xz \
  "offline=$work/rulings.jsonl,$work/rulings.jsonl" >"$work/tables.md"
rows() { grep -E '^(###|\|)' "$1" | grep -v '^| SmolLM2 | clapnq-dev, en |'; }
if ! diff <(rows docs/results/questions.md) <(rows "$work/tables.md"); then
  echo "docs/results/questions.md has other rows (<) than are measured (>): see scripts/questions/README.md" >&2
  exit 1
fi
