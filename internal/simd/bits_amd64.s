#include "textflag.h"

// Eight values of w bits take w bytes, so that every group begins at a byte. It is
// loaded into both halves of a register, its bytes are moved to the words of their
// values, and each word is shifted and masked.
#define GROUP \
	VBROADCASTI128 (SI), Y0 \
	VPSHUFB Y13, Y0, Y0 \
	VPSRLVD Y14, Y0, Y0 \
	VPAND   Y15, Y0, Y0 \
	ADDQ    DX, SI

#define UNPACKARGUMENTS \
	MOVQ dst+0(FP), DI \
	MOVQ data+8(FP), SI \
	MOVQ groups+16(FP), CX \
	MOVQ width+24(FP), DX \
	MOVQ s+32(FP), AX \
	VMOVDQU 0(AX), Y13 \
	VMOVDQU 32(AX), Y14 \
	VMOVDQU 64(AX), Y15

// func unpackAVX2(dst *uint32, data *byte, groups, width int, s *spread)
TEXT ·unpackAVX2(SB), NOSPLIT, $0-40
	UNPACKARGUMENTS
group:
	GROUP
	VMOVDQU Y0, (DI)
	ADDQ $32, DI
	DECQ CX
	JNZ  group
	VZEROUPPER
	RET

// The sums within a group take three steps: over one word, over two, and from the lower
// half to the upper.
//
// func unpackSumsAVX2(dst *uint32, data *byte, groups, width int, s *spread, before uint32)
TEXT ·unpackSumsAVX2(SB), NOSPLIT, $0-44
	UNPACKARGUMENTS
	MOVL before+40(FP), AX
	VMOVD AX, X12
	VPBROADCASTD X12, Y12
	VPCMPEQD Y11, Y11, Y11 // -1: subtracting it adds one to each gap
	VPSRLD   $29, Y11, Y10 // 7: the last word
group:
	GROUP
	VPSUBD  Y11, Y0, Y0
	VPSLLDQ $4, Y0, Y1
	VPADDD  Y1, Y0, Y0
	VPSLLDQ $8, Y0, Y1
	VPADDD  Y1, Y0, Y0
	VPSHUFD $0xFF, Y0, Y1
	VPERM2I128 $0x08, Y1, Y1, Y1
	VPADDD  Y1, Y0, Y0
	VPADDD  Y12, Y0, Y1
	VPERMD  Y0, Y10, Y2
	VPADDD  Y2, Y12, Y12
	VMOVDQU Y1, (DI)
	ADDQ $32, DI
	DECQ CX
	JNZ  group
	VZEROUPPER
	RET
