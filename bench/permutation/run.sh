#!/usr/bin/env bash
# 100,000 permutations of 10,000 paired cases under 10 metrics, with intervals,
# beside the same test one sign at a time. Goal: under 3 s on 2 cores.
set -euo pipefail
cd "$(dirname "$0")/../.."
go run ./bench/permutation "$@"
