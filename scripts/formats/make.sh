#!/usr/bin/env bash
# Has a tool write the files that the tests of its format read, into
# dataset/testdata/TOOL, with the versions of what wrote them in versions.txt. Packages
# are pinned by version and checksum (lock.sh), for Python 3.11 on Linux (x86-64).
#
# usage: make.sh TOOL CACHE
#   TOOL is parquet, deepeval, ragas, langsmith, langfuse, mlflow, trulens or promptfoo
set -euo pipefail
here=$(cd "$(dirname "$0")" && pwd)
tool=${1:?a tool} cache=${2:?a folder}
out="$here/../../dataset/testdata/$tool"
out=$(mkdir -p "$out" && cd "$out" && pwd)
if [ "$tool" = promptfoo ]; then
  exec bash "$here/promptfoo.sh" "$cache" "$out"
fi
python=$(bash "$here/../minilm/venv.sh" "$here/$tool.txt" "$cache" | tail -n 1)
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
# Tools write folders of their own beside what they are asked for, and report home
# unless they are told not to.
export HOME="$work" DEEPEVAL_TELEMETRY_OPT_OUT=YES RAGAS_DO_NOT_TRACK=true MLFLOW_DISABLE_TELEMETRY=true DO_NOT_TRACK=true \
  HF_HUB_OFFLINE=1 HF_DATASETS_OFFLINE=1
(cd "$work" && "$python" -P "$here/$tool.py" "$out")
