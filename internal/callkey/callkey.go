// Package callkey makes the keys under which the ledger keeps calls.
package callkey

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"io"
	"math"
	"strconv"
	"strings"
)

// Of returns the key of a request in canonical form: its SHA-256 in hexadecimal digits.
func Of(request []byte) string {
	sum := sha256.Sum256(request)
	return hex.EncodeToString(sum[:])
}

// Canonical returns JSON text in canonical form: equal values yield equal bytes.
func Canonical(text []byte) ([]byte, error) {
	dec := json.NewDecoder(bytes.NewReader(text))
	dec.UseNumber()
	var v any
	if err := dec.Decode(&v); err != nil {
		return nil, err
	}
	if _, err := dec.Token(); err != io.EOF {
		return nil, fmt.Errorf("more follows the JSON value: expected one")
	}
	normalise(&v)
	var b bytes.Buffer
	enc := json.NewEncoder(&b)
	enc.SetEscapeHTML(false)
	// The encoder sorts the fields of a map.
	if err := enc.Encode(v); err != nil {
		return nil, err
	}
	return bytes.TrimSuffix(b.Bytes(), []byte("\n")), nil
}

// normalise puts every number in v in canonical form.
func normalise(v *any) {
	switch x := (*v).(type) {
	case json.Number:
		*v = number(x)
	case []any:
		for i := range x {
			normalise(&x[i])
		}
	case map[string]any:
		for k, e := range x {
			normalise(&e)
			x[k] = e
		}
	}
}

// number returns the canonical form of n: an integer with all its digits, and any other
// number with the fewest digits that yield the same float64. A number out of the range
// of float64 is returned unchanged.
func number(n json.Number) json.Number {
	s := n.String()
	if !strings.ContainsAny(s, ".eE") {
		if s == "-0" {
			return "0"
		}
		return n
	}
	f, err := strconv.ParseFloat(s, 64)
	if err != nil {
		return n
	}
	// Above 2^53 a float64 cannot represent every integer.
	if f == math.Trunc(f) && math.Abs(f) < 1<<53 {
		return json.Number(strconv.FormatInt(int64(f), 10))
	}
	return json.Number(strconv.FormatFloat(f, 'g', -1, 64))
}
