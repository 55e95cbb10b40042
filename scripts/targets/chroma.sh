#!/usr/bin/env bash
# Installs Chroma 1.5.9, a vector store, into CACHE, once, and prints where its
# program is. Every package is pinned by version and checksum, for Python 3.11
# on Linux (x86-64).
#
# usage: chroma.sh CACHE
set -euo pipefail
here=$(cd "$(dirname "$0")" && pwd)
python=$(bash "$here/../minilm/venv.sh" "$here/chroma.txt" "${1:?a folder}" | tail -n 1)
echo "$(dirname "$python")/chroma"
