#include "textflag.h"
#include "neon_arm64.h"

// Eight values of w bits take w bytes, so that every group begins at a byte. Its bytes are
// moved to the words of their values, in V1 and V2, and each word is shifted and masked.
#define GROUP \
	FMOVQ (R1), F0 \
	ADD   R3, R1, R1 \
	VTBL  V16.B16, [V0.B16], V1.B16 \
	VTBL  V17.B16, [V0.B16], V2.B16 \
	USHL(18, 1, 1) \
	USHL(19, 2, 2) \
	VAND  V20.B16, V1.B16, V1.B16 \
	VAND  V20.B16, V2.B16, V2.B16

// A shift to the right is a negative one to the left.
#define UNPACKARGUMENTS \
	MOVD  dst+0(FP), R0 \
	MOVD  data+8(FP), R1 \
	MOVD  groups+16(FP), R2 \
	MOVD  width+24(FP), R3 \
	MOVD  s+32(FP), R4 \
	FLDPQ 0(R4), (F16, F17) \
	FLDPQ 32(R4), (F18, F19) \
	FMOVQ 64(R4), F20 \
	NEG(18, 18) \
	NEG(19, 19)

// func unpackNEON(dst *uint32, data *byte, groups, width int, s *spread)
TEXT ·unpackNEON(SB), NOSPLIT, $0-40
	UNPACKARGUMENTS
group:
	GROUP
	FSTPQ.P (F1, F2), 32(R0)
	SUBS $1, R2, R2
	BNE  group
	RET

// The sums within a group take three steps: over one word, over two, and from the lower
// half to the upper.
//
// func unpackSumsNEON(dst *uint32, data *byte, groups, width int, s *spread, before uint32)
TEXT ·unpackSumsNEON(SB), NOSPLIT, $0-44
	UNPACKARGUMENTS
	MOVWU before+40(FP), R5
	MOVD  $1, R6
	VDUP  R5, V21.S4
	VDUP  R6, V22.S4
	VEOR  V23.B16, V23.B16, V23.B16
group:
	GROUP
	VADD  V22.S4, V1.S4, V1.S4
	VADD  V22.S4, V2.S4, V2.S4
	VEXT  $12, V1.B16, V23.B16, V3.B16
	VEXT  $12, V2.B16, V23.B16, V4.B16
	VADD  V3.S4, V1.S4, V1.S4
	VADD  V4.S4, V2.S4, V2.S4
	VEXT  $8, V1.B16, V23.B16, V3.B16
	VEXT  $8, V2.B16, V23.B16, V4.B16
	VADD  V3.S4, V1.S4, V1.S4
	VADD  V4.S4, V2.S4, V2.S4
	VDUP  V1.S[3], V3.S4
	VADD  V3.S4, V2.S4, V2.S4
	VDUP  V2.S[3], V3.S4
	VADD  V21.S4, V1.S4, V1.S4
	VADD  V21.S4, V2.S4, V2.S4
	VADD  V3.S4, V21.S4, V21.S4
	FSTPQ.P (F1, F2), 32(R0)
	SUBS  $1, R2, R2
	BNE   group
	RET
