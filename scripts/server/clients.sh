#!/usr/bin/env bash
# Installs what makes and tests API clients for Go, Python and TypeScript into CACHE, once,
# and prints where it is (ASSAY_CLIENTS): a folder with the programs oapi-codegen,
# python and openapi-python-client, and with the node_modules of the package in js. Every
# package is pinned by version and checksum, those of Python for 3.11 on Linux (x86-64).
# Needs node 20 or later and npm.
#
# usage: clients.sh CACHE
set -euo pipefail
here=$(cd "$(dirname "$0")" && pwd)
lock=$here/clients
js=$here/../../js
cache=$(mkdir -p "${1:?a folder}" && cd "$1" && pwd)
oapi=v2.8.2

# The name carries the locks, so that others are another folder.
folder=$cache/clients-$(cat "$js/package-lock.json" "$lock/python.txt" "$here/clients.sh" | sha256sum | cut -c1-12)
if [ ! -d "$folder" ]; then
  rm -rf "$folder.part"
  mkdir -p "$folder.part/bin"
  cp "$js/package.json" "$js/package-lock.json" "$folder.part"
  npm ci --prefix "$folder.part" --ignore-scripts --no-audit --no-fund --loglevel error >&2
  GOBIN=$folder.part/bin GOFLAGS= go install "github.com/oapi-codegen/oapi-codegen/v2/cmd/oapi-codegen@$oapi" >&2
  python=$(bash "$here/../minilm/venv.sh" "$lock/python.txt" "$cache" | tail -n 1)
  for program in python openapi-python-client ruff; do
    printf '#!/bin/sh\nexec "%s" "$@"\n' "$(dirname "$python")/$program" >"$folder.part/bin/$program"
    chmod +x "$folder.part/bin/$program"
  done
  mv "$folder.part" "$folder"
fi
echo "$folder"
