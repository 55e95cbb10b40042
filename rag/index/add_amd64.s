#include "textflag.h"

// ADD adds the contribution of one posting, which is at 16·length + count in the table.
#define ADD(at, p, v) \
	MOVL    at(SI), p \
	MOVBLZX (R8)(p*1), v \
	SHLL    $4, v \
	ADDL    at(DX), v \
	MOVQ    (R9)(v*8), v \
	ADDQ    v, (DI)(p*8)

// func addScalar(sums *uint64, lo int, passages, counts *uint32, n int, lengths *byte, table *uint64)
TEXT ·addScalar(SB), NOSPLIT, $0-56
	MOVQ sums+0(FP), DI
	MOVQ lo+8(FP), AX
	MOVQ passages+16(FP), SI
	MOVQ counts+24(FP), DX
	MOVQ n+32(FP), CX
	MOVQ lengths+40(FP), R8
	MOVQ table+48(FP), R9
	SHLQ $3, AX
	SUBQ AX, DI
	SUBQ $4, CX
	JLT  rest
four:
	ADD(0, AX, BX)
	ADD(4, R12, R13)
	ADD(8, AX, BX)
	ADD(12, R12, R13)
	ADDQ $16, SI
	ADDQ $16, DX
	SUBQ $4, CX
	JGE  four
rest:
	ADDQ $4, CX
	JZ   done
one:
	ADD(0, AX, BX)
	ADDQ $4, SI
	ADDQ $4, DX
	DECQ CX
	JNZ  one
done:
	RET
