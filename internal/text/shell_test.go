package text_test

import (
	"testing"

	shellquote "github.com/kballard/go-shellquote"

	"github.com/assay-eval/assay/internal/text"
)

func TestShell(t *testing.T) {
	t.Parallel()
	for s, want := range map[string]string{
		"passages=neighbours": "passages=neighbours", "passages=hits[]": "'passages=hits[]'", `{"q": "{{question}}"}`: `'{"q": "{{question}}"}'`,
		"it's": `'it'\''s'`, "": "''", "two words": "'two words'", "港鐵": "'港鐵'", "*": "'*'", "~": "'~'",
	} {
		if got := text.Shell(s); got != want {
			t.Errorf("%q: %s, want %s", s, got, want)
		}
	}
}

// A shell reads the word as the text that it was.
func FuzzShell(f *testing.F) {
	f.Add("it's {a,b}")
	f.Fuzz(func(t *testing.T, s string) {
		got, err := shellquote.Split(text.Shell(s))
		if err != nil || len(got) != 1 || got[0] != s {
			t.Errorf("%q: %q, %v", s, got, err)
		}
	})
}
