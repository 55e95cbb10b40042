#!/usr/bin/env bash
# Writes the generated pages: docs/metrics from the definitions of the metrics,
# docs/cli.md from the commands, docs/presets.md from the presets, docs/formats.md
# from the formats of datasets, docs/settings.json from the settings, and the tables between
# markers in other pages. With --check it fails when they are not current, as go test does.
set -euo pipefail
cd "$(dirname "$0")/.."
[ "${1:-}" = --check ] || export ASSAY_UPDATE=1
go test -count=1 -run '^TestReference$' ./internal/cli
