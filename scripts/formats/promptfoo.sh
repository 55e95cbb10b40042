#!/usr/bin/env bash
# Runs promptfoo on its echo provider, which answers with the prompt, and keeps what it
# writes: results of one provider, of two, and JSON Lines.
#
# usage: promptfoo.sh CACHE OUT
set -euo pipefail
version=0.123.1
cache=$(mkdir -p "${1:?a folder}" && cd "$1" && pwd) out=${2:?a folder}
home="$cache/promptfoo-$version"
if [ ! -e "$home/installed" ]; then
  rm -rf "$home"
  mkdir -p "$home"
  (cd "$home" && npm install --silent --no-audit --no-fund "promptfoo@$version" >&2)
  touch "$home/installed"
fi
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
export HOME="$work" PROMPTFOO_CONFIG_DIR="$work/.promptfoo" PROMPTFOO_DISABLE_TELEMETRY=1 \
  PROMPTFOO_DISABLE_UPDATE=1 PROMPTFOO_DISABLE_SHARING=1
cat >"$work/one.yaml" <<'YAML'
description: Reimbursement
prompts:
  - 'Answer from this: {{context}} Question: {{question}}'
providers: [echo]
tests:
  - description: the limit
    vars:
      question: What is the limit?
      context: Purchases above $500 require the approval of a manager.
    assert:
      - type: contains
        value: $500
      - type: equals
        value: the limit is $500
    metadata: {topic: money}
  - vars:
      question: Who pays for a taxi?
      context: The company pays for a taxi after ten in the evening.
YAML
sed 's/providers: .*/providers: [{id: echo, label: first}, {id: echo, label: second}]/' "$work/one.yaml" >"$work/two.yaml"
cd "$work"
run() {
  # The exit status tells of assertions that failed, which is wanted here.
  node "$home/node_modules/promptfoo/dist/src/main.js" eval --config "$1" --output "$2" --no-cache --no-progress-bar --no-table >&2 || true
  test -s "$2"
  cp "$2" "$out/"
}
run one.yaml results.json
run one.yaml results.jsonl
run two.yaml two.json
echo "promptfoo $version" >"$out/versions.txt"
