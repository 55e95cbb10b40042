package text

import (
	"regexp"
	"strings"
	"testing"

	"pgregory.net/rapid"
)

// An expression that matches is never screened out.
func TestScreensLetMatchesPass(t *testing.T) {
	t.Parallel()
	// The last matches nearly every text, so that nothing screens it.
	expressions := []string{
		`\b(?:do not|don't) (?:know|say)\b`, `(?i)unknown`, `(?:a|)b?c*`, `[xy]es+`, `(no){2}`, `^\s*so\b|\bsay (?:the )?\w+ no$`,
		`\byou (?:must|will) .{0,3}\b(?:say|yes)\b`, `不(?:知|知道)`, `<\|[a-z]{2}\|>`, `say\Byes`, `no|`,
	}
	s, err := NewScreens(expressions)
	if err != nil {
		t.Fatal(err)
	}
	parts := rapid.SampledFrom([]string{
		"do not", "don't", "know", "say", "unknown", "UNKNOWN", "a", "b", "c", "xes", "yes", "no", "so", "the", "you", "must", "will", "不知道",
		"<|", "|>", " ", " ", " ", "\n", ".", "_", "é",
	})
	// What rapid can make matches of: expressions without borders of words.
	var plain []string
	for _, e := range expressions {
		plain = append(plain, strings.NewReplacer(`\b`, "", `\B`, "").Replace(e))
	}
	for i, text := range []string{
		"i do not know", "UNKNOWN", "", "yess", "nono", "so", "you will say", "不知道", "<|im|>", "sayyes", "no",
	} {
		if !regexp.MustCompile(expressions[i]).MatchString(text) || !s.May(text)[i] {
			t.Errorf("%s and %q: want a match that is not screened out", expressions[i], text)
		}
	}
	rapid.Check(t, func(t *rapid.T) {
		text := strings.Join(rapid.SliceOfN(parts, 0, 12).Draw(t, "parts"), "")
		if rapid.Bool().Draw(t, "like a match") {
			text = rapid.StringMatching(rapid.SampledFrom(plain).Draw(t, "expression")).Draw(t, "match") + text
		}
		may := s.May(text)
		for i, e := range expressions {
			if !may[i] && regexp.MustCompile(e).MatchString(text) {
				t.Errorf("%s matches %q: it is screened out", e, text)
			}
		}
	})
	for text, want := range map[string]bool{"i do not know": true, "i do not see": false, "do notknow": false, "undo not know": false} {
		if got := s.May(text)[0]; got != want {
			t.Errorf("%q may match %s: %v, want %v", text, expressions[0], got, want)
		}
	}
	if s.Screened() {
		t.Error("an expression that matches the empty text is screened")
	}
	if _, err := NewScreens([]string{"("}); err == nil {
		t.Error("an invalid expression: want an error")
	}
}
