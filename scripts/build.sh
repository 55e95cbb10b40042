#!/usr/bin/env bash
# Builds the program for one system, as every release and package does:
#
#   bash scripts/build.sh GOOS GOARCH OUTPUT
#
# The same source and the same version of Go give the same bytes, in every folder and with
# every cache. These
# variables take precedence over what git says:
#
#   ASSAY_VERSION      the version, as v1.4.0; else the tag of the commit, else devel-REVISION
#   SOURCE_DATE_EPOCH  the date of the source in seconds; else the date of the commit
#
# Further arguments go to go build.
set -euo pipefail
if [ $# -lt 3 ]; then
  echo "usage: bash scripts/build.sh GOOS GOARCH OUTPUT [flags of go build], as in: bash scripts/build.sh linux amd64 bin/assay" >&2
  exit 2
fi
os=$1 arch=$2 output=$3
case $output in /*) ;; *) output=$PWD/$output ;; esac
shift 3
cd "$(dirname "$0")/.."

commit="" date="" tag="" changed=""
if git rev-parse --git-dir >/dev/null 2>&1; then
  commit=$(git rev-parse HEAD)
  date=$(git show -s --format=%ct HEAD)
  tag=$(git describe --tags --exact-match --match 'v[0-9]*' 2>/dev/null || true)
  [ -z "$(git status --porcelain --untracked-files=no)" ] || changed=-dirty
fi
date=${SOURCE_DATE_EPOCH:-$date}
if [ -n "$date" ]; then
  # GNU date, or that of macOS.
  date=$(date -u -d "@$date" +%Y-%m-%dT%H:%M:%SZ 2>/dev/null || date -u -r "$date" +%Y-%m-%dT%H:%M:%SZ)
fi
version=${ASSAY_VERSION:-${tag:-devel${commit:+-${commit:0:12}}}$changed}

x=github.com/assay-eval/assay/internal/build
CGO_ENABLED=0 GOOS=$os GOARCH=$arch GOFLAGS='' GOAMD64=v1 GOARM64=v8.0 go build -trimpath -buildvcs=false \
  -ldflags "-s -w -buildid= -X $x.version=$version -X $x.commit=$commit -X $x.date=$date" \
  -o "$output" "$@" ./cmd/assay
