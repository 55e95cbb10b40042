#!/usr/bin/env bash
# Builds the program twice, from copies of the source in two folders of different length,
# the second time without the cache of the first, and fails unless
# both are the same to the last byte.
set -euo pipefail
cd "$(dirname "$0")/.."
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
for copy in a a-longer-name/b; do
  mkdir -p "$work/$copy"
  git ls-files -z --cached --others --exclude-standard | tar --null --ignore-failed-read -cf - -T - | tar -xf - -C "$work/$copy"
done
build() { ASSAY_VERSION=v0.0.0-reproducible SOURCE_DATE_EPOCH=1767225600 bash "$work/$1/scripts/build.sh" linux amd64 "$2" "${@:3}"; }
build a "$work/first"
# -a builds every package anew, so that nothing comes from the cache that the first has filled.
build a-longer-name/b "$work/second" -a
if ! cmp "$work/first" "$work/second"; then
  echo "the program depends on where or when it is built: want no path, time or order of a map in what is compiled or generated" >&2
  exit 1
fi
sha256sum "$work/first" | sed "s|$work/first|assay for linux/amd64, built twice in two folders|"
