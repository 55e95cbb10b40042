#!/bin/sh
# Installs the program of a release for this machine:
#
#   sh scripts/install.sh [VERSION] [FOLDER]
#
# VERSION is a tag such as v1.4.0, or latest (the default); FOLDER is where the program
# goes, ~/.local/bin by default. The archive is compared with the checksums of the
# release before anything is unpacked. ASSAY_RELEASES is the address of the releases, for
# a mirror. Needs curl, and tar or, on Windows, unzip.
set -eu
version=${1:-latest}
folder=${2:-$HOME/.local/bin}
releases=${ASSAY_RELEASES:-https://github.com/assay-eval/assay/releases}

fail() {
  echo "install: $*" >&2
  exit 1
}

case $(uname -s) in
  Linux) os=linux ;;
  Darwin) os=darwin ;;
  MINGW* | MSYS* | CYGWIN*) os=windows ;;
  *) fail "no release for $(uname -s): want Linux, macOS or Windows, or go install" ;;
esac
case $(uname -m) in
  x86_64 | amd64) arch=amd64 ;;
  aarch64 | arm64) arch=arm64 ;;
  *) fail "no release for the processor $(uname -m): want x86-64 or arm64, or go install" ;;
esac

fetch() { curl --fail --silent --show-error --location --retry 3 "$1" --output "$2"; }

if [ "$version" = latest ]; then
  # The address of the latest release leads to that of its tag.
  version=$(curl --fail --silent --show-error --location --retry 3 --output /dev/null --write-out '%{url_effective}' "$releases/latest") ||
    fail "the latest release cannot be found at $releases"
  version=${version##*/}
fi
case $version in
  v[0-9]*) ;;
  [0-9]*) version=v$version ;;
  *) fail "version $version: expected one such as v1.4.0, or latest" ;;
esac

kind=tar.gz
program=assay
if [ "$os" = windows ]; then
  kind=zip
  program=assay.exe
fi
archive=assay_${version#v}_${os}_$arch.$kind
sums=assay_${version#v}_checksums.txt

scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
fetch "$releases/download/$version/$sums" "$scratch/$sums" || fail "release $version has no checksums at $releases"
fetch "$releases/download/$version/$archive" "$scratch/$archive" || fail "release $version has no $archive"

want=$(awk -v name="$archive" '$2 == name {print $1}' "$scratch/$sums")
[ -n "$want" ] || fail "the checksums of $version do not list $archive"
if command -v sha256sum >/dev/null; then
  got=$(sha256sum "$scratch/$archive")
else
  got=$(shasum -a 256 "$scratch/$archive")
fi
got=${got%% *}
[ "$got" = "$want" ] || fail "$archive has the checksum $got: want $want; nothing was installed"

mkdir "$scratch/unpacked"
if [ "$kind" = zip ]; then
  unzip -q "$scratch/$archive" "$program" -d "$scratch/unpacked"
else
  tar -xzf "$scratch/$archive" -C "$scratch/unpacked" "$program"
fi
mkdir -p "$folder"
# A program that runs is replaced, not written over.
mv "$scratch/unpacked/$program" "$folder/.$program.new"
mv "$folder/.$program.new" "$folder/$program"
"$folder/$program" --version
