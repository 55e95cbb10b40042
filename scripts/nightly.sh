#!/usr/bin/env bash
# Runs the slow checks: other systems, emulation, Wine, reproducible builds, published numbers,
# peers of the benches, and workers that are killed.
#
#   nightly.sh             every step
#   nightly.sh NAME...     these steps
#   nightly.sh --changed   the steps whose files changed since they last passed, as .ci/run does
#
# A step that passes on a clean working tree is recorded in .ci/passed with its commit. Commit that
# file to keep .ci/run short. A step without a record, or with an unknown commit, runs.
set -euo pipefail
cd "$(dirname "$0")/.."
export CACHE=${CACHE:-${XDG_CACHE_HOME:-$HOME/.cache}/assay-ci}
export ASSAY_SHARED=${ASSAY_SHARED:-$PWD/../shared} ASSAY_REQUIRE=all
asked=("$@") passed=.ci/passed
ran=()
for name in "$@"; do
  [ "$name" = --changed ] || grep -q "^step $name " scripts/nightly.sh || { echo "nightly.sh: unknown step $name" >&2; exit 2; }
done

wanted() { # name, pathspecs…
  local name=$1 base
  shift
  case ${asked[0]:-} in
    '') return 0 ;;
    --changed)
      base=$(awk -v name="$name" '$1 == name { print $2 }' "$passed" 2>/dev/null)
      [ -n "$base" ] && git merge-base --is-ancestor "$base" HEAD 2>/dev/null || return 0
      ! git diff --quiet "$base" HEAD -- "$@"
      ;;
    *) [[ " ${asked[*]} " == *" $name "* ]] ;;
  esac
}

step() { # name, pathspecs, command…
  local name=$1 paths=$2
  shift 2
  # shellcheck disable=SC2086 # a list
  wanted "$name" $paths || return 0
  printf '\n== %s (%ss)\n' "$name" "$SECONDS"
  ( "$@" )
  ran+=("$name")
  if [ -z "${CI:-}" ] && [ -z "$(git status --porcelain --untracked-files=no -- ':!.ci/passed')" ]; then
    { grep -v "^$name " "$passed" 2>/dev/null || true; echo "$name $(git rev-parse HEAD)"; } | sort >"$passed.part"
    mv "$passed.part" "$passed"
  fi
}

published() { go test -tags results -timeout 30m -count=1 -run TestResults "$@"; }
wine() {
  local programs
  programs=$(mktemp -d)
  bash scripts/build.sh windows amd64 "$programs/assay.exe"
  bash scripts/build.sh linux amd64 "$programs/assay"
  bash scripts/windows.sh "$ASSAY_WINE" "$programs/assay.exe" "$programs/assay"
  rm -rf "$programs"
}
systems() {
  local programs
  programs=$(mktemp -d)
  bash scripts/systems.sh "$programs"
  rm -rf "$programs"
}
arm64() { bash scripts/arm64/test.sh && python3 scripts/arm64/instructions.py --check; }
packing() { go -C tools/release vet ./... && go -C tools/release test ./...; }

bash scripts/ci-install.sh
# shellcheck source=/dev/null
source "$CACHE/env"

set -f # pathspecs are for git
# The table: a step, the files whose change runs it in .ci/run, its command.
step systems      "go.mod scripts/build.sh scripts/systems.sh *_windows*.go *_darwin*.go *_linux*.go *_unix*.go *_other*.go *_arm64* *_amd64* *.s" systems
step wine         "scripts/build.sh scripts/windows.sh *_windows*.go internal/atomic internal/process internal/filelock internal/oserror" wine
step reproducible "go.mod scripts/build.sh scripts/reproducible.sh internal/build" bash scripts/reproducible.sh
step arm64        "scripts/arm64 internal/simd rag/embed rag/index" arm64
step packing      "tools/release scripts/release.sh scripts/build.sh" packing
step peers        "bench metric/treceval metric/speech internal/text internal/simd rag/embed rag/index spans" bash bench/smoke.sh
step queue        "run store bench/queue internal/wire" bash bench/queue/run.sh smoke -seed 1
# Published numbers run where their generator or page changed; make nightly finds what else moves them.
step pages        "internal/cli/results* docs/results/retrieval.md docs/results/transcription.md docs/results/filter.md rag/*results_test.go dataset/check" published ./internal/cli ./rag ./dataset/check
step scale        "docs/results/scale.md bench/queue" go -C bench test -tags results -timeout 30m -count=1 -run TestResults ./queue
step stages       "metric/stage docs/results/attribution.md docs/results/outcome.md" published ./metric/stage
step statistics   "stats docs/results/statistics.md docs/results/corrected.md docs/results/bounds.md" published ./stats
step judges       "judge/audit judge/offline judge/pairwise judge/model/*results_test.go docs/results/offline-judge.md docs/results/c*.md docs/results/injection.md docs/results/pairwise.md docs/results/recheck.md" published ./judge/audit/attack ./judge/audit/canary ./judge/audit/certify ./judge/offline ./judge/model ./judge/pairwise
step questions    "docs/results/questions.md scripts/questions judge/offline judge/question" bash scripts/questions/check.sh "$ASSAY_SHARED" "$ASSAY_ONNX_PYTHON"

printf '\nslow checks passed: %s\n' "${ran[*]:-none had changed files}"
