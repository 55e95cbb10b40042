#!/usr/bin/env bash
# Draws the pictures of the README into docs/pictures: the pages of the quickstart in
# Chromium. Needs chromium, curl and python3.
#
# usage: pictures.sh
set -euo pipefail
cd "$(dirname "$0")/../.."
dir=$(mktemp -d)
trap 'kill "$server" 2>/dev/null || true; rm -rf "$dir"' EXIT
go build -o "$dir/assay" ./cmd/assay
(cd "$dir" && HOME=$dir ./assay quickstart >/dev/null)
(cd "$dir" && HOME=$dir exec ./assay view --no-browser --addr 127.0.0.1:0 --store results/quickstart/assay.db 2>"$dir/log") &
server=$!
until base=$(grep -o 'http://[0-9.:]*' "$dir/log" 2>/dev/null); do sleep 0.2; done
id() { curl -s "$base/api/v1/runs?name=$1" | python3 -c 'import json, sys; print(json.load(sys.stdin)["items"][0]["run_id"])'; }
sparse=$(id sparse) hybrid=$(id hybrid)
mkdir -p docs/pictures
draw() {
  timeout 60 chromium --headless --no-sandbox --disable-gpu --hide-scrollbars --virtual-time-budget=5000 --window-size="$3" \
    --screenshot="docs/pictures/$1.png" "$base$2" 2>/dev/null
}
draw compare "/compare?runs=$sparse,$hybrid" 1280,860
draw cases "/runs/$hybrid/cases?q=answer%3Awrong&sort=support" 1280,860
draw case "/runs/$hybrid/cases/q12?q=answer%3Awrong&sort=support" 1280,860
