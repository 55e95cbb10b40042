#!/usr/bin/env bash
# 100,000 permutations of 10,000 paired cases under 10 metrics, with intervals, beside the
# same test by scipy and one sign at a time. Goal: under 3 s on 2 cores. scipy is installed
# into the cache folder.
set -euo pipefail
cd "$(dirname "$0")/../.."
CACHE=${CACHE:-${XDG_CACHE_HOME:-$HOME/.cache}/assay-ci}
python=$(bash scripts/minilm/venv.sh bench/permutation/requirements.txt "$CACHE/permutation")
bash bench/program.sh permutation -python "$python" "$@"
