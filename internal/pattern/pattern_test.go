package pattern_test

import (
	"regexp"
	"testing"

	"github.com/assay-eval/assay/internal/pattern"
)

// TestTranslated holds what each expression matches in JavaScript, as checked by
// hand with RegExp.test.
func TestTranslated(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		source string
		yes    []string
		no     []string
	}{
		{`^\d{2}$`, []string{"12"}, []string{"12\n", "١٢", "1"}},
		{`a.c`, []string{"abc", "a c"}, []string{"a\nc", "a\rc", "a\u2028c"}},
		{`a\sb`, []string{"a b", "a\u00a0b", "a\ufeffb"}, []string{"ab", "a\u0085b"}},
		{`[\w-]+@[^\s@]+`, []string{"a-b@c"}, []string{"@c", "é@ "}},
		{`https?:\/\/x\.org\u002Fa`, []string{"http://x.org/a"}, []string{"http://xorg/a"}},
		{`x{,2}`, []string{"x{,2}"}, []string{"xx"}},
		{`[[a]`, []string{"[", "a"}, []string{"b"}},
		{`[^\D]`, []string{"1"}, []string{"a"}},
		{`(?<year>\d+)`, []string{"1"}, []string{"a"}},
	} {
		out, err := pattern.FromJavaScript(c.source)
		if err != nil {
			t.Errorf("%s: %v", c.source, err)
			continue
		}
		re := regexp.MustCompile(out)
		for _, s := range c.yes {
			if !re.MatchString(s) {
				t.Errorf("%s as %s does not match %q", c.source, out, s)
			}
		}
		for _, s := range c.no {
			if re.MatchString(s) {
				t.Errorf("%s as %s matches %q", c.source, out, s)
			}
		}
	}
}

func TestNotTranslated(t *testing.T) {
	t.Parallel()
	for _, source := range []string{`a(?=b)`, `(a)\1`, `(?<!a)b`, `[]a]`, `[^]`, `(`, `a\`, `\u12`, `\ud83d`, `(?m)^a$`, `(?i)a`, `(?x) a b`, `[\S]`, `(?<a>b)\k<a>`} {
		if out, err := pattern.FromJavaScript(source); err == nil {
			t.Errorf("%s became %s", source, out)
		}
	}
}

func FuzzTranslate(f *testing.F) {
	for _, s := range []string{`^\d{2}$`, `[\w-]+@[^\s@]+`, `\u0041(?<n>.)`, `[[a]\`, `(?i)x{,2}\Z`} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, source string) {
		if out, err := pattern.FromJavaScript(source); err == nil {
			if _, err := regexp.Compile(out); err != nil {
				t.Errorf("%q became %q: %v", source, out, err)
			}
		}
	})
}
