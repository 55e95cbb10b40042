#!/usr/bin/env bash
# Installs the emulator and the assembler that the checks for arm64 need, unless they are there.
set -euo pipefail
missing=()
command -v qemu-aarch64 >/dev/null && command -v qemu-riscv64 >/dev/null || missing+=(qemu-user)
command -v aarch64-linux-gnu-as >/dev/null || missing+=(binutils-aarch64-linux-gnu)
if [ ${#missing[@]} -gt 0 ]; then
  apt-get update -qq
  DEBIAN_FRONTEND=noninteractive apt-get install -y -qq --no-install-recommends "${missing[@]}" >/dev/null
fi
