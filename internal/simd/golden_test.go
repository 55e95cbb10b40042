package simd_test

import (
	"bufio"
	"crypto/sha256"
	"encoding/binary"
	"flag"
	"fmt"
	"math"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/assay-eval/assay/internal/simd"
)

var update = flag.Bool("update", false, "write testdata/bits.txt anew, at the best level of this processor")

// TestGolden holds the kernels of every processor to the same bytes: the file has a checksum
// of what each kernel gave on x86-64.
func TestGolden(t *testing.T) {
	t.Parallel()
	path := filepath.Join("testdata", "bits.txt")
	if *update {
		var b strings.Builder
		for _, c := range goldenCases() {
			fmt.Fprintf(&b, "%s %x\n", c.name, c.sum(simd.Best()))
		}
		if err := os.WriteFile(path, []byte(b.String()), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	f, err := os.Open(path)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	golden := map[string]string{}
	for lines := bufio.NewScanner(f); lines.Scan(); {
		name, sum, _ := strings.Cut(lines.Text(), " ")
		golden[name] = sum
	}
	cases := goldenCases()
	if len(golden) != len(cases) {
		t.Errorf("%d checksums for %d cases: go test ./internal/simd -run TestGolden -update", len(golden), len(cases))
	}
	for _, l := range simd.Levels()[1:] {
		for _, c := range cases {
			if got := fmt.Sprintf("%x", c.sum(l)); got != golden[c.name] {
				t.Errorf("%v: %s: checksum %s, want %s", l, c.name, got, golden[c.name])
			}
		}
	}
}

// A goldenCase computes numbers with the kernels of a level.
type goldenCase struct {
	name    string
	compute func(l simd.Level) []float32
}

// sum is a checksum of the bits of the numbers.
func (c goldenCase) sum(l simd.Level) []byte {
	h := sha256.New()
	for _, v := range c.compute(l) {
		h.Write(binary.LittleEndian.AppendUint32(nil, math.Float32bits(v)))
	}
	return h.Sum(nil)[:8]
}

func goldenCases() []goldenCase {
	var all []goldenCase
	add := func(compute func(simd.Level) []float32, format string, args ...any) {
		all = append(all, goldenCase{fmt.Sprintf(format, args...), compute})
	}
	for _, n := range []int{1, 2, 3, 4, 5, 15, 16, 17, 48, 63, 64, 65, 127, 128, 300, 384, 1000} {
		add(func(l simd.Level) []float32 {
			r := seeded()
			var out []float32
			for range 50 {
				out = append(out, l.Dot(exact(r, n), exact(r, n)))
			}
			return out
		}, "dot/%d", n)
	}
	for _, rows := range []int{6, 12, 30} {
		for _, depth := range []int{1, 3, 4, 7, 32, 192, 383} {
			add(func(l simd.Level) []float32 {
				r := seeded()
				a := simd.Matrix{Data: exact(r, rows*depth), Stride: depth}
				from := simd.Matrix{Data: exact(r, rows*simd.Width), Stride: simd.Width}
				dst := simd.Matrix{Data: make([]float32, rows*simd.Width), Stride: simd.Width}
				l.MulAdd(dst, from, a, exact(r, depth*simd.Width), rows, depth)
				return dst.Data
			}, "muladd/%d×%d", rows, depth)
		}
	}
	add(func(l simd.Level) []float32 {
		var src []byte
		for h := range 1 << 16 {
			if h>>10&31 != 31 || h&1023 == 0 { // a number
				src = binary.LittleEndian.AppendUint16(src, uint16(h))
			}
		}
		out := make([]float32, len(src)/2)
		l.Widen(out, string(src))
		return out
	}, "widen")
	add(func(l simd.Level) []float32 {
		x := []float32{0, float32(math.Copysign(0, -1)), 1e30, -1e30, 1e-40, -1e-40}
		for i := range 20_000 {
			x = append(x, float32(i-10_000)*0x1p-10)
		}
		x = append(x, exact(seeded(), 5000)...)
		l.GELU(x)
		return x
	}, "gelu")
	for _, n := range []int{1, 5, 15, 16, 17, 32, 100, 256} {
		add(func(l simd.Level) []float32 {
			var out []float32
			for i, r := 0, seeded(); i < 50; i++ {
				x := exact(r, (n+15)/16*16)
				l.Softmax(x, n, float32(i+1))
				out = append(out, x[:n]...)
			}
			return out
		}, "softmax/%d", n)
	}
	for _, n := range []int{16, 48, 384, 1024} {
		add(func(l simd.Level) []float32 {
			var out []float32
			for i, r := 0, seeded(); i < 20; i++ {
				x := exact(r, n)
				l.LayerNorm(x, exact(r, n), exact(r, n), exact(r, n), float32(i)*1e-6)
				out = append(out, x...)
			}
			return out
		}, "layernorm/%d", n)
	}
	return all
}

// exact gives n numbers that are the same on every processor, unlike those of NormFloat64:
// most between -2 and 2, some so small that their products are subnormal.
func exact(r *rand.Rand, n int) []float32 {
	out := make([]float32, n)
	for i := range out {
		out[i] = float32(int32(r.Uint32())) * 0x1p-30
		if r.IntN(50) == 0 {
			out[i] *= 0x1p-70
		}
	}
	return out
}
