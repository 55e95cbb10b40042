#include "textflag.h"

// Each kernel keeps its tile of the result in registers and adds to it, for
// every k, column k of a times row k of b: a row of b is loaded once, a value
// of a is spread over a register once.
//
//	DI  b       SI  c        DX  add       CX  depth left
//	R8  rows 0…2 of a   R9  rows 3…5   R10  rows 6…8   R11  rows 9…11
//	BX  bytes in a row of a   AX  in one of c   R12  in one of add

// VALUE adds one value of a times the row of b to one row of the tile.
#define VALUE512(place, spread, left, right) \
	VBROADCASTSS place, spread \
	VFMADD231PS  Z0, spread, left \
	VFMADD231PS  Z1, spread, right

#define STEP6AVX512(k, row) \
	VMOVUPS row(DI), Z0 \
	VMOVUPS row+64(DI), Z1 \
	VALUE512(k(R8), Z2, Z8, Z9) \
	VALUE512(k(R8)(BX*1), Z3, Z10, Z11) \
	VALUE512(k(R8)(BX*2), Z4, Z12, Z13) \
	VALUE512(k(R9), Z5, Z14, Z15) \
	VALUE512(k(R9)(BX*1), Z6, Z16, Z17) \
	VALUE512(k(R9)(BX*2), Z7, Z18, Z19)

#define STEP12AVX512(k, row) \
	STEP6AVX512(k, row) \
	VALUE512(k(R10), Z2, Z20, Z21) \
	VALUE512(k(R10)(BX*1), Z3, Z22, Z23) \
	VALUE512(k(R10)(BX*2), Z4, Z24, Z25) \
	VALUE512(k(R11), Z5, Z26, Z27) \
	VALUE512(k(R11)(BX*1), Z6, Z28, Z29) \
	VALUE512(k(R11)(BX*2), Z7, Z30, Z31)

#define LOAD512(left, right) \
	VMOVUPS 0(DX), left \
	VMOVUPS 64(DX), right \
	ADDQ    R12, DX

#define STORE512(left, right) \
	VMOVUPS left, 0(SI) \
	VMOVUPS right, 64(SI) \
	ADDQ    AX, SI

// ARGUMENTS loads the registers; strides become bytes.
#define ARGUMENTS \
	MOVQ c+0(FP), SI \
	MOVQ ldc+8(FP), AX \
	MOVQ add+16(FP), DX \
	MOVQ ldadd+24(FP), R12 \
	MOVQ a+32(FP), R8 \
	MOVQ lda+40(FP), BX \
	MOVQ b+48(FP), DI \
	MOVQ depth+56(FP), CX \
	SHLQ $2, AX \
	SHLQ $2, R12 \
	SHLQ $2, BX \
	LEAQ (BX)(BX*2), R13 \
	LEAQ (R8)(R13*1), R9

// func tile12AVX512(c *float32, ldc int, add *float32, ldadd int, a *float32, lda int, b *float32, depth int)
TEXT ·tile12AVX512(SB), NOSPLIT, $0-64
	ARGUMENTS
	LEAQ (R9)(R13*1), R10
	LEAQ (R10)(R13*1), R11
	LOAD512(Z8, Z9)
	LOAD512(Z10, Z11)
	LOAD512(Z12, Z13)
	LOAD512(Z14, Z15)
	LOAD512(Z16, Z17)
	LOAD512(Z18, Z19)
	LOAD512(Z20, Z21)
	LOAD512(Z22, Z23)
	LOAD512(Z24, Z25)
	LOAD512(Z26, Z27)
	LOAD512(Z28, Z29)
	LOAD512(Z30, Z31)
	SUBQ $4, CX
	JLT  rest
four:
	STEP12AVX512(0, 0)
	STEP12AVX512(4, 128)
	STEP12AVX512(8, 256)
	STEP12AVX512(12, 384)
	ADDQ $16, R8
	ADDQ $16, R9
	ADDQ $16, R10
	ADDQ $16, R11
	ADDQ $512, DI
	SUBQ $4, CX
	JGE  four
rest:
	ADDQ $4, CX
	JZ   store
one:
	STEP12AVX512(0, 0)
	ADDQ $4, R8
	ADDQ $4, R9
	ADDQ $4, R10
	ADDQ $4, R11
	ADDQ $128, DI
	DECQ CX
	JNZ  one
