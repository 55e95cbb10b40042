package simd_test

import (
	"encoding/binary"
	"math"
	"runtime"
	"slices"
	"testing"

	"github.com/assay-eval/assay/internal/simd"
)

// TestHalf counts through all 65,536 numbers of half precision. The values
// come from the definition: (-1)^s · 2^(e-25) · (1024+f), or 2⁻²⁴·f when e = 0.
func TestHalf(t *testing.T) {
	t.Parallel()
	src := make([]byte, 0, 2<<16)
	want := make([]float32, 1<<16)
	for h := range 1 << 16 {
		src = binary.LittleEndian.AppendUint16(src, uint16(h))
		e, f := h>>10&31, h&1023
		v := math.Ldexp(float64(1024+f), e-25)
		switch {
		case e == 0:
			v = math.Ldexp(float64(f), -24)
		case e == 31 && f == 0:
			v = math.Inf(1)
		case e == 31:
			v = math.NaN()
		}
		want[h] = float32(math.Copysign(v, 1-float64(h>>15)*2))
	}
	same := func(a, b float32) bool {
		return math.Float32bits(a) == math.Float32bits(b) || a != a && b != b
	}
	for _, l := range simd.Levels() {
		got := make([]float32, 1<<16)
		l.Widen(got, string(src))
		if !slices.EqualFunc(got, want, same) {
			t.Errorf("%v: wrong", l)
		}
	}
	for n := range 100 {
		for _, l := range simd.Levels() {
			got := make([]float32, n+1)
			l.Widen(got[:n], string(src[15000:15000+2*n]))
			if !slices.Equal(got[:n], want[7500:7500+n]) || got[n] != 0 {
				t.Errorf("%v: %d values: wrong", l, n)
			}
		}
	}
}

func TestGELU(t *testing.T) {
	t.Parallel()
	var x []float32
	for v := -12.; v <= 12; v += 1. / 1024 {
		x = append(x, float32(v))
	}
	x = append(x, 0, float32(math.Copysign(0, -1)), 1e-30, -1e-30, 1e30, 100, 1000)
	each(t, func(l simd.Level) []float32 {
		y := slices.Clone(x)
		l.GELU(y)
		for i, v := range x {
			want := float64(v) * 0.5 * math.Erfc(-float64(v)/math.Sqrt2)
			if math.Abs(float64(y[i])-want) > 1e-6*max(1, math.Abs(want)) {
				t.Errorf("%v: gelu(%v) = %v, want %v", l, v, y[i], want)
			}
		}
		return y
	})
	// 3·Φ(3) = 3·0.9986501 = 2.9959503, by a printed table of Φ.
	for n := range 40 {
		for _, l := range simd.Levels() {
			y := slices.Repeat([]float32{3}, n+1)
			l.GELU(y[:n])
			for i := range n {
				if math.Abs(float64(y[i])-2.9959503) > 1e-6 {
					t.Errorf("%v: %d values: value %d is %v", l, n, i, y[i])
				}
			}
			if y[n] != 3 {
				t.Errorf("%v: %d values: wrote one more", l, n)
			}
		}
	}
}

func TestSoftmax(t *testing.T) {
	t.Parallel()
	r := seeded()
	for n := 1; n <= 300; n++ {
		row := random(r, (n+15)/16*16)
		for i := range row {
			row[i] *= 30
		}
		// What lies beyond n must not count.
		for i := n; i < len(row); i++ {
			row[i] = 1e9
		}
		const scale = 0.25
		top, sum := math.Inf(-1), 0.
		for _, v := range row[:n] {
			top = max(top, float64(v))
		}
		for _, v := range row[:n] {
			sum += math.Exp(scale * (float64(v) - top))
		}
		each(t, func(l simd.Level) []float32 {
			got := slices.Clone(row)
			l.Softmax(got, n, scale)
			for i, v := range row[:n] {
				// The rounded argument alone shifts the result by its size.
				argument := scale * (float64(v) - top)
				want := math.Exp(argument) / sum
				if math.Abs(float64(got[i])-want) > 2e-6*(1-argument)*want+1e-37 {
					t.Fatalf("%v: %d values: value %d is %v, want %v", l, n, i, got[i], want)
				}
			}
			return got[:n]
		})
	}
	// Far apart: nothing overflows. Alike: each has its share.
	for _, l := range simd.Levels() {
		x := make([]float32, 16)
		x[0], x[1] = 1e30, -1e30
		l.Softmax(x, 2, 1)
		if x[0] != 1 || x[1] < 0 || x[1] > 1e-36 {
			t.Errorf("%v: softmax(1e30, -1e30) = %v, want 1, 0", l, x[:2])
		}
		x = slices.Repeat([]float32{-7}, 16)
		l.Softmax(x, 4, 1)
		if x[0] != 0.25 || x[3] != 0.25 {
			t.Errorf("%v: softmax of four equal values = %v, want ¼ each", l, x[:4])
		}
	}
}

