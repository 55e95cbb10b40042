package trec

import (
	"errors"
	"strconv"
)

// pow10 holds the powers of ten that float64 represents exactly.
var pow10 = [...]float64{
	1e0, 1e1, 1e2, 1e3, 1e4, 1e5, 1e6, 1e7, 1e8, 1e9, 1e10, 1e11,
	1e12, 1e13, 1e14, 1e15, 1e16, 1e17, 1e18, 1e19, 1e20, 1e21, 1e22,
}

// maxExact is 2^53; float64 represents every smaller integer exactly.
const maxExact = 1 << 53

// parseFloat returns the same value as strconv.ParseFloat, bit for bit, but is
// faster for the decimals in runs. A mantissa of up to 15 digits and a small
// power of ten are both exact as float64, so one operation rounds correctly
// (Clinger, PLDI 1990); strconv handles everything else. A number that is too
// large is an infinity, as in C's strtod. ok is false if s is not a number.
func parseFloat(b []byte) (v float64, ok bool) {
	i := 0
	neg := len(b) > 0 && b[0] == '-'
	if len(b) > 0 && (b[0] == '-' || b[0] == '+') {
		i = 1
	}
	var mantissa uint64
	digits, fraction, seen := 0, 0, false
	for ; i < len(b); i++ {
		c := b[i]
		if c == '.' && !seen {
			seen = true
			continue
		}
		if c < '0' || c > '9' {
			return slowFloat(b)
		}
		mantissa = mantissa*10 + uint64(c-'0')
		digits++
		if seen {
			fraction++
		}
	}
	// 18 digits cannot overflow 64 bits.
	if digits == 0 || digits > 18 || mantissa > maxExact || fraction >= len(pow10) {
		return slowFloat(b)
	}
	v = float64(mantissa) / pow10[fraction]
	if neg {
		v = -v
	}
	return v, true
}

func slowFloat(b []byte) (float64, bool) {
	v, err := strconv.ParseFloat(string(b), 64)
	if err != nil {
		// On a range error the value is the infinity of the right sign.
		return v, errors.Is(err, strconv.ErrRange)
	}
	return v, true
}
