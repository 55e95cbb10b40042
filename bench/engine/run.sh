#!/usr/bin/env bash
# What the engine and the store cost for each case, beside bare inserts.
set -euo pipefail
cd "$(dirname "$0")/../.."
bash bench/program.sh engine "$@"
