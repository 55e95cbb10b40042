package simd_test

import (
	"math"
	"math/rand/v2"
	"testing"

	"github.com/assay-eval/assay/internal/simd"
)

// random gives n values of a standard normal distribution. It fills exactly
// its capacity, so that a kernel that reads past the end reads foreign memory.
func random(r *rand.Rand, n int) []float32 {
	v := make([]float32, n)
	for i := range v {
		v[i] = float32(r.NormFloat64())
	}
	return v
}

func seeded() *rand.Rand { return rand.New(rand.NewPCG(1, 2)) }

func TestDot(t *testing.T) {
	t.Parallel()
	r := seeded()
	for n := range 300 {
		// Values outside the vectors must not count.
		a, b := random(r, n+40), random(r, n+40)
		for i := range 20 {
			a[i], b[i], a[n+20+i], b[n+20+i] = 1e30, 1e30, 1e30, 1e30
		}
		a, b = a[20:n+20], b[20:n+20]
		var want, size float64
		for i := range a {
			p := float64(a[i]) * float64(b[i])
			want += p
			size += math.Abs(p)
		}
		for _, l := range simd.Levels() {
			if got := l.Dot(a, b); math.Abs(float64(got)-want) > 1e-6*size {
				t.Errorf("%v: %d values: %v, want %v", l, n, got, want)
			}
		}
		if simd.Best() == simd.AVX512 && simd.AVX2.Dot(a, b) != simd.AVX512.Dot(a, b) {
			t.Errorf("%d values: avx2 and avx512 differ", n)
		}
	}
	if got := simd.Dot([]float32{1, 2, 3}, []float32{4, 5, 6}); got != 32 {
		t.Errorf("1·4 + 2·5 + 3·6 = %v, want 32", got)
	}
}

func TestDotOfDifferentLengths(t *testing.T) {
	t.Parallel()
	defer func() {
		if recover() == nil {
			t.Error("no panic")
		}
	}()
	simd.Dot(make([]float32, 2), make([]float32, 3))
}

func BenchmarkDot384(b *testing.B) {
	r := seeded()
	rows := random(r, 384*2000)
	q := random(r, 384)
	for _, l := range simd.Levels() {
		b.Run(l.String(), func(b *testing.B) {
			b.SetBytes(384 * 4)
			var sum float32
			for i := 0; b.Loop(); i = (i + 1) % 2000 {
				sum += l.Dot(q, rows[i*384:][:384])
			}
		})
	}
}
