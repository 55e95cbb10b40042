#!/usr/bin/env bash
# Writes the reference vectors of a thousand mixed texts, once, to
# CACHE/reference.jsonl, or with the second argument sentence-transformers to
# CACHE/sentence-transformers.jsonl (which downloads several gigabytes). The
# test reads either: ASSAY_MINILM_REFERENCE=… go test -run TestReference ./rag/embed
#
# usage: reference.sh CACHE [sentence-transformers]
set -euo pipefail
here=$(cd "$(dirname "$0")" && pwd)
cache=$(mkdir -p "${1:?a folder}" && cd "$1" && pwd)
engine=${2:-onnx}
shared=${ASSAY_SHARED:-$here/../../../shared}
case $engine in
onnx) output=reference.jsonl requirements=requirements.txt form=onnx ;;
sentence-transformers) output=$engine.jsonl requirements=requirements-$engine.txt form=weights ;;
*) echo "reference.sh: \"$engine\": want onnx or sentence-transformers" >&2 && exit 2 ;;
esac
made=$(cat "$here"/{reference,texts}.py "$here/$requirements" | sha256sum | cut -c1-12)
if [ "$(cat "$cache/$output.made" 2>/dev/null)" != "$made" ]; then
  python=$(bash "$here/venv.sh" "$here/$requirements" "$cache")
  model=$(bash "$here/fetch.sh" "$form" "$cache")
  HF_HUB_OFFLINE=1 PYTHONDONTWRITEBYTECODE=1 "$python" "$here/reference.py" "$engine" "$model" "$shared" "$cache/$output"
  echo "$made" >"$cache/$output.made"
fi
echo "$cache/$output"
