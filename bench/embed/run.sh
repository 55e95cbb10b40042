#!/usr/bin/env bash
# Tokens a second of the encoder beside ONNX Runtime, which is installed into the
# cache folder with the model. Goal: at least 0.85 times as many, aim 1.0.
set -euo pipefail
cd "$(dirname "$0")/../.."
CACHE=${CACHE:-${XDG_CACHE_HOME:-$HOME/.cache}/assay-ci}
python=$(bash scripts/minilm/venv.sh scripts/minilm/requirements.txt "$CACHE/minilm")
model=$(bash scripts/minilm/fetch.sh onnx "$CACHE/minilm")
bash bench/program.sh embed -python "$python" -model "$model" -data "${ASSAY_SHARED:-../shared}/data/retrieval" "$@"
