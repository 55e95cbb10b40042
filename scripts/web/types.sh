#!/usr/bin/env bash
# Checks the types of the scripts of the pages (internal/web/static) with the TypeScript that
# scripts/server/clients.sh installs, pinned, into the folder CLIENTS. It makes no files: what is
# served is what is written.
#
# usage: types.sh CLIENTS
set -euo pipefail
clients=${1:?the folder that clients.sh prints}
cd "$(dirname "$0")"
exec node "$clients/node_modules/typescript/bin/tsc" -p tsconfig.json
