#!/usr/bin/env bash
# Builds Ollama 0.17.4, a server that speaks its own protocol and that of
# OpenAI, from source into CACHE, once for each kind of processor, and prints
# where the program is. Go verifies its source and that of its modules; the C++
# headers that Go modules cannot carry (a folder named vendor is left out of
# them) come from two Debian packages and one of npm.
#
# usage: ollama.sh CACHE
set -euo pipefail
cache=$(mkdir -p "${1:?a folder}" && cd "$1" && pwd)

# The program uses what this processor has (4 to 10 times faster), so one that a
# cache carried over from another processor must not be found.
processor=$(gcc -march=native -Q --help=target 2>/dev/null | sha256sum | cut -c1-12)
folder=$cache/ollama-0.17.4-$processor
if [ ! -x "$folder/ollama" ]; then
  rm -rf "$folder.part"
  mkdir -p "$folder.part/include/miniaudio"
  cd "$folder.part"

  apt-get -qq -o APT::Sandbox::User=root download nlohmann-json3-dev=3.11.2-2 'libstb-dev=0.0~git20220908.8b5f1f3+ds-1' >&2 || {
    apt-get update -qq >&2
    apt-get -qq -o APT::Sandbox::User=root download nlohmann-json3-dev=3.11.2-2 'libstb-dev=0.0~git20220908.8b5f1f3+ds-1' >&2
  }
  npm pack --silent nodejs-whisper@0.3.1 >&2
  sha256sum --check --quiet >&2 <<SUMS
ec57940def6b6186c30be0e0ee81d1e58f86d11a54a145b28686a1e3e4aae801  $(echo nlohmann-json3-dev_*.deb)
4f85f82942c61845ac96d64d722ef1b2f4897d6662cb98bc5ff78596b8fbb144  $(echo libstb-dev_*.deb)
92041caf2b26c74b7f489fedf37bd093f216eebd61df512045ec2d19d0531d37  nodejs-whisper-0.3.1.tgz
SUMS
  for package in *.deb; do dpkg-deb --extract "$package" debian; done
  mv debian/usr/include/{nlohmann,stb} include/
  tar -xzOf nodejs-whisper-0.3.1.tgz package/cpp/whisper.cpp/examples/miniaudio.h >include/miniaudio/miniaudio.h

  sum=h1:X3KNm9x4BlHqk/AXMGtC7pBAFd46nmJmy8yDaBZLo9s=
  go mod download -json github.com/ollama/ollama@v0.17.4 | grep --quiet --fixed-strings "\"Sum\": \"$sum\"" || {
    echo "ollama.sh: the source of ollama v0.17.4 is not the one that was pinned: want $sum" >&2
    exit 1
  }
  # Go builds no file of ggml/src/ggml-cpu/amx, which ggml calls where the processor has AMX.
  fast="-O3 -march=native -mno-amx-tile -mno-amx-int8 -mno-amx-bf16 -w"
  GOBIN=$PWD CGO_ENABLED=1 CGO_CPPFLAGS="-I$PWD/include" CGO_CFLAGS=$fast CGO_CXXFLAGS=$fast \
    nice go install -trimpath github.com/ollama/ollama@v0.17.4 >&2
  rm -rf debian include ./*.deb ./*.tgz
  mv "$folder.part" "$folder"
fi
echo "$folder/ollama"
