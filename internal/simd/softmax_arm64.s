#include "textflag.h"
#include "neon_arm64.h"
#include "sum_arm64.h"

// POWER goes on with the polynomial of two registers of values: the sum P becomes P·r plus
// the next coefficient C.
#define POWER(C, P, Q, TOP, TOQ) \
	VMOV  C.B16, TOP.B16 \
	VMOV  C.B16, TOQ.B16 \
	VFMLA V18.S4, P.S4, TOP.S4 \
	VFMLA V22.S4, Q.S4, TOQ.S4

// EXPONENTIAL replaces eight values and leaves them in V20 and V24 too.
//
//	V18, V22  r       V19, V23  k       V20, V21, V24, V25  the polynomial
#define EXPONENTIAL \
	FLDPQ (R2), (F18, F22) \
	FSUB(4, 18, 18) \
	FSUB(4, 22, 22) \
	FMUL(5, 18, 18) \
	FMUL(5, 22, 22) \
	FMAX(6, 18, 18) \
	FMAX(6, 22, 22) \
	VMOV  V8.B16, V19.B16 \
	VMOV  V8.B16, V23.B16 \
	VFMLA V7.S4, V18.S4, V19.S4 \
	VFMLA V7.S4, V22.S4, V23.S4 \
	FSUB(8, 19, 20) \
	FSUB(8, 23, 24) \
	VFMLA V9.S4, V20.S4, V18.S4 \
	VFMLA V9.S4, V24.S4, V22.S4 \
	VFMLA V10.S4, V20.S4, V18.S4 \
	VFMLA V10.S4, V24.S4, V22.S4 \
	POWER(V12, V11, V11, V20, V24) \
	POWER(V13, V20, V24, V21, V25) \
	POWER(V14, V21, V25, V20, V24) \
	POWER(V15, V20, V24, V21, V25) \
	POWER(V16, V21, V25, V20, V24) \
	POWER(V17, V20, V24, V21, V25) \
	POWER(V17, V21, V25, V20, V24) \
	VSHL  $23, V19.S4, V19.S4 \
	VSHL  $23, V23.S4, V23.S4 \
	VADD  V19.S4, V20.S4, V20.S4 \
	VADD  V23.S4, V24.S4, V24.S4 \
	FSTPQ.P (F20, F24), 32(R2)

// The kernel passes over the row three times: the maximum; the exponentials and their sum
// in sixteen lanes; the division. Rows of the table: 0 the lowest argument, 1 1/ln 2, 2 the
// rounding constant, 3 and 4 ln 2 negated in two parts, 5…12 the Taylor coefficients from
// the highest power down, of which the last two are 1.
//
//	V0 to V3  sums      V4  maximum     V5  scale       V6 to V17  rows 0…11
//
// func softmaxNEON(x *float32, n int, scale float32, table *repeated)
TEXT ·softmaxNEON(SB), NOSPLIT, $0-32
	MOVD  x+0(FP), R0
	MOVD  n+8(FP), R1
	FMOVS scale+16(FP), F5
	MOVD  table+24(FP), R4
	VDUP  V5.S[0], V5.S4
	FMOVQ 0(R4), F6
	FMOVQ 32(R4), F7
	FMOVQ 64(R4), F8
	FMOVQ 96(R4), F9
	FMOVQ 128(R4), F10
	FMOVQ 160(R4), F11
	FMOVQ 192(R4), F12
	FMOVQ 224(R4), F13
	FMOVQ 256(R4), F14
	FMOVQ 288(R4), F15
	FMOVQ 320(R4), F16
	FMOVQ 352(R4), F17
	MOVD  R0, R2
	MOVD  R1, R3
	FLDPQ 0(R0), (F0, F1)
	FLDPQ 32(R0), (F2, F3)
maximum:
	FLDPQ.P 32(R2), (F18, F19)
	FLDPQ.P 32(R2), (F20, F21)
	FMAX(18, 0, 0)
	FMAX(19, 1, 1)
	FMAX(20, 2, 2)
	FMAX(21, 3, 3)
	SUBS  $16, R3, R3
	BGT   maximum
	FMAX(1, 0, 0)
	FMAX(3, 2, 2)
	FMAX(2, 0, 0)
	VEXT  $8, V0.B16, V0.B16, V1.B16
	FMAX(1, 0, 0)
	VEXT  $4, V0.B16, V0.B16, V1.B16
	FMAX(1, 0, 0)
	VDUP  V0.S[0], V4.S4
	VEOR  V0.B16, V0.B16, V0.B16
	VEOR  V1.B16, V1.B16, V1.B16
	VEOR  V2.B16, V2.B16, V2.B16
	VEOR  V3.B16, V3.B16, V3.B16
	MOVD  R0, R2
	MOVD  R1, R3
exponential:
	EXPONENTIAL
	FADD(20, 0, 0)
	FADD(24, 1, 1)
	EXPONENTIAL
	FADD(20, 2, 2)
	FADD(24, 3, 3)
	SUBS  $16, R3, R3
	BGT   exponential
	SUM16
	FMOVS $1.0, F1
	FDIVS F0, F1, F0
	VDUP  V0.S[0], V0.S4
division:
	FLDPQ 0(R0), (F18, F19)
	FLDPQ 32(R0), (F20, F21)
	FMUL(0, 18, 18)
	FMUL(0, 19, 19)
	FMUL(0, 20, 20)
	FMUL(0, 21, 21)
	FSTPQ.P (F18, F19), 32(R0)
	FSTPQ.P (F20, F21), 32(R0)
	SUBS  $16, R1, R1
	BGT   division
	RET
