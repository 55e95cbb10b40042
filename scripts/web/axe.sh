#!/usr/bin/env bash
# Installs axe-core, the checker of accessibility (MPL-2.0, for tests alone), into CACHE,
# once, and prints the path of its script (ASSAY_AXE). Pinned by version and checksum. Needs
# npm.
#
# usage: axe.sh CACHE
set -euo pipefail
cache=$(mkdir -p "${1:?a folder}" && cd "$1" && pwd)
version=4.14.1
sum=e6b0ce02b84d892e2e33e403485e7f3d6c29e2be6df65daf44d89ba564139745

folder=$cache/axe-$version
if [ ! -d "$folder" ]; then
  rm -rf "$folder.part"
  mkdir -p "$folder.part"
  (cd "$folder.part" && npm pack --silent "axe-core@$version" >&2 && echo "$sum  axe-core-$version.tgz" | sha256sum --check --quiet && tar xzf "axe-core-$version.tgz")
  mv "$folder.part" "$folder"
fi
echo "$folder/package/axe.min.js"
