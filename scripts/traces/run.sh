#!/usr/bin/env bash
# Runs the frameworks and writes their traces anew: OUTDIR/NAME/traces.jsonl and
# OUTDIR/NAME/expected.json for each NAME, or for those that are named.
#
# usage: CACHE=FOLDER run.sh OUTDIR [NAME...]
set -euo pipefail
here=$(cd "$(dirname "$0")" && pwd)
out=$(mkdir -p "${1:?a folder}" && cd "$1" && pwd)
shift
: "${CACHE:?names the folder that keeps downloads}"
python=(langchain_openinference langchain_traceloop langgraph_openinference llamaindex_openinference
  haystack_openinference openai_openinference openai_genai)
stores=(mlflow langsmith langfuse phoenix)
node=(langchainjs_openinference vercel_ai vercel_ai_7)
names=("$@")
[ ${#names[@]} -gt 0 ] || names=("${python[@]}" "${stores[@]}" "${node[@]}")

# Nothing is told to anyone about these runs.
export DO_NOT_TRACK=1 SCARF_NO_ANALYTICS=true HAYSTACK_TELEMETRY_ENABLED=False TRACELOOP_TELEMETRY=false
export MLFLOW_DISABLE_TELEMETRY=true PHOENIX_TELEMETRY_ENABLED=false LANGSMITH_TRACING=false AI_SDK_TELEMETRY_DISABLED=1
export ANONYMIZED_TELEMETRY=False OPENAI_API_KEY=none FERRY_CORPUS="$here/corpus.json" PYTHONDONTWRITEBYTECODE=1

work=$(mktemp -d)
python3 "$here/server.py" "$work/port" &
server=$!
trap 'kill "$server"; rm -rf "$work"' EXIT
until [ -e "$work/port" ]; do
  kill -0 "$server" 2>/dev/null || { echo "run.sh: server.py did not start" >&2; exit 1; }
  sleep 0.1
done
export OPENAI_BASE_URL="http://127.0.0.1:$(cat "$work/port")/v1"

listed() { local name=$1; shift; [[ " $* " == *" $name "* ]]; }
for name in "${names[@]}"; do
  echo "run.sh: $name" >&2
  if listed "$name" "${python[@]}"; then
    (cd "$here" && "$(bash python.sh "$CACHE/traces")" "$name.py" "$out/$name")
  elif listed "$name" "${stores[@]}"; then
    # Phoenix is sent the traces of a framework, which are made first.
    (cd "$here" && "$(bash python.sh "$CACHE/traces" stores)" "export_$name.py" "$out/$name" "$out/langchain_openinference")
  elif listed "$name" "${node[@]}"; then
    folder=$(bash "$here/node.sh" "$CACHE/traces")
    # Beside node_modules, where node looks for what a module imports.
    cp "$here"/js/*.mjs "$folder"
    (cd "$folder" && node "$name.mjs" "$out/$name")
  else
    echo "run.sh: $name: want one of ${python[*]} ${stores[*]} ${node[*]}" >&2
    exit 1
  fi
done
python3 "$here/check.py" "${names[@]/#/$out/}"