store:
	STORE512(Z8, Z9)
	STORE512(Z10, Z11)
	STORE512(Z12, Z13)
	STORE512(Z14, Z15)
	STORE512(Z16, Z17)
	STORE512(Z18, Z19)
	STORE512(Z20, Z21)
	STORE512(Z22, Z23)
	STORE512(Z24, Z25)
	STORE512(Z26, Z27)
	STORE512(Z28, Z29)
	STORE512(Z30, Z31)
	VZEROUPPER
	RET

// func tile6AVX512(c *float32, ldc int, add *float32, ldadd int, a *float32, lda int, b *float32, depth int)
TEXT ·tile6AVX512(SB), NOSPLIT, $0-64
	ARGUMENTS
	LOAD512(Z8, Z9)
	LOAD512(Z10, Z11)
	LOAD512(Z12, Z13)
	LOAD512(Z14, Z15)
	LOAD512(Z16, Z17)
	LOAD512(Z18, Z19)
	SUBQ $4, CX
	JLT  rest
four:
	STEP6AVX512(0, 0)
	STEP6AVX512(4, 128)
	STEP6AVX512(8, 256)
	STEP6AVX512(12, 384)
	ADDQ $16, R8
	ADDQ $16, R9
	ADDQ $512, DI
	SUBQ $4, CX
	JGE  four
rest:
	ADDQ $4, CX
	JZ   store
one:
	STEP6AVX512(0, 0)
	ADDQ $4, R8
	ADDQ $4, R9
	ADDQ $128, DI
	DECQ CX
	JNZ  one
store:
	STORE512(Z8, Z9)
	STORE512(Z10, Z11)
	STORE512(Z12, Z13)
	STORE512(Z14, Z15)
	STORE512(Z16, Z17)
	STORE512(Z18, Z19)
	VZEROUPPER
	RET

#define VALUE256(place, spread, left, right) \
	VBROADCASTSS place, spread \
	VFMADD231PS  Y0, spread, left \
	VFMADD231PS  Y1, spread, right

#define STEP6AVX2(k, row) \
	VMOVUPS row(DI), Y0 \
	VMOVUPS row+32(DI), Y1 \
	VALUE256(k(R8), Y2, Y4, Y5) \
	VALUE256(k(R8)(BX*1), Y3, Y6, Y7) \
	VALUE256(k(R8)(BX*2), Y2, Y8, Y9) \
	VALUE256(k(R9), Y3, Y10, Y11) \
	VALUE256(k(R9)(BX*1), Y2, Y12, Y13) \
	VALUE256(k(R9)(BX*2), Y3, Y14, Y15)

#define LOAD256(left, right) \
	VMOVUPS 0(R10), left \
	VMOVUPS 32(R10), right \
	ADDQ    R12, R10

#define STORE256(left, right) \
	VMOVUPS left, 0(R11) \
	VMOVUPS right, 32(R11) \
	ADDQ    AX, R11

// Sixteen registers hold 16 columns of the tile, so it is done in two halves.
//
// func tile6AVX2(c *float32, ldc int, add *float32, ldadd int, a *float32, lda int, b *float32, depth int)
TEXT ·tile6AVX2(SB), NOSPLIT, $0-64
	ARGUMENTS
	MOVQ $2, R13
half:
	MOVQ DX, R10
	LOAD256(Y4, Y5)
	LOAD256(Y6, Y7)
	LOAD256(Y8, Y9)
	LOAD256(Y10, Y11)
	LOAD256(Y12, Y13)
	LOAD256(Y14, Y15)
	SUBQ $4, CX
	JLT  rest
four:
	STEP6AVX2(0, 0)
	STEP6AVX2(4, 128)
	STEP6AVX2(8, 256)
	STEP6AVX2(12, 384)
	ADDQ $16, R8
	ADDQ $16, R9
	ADDQ $512, DI
	SUBQ $4, CX
	JGE  four
rest:
	ADDQ $4, CX
	JZ   store
one:
	STEP6AVX2(0, 0)
	ADDQ $4, R8
	ADDQ $4, R9
	ADDQ $128, DI
	DECQ CX
	JNZ  one
store:
	MOVQ SI, R11
	STORE256(Y4, Y5)
	STORE256(Y6, Y7)
	STORE256(Y8, Y9)
	STORE256(Y10, Y11)
	STORE256(Y12, Y13)
	STORE256(Y14, Y15)
	DECQ R13
	JZ   done
	ADDQ $64, SI
	ADDQ $64, DX
	MOVQ a+32(FP), R8
	LEAQ (BX)(BX*2), R9
	ADDQ R8, R9
	MOVQ b+48(FP), DI
	ADDQ $64, DI
	MOVQ depth+56(FP), CX
	JMP  half
done:
	VZEROUPPER
	RET
