#include "textflag.h"
#include "neon_arm64.h"

// func clearNEON(values *uint64, groups int, limit uint64) int
TEXT ·clearNEON(SB), NOSPLIT, $0-32
	MOVD values+0(FP), R0
	MOVD groups+8(FP), R1
	MOVD limit+16(FP), R2
	VDUP R2, V16.D2
	VEOR V17.B16, V17.B16, V17.B16
	MOVD $0, R3
group:
	FLDPQ 0(R0), (F0, F1)
	FLDPQ 32(R0), (F2, F3)
	FLDPQ 64(R0), (F4, F5)
	FLDPQ 96(R0), (F6, F7)
	CMHI(16, 0, 0)
	CMHI(16, 1, 1)
	CMHI(16, 2, 2)
	CMHI(16, 3, 3)
	CMHI(16, 4, 4)
	CMHI(16, 5, 5)
	CMHI(16, 6, 6)
	CMHI(16, 7, 7)
	VORR V1.B16, V0.B16, V0.B16
	VORR V3.B16, V2.B16, V2.B16
	VORR V5.B16, V4.B16, V4.B16
	VORR V7.B16, V6.B16, V6.B16
	VORR V2.B16, V0.B16, V0.B16
	VORR V6.B16, V4.B16, V4.B16
	VORR V4.B16, V0.B16, V0.B16
	VMOV V0.D[0], R4
	VMOV V0.D[1], R5
	ORR  R5, R4, R4
	CBNZ R4, done
	FSTPQ.P (F17, F17), 32(R0)
	FSTPQ.P (F17, F17), 32(R0)
	FSTPQ.P (F17, F17), 32(R0)
	FSTPQ.P (F17, F17), 32(R0)
	ADD  $16, R3, R3
	SUBS $1, R1, R1
	BNE  group
done:
	MOVD R3, ret+24(FP)
	RET
