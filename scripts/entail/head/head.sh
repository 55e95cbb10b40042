#!/usr/bin/env bash
# Fits the head of crossencoder.py once, and prints where it is.
#
# usage: head.sh PYTHON MODEL_FOLDER CACHE
set -euo pipefail
here=$(cd "$(dirname "$0")" && pwd)
python=${1:?an interpreter with ONNX Runtime} model=${2:?the folder of the model}
cache=$(mkdir -p "${3:?a folder}" && cd "$3" && pwd)
shared=${ASSAY_SHARED:-$here/../../../../shared}
made=$(cat "$here"/{crossencoder,train}.py | sha256sum | cut -c1-12)
if [ "$(cat "$cache/head.made" 2>/dev/null)" != "$made" ]; then
  PYTHONDONTWRITEBYTECODE=1 "$python" "$here/train.py" "$model" "$shared/data/support" "$cache/head.json"
  echo "$made" >"$cache/head.made"
fi
echo "$cache/head.json"
