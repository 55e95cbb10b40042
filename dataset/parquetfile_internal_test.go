package dataset

import (
	"math"
	"math/big"
	"testing"
)

func TestDecimal(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		v, scale int64
		want     string
	}{
		{1250, 2, "12.50"}, {-5, 2, "-0.05"}, {0, 2, "0.00"}, {7, 0, "7"}, {-123, 3, "-0.123"}, {12, -4, "12"},
	} {
		if got := decimal(big.NewInt(c.v), c.scale); got != c.want {
			t.Errorf("%d of scale %d: %s, want %s", c.v, c.scale, got, c.want)
		}
	}
	for _, c := range []struct {
		b    []byte
		want int64
	}{{nil, 0}, {[]byte{0x7f}, 127}, {[]byte{0x80}, -128}, {[]byte{0xff, 0xfb}, -5}, {[]byte{0x04, 0xe2}, 1250}} {
		if got := bigInt(c.b); got.Int64() != c.want {
			t.Errorf("% x: %v, want %d", c.b, got, c.want)
		}
	}
}

// Values of IEEE 754, table 3.5: 1 sign, 5 exponent and 10 fraction bits.
func TestHalf(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		b    uint16
		want float64
	}{
		{0x3c00, 1}, {0xc000, -2}, {0x3555, 0.333251953125}, {0x7bff, 65504}, {0x0001, math.Ldexp(1, -24)}, {0x0000, 0},
		{0x7c00, math.Inf(1)}, {0xfc00, math.Inf(-1)},
	} {
		if got := half(c.b); got != c.want {
			t.Errorf("%04x: %v, want %v", c.b, got, c.want)
		}
	}
	if got := half(0x7e00); !math.IsNaN(got) {
		t.Errorf("%v, want NaN", got)
	}
}
