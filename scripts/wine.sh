#!/usr/bin/env bash
# Prepares a prefix of Wine in which programs of Go start, in the folder of the first
# argument, and prints that folder. Needs wine64 and binutils-mingw-w64-x86-64.
#
# Go takes random numbers from ProcessPrng of bcryptprimitives.dll, which Wine has from
# version 9 on. For older ones a library is made that passes the call on to the function of
# the same arguments that Windows had before, RtlGenRandom: its name in advapi32.dll is
# SystemFunction036.
set -euo pipefail
folder=$1
mkdir -p "$folder"
folder=$(realpath "$folder")
export WINEDEBUG=-all WINEPREFIX=$folder/prefix
library=$WINEPREFIX/drive_c/windows/system32/bcryptprimitives.dll
if [ ! -e "$library" ]; then
  WINEDLLOVERRIDES='mscoree,mshtml=' /usr/lib/wine/wine64 wineboot --init >&2 || true
  WINEPREFIX=$folder/prefix wineserver -w || true
fi
if [ ! -e "$library" ]; then
  printf 'LIBRARY bcryptprimitives.dll\nEXPORTS\n  ProcessPrng = advapi32.SystemFunction036\n' >"$folder/prng.def"
  printf '.globl DllMainCRTStartup\nDllMainCRTStartup: mov $1, %%eax\nret\n' | x86_64-w64-mingw32-as -o "$folder/entry.o"
  x86_64-w64-mingw32-ld --shared -s -e DllMainCRTStartup -o "$library" "$folder/prng.def" "$folder/entry.o"
fi
echo "$folder"
