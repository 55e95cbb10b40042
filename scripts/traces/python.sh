#!/usr/bin/env bash
# Installs the frameworks and instrumentations in Python that write golden traces into
# CACHE, once, and prints where their Python is. Every package is pinned by version and
# checksum, for Python 3.11 on Linux (x86-64).
#
# usage: python.sh CACHE [frameworks|stores]
set -euo pipefail
here=$(cd "$(dirname "$0")" && pwd)
cache=${1:?a folder}
bash "$here/../minilm/venv.sh" "$here/${2:-frameworks}.txt" "$cache" | tail -n 1
