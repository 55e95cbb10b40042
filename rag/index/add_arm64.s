#include "textflag.h"

// ADDONE adds the contribution of passage p, which is at 16·length + count in the table. It
// changes both registers and R14.
#define ADDONE(p, count) \
	MOVBU (R5)(p), R14 \
	ADD   R14<<4, count, count \
	MOVD  (R6)(count<<3), count \
	MOVD  (R0)(p<<3), R14 \
	ADD   count, R14, R14 \
	MOVD  R14, (R0)(p<<3)

// func addScalar(sums *uint64, lo int, passages, counts *uint32, n int, lengths *byte, table *uint64)
TEXT ·addScalar(SB), NOSPLIT, $0-56
	MOVD sums+0(FP), R0
	MOVD lo+8(FP), R1
	MOVD passages+16(FP), R2
	MOVD counts+24(FP), R3
	MOVD n+32(FP), R4
	MOVD lengths+40(FP), R5
	MOVD table+48(FP), R6
	SUB  R1<<3, R0, R0
	SUBS $4, R4, R4
	BLT  rest
four:
	LDPW.P 8(R2), (R7, R8)
	LDPW.P 8(R3), (R9, R10)
	LDPW.P 8(R2), (R11, R12)
	LDPW.P 8(R3), (R13, R15)
	ADDONE(R7, R9)
	ADDONE(R8, R10)
	ADDONE(R11, R13)
	ADDONE(R12, R15)
	SUBS $4, R4, R4
	BGE  four
rest:
	ADDS $4, R4, R4
	BEQ  done
one:
	MOVWU.P 4(R2), R7
	MOVWU.P 4(R3), R9
	ADDONE(R7, R9)
	SUBS $1, R4, R4
	BNE  one
done:
	RET
