package redact

import (
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// TestBadRules: what is wrong is said with its line and with what would be right.
func TestBadRules(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]string{
		"":                                      "redact.yaml: no rules: expected recognise, replace or drop",
		"recognise: []":                         "redact.yaml: no rules",
		"recognise: [email, emali]":             `redact.yaml:1: recognise[1]: unknown recogniser "emali": expected one of url_credentials, `,
		"recognise:\n- email\n- email":          "redact.yaml:3: recognise[1]: email is named twice: expected it once",
		"recognize: [email]":                    `redact.yaml:1: unknown field "recognize"`,
		"replace:\n- {name: order}":             "redact.yaml:2: replace[0]: name or pattern is missing: expected both, as in {name: order",
		"replace:\n- {pattern: a}":              "redact.yaml:2: replace[0]: name or pattern is missing",
		"replace:\n- {name: Order, pattern: a}": `redact.yaml:2: replace[0].name: "Order": expected at most 40 small letters`,
		"replace:\n- {name: email, pattern: a}": `redact.yaml:2: replace[0].name: "email" is a recogniser; choose another name`,
		"replace:\n- {name: a, pattern: a}\n- {name: a, pattern: b}":            `redact.yaml:3: replace[1].name: "a" is the name of another`,
		"replace:\n- {name: a, pattern: 'a['}":                                  "replace[0].pattern: error parsing regexp: missing closing ]",
		"replace:\n- {name: a, pattern: '(?<=a)b'}":                             "redact.yaml:2: replace[0].pattern: error parsing regexp: ",
		"replace:\n- {name: a, pattern: 'a*'}":                                  `redact.yaml:2: replace[0].pattern: "a*" matches the empty text`,
		"replace:\n- {name: a, pattern: 'ab|c?'}":                               "matches the empty text",
		"replace:\n- {name: a, pattern: '\\b'}":                                 "matches the empty text",
		"replace:\n- {name: a, pattern: '(a{0,3})'}":                            "matches the empty text",
		"replace:\n- {name: a, pattern: '^$'}":                                  "matches the empty text",
		"drop: ['*']":                                                           `redact.yaml:1: drop[0]: "*" would remove every attribute`,
		"drop: [user, '']":                                                      `drop[1]: "" would remove every attribute`,
		"recognise: [email]\npseudonyms: no.key":                                "pseudonyms: no.key: no key can be read: expected a file",
		"recognise: [email]\npseudonyms: short.key":                             "pseudonyms: short.key: the key has less than 32 bytes",
		"recognise: [emali]\nreplace:\n- {name: a, pattern: 'a*'}\ndrop: ['*']": "redact.yaml:4: drop[0]",
	} {
		dir := t.TempDir()
		write(t, dir, "redact.yaml", text)
		write(t, dir, "short.key", strings.Repeat("k", 31)+"\n")
		if _, err := Load(filepath.Join(dir, "redact.yaml"), "redact.yaml"); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%q: error %v, want %q", text, err, want)
		}
	}
	if _, err := Load(filepath.Join(t.TempDir(), "none.yaml"), "none.yaml"); err == nil {
		t.Error("a file that is missing is no error")
	}
}

// TestRules: expressions come first, whatever the order in the file; every expression that
// needs a character is taken.
func TestRules(t *testing.T) {
	t.Parallel()
	r := rulesOf(t, "drop: [user.*]\nrecognise: [phone, email]\nreplace:\n"+
		"- {name: a, pattern: 'a+(b|cd){2}x?'}\n- {name: b1, pattern: '[0-9]|z'}\n")
	if want := []string{"drop user.*", "a", "b1", "email", "phone"}; !slices.Equal(r.Names(), want) {
		t.Errorf("rules %v, want %v", r.Names(), want)
	}
	if got := r.alone("+85291234567 aabcdz"); got != "+"+strings.Repeat("[b1]", 11)+" [a][b1]" {
		t.Errorf("got %q", got)
	}
	// Anchors hold at marks too: another round finds what the marks of the first made room for.
	if got := rulesOf(t, "recognise: [email]\nreplace: [{name: a, pattern: '^!'}]").alone("a@b.co!"); got != "[email][a]" {
		t.Errorf("got %q", got)
	}
	if got := rulesOf(t, "replace: [{name: a, pattern: '^a'}]").alone(strings.Repeat("a", 8)); got != strings.Repeat("[a]", 8) {
		t.Errorf("got %q", got)
	}
}

func TestGlobs(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		pattern, name string
		want          bool
	}{
		{"user.*", "user.id", true}, {"user.*", "user.", true}, {"user.*", "user", false}, {"user.*", "enduser.id", false},
		{"*.id", "a.b.id", true}, {"*.id", "a.ids", false}, {"a?c", "abc", true}, {"a?c", "ac", false}, {"*a*b*", "xaxbx", true},
		{"*a*b", "aab", true}, {"*a*b", "aba", false}, {"id", "id", true}, {"id", "idx", false}, {"a**", "a", true}, {"*ab*ab", "abab", true},
	} {
		if got := globOf(c.pattern).MatchString(c.name); got != c.want {
			t.Errorf("%q of %q is %v, want %v", c.pattern, c.name, got, c.want)
		}
	}
}

func FuzzLoad(f *testing.F) {
	f.Add(someRules)
	f.Add("recognise: [emali]\nreplace:\n- {name: a, pattern: 'a*'}\ndrop: ['*']\npseudonyms: x")
	f.Add("replace: [{name: a, pattern: '^a'}]")
	f.Add("replace: [{name: a, pattern: '(?i)[^b]|\\x{10FFFF}'}]")
	f.Fuzz(func(t *testing.T, text string) {
		dir := t.TempDir()
		write(t, dir, "redact.yaml", text)
		r, err := Load(filepath.Join(dir, "redact.yaml"), "redact.yaml")
		if err != nil {
			if !strings.HasPrefix(err.Error(), "redact.yaml") {
				t.Errorf("error without a place: %v", err)
			}
			return
		}
		r.alone("ab 1 a@b.co")
	})
}
