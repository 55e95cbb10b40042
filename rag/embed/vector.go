package embed

import (
	"encoding/base64"
	"encoding/binary"
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"strconv"
	"strings"

	"github.com/assay-eval/assay/internal/text"
)

// tolerance is how far from 1 the length of a vector may be that is used as it is: the
// rounding of single precision, not that of half precision.
const tolerance = 1e-4

// A vector is read from JSON: a list of numbers, or a text that is the base64 of
// little-endian float32. Both forms are in use for the same field.
type vector []float32

func (v *vector) UnmarshalJSON(data []byte) error {
	if len(data) > 0 && data[0] == '"' {
		var s string
		if err := json.Unmarshal(data, &s); err != nil {
			return err
		}
		read, err := unpacked(s)
		*v = read
		return err
	}
	// json.Unmarshal would read null, which is how servers write NaN, as 0.
	s := strings.TrimSpace(string(data))
	if len(s) < 2 || s[0] != '[' || s[len(s)-1] != ']' {
		return errors.New("expected a list of numbers")
	}
	inner := s[1 : len(s)-1]
	if strings.TrimSpace(inner) == "" {
		*v = vector{}
		return nil
	}
	fields := strings.Split(inner, ",")
	out := make(vector, len(fields))
	for i, f := range fields {
		n, err := strconv.ParseFloat(strings.TrimSpace(f), 32)
		if err != nil {
			return fmt.Errorf("number %d of a vector is %s: expected a number of single precision", i+1, text.Shorten(strings.TrimSpace(f), 40))
		}
		out[i] = float32(n)
	}
	*v = out
	return nil
}

// packed is the base64 of a vector as little-endian float32.
func packed(v []float32) string {
	b := make([]byte, 0, 4*len(v))
	for _, x := range v {
		b = binary.LittleEndian.AppendUint32(b, math.Float32bits(x))
	}
	return base64.StdEncoding.EncodeToString(b)
}

// unpacked reads what packed wrote.
func unpacked(s string) ([]float32, error) {
	b, err := base64.StdEncoding.DecodeString(s)
	if err == nil && len(b)%4 != 0 {
		err = fmt.Errorf("%d bytes", len(b))
	}
	if err != nil {
		return nil, fmt.Errorf("a vector as text: %w: expected the base64 of float32", err)
	}
	v := make([]float32, len(b)/4)
	for i := range v {
		v[i] = math.Float32frombits(binary.LittleEndian.Uint32(b[4*i:]))
	}
	return v, nil
}

// unit returns a vector of length 1: v itself if it has that length already, else a
// scaled copy. A vector without a direction is an error.
func unit(v []float32) (out []float32, scaled bool, err error) {
	if len(v) == 0 {
		return nil, false, errors.New("the vector is empty")
	}
	sum := 0.0
	for i, x := range v {
		f := float64(x)
		if math.IsNaN(f) || math.IsInf(f, 0) {
			return nil, false, fmt.Errorf("number %d of the vector is %v", i+1, f)
		}
		sum += f * f
	}
	length := math.Sqrt(sum)
	switch {
	case length == 0:
		return nil, false, errors.New("the vector is zero: it has no direction")
	case math.Abs(length-1) <= tolerance:
		return v, false, nil
	}
	out = make([]float32, len(v))
	for i, x := range v {
		out[i] = float32(float64(x) / length)
	}
	return out, true, nil
}

// units checks the vectors of some texts and makes their lengths 1. scaled tells which of
// them had another length.
func units(texts []string, vectors [][]float32) (out [][]float32, scaled []bool, err error) {
	if len(vectors) != len(texts) {
		return nil, nil, fmt.Errorf("%d vectors for %d texts: expected one for each", len(vectors), len(texts))
	}
	out, scaled = make([][]float32, len(texts)), make([]bool, len(texts))
	for i, v := range vectors {
		if out[i], scaled[i], err = unit(v); err == nil && len(v) != len(vectors[0]) {
			err = fmt.Errorf("the vector has %d numbers: expected %d, as that of the first text has", len(v), len(vectors[0]))
		}
		if err != nil {
			return nil, nil, fmt.Errorf("text %d of %d, %s: %w", i+1, len(texts), beginning(texts[i]), err)
		}
	}
	return out, scaled, nil
}

// beginning quotes the beginning of a text.
func beginning(s string) string {
	return strconv.Quote(text.Shorten(text.Collapse(text.Visible(s)), 40))
}
