package web

import (
	"regexp"
	"testing"
)

// TestTemplatesHaveTheirOwnNames: of two templates with one name the second takes the place of
// the first, on pages that have nothing to do with it.
func TestTemplatesHaveTheirOwnNames(t *testing.T) {
	t.Parallel()
	files, err := templates.ReadDir("page")
	if err != nil {
		t.Fatal(err)
	}
	in := map[string]string{}
	for _, f := range files {
		text, err := templates.ReadFile("page/" + f.Name())
		if err != nil {
			t.Fatal(err)
		}
		for _, m := range regexp.MustCompile(`\{\{-? ?define "([^"]*)"`).FindAllStringSubmatch(string(text), -1) {
			if other, taken := in[m[1]]; taken {
				t.Errorf("%s and %s both define %q", other, f.Name(), m[1])
			}
			in[m[1]] = f.Name()
		}
	}
}
