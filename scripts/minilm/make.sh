#!/usr/bin/env bash
# Makes the embedded copy of the model again. The result is the same, byte for
# byte: git diff shows nothing.
#
# usage: make.sh CACHE
set -euo pipefail
here=$(cd "$(dirname "$0")" && pwd)
python=$(bash "$here/venv.sh" "$here/requirements.txt" "${1:?a folder}")
model=$(bash "$here/fetch.sh" weights "$1")
out="$here/../../rag/embed/minilm"
"$python" "$here/weights.py" "$model" "$out"
(cd "$here/../.." && go run ./scripts/minilm/pack rag/embed/minilm/minilm.bin rag/embed/minilm/minilm.zst)
rm "$out/minilm.bin"
