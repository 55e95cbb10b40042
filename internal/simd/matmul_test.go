package simd_test

import (
	"fmt"
	"math"
	"slices"
	"testing"

	"github.com/assay-eval/assay/internal/simd"
)

// TestMulAdd compares every level with a sum in float64, for depths that are
// and are not multiples of the unrolled step, and for row counts that mix both
// kernels.
func TestMulAdd(t *testing.T) {
	t.Parallel()
	r := seeded()
	for _, rows := range []int{6, 12, 18, 24, 30} {
		for _, depth := range []int{0, 1, 2, 3, 4, 5, 7, 8, 31, 32, 33, 192, 384} {
			a := simd.Matrix{Data: random(r, (rows-1)*(depth+3)+depth), Stride: depth + 3}
			strip := random(r, depth*simd.Width)
			bias := simd.Matrix{Data: random(r, simd.Width)}
			sum := simd.Matrix{Data: random(r, (rows-1)*40+simd.Width), Stride: 40}
			for _, add := range []simd.Matrix{bias, sum} {
				var previous []float32
				for _, l := range simd.Levels() {
					dst := simd.Matrix{Data: make([]float32, (rows-1)*35+simd.Width), Stride: 35}
					l.MulAdd(dst, add, a, strip, rows, depth)
					for i := range dst.Data {
						row, col := i/35, i%35
						if col >= simd.Width {
							if dst.Data[i] != 0 {
								t.Fatalf("%v: %d×%d: wrote column %d", l, rows, depth, col)
							}
							continue
						}
						want := float64(add.Data[row*add.Stride+col])
						size := math.Abs(want)
						for k := range depth {
							p := float64(a.Data[row*a.Stride+k]) * float64(strip[k*simd.Width+col])
							want += p
							size += math.Abs(p)
						}
						if math.Abs(float64(dst.Data[i])-want) > 1e-6*size {
							t.Fatalf("%v: %d×%d: [%d,%d] = %v, want %v", l, rows, depth, row, col, dst.Data[i], want)
						}
					}
					if l == simd.AVX512 && !slices.Equal(dst.Data, previous) {
						t.Errorf("%d×%d: avx2 and avx512 differ", rows, depth)
					}
					previous = dst.Data
				}
			}
		}
	}
}

func TestMulAddInPlace(t *testing.T) {
	t.Parallel()
	for _, l := range simd.Levels() {
		one := slices.Repeat([]float32{1}, 12*32)
		sum := simd.Matrix{Data: slices.Clone(one), Stride: 32}
		l.MulAdd(sum, sum, simd.Matrix{Data: one, Stride: 32}, one, 12, 5)
		for i, v := range sum.Data {
			if v != 6 { // 1 + 5·1·1
				t.Fatalf("%v: value %d is %v, want 6", l, i, v)
			}
		}
	}
}

func TestMulAddRefuses(t *testing.T) {
	t.Parallel()
	m := func(n, stride int) simd.Matrix { return simd.Matrix{Data: make([]float32, n), Stride: stride} }
	full := m(6*32, 32)
	for name, call := range map[string]func(simd.Level){
		"rows":  func(l simd.Level) { l.MulAdd(full, full, full, full.Data, 5, 4) },
		"dst":   func(l simd.Level) { l.MulAdd(m(191, 32), full, full, full.Data, 6, 4) },
		"add":   func(l simd.Level) { l.MulAdd(full, m(31, 0), full, full.Data, 6, 4) },
		"a":     func(l simd.Level) { l.MulAdd(full, full, m(5*32+3, 32), full.Data, 6, 4) },
		"strip": func(l simd.Level) { l.MulAdd(full, full, full, full.Data[:4*32-1], 6, 4) },
		"depth": func(l simd.Level) { l.MulAdd(full, full, full, full.Data, 6, -1) },
	} {
		for _, l := range simd.Levels() {
			t.Run(fmt.Sprintf("%s/%v", name, l), func(t *testing.T) {
				t.Parallel()
				defer func() {
					if recover() == nil {
						t.Error("no panic")
					}
				}()
				call(l)
			})
		}
	}
}

func BenchmarkMulAdd(b *testing.B) {
	r := seeded()
	for _, depth := range []int{32, 192, 384, 1536} {
		const rows = 240
		a := simd.Matrix{Data: random(r, rows*depth), Stride: depth}
		c := simd.Matrix{Data: random(r, rows*32), Stride: 32}
		strip := random(r, depth*32)
		bias := simd.Matrix{Data: random(r, 32)}
		for _, l := range simd.Levels() {
			b.Run(fmt.Sprintf("%v/%d", l, depth), func(b *testing.B) {
				for b.Loop() {
					l.MulAdd(c, bias, a, strip, rows, depth)
				}
				b.ReportMetric(float64(2*rows*depth*32)*float64(b.N)/float64(b.Elapsed().Nanoseconds()), "GFLOP/s")
			})
		}
	}
}
