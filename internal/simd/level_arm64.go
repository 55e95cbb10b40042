package simd

// Every processor of arm64 has NEON.
func detect() Level { return NEON }
