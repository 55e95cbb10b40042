#!/usr/bin/env bash
# A judged run beside ragas, deepeval and promptfoo: processor time, and what each sends to a
# judge. The peers are installed into the cache folder: those in Python at the versions and
# hashes of requirements-*.txt, promptfoo at that of package.json with what it needs as of the
# day below. With -alone none is installed or run.
set -euo pipefail
cd "$(dirname "$0")/../.."
CACHE=${CACHE:-${XDG_CACHE_HOME:-$HOME/.cache}/assay-ci}
peers=()
if [[ " $* " != *" -alone "* ]]; then
  for peer in ragas deepeval; do
    requirements="bench/judged/requirements-$peer.txt"
    venv="$CACHE/$peer-$(sha256sum "$requirements" | cut -c1-12)"
    if [ ! -e "$venv/installed" ]; then
      rm -rf "$venv"
      python3 -m venv "$venv"
      "$venv/bin/pip" install --quiet --require-hashes -r "$requirements"
      touch "$venv/installed"
    fi
    peers+=("-$peer" "$venv/bin/python")
  done
  day=2026-11-20
  folder="$CACHE/promptfoo-$(echo "$day" | cat - bench/judged/package.json | sha256sum | cut -c1-12)"
  if [ ! -e "$folder/installed" ]; then
    rm -rf "$folder"
    mkdir -p "$folder"
    cp bench/judged/package.json "$folder"
    npm install --prefix "$folder" --before "$day" --omit=optional --omit=peer --ignore-scripts --no-audit --no-fund --loglevel error
    touch "$folder/installed"
  fi
  peers+=(-promptfoo "$folder")
fi
mkdir -p "$CACHE/bin"
go build -o "$CACHE/bin/assay" ./cmd/assay
bash bench/program.sh judged -assay "$CACHE/bin/assay" "${peers[@]}" "$@"
