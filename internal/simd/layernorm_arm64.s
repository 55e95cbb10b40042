#include "textflag.h"
#include "neon_arm64.h"
#include "sum_arm64.h"

// The kernel passes over the row three times: the bias and the sum; the sum of squares
// about the mean; the result. Sums are kept in sixteen lanes, those of V0 to V3.
//
// func layerNormNEON(x, bias, gain, shift *float32, n int, epsilon float32)
TEXT ·layerNormNEON(SB), NOSPLIT, $0-44
	MOVD x+0(FP), R0
	MOVD bias+8(FP), R1
	MOVD gain+16(FP), R2
	MOVD shift+24(FP), R3
	MOVD n+32(FP), R4
	SCVTFS R4, F30
	VEOR V0.B16, V0.B16, V0.B16
	VEOR V1.B16, V1.B16, V1.B16
	VEOR V2.B16, V2.B16, V2.B16
	VEOR V3.B16, V3.B16, V3.B16
	MOVD R0, R5
	MOVD R4, R6
sum:
	FLDPQ 0(R5), (F4, F5)
	FLDPQ 32(R5), (F6, F7)
	FLDPQ.P 32(R1), (F8, F9)
	FLDPQ.P 32(R1), (F10, F11)
	FADD(8, 4, 4)
	FADD(9, 5, 5)
	FADD(10, 6, 6)
	FADD(11, 7, 7)
	FSTPQ.P (F4, F5), 32(R5)
	FSTPQ.P (F6, F7), 32(R5)
	FADD(4, 0, 0)
	FADD(5, 1, 1)
	FADD(6, 2, 2)
	FADD(7, 3, 3)
	SUBS $16, R6, R6
	BGT  sum
	SUM16
	FDIVS F30, F0, F0
	VDUP V0.S[0], V28.S4
	VEOR V0.B16, V0.B16, V0.B16
	VEOR V1.B16, V1.B16, V1.B16
	VEOR V2.B16, V2.B16, V2.B16
	VEOR V3.B16, V3.B16, V3.B16
	MOVD R0, R5
	MOVD R4, R6
square:
	FLDPQ.P 32(R5), (F4, F5)
	FLDPQ.P 32(R5), (F6, F7)
	FSUB(28, 4, 4)
	FSUB(28, 5, 5)
	FSUB(28, 6, 6)
	FSUB(28, 7, 7)
	VFMLA V4.S4, V4.S4, V0.S4
	VFMLA V5.S4, V5.S4, V1.S4
	VFMLA V6.S4, V6.S4, V2.S4
	VFMLA V7.S4, V7.S4, V3.S4
	SUBS $16, R6, R6
	BGT  square
	SUM16
	FDIVS F30, F0, F0
	FMOVS epsilon+40(FP), F1
	FADDS F1, F0, F0
	FSQRTS F0, F0
	FMOVS $1.0, F1
	FDIVS F0, F1, F0
	VDUP V0.S[0], V29.S4
result:
	FLDPQ 0(R0), (F4, F5)
	FLDPQ 32(R0), (F6, F7)
	FLDPQ.P 32(R2), (F8, F9)
	FLDPQ.P 32(R2), (F10, F11)
	FLDPQ.P 32(R3), (F12, F13)
	FLDPQ.P 32(R3), (F14, F15)
	FSUB(28, 4, 4)
	FSUB(28, 5, 5)
	FSUB(28, 6, 6)
	FSUB(28, 7, 7)
	FMUL(29, 4, 4)
	FMUL(29, 5, 5)
	FMUL(29, 6, 6)
	FMUL(29, 7, 7)
	VFMLA V8.S4, V4.S4, V12.S4
	VFMLA V9.S4, V5.S4, V13.S4
	VFMLA V10.S4, V6.S4, V14.S4
	VFMLA V11.S4, V7.S4, V15.S4
	FSTPQ.P (F12, F13), 32(R0)
	FSTPQ.P (F14, F15), 32(R0)
	SUBS $16, R4, R4
	BGT  result
	RET
