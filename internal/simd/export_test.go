package simd

// Levels gives every level of this processor, from Generic up.
func Levels() []Level {
	switch Best() {
	case AVX512:
		return []Level{Generic, AVX2, AVX512}
	case Generic:
		return []Level{Generic}
	}
	return []Level{Generic, Best()}
}
