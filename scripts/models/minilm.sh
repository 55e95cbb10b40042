#!/usr/bin/env bash
# Imports the weights of all-MiniLM-L6-v2 into a folder of models of Ollama under
# the name all-minilm, once, and prints the folder. It is the model that assay has
# built in, computed by another program.
#
# usage: minilm.sh CACHE OLLAMA
set -euo pipefail
here=$(cd "$(dirname "$0")" && pwd)
cache=$(mkdir -p "${1:?a folder}" && cd "$1" && pwd)
ollama=${2:?the program that ollama.sh made}

if [ ! -d "$cache/all-minilm" ]; then
  weights=$(bash "$here/../minilm/fetch.sh" weights "$cache" | tail -n 1)
  work=$(mktemp -d)
  trap 'rm -rf "$work"' EXIT
  # Ollama's import takes the files of all folders by their last names, and of two config.json it
  # keeps whichever it reads last: how vectors are pooled is moved to the model's own configuration.
  cp -r "$weights" "$work/model"
  python3 - "$work/model" <<'PYTHON'
import json, pathlib, sys
model = pathlib.Path(sys.argv[1])
read = lambda name: json.loads((model / name).read_text())
(model / "config.json").write_text(json.dumps(read("config.json") | read("1_Pooling/config.json")))
modules = [m | {"path": "." if m["path"] == "1_Pooling" else m["path"]} for m in read("modules.json")]
(model / "modules.json").write_text(json.dumps(modules))
PYTHON
  rm -r "$work/model/1_Pooling"
  # 512 is what the model has positions for; sentence-transformers reads 256.
  printf 'FROM %s\nPARAMETER num_thread 1\nPARAMETER num_ctx 256\n' "$work/model" >"$work/Modelfile"
  bash "$here/import.sh" "$ollama" all-minilm "$work/Modelfile" "$cache/all-minilm"
fi
echo "$cache/all-minilm"
