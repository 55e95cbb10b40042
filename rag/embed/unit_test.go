package embed

import (
	"math"
	"testing"

	"pgregory.net/rapid"
)

// TestUnit holds a vector to its direction and to length 1, and its packed form to its bits.
func TestUnit(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		v := rapid.SliceOfN(rapid.Float32Range(-1e6, 1e6), 1, 50).Draw(t, "vector")
		out, scaled, err := unit(v)
		length, dot, now := 0.0, 0.0, 0.0
		for _, x := range v {
			length += float64(x) * float64(x)
		}
		length = math.Sqrt(length)
		if length == 0 {
			if err == nil {
				t.Fatal("a zero vector has no direction")
			}
			return
		}
		if err != nil {
			t.Fatal(err)
		}
		for i, x := range out {
			dot += float64(x) * float64(v[i])
			now += float64(x) * float64(x)
		}
		if math.Abs(math.Sqrt(now)-1) > 2*tolerance || math.Abs(dot/length-1) > 2*tolerance || scaled != (math.Abs(length-1) > tolerance) {
			t.Fatalf("length %v, cosine %v, scaled %v; before %v", math.Sqrt(now), dot/length, scaled, length)
		}
		back, err := unpacked(packed(out))
		if err != nil || len(back) != len(out) {
			t.Fatal(err)
		}
		for i := range back {
			if math.Float32bits(back[i]) != math.Float32bits(out[i]) {
				t.Fatalf("number %d: %v, was %v", i, back[i], out[i])
			}
		}
	})
}
