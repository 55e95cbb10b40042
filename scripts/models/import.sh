#!/usr/bin/env bash
# Imports a model into a new folder of models of Ollama. An import needs a server;
# it gets a port that is free, and a home of its own.
#
# usage: import.sh OLLAMA NAME MODELFILE FOLDER
set -euo pipefail
ollama=${1:?the program that ollama.sh made} name=${2:?the name of the model} modelfile=${3:?a Modelfile} folder=${4:?a new folder}

work=$(mktemp -d)
server=
trap '[ -z "$server" ] || kill "$server" 2>/dev/null || true; rm -rf "$work"' EXIT
port=$(python3 -c 'import socket; s = socket.socket(); s.bind(("127.0.0.1", 0)); print(s.getsockname()[1])')
rm -rf "$folder.part"
export HOME=$work OLLAMA_HOST=127.0.0.1:$port OLLAMA_MODELS=$folder.part
"$ollama" serve >"$work/log" 2>&1 &
server=$!
for _ in $(seq 100); do
  "$ollama" list >/dev/null 2>&1 && break
  kill -0 "$server" 2>/dev/null || { cat "$work/log" >&2; exit 1; }
  sleep 0.2
done
"$ollama" create "$name" -f "$modelfile" >"$work/create" 2>&1 || { cat "$work/create" "$work/log" >&2; exit 1; }
kill "$server"
wait "$server" 2>/dev/null || true
server=
mv "$folder.part" "$folder"
