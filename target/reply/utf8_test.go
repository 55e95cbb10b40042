package reply

import (
	"io"
	"strings"
	"testing"

	"golang.org/x/text/transform"
)

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
