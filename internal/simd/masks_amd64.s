#include "textflag.h"

// Sixteen ones and sixteen zeros: the eight lanes from word 16-n on are the
// mask of the first eight of n values, those from word 24-n on the mask of the
// second eight.
DATA ·masks+0x00(SB)/8, $-1
DATA ·masks+0x08(SB)/8, $-1
DATA ·masks+0x10(SB)/8, $-1
DATA ·masks+0x18(SB)/8, $-1
DATA ·masks+0x20(SB)/8, $-1
DATA ·masks+0x28(SB)/8, $-1
DATA ·masks+0x30(SB)/8, $-1
DATA ·masks+0x38(SB)/8, $-1
DATA ·masks+0x40(SB)/8, $0
DATA ·masks+0x48(SB)/8, $0
DATA ·masks+0x50(SB)/8, $0
DATA ·masks+0x58(SB)/8, $0
DATA ·masks+0x60(SB)/8, $0
DATA ·masks+0x68(SB)/8, $0
DATA ·masks+0x70(SB)/8, $0
DATA ·masks+0x78(SB)/8, $0
GLOBL ·masks(SB), RODATA|NOPTR, $128
