#!/usr/bin/env bash
# Chooses versions for frameworks.in and stores.in anew and writes them with their checksums
# to frameworks.txt and stores.txt, for Python 3.11 on Linux (x86-64).
#
# usage: lock.sh CACHE
set -euo pipefail
here=$(cd "$(dirname "$0")" && pwd)
cache=$(mkdir -p "${1:?a folder}" && cd "$1" && pwd)
[ -x "$cache/lock/bin/uv" ] || { python3 -m venv "$cache/lock" && "$cache/lock/bin/pip" install --quiet uv==0.13.6; }
for name in frameworks stores; do
  "$cache/lock/bin/uv" pip compile --quiet --no-header --no-annotate --python-version 3.11 --no-build \
    "$here/$name.in" -o "$cache/$name.pins"
  # The checksum of the one file that is installed here, not of those for every machine.
  "$cache/lock/bin/pip" install --quiet --dry-run --ignore-installed --no-deps \
    --report "$cache/$name.json" -r "$cache/$name.pins"
  python3 - "$cache/$name.json" >"$here/$name.txt" <<'PYTHON'
import json, sys
for item in json.load(open(sys.argv[1]))["install"]:
    of, file = item["metadata"], item["download_info"]["archive_info"]
    print(f"{of['name'].lower().replace('_', '-')}=={of['version']} \\\n    --hash=sha256:{file['hashes']['sha256']}")
PYTHON
done
