#include "textflag.h"
#include "neon_arm64.h"

// POWER goes on with both polynomials of two registers of values: the sums in P and Q
// become P·u² and Q·u² plus the next coefficients.
#define POWER(CP, CQ, P0, Q0, P1, Q1, TOP0, TOQ0, TOP1, TOQ1) \
	VMOV  CP.B16, TOP0.B16 \
	VMOV  CQ.B16, TOQ0.B16 \
	VMOV  CP.B16, TOP1.B16 \
	VMOV  CQ.B16, TOQ1.B16 \
	VFMLA V18.S4, P0.S4, TOP0.S4 \
	VFMLA V18.S4, Q0.S4, TOQ0.S4 \
	VFMLA V26.S4, P1.S4, TOP1.S4 \
	VFMLA V26.S4, Q1.S4, TOQ1.S4

// The kernel computes x·(½ + u·P(u²)/Q(u²)), u being x held to the range of the
// approximation. Rows of the table: 0 lower end, 1 upper end, 2 a half, 3…8 P from the
// highest power down, 9…14 Q likewise; they are kept in V0 to V14.
//
//	V16, V24  x       V17, V25  u       V18, V26  u²
//	V19, V20, V27, V28  P       V21, V22, V29, V30  Q
//
// func geluNEON(x *float32, n int, table *repeated)
TEXT ·geluNEON(SB), NOSPLIT, $0-24
	MOVD x+0(FP), R0
	MOVD n+8(FP), R1
	MOVD table+16(FP), R2
	FMOVQ 0(R2), F0
	FMOVQ 32(R2), F1
	FMOVQ 64(R2), F2
	FMOVQ 96(R2), F3
	FMOVQ 128(R2), F4
	FMOVQ 160(R2), F5
	FMOVQ 192(R2), F6
	FMOVQ 224(R2), F7
	FMOVQ 256(R2), F8
	FMOVQ 288(R2), F9
	FMOVQ 320(R2), F10
	FMOVQ 352(R2), F11
	FMOVQ 384(R2), F12
	FMOVQ 416(R2), F13
	FMOVQ 448(R2), F14
loop:
	FLDPQ (R0), (F16, F24)
	FMAX(0, 16, 17)
	FMAX(0, 24, 25)
	FMIN(1, 17, 17)
	FMIN(1, 25, 25)
	FMUL(17, 17, 18)
	FMUL(25, 25, 26)
	POWER(V4, V10, V3, V9, V3, V9, V19, V21, V27, V29)
	POWER(V5, V11, V19, V21, V27, V29, V20, V22, V28, V30)
	POWER(V6, V12, V20, V22, V28, V30, V19, V21, V27, V29)
	POWER(V7, V13, V19, V21, V27, V29, V20, V22, V28, V30)
	POWER(V8, V14, V20, V22, V28, V30, V19, V21, V27, V29)
	FMUL(17, 19, 19)
	FMUL(25, 27, 27)
	FDIV(21, 19, 19)
	FDIV(29, 27, 27)
	FADD(2, 19, 19)
	FADD(2, 27, 27)
	FMUL(16, 19, 19)
	FMUL(24, 27, 27)
	FSTPQ.P (F19, F27), 32(R0)
	SUBS $8, R1, R1
	BGT  loop
	RET
