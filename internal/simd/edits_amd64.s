#include "textflag.h"

// Eight zeros, eight ones and eight zeros: the eight lanes from word 15-s on are the mask
// of the lanes 0 to s, those from word 7-s on the mask of the lanes after s.
DATA ·editLanes+0x00(SB)/8, $0
DATA ·editLanes+0x08(SB)/8, $0
DATA ·editLanes+0x10(SB)/8, $0
DATA ·editLanes+0x18(SB)/8, $0
DATA ·editLanes+0x20(SB)/8, $0
DATA ·editLanes+0x28(SB)/8, $0
DATA ·editLanes+0x30(SB)/8, $0
DATA ·editLanes+0x38(SB)/8, $0
DATA ·editLanes+0x40(SB)/8, $-1
DATA ·editLanes+0x48(SB)/8, $-1
DATA ·editLanes+0x50(SB)/8, $-1
DATA ·editLanes+0x58(SB)/8, $-1
DATA ·editLanes+0x60(SB)/8, $-1
DATA ·editLanes+0x68(SB)/8, $-1
DATA ·editLanes+0x70(SB)/8, $-1
DATA ·editLanes+0x78(SB)/8, $-1
DATA ·editLanes+0x80(SB)/8, $0
DATA ·editLanes+0x88(SB)/8, $0
DATA ·editLanes+0x90(SB)/8, $0
DATA ·editLanes+0x98(SB)/8, $0
DATA ·editLanes+0xA0(SB)/8, $0
DATA ·editLanes+0xA8(SB)/8, $0
DATA ·editLanes+0xB0(SB)/8, $0
DATA ·editLanes+0xB8(SB)/8, $0
GLOBL ·editLanes(SB), RODATA|NOPTR, $192

// Each of eight lanes has a row of its own. Lane i is at block s-i in step s, so that
// what lane i-1 has made of the block in the step before is at hand. Y0 to Y3 hold the
// lanes 0 to 3, Y4 to Y7 the lanes 4 to 7:
//
//	Y0, Y4: more, Y1, Y5: less, of the blocks that were made last, a lane further: lane i
//	        is made by lane i-1, and lane 0 of Y0 by lane 3, lane 0 of Y4 by lane 7
//	Y2, Y6: not up: whether the last column of that block has not one edit more than above
//	Y3, Y7: under: whether it has one less
//
// The words of match of four rows come into Y10.
#define GATHER(A, B, C, D) \
	VMOVQ       (A)(CX*8), X10 \
	VMOVHPS     (B)(CX*8), X10, X10 \
	VMOVQ       (C)(CX*8), X11 \
	VMOVHPS     (D)(CX*8), X11, X11 \
	VINSERTI128 $1, X11, Y10, Y10

// A block of each of four lanes, Y8 more, Y9 less, Y10 match. Y11 is same, Y12 not plus
// and Y13 minus, of which a shift makes more and less of the next row.
#define BLOCK(NOTUP, UNDER) \
	VPOR   UNDER, Y10, Y10 \
	VPAND  Y8, Y10, Y11 \
	VPADDQ Y8, Y11, Y11 \
	VPXOR  Y8, Y11, Y11 \
	VPOR   Y10, Y9, Y10 \
	VPOR   Y10, Y11, Y11 \
	VPOR   Y8, Y11, Y12 \
	VPANDN Y12, Y9, Y12 \
	VPAND  Y8, Y11, Y13 \
	VPADDQ Y12, Y12, Y10 \
	VPOR   NOTUP, Y10, Y10 \
	VPADDQ Y13, Y13, Y8 \
	VPOR   UNDER, Y8, Y8 \
	VPSRLQ $63, Y12, NOTUP \
	VPSRLQ $63, Y13, UNDER \
	VPANDN Y10, Y11, Y12 \
	VPOR   Y12, Y8, Y8 \
	VPANDN Y11, Y10, Y9

// Lanes 4 to 7 are first, since they take what lane 3 has made in the step before.
#define UPPER \
	VPBLENDD $3, Y0, Y4, Y8 \
	VPBLENDD $3, Y1, Y5, Y9 \
	GATHER(R12, R13, R14, R15) \
	BLOCK(Y6, Y7) \
	VPERMQ $0x93, Y8, Y4 \
	VPERMQ $0x93, Y9, Y5

#define LOWER \
	VPBROADCASTQ (SI)(CX*8), Y8 \
	VPBROADCASTQ (DI)(CX*8), Y9 \
	VPBLENDD $3, Y8, Y0, Y8 \
	VPBLENDD $3, Y9, Y1, Y9 \
	GATHER(R8, R9, R10, R11) \
	BLOCK(Y2, Y3) \
	VPERMQ $0x93, Y8, Y0 \
	VPERMQ $0x93, Y9, Y1

// A step in which some lanes are before their first block or after their last one, and
// keep what they carry. BX points to the mask of the others.
#define PART \
	VMOVDQA Y6, Y14 \
	VMOVDQA Y7, Y15 \
	UPPER \
	VMOVDQU 32(BX), Y8 \
	VPBLENDVB Y8, Y6, Y14, Y6 \
	VPBLENDVB Y8, Y7, Y15, Y7 \
	VMOVDQA Y2, Y14 \
	VMOVDQA Y3, Y15 \
	LOWER \
	VMOVDQU (BX), Y8 \
	VPBLENDVB Y8, Y2, Y14, Y2 \
	VPBLENDVB Y8, Y3, Y15, Y3 \
	SUBQ $8, BX

#define STORE \
	VMOVQ X4, -56(SI)(CX*8) \
	VMOVQ X5, -56(DI)(CX*8)

// func advanceEditsAVX2(more, less *uint64, match *[8][]uint64, blocks int) int
TEXT ·advanceEditsAVX2(SB), NOSPLIT, $0-40
	MOVQ more+0(FP), SI
	MOVQ less+8(FP), DI
	MOVQ match+16(FP), AX
	MOVQ blocks+24(FP), DX
	MOVQ 0(AX), R8
	MOVQ 24(AX), R9
	MOVQ 48(AX), R10
	MOVQ 72(AX), R11
	MOVQ 96(AX), R12
	MOVQ 120(AX), R13
	MOVQ 144(AX), R14
	MOVQ 168(AX), R15
	VPXOR Y0, Y0, Y0
	VPXOR Y1, Y1, Y1
	VPXOR Y2, Y2, Y2
	VPXOR Y3, Y3, Y3
	VPXOR Y4, Y4, Y4
	VPXOR Y5, Y5, Y5
	VPXOR Y6, Y6, Y6
	VPXOR Y7, Y7, Y7
	XORQ CX, CX
	LEAQ ·editLanes+120(SB), BX
begin:
	PART
	INCQ CX
	CMPQ CX, $7
	JLT  begin
step:
	UPPER
	STORE
	LOWER
	INCQ CX
	CMPQ CX, DX
	JLT  step
	LEAQ ·editLanes+56(SB), BX
	ADDQ $7, DX
end:
	PART
	STORE
	INCQ CX
	CMPQ CX, DX
	JLT  end
	VPADDQ Y3, Y2, Y2
	VPADDQ Y7, Y6, Y6
	VPADDQ Y6, Y2, Y2
	VEXTRACTI128 $1, Y2, X3
	VPADDQ X3, X2, X2
	VPSRLDQ $8, X2, X3
	VPADDQ X3, X2, X2
	VMOVQ X2, AX
	MOVQ AX, ret+32(FP)
	VZEROUPPER
	RET
