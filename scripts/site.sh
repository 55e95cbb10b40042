#!/usr/bin/env bash
# Builds the documentation as a site of static pages, which any host serves and a browser
# opens from the disk too. A warning is an error: a link that leads nowhere, a page that the
# table of contents in scripts/site/conf.py lacks. Keeps its tools in CACHE.
#
# usage: site.sh OUT
set -euo pipefail
cd "$(dirname "$0")/.."
out=${1:?the folder of the site}
cache=${CACHE:-${XDG_CACHE_HOME:-$HOME/.cache}/assay}/site
python=$(bash scripts/minilm/venv.sh scripts/site/requirements.txt "$cache" | tail -n 1)
rm -rf "$out"
"$python" -m sphinx -b html -c scripts/site -d "$cache/doctrees" -q -E -W --keep-going docs "$out"
