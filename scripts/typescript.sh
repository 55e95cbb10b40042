#!/usr/bin/env bash
# Makes and checks the package assay-eval for Node (folder js):
#
#   bash scripts/typescript.sh build DIST [PLATFORM...]   packs the package and the programs of the platforms, such as
#                                                         linux-x64 (default: all) as tarballs
#   bash scripts/typescript.sh generate                   writes what is typed from assay itself into js/src
#   bash scripts/typescript.sh check                      fails if that is not current
#   bash scripts/typescript.sh test                       installs the tarballs for this machine into empty folders, and
#                                                         runs the tests and the snippets of docs/typescript.md there
#
# Needs Node 20 or later and npm. Packages are those of js/package-lock.json, in the folder ASSAY_CLIENTS if that is set
# (scripts/server/clients.sh), else in js/node_modules.
set -euo pipefail
if [ $# -eq 0 ]; then
  sed -n '2,/^set/s/^# \{0,1\}//p' "$0" | sed '$d' >&2
  exit 2
fi
verb=$1
shift
cd "$(dirname "$0")/.."
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
export npm_config_audit=false npm_config_fund=false npm_config_update_notifier=false npm_config_loglevel=error

# modules makes js/node_modules.
modules() {
  if [ -n "${ASSAY_CLIENTS:-}" ]; then
    [ -d js/node_modules ] && [ ! -L js/node_modules ] || ln -sfn "$ASSAY_CLIENTS/node_modules" js/node_modules
  elif [ ! -e js/node_modules/.package-lock.json ] || [ js/package-lock.json -nt js/node_modules/.package-lock.json ]; then
    npm ci --prefix js --ignore-scripts
  fi
}

# program builds the program for one platform.
program() {
  local os=${1%-*} arch=${1#*-}
  [ "$os" != win32 ] || os=windows
  [ "$arch" != x64 ] || arch=amd64
  bash scripts/build.sh "$os" "$arch" "$2"
}

own=$(node -p '`${process.platform}-${process.arch}`')

# generate writes the generated sources to a folder.
generate() {
  [ -x "$scratch/assay" ] || program "$own" "$scratch/assay"
  node js/scripts/generate.mjs "$scratch/assay" docs/report.schema.json "$1"
}

# check compares the generated sources that are kept with new ones in a folder.
check() {
  for file in settings.ts report-schema.ts; do
    if ! diff -u "js/src/$file" "$1/$file"; then
      echo "js/src/$file is not current: bash scripts/typescript.sh generate" >&2
      exit 1
    fi
  done
}

# build packs the package and the given platforms.
build() {
  local dist=$1
  shift
  mkdir -p "$dist" "$scratch/generated"
  dist=$(cd "$dist" && pwd)
  modules
  generate "$scratch/generated"
  check "$scratch/generated"
  cp "$scratch/generated/openapi.ts" js/src/
  # The version is that of the program; one without a release counts as 0.0.0.
  local version
  version=$("$scratch/assay" --version | awk '{print $2}')
  case $version in v[0-9]*) version=${version#v} ;; *) version=0.0.0-$version ;; esac
  rm -rf js/dist
  node js/node_modules/typescript/bin/tsc -p js
  node js/scripts/pack.mjs "$version" "$scratch/packages" "$@"
  cp -r js/dist js/README.md "$scratch/packages/assay-eval/"
  for name in assay-eval "$@"; do
    local to=$scratch/packages/$name suffix=""
    cp LICENSE NOTICE "$to/"
    if [ "$name" != assay-eval ]; then
      case $name in win32-*) suffix=.exe ;; esac
      if [ "$name" = "$own" ]; then
        mkdir -p "$to/bin" && cp "$scratch/assay" "$to/bin/assay$suffix"
      else
        program "$name" "$to/bin/assay$suffix"
      fi
    fi
    (cd "$to" && npm pack --silent --pack-destination "$dist")
  done
}

case $verb in
build)
  if [ $# -eq 0 ]; then
    echo "usage: bash scripts/typescript.sh build DIST [PLATFORM...], as in: bash scripts/typescript.sh build dist linux-x64" >&2
    exit 2
  fi
  dist=$1
  shift
  [ $# -gt 0 ] || set -- linux-x64 linux-arm64 darwin-x64 darwin-arm64 win32-x64 win32-arm64
  build "$dist" "$@"
  ;;
generate)
  modules
  generate js/src
  ;;
check)
  modules
  mkdir "$scratch/generated"
  generate "$scratch/generated"
  check "$scratch/generated"
  ;;
test)
  build "$scratch/dist" "$own"
  # A user has Node and no Go.
  PATH=$(dirname "$(command -v node)"):/usr/bin:/bin
  ! command -v go >/dev/null || { echo "Go is in $PATH: the test wants a machine without it" >&2; exit 1; }
  unset ASSAY_BINARY
  mkdir "$scratch/empty" "$scratch/user"
  (
    cd "$scratch/empty"
    npm install --silent "$scratch"/dist/assay-eval-*.tgz
    npx assay --version
    npx assay-eval --version
    node --input-type=module -e 'import { evaluate } from "assay-eval";
      const report = await evaluate((question) => question, { dataset: [{ question: "a", ground_truth: "a" }], metrics: ["exact_match"] });
      if (report.summary["exact_match"].mean !== 1) throw new Error(String(report));'
  )
  # The same with the packages that users have beside it, as the lock has them.
  cp -r js/test js/vitest.config.ts docs/typescript.md "$scratch/user/"
  for file in package.json package-lock.json; do
    sed 's/"name": "assay-eval"/"name": "user"/; s/"type": "module",/"type": "module", "private": true,/' "js/$file" >"$scratch/user/$file"
  done
  cp -r js/node_modules/. "$scratch/user/node_modules/"
  cd "$scratch/user"
  npm install --no-save --silent "$scratch"/dist/assay-eval-*.tgz
  node node_modules/typescript/bin/tsc -p test
  node node_modules/vitest/vitest.mjs run
  ;;
*)
  echo "unknown: $verb: want build, generate, check or test" >&2
  exit 2
  ;;
esac
