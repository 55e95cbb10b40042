#include "textflag.h"
#include "neon_arm64.h"

// The kernel keeps a tile of 6 rows and 16 columns of the result in registers and adds to
// it, for every k, column k of a times row k of b. The 32 columns are done in two halves.
//
//	V0 to V5    values k to k+3 of a, one register a row
//	V6, V7      columns of row k of b
//	V8 to V31   the tile, four registers a row
//
//	R0  c       R1  bytes in a row of c     R2  add     R3  bytes in a row of add
//	R4  b       R5  depth left      R6 to R11  rows of a       R12  halves left

// COLUMNS adds value k of each row of a times four columns of b to the tile.
#define COLUMNS(k, b, c) \
	FMLA(k, 0, b, 8+c) \
	FMLA(k, 1, b, 12+c) \
	FMLA(k, 2, b, 16+c) \
	FMLA(k, 3, b, 20+c) \
	FMLA(k, 4, b, 24+c) \
	FMLA(k, 5, b, 28+c)

#define STEP(k, row) \
	FLDPQ row(R4), (F6, F7) \
	COLUMNS(k, 6, 0) \
	COLUMNS(k, 7, 1) \
	FLDPQ row+32(R4), (F6, F7) \
	COLUMNS(k, 6, 2) \
	COLUMNS(k, 7, 3)

#define LOAD(A, B, C, D) \
	FLDPQ 0(R13), (A, B) \
	FLDPQ 32(R13), (C, D) \
	ADD   R3, R13, R13

#define STORE(A, B, C, D) \
	FSTPQ (A, B), 0(R13) \
	FSTPQ (C, D), 32(R13) \
	ADD   R1, R13, R13

// func tile6NEON(c *float32, ldc int, add *float32, ldadd int, a *float32, lda int, b *float32, depth int)
TEXT ·tile6NEON(SB), NOSPLIT, $0-64
	MOVD c+0(FP), R0
	MOVD ldc+8(FP), R1
	MOVD add+16(FP), R2
	MOVD ldadd+24(FP), R3
	MOVD b+48(FP), R4
	MOVD $2, R12
	LSL  $2, R1, R1
	LSL  $2, R3, R3
half:
	MOVD a+32(FP), R6
	MOVD lda+40(FP), R13
	ADD  R13<<2, R6, R7
	ADD  R13<<2, R7, R8
	ADD  R13<<2, R8, R9
	ADD  R13<<2, R9, R10
	ADD  R13<<2, R10, R11
	MOVD depth+56(FP), R5
	MOVD R2, R13
	LOAD(F8, F9, F10, F11)
	LOAD(F12, F13, F14, F15)
	LOAD(F16, F17, F18, F19)
	LOAD(F20, F21, F22, F23)
	LOAD(F24, F25, F26, F27)
	LOAD(F28, F29, F30, F31)
	SUBS $4, R5, R5
	BLT  rest
four:
	FMOVQ.P 16(R6), F0
	FMOVQ.P 16(R7), F1
	FMOVQ.P 16(R8), F2
	FMOVQ.P 16(R9), F3
	FMOVQ.P 16(R10), F4
	FMOVQ.P 16(R11), F5
	STEP(0, 0)
	STEP(1, 128)
	STEP(2, 256)
	STEP(3, 384)
	ADD  $512, R4, R4
	SUBS $4, R5, R5
	BGE  four
rest:
	ADDS $4, R5, R5
	BEQ  store
one:
	FMOVS.P 4(R6), F0
	FMOVS.P 4(R7), F1
	FMOVS.P 4(R8), F2
	FMOVS.P 4(R9), F3
	FMOVS.P 4(R10), F4
	FMOVS.P 4(R11), F5
	STEP(0, 0)
	ADD  $128, R4, R4
	SUBS $1, R5, R5
	BNE  one
store:
	MOVD R0, R13
	STORE(F8, F9, F10, F11)
	STORE(F12, F13, F14, F15)
	STORE(F16, F17, F18, F19)
	STORE(F20, F21, F22, F23)
	STORE(F24, F25, F26, F27)
	STORE(F28, F29, F30, F31)
	SUBS $1, R12, R12
	BEQ  done
	ADD  $64, R0, R0
	ADD  $64, R2, R2
	MOVD b+48(FP), R4
	ADD  $64, R4, R4
	B    half
done:
	RET
