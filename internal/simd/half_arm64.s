#include "textflag.h"
#include "neon_arm64.h"

// SIXTEEN widens sixteen values.
#define SIXTEEN \
	FLDPQ.P 32(R1), (F0, F1) \
	FCVTL(0, 2) \
	FCVTL2(0, 3) \
	FCVTL(1, 4) \
	FCVTL2(1, 5) \
	FSTPQ.P (F2, F3), 32(R0) \
	FSTPQ.P (F4, F5), 32(R0)

// func widenNEON(dst *float32, src *byte, n int)
TEXT ·widenNEON(SB), NOSPLIT, $0-24
	MOVD dst+0(FP), R0
	MOVD src+8(FP), R1
	MOVD n+16(FP), R2
	SUBS $64, R2, R2
	BLT  rest
four:
	SIXTEEN
	SIXTEEN
	SIXTEEN
	SIXTEEN
	SUBS $64, R2, R2
	BGE  four
rest:
	ADDS $64, R2, R2
	BEQ  done
one:
	SIXTEEN
	SUBS $16, R2, R2
	BGT  one
done:
	RET
