#!/usr/bin/env bash
# Everything about the Python package in python/:
#
#   python.sh build DIST [OS/ARCH …]   builds the wheels with the program, by default for every system
#   python.sh generate [--check]       writes the generated modules, or fails when they are not current
#   python.sh test CACHE               builds the wheel of this machine, and tests it in an environment of its own
#
# There is no source distribution: without Go it could not build the program. Tools are pinned by
# version and checksum in scripts/python, for Python 3.11 on Linux (x86-64), and are kept in CACHE.
set -euo pipefail
cd "$(dirname "$0")/.."
usage="usage: bash scripts/python.sh build DIST [OS/ARCH …] | generate [--check] | test CACHE"
cache=${CACHE:-${XDG_CACHE_HOME:-$HOME/.cache}/assay-ci}/python

# Names of each system: that of Go, and that of wheels. The program is static, so that a wheel for
# Linux is for glibc and for musl; Go 1.26 needs macOS 12 (go.dev/doc/go1.26#darwin).
declare -A tags=(
  [linux/amd64]=manylinux_2_17_x86_64.manylinux2014_x86_64.musllinux_1_1_x86_64
  [linux/arm64]=manylinux_2_17_aarch64.manylinux2014_aarch64.musllinux_1_1_aarch64
  [darwin/amd64]=macosx_12_0_x86_64
  [darwin/arm64]=macosx_12_0_arm64
  [windows/amd64]=win_amd64
  [windows/arm64]=win_arm64
)

tools() { # the folder of the programs of build.txt
  dirname "$(bash scripts/minilm/venv.sh scripts/python/build.txt "$cache" | tail -n 1)"
}

# The version of the program as Python writes versions (PEP 440): that of a release, else a
# development version that names the revision.
version() {
  local of=${ASSAY_VERSION:-$(git describe --tags --exact-match --match 'v[0-9]*' 2>/dev/null || true)}
  case $of in
    v[0-9]*) of=${of#v} && of=${of/-rc./rc} && echo "${of/-beta./b}" ;;
    *) echo "0.0.0.dev0+g$(git rev-parse --short=12 HEAD)" ;;
  esac
}

build() {
  local dist=${1:?$usage} bin work system os arch name
  shift
  [ $# -gt 0 ] || set -- "${!tags[@]}"
  mkdir -p "$dist"
  dist=$(cd "$dist" && pwd) bin=$(tools) work=$(mktemp -d)
  # shellcheck disable=SC2064 # the folder of now
  trap "rm -rf '$work'" RETURN
  export SOURCE_DATE_EPOCH=${SOURCE_DATE_EPOCH:-$(git show -s --format=%ct HEAD)}
  for system in "$@"; do
    [ -n "${tags[$system]:-}" ] || { echo "python.sh: no system $system: want of ${!tags[*]}" >&2; exit 2; }
    os=${system%/*} arch=${system#*/} name=assay
    [ "$os" != windows ] || name=assay.exe
    mkdir -p "$work/$system"
    bash scripts/build.sh "$os" "$arch" "$work/$system/$name"
    (cd python && ASSAY_PYTHON_VERSION=$(version) ASSAY_PYTHON_PROGRAM=$work/$system/$name \
      ASSAY_PYTHON_TAG=py3-none-${tags[$system]} "$bin/hatchling" build -t wheel -d "$dist" >&2)
  done
  "$bin/twine" check --strict "$dist"/*.whl >&2
}

generate() {
  local to=python/src/assay bin work page
  bin=$(tools) work=$(mktemp -d)
  # shellcheck disable=SC2064
  trap "rm -rf '$work'" RETURN
  go build -o "$work/assay" ./cmd/assay
  "$bin/python" scripts/python/settings.py docs/settings.json "$work/settings.py"
  "$bin/python" scripts/python/client.py "$work/assay" "$work/api.py"
  "$bin/python" scripts/python/schema.py docs/report.schema.json "$work/schema.py"
  for page in settings api schema; do
    "$bin/ruff" format --quiet --config python/pyproject.toml "$work/$page.py"
    if [ "${1:-}" != --check ]; then
      cp "$work/$page.py" "$to/"
    elif ! diff "$to/$page.py" "$work/$page.py"; then
      echo "python/src/assay/$page.py is not current: bash scripts/python.sh generate" >&2
      return 1
    fi
  done
}

check() {
  cache=${1:?$usage}
  local bin work python
  bin=$(tools) work=$(mktemp -d)
  # shellcheck disable=SC2064
  trap "rm -rf '$work'" RETURN
  (cd python && "$bin/ruff" check --quiet . && "$bin/ruff" format --quiet --check . && MYPYPATH=src "$bin/mypy" --no-error-summary -p assay)
  generate --check
  build "$work/dist" "$(go env GOHOSTOS)/$(go env GOHOSTARCH)"
  python=$(bash scripts/minilm/venv.sh scripts/python/test.txt "$cache" | tail -n 1)
  bash scripts/python/test.sh "$work/dist" "$python"
}

case ${1:-} in
  build) shift && build "$@" ;;
  generate) shift && generate "$@" ;;
  test) shift && check "$@" ;;
  *) echo "$usage" >&2 && exit 2 ;;
esac
