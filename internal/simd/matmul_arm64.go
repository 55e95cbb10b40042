package simd

func mulAddVector(_ Level, dst, add, a Matrix, strip []float32, rows, depth int) {
	if depth == 0 {
		mulAdd(dst, add, a, strip, rows, depth)
		return
	}
	for i := 0; i < rows; i += 6 {
		tile6NEON(&dst.Data[i*dst.Stride], dst.Stride, &add.Data[i*add.Stride], add.Stride, &a.Data[i*a.Stride], a.Stride, &strip[0], depth)
	}
}

//go:noescape
func tile6NEON(c *float32, ldc int, add *float32, ldadd int, a *float32, lda int, b *float32, depth int)
