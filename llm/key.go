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

// keyVersion is part of every key. A change to the content of keys needs a new version
// and invalidates every ledger.
const keyVersion = "assay.call/1"

// DefaultMaxTokens is the token limit of a reply if the request sets none.
const DefaultMaxTokens = 4096

// keyed is the content of a key: everything that a reply depends on. It excludes the
// address of the server, because a ledger must be usable behind a proxy, on another
// port and in CI, where the same model has another address. Servers that differ in more
// than their address need different provider names.
type keyed struct {
	Version  string `json:"version"`
	Provider string `json:"provider"`
	Request
}

// Key returns the key of a request to a provider, and the text whose SHA-256 it is:
// canonical JSON with sorted fields, normalized numbers and no spaces, so equal
// requests have equal keys. A MaxTokens of 0 means [DefaultMaxTokens]. Invalid UTF-8 is
// replaced by U+FFFD, as in the request that is sent.
//
// The order of the fields in a schema does not affect the key. Key returns an error if
// the request cannot be encoded as JSON.
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

// canonical returns JSON text in canonical form: equal values yield equal bytes.
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
