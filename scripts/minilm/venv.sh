#!/usr/bin/env bash
# Makes a virtual environment from a file of requirements in a folder and prints
# where its Python is.
#
# usage: venv.sh REQUIREMENTS CACHE
set -euo pipefail
requirements=${1:?a file of requirements}
cache=$(mkdir -p "${2:?a folder}" && cd "$2" && pwd)
venv="$cache/venv-$(sha256sum "$requirements" | cut -c1-12)"
if [ ! -e "$venv/installed" ]; then
  rm -rf "$venv"
  python3 -m venv "$venv" >&2
  "$venv/bin/pip" install --quiet --disable-pip-version-check -r "$requirements" >&2
  touch "$venv/installed"
fi
echo "$venv/bin/python"
