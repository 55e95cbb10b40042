#!/usr/bin/env bash
# Runs promptfoo on the example project of dataset/testdata and keeps the verdicts that it
# reaches, with which a test of package dataset compares those of assay.
#
# usage: promptfoo-project.sh CACHE
set -euo pipefail
version=0.123.1
here=$(cd "$(dirname "$0")" && pwd)
cache=$(mkdir -p "${1:?a folder}" && cd "$1" && pwd)
home="$cache/promptfoo-$version"
if [ ! -e "$home/installed" ]; then
  rm -rf "$home"
  mkdir -p "$home"
  (cd "$home" && npm install --silent --no-audit --no-fund "promptfoo@$version" >&2)
  touch "$home/installed"
fi
project="$here/../../dataset/testdata/promptfoo/project"
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
export HOME="$work" PROMPTFOO_CONFIG_DIR="$work/.promptfoo" PROMPTFOO_DISABLE_TELEMETRY=1 PROMPTFOO_DISABLE_UPDATE=1 \
  PROMPTFOO_DISABLE_SHARING=1 PROMPTFOO_PYTHON="${PROMPTFOO_PYTHON:-$(python3 -c 'import sys; print(sys.executable)')}"
cd "$project"
# The exit status tells of assertions that failed, which is wanted here.
node "$home/node_modules/promptfoo/dist/src/main.js" eval --config promptfooconfig.yaml --output "$work/results.json" --no-cache \
  --no-progress-bar --no-table >&2 || true
python3 - "$work/results.json" "$version" >verdicts.json <<'PY'
import json
import sys

results = json.load(open(sys.argv[1]))["results"]["results"]


def verdict(part):
    of = part.get("assertion") or {}
    return {"type": of.get("type", "assert-set"), "passed": part["pass"]}


cases = [
    {
        "provider": r["provider"].get("label") or r["provider"]["id"],
        "vars": {k: v for k, v in r["vars"].items() if k != "sessionId"},
        "test": r["testIdx"],
        "output": (r.get("response") or {}).get("output"),
        "passed": r["success"],
        "assertions": [verdict(c) for c in (r["gradingResult"] or {}).get("componentResults") or []],
    }
    for r in results
]
cases.sort(key=lambda c: (c["provider"], c["test"]))
print('{"promptfoo": %s, "cases": [' % json.dumps(sys.argv[2]))
print(",\n".join(json.dumps(c, ensure_ascii=False) for c in cases))
print("]}")
PY
