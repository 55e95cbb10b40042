#!/usr/bin/env bash
# Runs the program for Windows in Wine beside that for this system, on the same documents
# and datasets with the line ends of Windows, and fails unless both measure the same:
#
#   bash scripts/windows.sh WINE WINDOWS_PROGRAM PROGRAM
#
# WINE is what scripts/ci-install.sh gives: a folder with a prefix in which programs of Go
# start. Both programs are of the same source.
set -euo pipefail
wine=$(realpath "$1") theirs=$(realpath "$2") ours=$(realpath "$3")
export WINEDEBUG=-all WINEPREFIX=$wine/prefix
work=$(mktemp -d)
trap 'WINEPREFIX=$wine/prefix wineserver -k 2>/dev/null || true; rm -rf "$work"' EXIT

windows() { /usr/lib/wine/wine64 "$theirs" "$@" | tr -d '\r'; }
linux() { "$ours" "$@"; }
fail() { echo "scripts/windows.sh: $*" >&2; exit 1; }

mkdir -p "$work/linux/docs/sub"
cd "$work/linux"
printf '# Tower\r\n\r\nGustave Eiffel built the tower.\r\n\r\nIt opened in 1889.\r\n' >docs/sub/tower.md
printf 'The ferry leaves at nine.\r\nIt returns at noon.\r\n' >docs/ferry.txt
{
  printf 'question,answer,file\r\n'
  printf 'Who built the tower?,Gustave Eiffel,sub/tower.md\r\n'
  printf 'When does the ferry leave?,"At\r\nnine",ferry.txt\r\n'
} >table.csv
printf '{"question":"Who built the tower?","ground_truth":"Eiffel","expected_contexts":["sub/tower.md"]}\r\n' >lines.jsonl
{
  printf 'test_cases:\r\n  - question: When does the ferry return?\r\n'
  printf '    ground_truth: |\r\n      At\r\n      noon\r\n    expected_contexts: [ferry.txt]\r\n'
} >cases.yaml
printf 'retriever: hybrid\r\ncorpus: docs\r\ngenerator: extractive\r\nmetrics: [hit@1, token_f1]\r\n' >eval-config.yaml
printf 'q1 0 d1 1\r\nq1 0 d2 0\r\n' >qrels.txt
printf 'q1 Q0 d1 1 2.5 x\r\nq1 Q0 d2 2 1.5 x\r\n' >bm25.run
cp -r "$work/linux" "$work/windows"

# What differs between two runs on one system is left out: ids, times, durations, versions.
cat >"$work/values.py" <<'PY'
import json, sys

LEFT_OUT = {"id", "started", "finished", "version", "command", "host", "latency_ms", "stages"}

def walk(value):
    if isinstance(value, dict):
        return {k: walk(v) for k, v in value.items() if k not in LEFT_OUT and not k.endswith(("_ns", "_ms"))}
    return [walk(v) for v in value] if isinstance(value, list) else value

print(json.dumps(walk(json.load(open(sys.argv[1], encoding="utf-8"))), indent=1, sort_keys=True))
PY

for system in linux windows; do
  cd "$work/$system"
  $system version | sed -n 1p
  for dataset in table.csv lines.jsonl cases.yaml; do
    name=${dataset%.*}
    $system run --dataset "$dataset" --name "$name" --output "$name" --quiet >run.txt 2>&1 || fail "$system: $dataset: $(cat run.txt)"
    python3 "$work/values.py" "$name.json" >"$name.values"
  done
  $system measure qrels.txt bm25.run >measure.values
  $system baseline save table -o baseline.json >save.txt 2>&1 || fail "$system: $(cat save.txt)"
  $system __complete report ta 2>/dev/null | sed -n 's/\t.*//p' >completion.values
done
for values in table lines cases measure completion; do
  diff "$work/linux/$values.values" "$work/windows/$values.values" >&2 || fail "$values differs between Linux (<) and Windows (>)"
done

# Each system holds its runs to the baseline of the other, and writes reports over existing ones.
for system in linux windows; do
  other=windows
  [ $system = linux ] || other=linux
  cd "$work/$system"
  cp "../$other/baseline.json" other.json
  $system run --dataset table.csv --output table --quiet --baseline other.json --tolerance hit@1=0 --tolerance token_f1=0 >gate.txt 2>&1 ||
    fail "$system refuses the baseline of $other: $(cat gate.txt)"
done

# A command of Windows, with a path of Windows, which asks nothing and ends with its error.
cd "$work/windows"
cp "$theirs" rag.exe
windows run --adapter exec --command '.\rag.exe nonsense' --dataset lines.jsonl >command.txt 2>&1 || true
grep -q 'unknown command "nonsense"' command.txt || fail "--command '.\rag.exe nonsense' does not start it: $(cat command.txt)"
windows quickstart >quickstart.txt 2>&1 || fail "assay quickstart: $(cat quickstart.txt)"
grep -q 'Reports *results.quickstart.compare.html' quickstart.txt ||
  fail "assay quickstart says nothing of its reports: $(cat quickstart.txt)"
echo "the program for Windows measures what that for Linux does"
