#!/usr/bin/env bash
# Makes the artefacts of a release from this commit:
#
#   bash scripts/release.sh VERSION OUTPUT [GOOS/GOARCH…]
#
# For each system an archive and a bill of materials (CycloneDX), for Linux also a package
# of Debian and an image of a container; a formula of Homebrew; and the checksums of all. Without
# systems it makes those of every system that is released. The same commit and the same
# version of Go give the same bytes.
set -euo pipefail
if [ $# -lt 2 ]; then
  echo "usage: bash scripts/release.sh VERSION OUTPUT [GOOS/GOARCH...], as in: bash scripts/release.sh v1.4.0 dist linux/amd64" >&2
  exit 2
fi
version=$1 output=$2
shift 2
[[ $version =~ ^v[0-9]+\.[0-9]+\.[0-9]+ ]] || { echo "release: version $version: want one such as v1.4.0" >&2; exit 2; }
case $output in /*) ;; *) output=$PWD/$output ;; esac
[ $# -gt 0 ] || set -- linux/amd64 linux/arm64 darwin/amd64 darwin/arm64 windows/amd64 windows/arm64
cd "$(dirname "$0")/.."
if [ -e "$output" ] && [ -n "$(ls -A "$output")" ]; then
  echo "release: $output is not empty: want a new folder" >&2
  exit 2
fi

date=${SOURCE_DATE_EPOCH:-$(git show -s --format=%ct HEAD)}
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
for system in "$@"; do
  os=${system%/*} arch=${system#*/}
  suffix=""
  [ "$os" != windows ] || suffix=.exe
  mkdir -p "$scratch/${os}_$arch"
  ASSAY_VERSION=$version SOURCE_DATE_EPOCH=$date bash scripts/build.sh "$os" "$arch" "$scratch/${os}_$arch/assay$suffix"
done

# Completions are the same on every system, so those of the machine that builds serve all.
mkdir "$scratch/completions"
own=$scratch/$(go env GOHOSTOS)_$(go env GOHOSTARCH)/assay
if [ ! -x "$own" ]; then
  own=$scratch/assay
  ASSAY_VERSION=$version SOURCE_DATE_EPOCH=$date bash scripts/build.sh "$(go env GOHOSTOS)" "$(go env GOHOSTARCH)" "$own"
fi
"$own" completion bash >"$scratch/completions/assay.bash"
"$own" completion zsh >"$scratch/completions/_assay"
"$own" completion fish >"$scratch/completions/assay.fish"
"$own" completion powershell >"$scratch/completions/assay.ps1"

go -C tools/release run . -source "$PWD" -version "$version" -date "$date" -programs "$scratch" -output "$output"
