package dataset_test

import (
	"bytes"
	"compress/gzip"
	"encoding/binary"
	"encoding/json"
	"maps"
	"slices"
	"testing"
	"unicode/utf16"
)

// passwordHash is what this prints:
//
//	printf 'How do I reset my password?' | sha256sum | cut -c1-12
const passwordHash = "b5e96206461a"

func jsonNumber(s string) json.Number { return json.Number(s) }

// utf16Text encodes with a byte order mark.
func utf16Text(s string, big bool) string {
	var order binary.AppendByteOrder = binary.LittleEndian
	if big {
		order = binary.BigEndian
	}
	b := order.AppendUint16(nil, 0xfeff)
	for _, u := range utf16.Encode([]rune(s)) {
		b = order.AppendUint16(b, u)
	}
	return string(b)
}

func gzipped(t testing.TB, s string) string {
	t.Helper()
	var b bytes.Buffer
	w := gzip.NewWriter(&b)
	if _, err := w.Write([]byte(s)); err != nil {
		t.Fatal(err)
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	return b.String()
}

func sorted[V any](m map[string]V) []string { return slices.Sorted(maps.Keys(m)) }
