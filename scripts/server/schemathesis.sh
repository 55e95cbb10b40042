#!/usr/bin/env bash
# Installs schemathesis 4.32.5, which makes up requests from the description of an
# API and holds the replies to it, into CACHE, once, and prints where its program
# is (ASSAY_SCHEMATHESIS). Every package is pinned by version and checksum, for
# Python 3.11 on Linux (x86-64).
#
# usage: schemathesis.sh CACHE
set -euo pipefail
here=$(cd "$(dirname "$0")" && pwd)
python=$(bash "$here/../minilm/venv.sh" "$here/schemathesis.txt" "${1:?a folder}" | tail -n 1)
echo "$(dirname "$python")/schemathesis"
