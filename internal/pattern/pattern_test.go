package pattern_test

import (
	"regexp"
	"testing"

	"github.com/assay-eval/assay/internal/pattern"
)

// TestTranslated holds what each expression matches in its own language. The JavaScript
// rows were checked by hand with RegExp.test, the Python rows with re.search.
func TestTranslated(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		from   func(string) (string, error)
		source string
		yes    []string
		no     []string
	}{
		{pattern.FromJavaScript, `^\d{2}$`, []string{"12"}, []string{"12\n", "١٢", "1"}},
		{pattern.FromJavaScript, `a.c`, []string{"abc", "a c"}, []string{"a\nc", "a\rc", "a\u2028c"}},
		{pattern.FromJavaScript, `a\sb`, []string{"a b", "a\u00a0b", "a\ufeffb"}, []string{"ab", "a\u0085b"}},
		{pattern.FromJavaScript, `[\w-]+@[^\s@]+`, []string{"a-b@c"}, []string{"@c", "é@ "}},
		{pattern.FromJavaScript, `https?:\/\/x\.org\u002Fa`, []string{"http://x.org/a"}, []string{"http://xorg/a"}},
		{pattern.FromJavaScript, `x{,2}`, []string{"x{,2}"}, []string{"xx"}},
		{pattern.FromJavaScript, `[[a]`, []string{"[", "a"}, []string{"b"}},
		{pattern.FromJavaScript, `[^\D]`, []string{"1"}, []string{"a"}},
		{pattern.FromJavaScript, `(?<year>\d+)`, []string{"1"}, []string{"a"}},
		{pattern.FromPython, `^\d{2}$`, []string{"12", "12\n", "١٢"}, []string{"1"}},
		{pattern.FromPython, `a.c`, []string{"abc", "a\rc"}, []string{"a\nc"}},
		{pattern.FromPython, `^\w+$`, []string{"été_1"}, []string{"a-b"}},
		{pattern.FromPython, `^x{,2}\Z`, []string{"", "xx"}, []string{"xxx", "x\n"}},
		{pattern.FromPython, `(?i)yes`, []string{"YES"}, []string{"no"}},
		{pattern.FromPython, `(?P<a>b)\ c`, []string{"b c"}, []string{"bc"}},
	} {
		out, err := c.from(c.source)
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
	for _, source := range []string{`a(?=b)`, `(a)\1`, `(?<!a)b`, `[]a]`, `[^]`, `(`, `a\`, `\u12`, `\ud83d`, `(?m)^a$`, `[\S]`, `(?<a>b)\k<a>`} {
		if out, err := pattern.FromJavaScript(source); err == nil {
			t.Errorf("%s became %s", source, out)
		}
	}
	if out, err := pattern.FromPython(`(?x) a b`); err == nil {
		t.Errorf("became %s", out)
	}
}

func FuzzTranslate(f *testing.F) {
	for _, s := range []string{`^\d{2}$`, `[\w-]+@[^\s@]+`, `\u0041(?<n>.)`, `[[a]\`, `(?i)x{,2}\Z`} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, source string) {
		for _, from := range []func(string) (string, error){pattern.FromJavaScript, pattern.FromPython} {
			if out, err := from(source); err == nil {
				if _, err := regexp.Compile(out); err != nil {
					t.Errorf("%q became %q: %v", source, out, err)
				}
			}
		}
	})
}
