#!/usr/bin/env bash
# Checks that the recogniser of Debian is there in the version whose transcripts
# are known, with its model of English and a voice that synthesises, and prints the
# recogniser's path. scripts/ci-install.sh installs the packages.
#
# usage: pocketsphinx.sh
set -euo pipefail

# The transcripts of the shared recordings were made by this version.
version=0.8+5prealpha+1
for package in pocketsphinx pocketsphinx-en-us; do
  is=$(dpkg-query --show --showformat '${Version}' "$package")
  case $is in
    "$version"-*) ;;
    *) echo "$package is $is: want $version" >&2; exit 1 ;;
  esac
done
flite -lv | grep -q slt || { echo "flite has no voice slt" >&2; exit 1; }
command -v pocketsphinx_continuous
