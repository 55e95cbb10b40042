#!/usr/bin/env bash
# Writes what jiwer says of ten thousand pairs of texts, and of the transcripts in
# the shared data, once, to CACHE/jiwer.jsonl, and prints that name. Packages are
# pinned by version and checksum, for Python 3.11 on Linux (x86-64).
#
# usage: jiwer.sh CACHE
set -euo pipefail
here=$(cd "$(dirname "$0")" && pwd)
cache=$(mkdir -p "${1:?a folder}" && cd "$1" && pwd)
shared=${ASSAY_SHARED:-$here/../../../shared}
output=$cache/jiwer.jsonl
made=$(cat "$here/pairs.py" "$here/requirements.txt" | sha256sum | cut -c1-12)
if [ "$(cat "$output.made" 2>/dev/null)" != "$made" ]; then
  python=$(bash "$here/../minilm/venv.sh" "$here/requirements.txt" "$cache")
  PYTHONDONTWRITEBYTECODE=1 "$python" "$here/pairs.py" "$shared" >"$output.part"
  mv "$output.part" "$output"
  echo "$made" >"$output.made"
fi
echo "$output"
