#!/usr/bin/env bash
# Scores the jobs beside this script with a local model and writes the results into $OUT.
#
# usage: OUT=FOLDER run.sh [MODEL] [ARGUMENTS OF score.py]
#
# MODEL is a GGUF file or a folder of transformers; without one it is smol.gguf in the folder
# above. Python has torch, transformers and accelerate; wheels beside this script are added.
set -euo pipefail
here=$(cd "$(dirname "$0")" && pwd)
model=${1:-$here/../smol.gguf}
shift || true
site=$(mktemp -d)
trap 'rm -rf "$site"' EXIT
if ls "$here"/*.whl >/dev/null 2>&1; then
  python3 -m pip install --quiet --no-index --no-deps --no-compile --target "$site" "$here"/*.whl
  export PYTHONPATH=$site
fi
export HF_HUB_OFFLINE=1 HF_HUB_DISABLE_PROGRESS_BARS=1 TOKENIZERS_PARALLELISM=true PYTHONUNBUFFERED=1
python3 "$here/score.py" "$model" "$here/jobs.jsonl.xz" "$OUT/scores.jsonl" --seconds 200 "$@" 2>&1 | tr '\r' '\n' | grep -v 'it/s\]'
