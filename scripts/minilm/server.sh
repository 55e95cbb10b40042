#!/usr/bin/env bash
# Prints the variables that tests need to start server.py: a Python with ONNX
# Runtime, and the model, both fetched into CACHE once.
#
# usage: server.sh CACHE
set -euo pipefail
here=$(cd "$(dirname "$0")" && pwd)
cache=${1:?a folder}
python=$(bash "$here/venv.sh" "$here/requirements.txt" "$cache" | tail -n 1)
model=$(bash "$here/fetch.sh" onnx "$cache" | tail -n 1)
cat <<ENV
export ASSAY_ONNX_PYTHON="$python"
export ASSAY_ONNX_MINILM="$model"
ENV
