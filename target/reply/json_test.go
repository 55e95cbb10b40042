package reply

import (
	"encoding/json"
	"io"
	"reflect"
	"strings"
	"testing"
	"unicode/utf8"

	"golang.org/x/text/transform"
)

// slowly is what quickly has to agree with.
func slowly(raw string) (v any, ok bool) {
	d := json.NewDecoder(strings.NewReader(raw))
	d.UseNumber()
	if d.Decode(&v) != nil {
		return nil, false
	}
	_, err := d.Token()
	return v, err == io.EOF
}

var values = []string{
	``, ` `, `{}`, `[]`, ` { "a" : [ 1 , -2.5e+3 , 0 , -0 , 1E5, 0.10e-07 , true , false , null , "" ] } `, "\t\r\n[1]\n",
	`{"a":1,"a":2,"":{}}`,
	`01`, `-`, `1.`, `.5`, `1e`, `1e+`, `+1`, `--1`, `1 2`, `[1,]`, `[,1]`, `{"a":1,}`, `{"a"}`, `{a:1}`, `{"a":}`, `[1`, `{"a":1`, `nul`,
	`nulls`, `True`, `NaN`,
	`"a\"b\\c\/d\b\f\n\r\te"`, `"\u00e9\u20AC\uFFFD\u0000"`, `"\ud83d\ude00"`, `"\uD83D"`, `"\ude00x"`, `"\ud83d\ud83d\ude00"`, `"\ud83dA"`,
	`"\ud83d\n"`, `"\ud83d\u12"`, `"\ud83d\u00e9"`,
	`"\u12"`, `"\u12g4"`, `"\x"`, `"\`, `"a`, `"a\"`, "\"a\nb\"", "\"\\n\x01\"", "\"\x7f\"", "\"Grüße 😀\"", "\"\xff\"", "\"\\n\xff\"",
	"{\"\xc3\":1}", "\xef\xbb\xbf1", "\"\xed\xa0\x80\"",
	`{"answer":"A","passages":[{"text":"one \u00e9\n","score":0.5},{"text":"two","score":1e308}]}`, strings.Repeat("[", 190) +
		strings.Repeat("]", 190),
}

// agree checks that both decode alike.
func agree(t *testing.T, raw string) {
	t.Helper()
	v, ok := quickly([]byte(raw))
	want, valid := slowly(raw)
	if ok && (!valid || !reflect.DeepEqual(v, want)) {
		t.Errorf("%q: quickly %#v, encoding/json %#v (%v)", raw, v, want, valid)
	}
	// What falls back to encoding/json is read in the end; it is only slower.
	if both, err := decodeJSON([]byte(raw)); (err == nil) != valid || valid && !reflect.DeepEqual(both, want) {
		t.Errorf("%q: %#v, %v; encoding/json %#v (%v)", raw, both, err, want, valid)
	}
}

func TestQuickly(t *testing.T) {
	t.Parallel()
	for _, raw := range values {
		agree(t, raw)
		if _, valid := slowly(raw); valid && utf8.ValidString(raw) {
			if _, ok := quickly([]byte(raw)); !ok {
				t.Errorf("%q: is left to encoding/json", raw)
			}
		}
	}
	for _, deep := range []int{maxNesting, maxNesting + 1, 9_999} {
		agree(t, strings.Repeat(`{"a":[`, deep/2)+strings.Repeat("]}", deep/2))
	}
}

func FuzzQuickly(f *testing.F) {
	for _, raw := range values {
		f.Add(raw)
	}
	f.Fuzz(agree)
}

// decodes checks utf8Text, which leaves alone what needs no decoding, against
// the decoder alone.
func decodes(t *testing.T, raw string) {
	t.Helper()
	want, err := io.ReadAll(transform.NewReader(strings.NewReader(raw), decoder()))
	if err != nil {
		t.Fatal(err)
	}
	if got, err := utf8Text([]byte(raw)); err != nil || string(got) != string(want) {
		t.Errorf("%q: %q, %v: want %q", raw, got, err, want)
	}
}

var encoded = []string{"", "a", "Grüße", "\xef\xbb\xbfa", "a\xef\xbb\xbf", "\xff\xfea\x00", "\xfe\xff\x00a", "\xff\xfea", "\xff", "a\xc3",
	"\xc3", "a\xffb", "\xef\xbb", "\xed\xa0\x80", "\ufffd\x00"}

func TestUTF8Text(t *testing.T) {
	t.Parallel()
	for _, raw := range encoded {
		decodes(t, raw)
	}
}

func FuzzUTF8Text(f *testing.F) {
	for _, raw := range encoded {
		f.Add(raw)
	}
	f.Fuzz(decodes)
}
