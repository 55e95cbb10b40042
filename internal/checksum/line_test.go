package checksum_test

import (
	"bytes"
	"encoding/json"
	"testing"

	"github.com/assay-eval/assay/internal/checksum"
)

// A line comes out as it went in; with any bit flipped it is an error, of the checksum or
// of JSON.
func TestLine(t *testing.T) {
	t.Parallel()
	type object struct {
		Text  string  `json:"text"`
		Value float64 `json:"value"`
	}
	in := object{"<é>\n\"", 0.25}
	line, err := checksum.Line(in)
	if err != nil {
		t.Fatal(err)
	}
	const want = `{"text":"<é>\n\"","value":0.25}`
	if got, err := checksum.Cut(line); string(got) != want || err != nil {
		t.Errorf("%q, %v: want %q", got, err, want)
	}
	for i := range len(line)*8 - 8 { // without the end of the line
		flipped := append([]byte(nil), line...)
		flipped[i/8] ^= 1 << (i % 8)
		got, err := checksum.Cut(flipped)
		dec := json.NewDecoder(bytes.NewReader(got))
		dec.DisallowUnknownFields()
		if err == nil && dec.Decode(new(object)) == nil {
			t.Errorf("bit %d: %q is taken for an object", i, flipped)
		}
	}
	for _, plain := range []string{`{"a":1}` + "\n", "{}", "", `{"crc32c":"01234567"}`} {
		if got, err := checksum.Cut([]byte(plain)); string(got) != plain || err != nil {
			t.Errorf("%q gives %q, %v", plain, got, err)
		}
	}
}
