#!/usr/bin/env bash
# Installs server-everything, the MCP project's own server for tests, into CACHE,
# once, and prints where its program is (ASSAY_MCP_EVERYTHING). Every package is
# pinned by version and checksum in mcp/package-lock.json. Needs node 20 or later
# and npm.
#
# usage: mcp.sh CACHE
set -euo pipefail
lock=$(cd "$(dirname "$0")/mcp" && pwd)
cache=$(mkdir -p "${1:?a folder}" && cd "$1" && pwd)

# The name carries the lock, so that another one is another folder.
folder=$cache/mcp-everything-$(sha256sum "$lock/package-lock.json" | cut -c1-12)
if [ ! -d "$folder" ]; then
  rm -rf "$folder.part"
  mkdir -p "$folder.part"
  cp "$lock/package.json" "$lock/package-lock.json" "$folder.part"
  npm ci --prefix "$folder.part" --ignore-scripts --no-audit --no-fund --loglevel error >&2
  mv "$folder.part" "$folder"
fi
program=$folder/node_modules/@modelcontextprotocol/server-everything/dist/index.js
[ -f "$program" ] || { echo "mcp.sh: $program is not there: want the folder $folder removed, and another try" >&2; exit 1; }
echo "$program"
