#!/usr/bin/env bash
# Measures what the changes of questions did: the offline judge rules on the items before and after,
# the scores of the small model are those of scores.jsonl.xz, and a model of a provider is asked if it
# is named. Prints the tables of docs/results/questions.md.
#
# usage: compare.sh SHARED FOLDER [PROVIDER:MODEL [URL]]
#
# FOLDER keeps the rulings by judge and commit; what a commit ruled is not asked again. Python has numpy.
set -euo pipefail
before=af326c018cb7
here=$(cd "$(dirname "$0")" && pwd)
cd "$here/../.."
after=$(git describe --always --dirty --exclude='*' --abbrev=12)
shared=$1 folder=$2
shift 2
mkdir -p "$folder"
tree=$(mktemp -d)
trap 'git worktree remove --force "$tree/before" 2>/dev/null || true; rm -rf "$tree"' EXIT
git worktree add --quiet --detach "$tree/before" "$before" >&2
mkdir -p "$tree/before/scripts/questions"
cp -r scripts/questions/ask "$tree/before/scripts/questions/"
go build -o "$tree/items" ./scripts/questions/items
go build -o "$tree/ask-after" ./scripts/questions/ask
(cd "$tree/before" && go build -o "$tree/ask-before" ./scripts/questions/ask)
"$tree/items" "$shared" >"$folder/items.jsonl"

# rule has a judge rule on the items with both versions.
rule() {
  local name=$1 when file files=()
  shift
  for when in before after; do
    file=$folder/$name-${!when}.jsonl
    if [ ! -e "$file" ] || [[ $file == *-dirty.jsonl ]]; then
      "$tree/ask-$when" rulings "$@" <"$folder/items.jsonl" >"$file.part"
      mv "$file.part" "$file"
    fi
    files+=("$file")
  done
  pairs+=("$name=${files[0]},${files[1]}")
}

pairs=()
rule offline
if [ $# -gt 0 ]; then
  rule "${1//[^A-Za-z0-9.-]/-}" "$@"
fi
python3 "$here/measure.py" "$folder/items.jsonl" "$here/scores.jsonl.xz" "${pairs[@]}"