func TestLayerNorm(t *testing.T) {
	t.Parallel()
	r := seeded()
	for _, n := range []int{16, 32, 48, 384} {
		x, bias, gain, shift := random(r, n), random(r, n), random(r, n), random(r, n)
		const epsilon = 1e-3
		var mean, variance float64
		for i := range n {
			mean += (float64(x[i]) + float64(bias[i])) / float64(n)
		}
		for i := range n {
			d := float64(x[i]) + float64(bias[i]) - mean
			variance += d * d / float64(n)
		}
		each(t, func(l simd.Level) []float32 {
			got := slices.Clone(x)
			l.LayerNorm(got, bias, gain, shift, epsilon)
			for i := range n {
				d := float64(x[i]) + float64(bias[i]) - mean
				want := d/math.Sqrt(variance+epsilon)*float64(gain[i]) + float64(shift[i])
				if math.Abs(float64(got[i])-want) > 1e-5 {
					t.Fatalf("%v: %d values: value %d is %v, want %v", l, n, i, got[i], want)
				}
			}
			return got
		})
	}
	// Half of the values 1 and half 3: mean 2, variance 1, so -1 and 1 before
	// gain 2 and shift 10. A bias of 5 on all changes nothing.
	for _, l := range simd.Levels() {
		x := append(slices.Repeat([]float32{1}, 8), slices.Repeat([]float32{3}, 8)...)
		fill := func(v float32) []float32 { return slices.Repeat([]float32{v}, 16) }
		l.LayerNorm(x, fill(5), fill(2), fill(10), 0)
		if x[0] != 8 || x[15] != 12 {
			t.Errorf("%v: got %v and %v, want 8 and 12", l, x[0], x[15])
		}
	}
}

func TestTranspose32(t *testing.T) {
	t.Parallel()
	var src [1024]float32
	for i := range src {
		src[i] = float32(i)
	}
	for _, l := range simd.Levels() {
		var dst [1024]float32
		l.Transpose32(&dst, &src)
		for i := range dst {
			if want := float32(i%32*32 + i/32); dst[i] != want {
				t.Fatalf("%v: value %d is %v, want %v", l, i, dst[i], want)
			}
		}
	}
}

func TestFunctionsRefuse(t *testing.T) {
	t.Parallel()
	v := make([]float32, 32)
	for name, call := range map[string]func(){
		"half":             func() { simd.Best().Widen(v, "123") },
		"softmax of none":  func() { simd.Best().Softmax(v, 0, 1) },
		"softmax past end": func() { simd.Best().Softmax(v, 33, 1) },
		"softmax odd":      func() { simd.Best().Softmax(v[:20], 20, 1) },
		"norm odd":         func() { simd.Best().LayerNorm(v[:20], v[:20], v[:20], v[:20], 1) },
		"norm unequal":     func() { simd.Best().LayerNorm(v, v, v[:16], v, 1) },
	} {
		func() {
			defer func() {
				if recover() == nil {
					t.Errorf("%s: no panic", name)
				}
			}()
			call()
		}()
	}
}

func TestLevels(t *testing.T) {
	t.Parallel()
	for l, want := range map[simd.Level]string{simd.Generic: "generic", simd.AVX2: "avx2", simd.AVX512: "avx512", simd.NEON: "neon"} {
		if l.String() != want {
			t.Errorf("level %d is %v, want %s", l, l, want)
		}
	}
	if (runtime.GOARCH == "arm64") != (simd.Best() == simd.NEON) {
		t.Errorf("%s has the level %v", runtime.GOARCH, simd.Best())
	}
	if got := simd.Level(9).String(); got != "Level(9)" {
		t.Errorf("unknown level is %s", got)
	}
}

// each runs compute at every level and checks that the two kinds of kernel
// agree to the last bit.
func each(t *testing.T, compute func(simd.Level) []float32) {
	t.Helper()
	var previous []float32
	for _, l := range simd.Levels() {
		got := compute(l)
		if l == simd.AVX512 && !slices.Equal(got, previous) {
			t.Error("avx2 and avx512 differ")
		}
		previous = got
	}
}

func BenchmarkFunctions(b *testing.B) {
	r := seeded()
	x, bias := random(r, 384), random(r, 384)
	half := string(make([]byte, 192*32*2))
	wide := make([]float32, 192*32)
	var block, other [1024]float32
	for _, l := range simd.Levels() {
		for name, call := range map[string]func(){
			"gelu384":      func() { l.GELU(x) },
			"softmax128":   func() { l.Softmax(x[:128], 128, 0.1) },
			"layernorm384": func() { l.LayerNorm(x, bias, bias, bias, 1e-12) },
			"widen6144":    func() { l.Widen(wide, half) },
			"transpose32":  func() { l.Transpose32(&block, &other) },
		} {
			b.Run(name+"/"+l.String(), func(b *testing.B) {
				for b.Loop() {
					call()
				}
			})
		}
	}
}
