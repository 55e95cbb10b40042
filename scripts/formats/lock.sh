#!/usr/bin/env bash
# Resolves packages and prints them as requirements with the checksum of each, for the
# Python and the system it runs on.
#
# usage: lock.sh PACKAGE==VERSION … > TOOL.txt
set -euo pipefail
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
python3 -m venv "$work/venv"
"$work/venv/bin/pip" install --quiet --disable-pip-version-check --dry-run --ignore-installed --only-binary :all: \
  --report "$work/report.json" "$@" >&2
python3 - "$work/report.json" <<'PY'
import json, sys

report = json.load(open(sys.argv[1]))
found = sorted((i["metadata"]["name"].lower(), i["metadata"]["version"], i["download_info"]["archive_info"]["hashes"]["sha256"])
               for i in report["install"])
for name, version, digest in found:
    print(f"{name}=={version} \\\n    --hash=sha256:{digest}")
PY
