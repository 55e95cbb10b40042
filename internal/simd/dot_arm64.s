#include "textflag.h"
#include "neon_arm64.h"
#include "sum_arm64.h"

// PART adds the products of 32 values to eight registers.
#define PART(T0, T1, T2, T3, T4, T5, T6, T7) \
	FLDPQ.P 32(R0), (F16, F17) \
	FLDPQ.P 32(R1), (F24, F25) \
	FLDPQ.P 32(R0), (F18, F19) \
	FLDPQ.P 32(R1), (F26, F27) \
	FLDPQ.P 32(R0), (F20, F21) \
	FLDPQ.P 32(R1), (F28, F29) \
	FLDPQ.P 32(R0), (F22, F23) \
	FLDPQ.P 32(R1), (F30, F31) \
	VFMLA   V24.S4, V16.S4, T0 \
	VFMLA   V25.S4, V17.S4, T1 \
	VFMLA   V26.S4, V18.S4, T2 \
	VFMLA   V27.S4, V19.S4, T3 \
	VFMLA   V28.S4, V20.S4, T4 \
	VFMLA   V29.S4, V21.S4, T5 \
	VFMLA   V30.S4, V22.S4, T6 \
	VFMLA   V31.S4, V23.S4, T7

// ROW adds the products of 16 values.
#define ROW(A, B) \
	FLDPQ.P 32(A), (F16, F17) \
	FLDPQ.P 32(B), (F24, F25) \
	FLDPQ.P 32(A), (F18, F19) \
	FLDPQ.P 32(B), (F26, F27) \
	VFMLA   V24.S4, V16.S4, V0.S4 \
	VFMLA   V25.S4, V17.S4, V1.S4 \
	VFMLA   V26.S4, V18.S4, V2.S4 \
	VFMLA   V27.S4, V19.S4, V3.S4

// The kernel keeps 64 partial sums, value i going to sum i%64 while whole blocks of 64 last
// and to sum i%16 after that, and adds them up in the order of the kernels for x86-64.
//
// func dotNEON(a, b *float32, n int, last *[2][lanes]float32) float32
TEXT ·dotNEON(SB), NOSPLIT, $0-36
	MOVD a+0(FP), R0
	MOVD b+8(FP), R1
	MOVD n+16(FP), R2
	MOVD last+24(FP), R3
	VEOR V0.B16, V0.B16, V0.B16
	VEOR V1.B16, V1.B16, V1.B16
	VEOR V2.B16, V2.B16, V2.B16
	VEOR V3.B16, V3.B16, V3.B16
	VEOR V4.B16, V4.B16, V4.B16
	VEOR V5.B16, V5.B16, V5.B16
	VEOR V6.B16, V6.B16, V6.B16
	VEOR V7.B16, V7.B16, V7.B16
	VEOR V8.B16, V8.B16, V8.B16
	VEOR V9.B16, V9.B16, V9.B16
	VEOR V10.B16, V10.B16, V10.B16
	VEOR V11.B16, V11.B16, V11.B16
	VEOR V12.B16, V12.B16, V12.B16
	VEOR V13.B16, V13.B16, V13.B16
	VEOR V14.B16, V14.B16, V14.B16
	VEOR V15.B16, V15.B16, V15.B16
	SUBS $64, R2, R2
	BLT  rest
block:
	PART(V0.S4, V1.S4, V2.S4, V3.S4, V4.S4, V5.S4, V6.S4, V7.S4)
	PART(V8.S4, V9.S4, V10.S4, V11.S4, V12.S4, V13.S4, V14.S4, V15.S4)
	SUBS $64, R2, R2
	BGE  block
rest:
	ADDS $48, R2, R2
	BLT  last
row:
	ROW(R0, R1)
	SUBS $16, R2, R2
	BGE  row
last:
	CBZ  R3, add
	ADD  $64, R3, R4
	ROW(R3, R4)
add:
	FADD(4, 0, 0)
	FADD(5, 1, 1)
	FADD(6, 2, 2)
	FADD(7, 3, 3)
	FADD(12, 8, 8)
	FADD(13, 9, 9)
	FADD(14, 10, 10)
	FADD(15, 11, 11)
	FADD(8, 0, 0)
	FADD(9, 1, 1)
	FADD(10, 2, 2)
	FADD(11, 3, 3)
	SUM16
	FMOVS F0, ret+32(FP)
	RET
