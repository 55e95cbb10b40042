// SUM16 adds up sixteen lanes, those of V0 to V3, into F0, in the order of the kernels for
// x86-64: lanes that are eight apart, then four, two and one. It changes V1.
#define SUM16 \
	FADD(2, 0, 0) \
	FADD(3, 1, 1) \
	FADD(1, 0, 0) \
	VEXT  $8, V0.B16, V0.B16, V1.B16 \
	FADD(1, 0, 0) \
	VDUP  V0.S[1], V1 \
	FADDS F1, F0, F0
