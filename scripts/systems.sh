#!/usr/bin/env bash
# Builds the program for every system that releases are for besides Linux on x86-64, and
# vets the module with its tests on one processor a system: bash scripts/systems.sh FOLDER
# FOLDER receives a program a system, as windows-amd64/assay.exe.
set -euo pipefail
cd "$(dirname "$0")/.."
out=${1:?names the folder for the programs}
for system in linux/arm64 darwin/amd64 darwin/arm64 windows/amd64 windows/arm64; do
  os=${system%/*} arch=${system#*/}
  case $system in
  linux/arm64 | darwin/arm64 | windows/amd64)
    # With the flag of the build, both compile the dependencies once.
    CGO_ENABLED=0 GOOS=$os GOARCH=$arch go vet -trimpath ./...
    ;;
  esac
  name=assay
  [ "$os" != windows ] || name=assay.exe
  bash scripts/build.sh "$os" "$arch" "$out/$os-$arch/$name"
  printf '%-14s %s\n' "$system" "$(wc -c <"$out/$os-$arch/$name") bytes"
done
