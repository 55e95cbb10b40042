#!/usr/bin/env bash
# Installs LangChain and LlamaIndex into CACHE, once, each generation into a
# virtual environment of its own, and prints the variables that the tests of the
# adapters read. Every package is pinned by version and checksum, for Python
# 3.11 on Linux (x86-64).
#
# usage: python.sh CACHE
set -euo pipefail
here=$(cd "$(dirname "$0")" && pwd)
cache=${1:?a folder}
new=$(bash "$here/../minilm/venv.sh" "$here/python.txt" "$cache" | tail -n 1)
old=$(bash "$here/../minilm/venv.sh" "$here/python-old.txt" "$cache" | tail -n 1)
cat <<ENV
export ASSAY_LANGCHAIN_PYTHON="$new"
export ASSAY_LLAMAINDEX_PYTHON="$new"
export ASSAY_LANGCHAIN_OLD_PYTHON="$old"
ENV
