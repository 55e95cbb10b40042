#!/usr/bin/env bash
# Installs the frameworks and instrumentations in JavaScript that write golden traces into
# CACHE, once, and prints the folder that has their node_modules. Every package is pinned by
# version and checksum in js/package-lock.json. Needs npm and node 20 or later; version 7 of
# the AI SDK asks for node 22, and was seen to run on 20.
#
# usage: node.sh CACHE
set -euo pipefail
lock=$(cd "$(dirname "$0")/js" && pwd)
cache=$(mkdir -p "${1:?a folder}" && cd "$1" && pwd)

# The name carries the lock, so that another one is another folder.
folder=$cache/traces-js-$(sha256sum "$lock/package-lock.json" | cut -c1-12)
if [ ! -d "$folder" ]; then
  rm -rf "$folder.part"
  mkdir -p "$folder.part"
  cp "$lock/package.json" "$lock/package-lock.json" "$folder.part"
  npm ci --prefix "$folder.part" --ignore-scripts --no-audit --no-fund --loglevel error >&2
  mv "$folder.part" "$folder"
fi
echo "$folder"
