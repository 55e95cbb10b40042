#!/usr/bin/env bash
# Runs the originals and keeps what they say in verdicts.json, with the versions of the tools and
# the hash of what they were run on. The test of this example compares the checks with it.
#
# usage: record.sh PYTHON-WITH-RAGAS PYTHON-WITH-DEEPEVAL NODE PROMPTFOO-MAIN.JS
set -euo pipefail
cd "$(dirname "$0")"
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
export HOME="$work" PYTHONDONTWRITEBYTECODE=1
"$1" ragas_metrics.py >"$work/ragas.json"
"$2" deepeval_metrics.py >"$work/deepeval.json"
python3 promptfoo.py "$3" "$4" >"$work/promptfoo.json"
python3 - "$work" >"$work/verdicts.json" <<'PY'
import hashlib
import json
import pathlib
import sys

work = pathlib.Path(sys.argv[1])
tools = [json.loads((work / f"{tool}.json").read_text()) for tool in ("ragas", "deepeval", "promptfoo")]
files = ["../cases.jsonl", "../answers.jsonl", "common.py", "ragas_metrics.py", "deepeval_metrics.py", "promptfooconfig.yaml", "promptfoo.py"]
hashes = {name: "sha256:" + hashlib.sha256(pathlib.Path(name).read_bytes()).hexdigest() for name in files}
json.dump({"files": hashes, "tools": tools}, sys.stdout, ensure_ascii=False, indent=1)
print()
PY
cp "$work/verdicts.json" verdicts.json
