#!/usr/bin/env bash
# Exact search over 200,000 vectors of 384 numbers beside reading them once.
set -euo pipefail
cd "$(dirname "$0")/../.."
go run ./bench/dense "$@"
