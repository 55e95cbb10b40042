package llm

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

// keyVersion is part of every key. A change of what a key is made of needs a
// new one, and makes every ledger start again.
const keyVersion = "assay.call/1"

// DefaultMaxTokens bounds a reply whose request says nothing.
const DefaultMaxTokens = 4096

// keyed is what a key is made of: everything that a reply depends on. The
// address of the server is not: a ledger has to be of use behind a proxy, on
// another port and in CI, where the same model has another address. Servers
// that differ in more than their address need different provider names.
type keyed struct {
	Version  string `json:"version"`
	Provider string `json:"provider"`
	Request
}

// Key returns the key of a request to a provider, and the text that it is the
// SHA-256 of: canonical JSON, in which fields are sorted, numbers have one
// spelling and there is no space, so that equal requests have equal keys. A
// MaxTokens of 0 is that of [DefaultMaxTokens]. Text that is not UTF-8 counts
// as what is sent, with U+FFFD in the place of what is invalid.
//
// The order of the fields in a schema is not part of the key either. An error
// means that the request cannot be written as JSON.
func Key(provider string, r Request) (key string, request json.RawMessage, err error) {
	if r.MaxTokens == 0 {
		r.MaxTokens = DefaultMaxTokens
	}
	if len(r.Extra) == 0 {
		r.Extra = nil
	}
	if r.Messages == nil {
		r.Messages = []Message{}
	}
	text, err := json.Marshal(keyed{Version: keyVersion, Provider: provider, Request: r})
	if err != nil {
		return "", nil, err
	}
	request, err = canonical(text)
	if err != nil {
		return "", nil, err
	}
	return digest(request), request, nil
}

func digest(b []byte) string {
	sum := sha256.Sum256(b)
	return hex.EncodeToString(sum[:])
}

// canonical writes JSON text in the one way that equal values are written.
func canonical(text []byte) ([]byte, error) {
	dec := json.NewDecoder(bytes.NewReader(text))
	dec.UseNumber()
	var v any
	if err := dec.Decode(&v); err != nil {
		return nil, err
	}
	if _, err := dec.Token(); err != io.EOF {
		return nil, fmt.Errorf("more follows the JSON value: want one")
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

// normalise gives every number in v one spelling.
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

// number spells a whole number with its digits, whatever its size, and another
// with the fewest digits that give the same float64. One that no float64 holds
// stays as it is.
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
	// Beyond 2^53 a float64 does not hold every whole number.
	if f == math.Trunc(f) && math.Abs(f) < 1<<53 {
		return json.Number(strconv.FormatInt(int64(f), 10))
	}
	return json.Number(strconv.FormatFloat(f, 'g', -1, 64))
}
