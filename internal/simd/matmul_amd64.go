package simd

func mulAddVector(l Level, dst, add, a Matrix, strip []float32, rows, depth int) {
	if depth == 0 {
		mulAdd(dst, add, a, strip, rows, depth)
		return
	}
	for i := 0; i < rows; {
		c, from, left := &dst.Data[i*dst.Stride], &add.Data[i*add.Stride], &a.Data[i*a.Stride]
		switch {
		case l == AVX512 && rows-i >= 12:
			tile12AVX512(c, dst.Stride, from, add.Stride, left, a.Stride, &strip[0], depth)
			i += 12
		case l == AVX512:
			tile6AVX512(c, dst.Stride, from, add.Stride, left, a.Stride, &strip[0], depth)
			i += 6
		default:
			tile6AVX2(c, dst.Stride, from, add.Stride, left, a.Stride, &strip[0], depth)
			i += 6
		}
	}
}

//go:noescape
func tile12AVX512(c *float32, ldc int, add *float32, ldadd int, a *float32, lda int, b *float32, depth int)

//go:noescape
func tile6AVX512(c *float32, ldc int, add *float32, ldadd int, a *float32, lda int, b *float32, depth int)

//go:noescape
func tile6AVX2(c *float32, ldc int, add *float32, ldadd int, a *float32, lda int, b *float32, depth int)
