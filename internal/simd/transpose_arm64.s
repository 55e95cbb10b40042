#include "textflag.h"

// FOUR moves a block of 4 rows, in the registers A to D, to 4 columns from offset to of R3
// on: pairs of rows are interleaved, then pairs of pairs.
#define FOUR(A, B, C, D, to) \
	VTRN1 B.S4, A.S4, V16.S4 \
	VTRN2 B.S4, A.S4, V17.S4 \
	VTRN1 D.S4, C.S4, V18.S4 \
	VTRN2 D.S4, C.S4, V19.S4 \
	VTRN1 V18.D2, V16.D2, V20.D2 \
	VTRN1 V19.D2, V17.D2, V21.D2 \
	VTRN2 V18.D2, V16.D2, V22.D2 \
	VTRN2 V19.D2, V17.D2, V23.D2 \
	FMOVQ F20, to(R3) \
	FMOVQ F21, to+128(R3) \
	FMOVQ F22, to+256(R3) \
	FMOVQ F23, to+384(R3)

// func transpose32NEON(dst, src *float32)
TEXT ·transpose32NEON(SB), NOSPLIT, $0-16
	MOVD dst+0(FP), R0
	MOVD src+8(FP), R1
	MOVD $8, R2
rows:
	MOVD R0, R3
	MOVD $4, R4
columns:
	FLDPQ 0(R1), (F0, F1)
	FLDPQ 128(R1), (F2, F3)
	FLDPQ 256(R1), (F4, F5)
	FLDPQ 384(R1), (F6, F7)
	FOUR(V0, V2, V4, V6, 0)
	FOUR(V1, V3, V5, V7, 512)
	ADD  $32, R1, R1
	ADD  $1024, R3, R3
	SUBS $1, R4, R4
	BNE  columns
	ADD  $384, R1, R1
	ADD  $16, R0, R0
	SUBS $1, R2, R2
	BNE  rows
	RET
