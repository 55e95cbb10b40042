#!/usr/bin/env bash
# Exact search over 200,000 vectors of 384 numbers beside reading them once and beside
# numpy, which is installed into the cache folder.
set -euo pipefail
cd "$(dirname "$0")/../.."
CACHE=${CACHE:-${XDG_CACHE_HOME:-$HOME/.cache}/assay-ci}
python=$(bash scripts/minilm/venv.sh bench/dense/requirements.txt "$CACHE/dense")
bash bench/program.sh dense -python "$python" "$@"
