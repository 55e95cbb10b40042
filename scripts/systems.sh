#!/usr/bin/env bash
# Vets the module with its tests, and builds the program, for every system that releases
# are for besides Linux on x86-64: bash scripts/systems.sh FOLDER
# FOLDER receives a program a system, as windows-amd64/assay.exe.
set -euo pipefail
cd "$(dirname "$0")/.."
out=${1:?names the folder for the programs}
for system in linux/arm64 darwin/amd64 darwin/arm64 windows/amd64 windows/arm64; do
  os=${system%/*} arch=${system#*/}
  # With the flag of the build, both compile the dependencies once.
  CGO_ENABLED=0 GOOS=$os GOARCH=$arch go vet -trimpath ./...
  name=assay
  [ "$os" != windows ] || name=assay.exe
  bash scripts/build.sh "$os" "$arch" "$out/$os-$arch/$name"
  printf '%-14s %s\n' "$system" "$(wc -c <"$out/$os-$arch/$name") bytes"
done
