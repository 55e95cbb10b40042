package speech

import (
	"strings"
	"unicode"

	"github.com/assay-eval/assay/internal/text"
)

// A Unit is the kind of token that is counted.
type Unit string

// The units.
const (
	// Words are runs of characters between white space, for languages that
	// separate words by spaces.
	Words Unit = "words"
	// Characters are all characters except white space: for Chinese and Japanese.
	Characters Unit = "characters"
	// Mixed are single CJK characters and runs of other characters, for speech
	// that switches between Chinese and English.
	Mixed Unit = "mixed"
)

// Units lists the units.
func Units() []Unit { return []Unit{Characters, Words, Mixed} }

// Tokens splits a normalised text into units.
func (u Unit) Tokens(s string) []string {
	switch u {
	case Words:
		return strings.Fields(s)
	case Mixed:
		return text.Tokens(s)
	}
	out := make([]string, 0, len(s))
	for i, r := range s {
		if !unicode.IsSpace(r) {
			// Keep the original bytes: string(r) would change invalid UTF-8.
			out = append(out, s[i:i+runeLength(s[i:], r)])
		}
	}
	return out
}

func runeLength(s string, r rune) int {
	if r == unicode.ReplacementChar && !strings.HasPrefix(s, string(unicode.ReplacementChar)) {
		return 1
	}
	return len(string(r))
}

// Scripts splits the counts of an alignment of [Mixed] tokens by the script of the
// token: that of the reference token, or of the hypothesis token for an insertion.
type Scripts struct {
	CJK   Counts `json:"cjk"`
	Latin Counts `json:"latin"`
	// Other counts numbers and tokens in other scripts.
	Other Counts `json:"other"`
}

// Add returns the counts of both.
func (s Scripts) Add(o Scripts) Scripts {
	return Scripts{s.CJK.Add(o.CJK), s.Latin.Add(o.Latin), s.Other.Add(o.Other)}
}

func countScripts(reference, hypothesis []string, steps []Step) Scripts {
	var s Scripts
	for _, step := range steps {
		token := ""
		if step.Op == Insertion {
			token = hypothesis[step.Hypothesis]
		} else {
			token = reference[step.Reference]
		}
		s.of(token).add(step.Op)
	}
	return s
}

func (s *Scripts) of(token string) *Counts {
	for _, r := range token {
		switch {
		case text.IsCJK(r):
			return &s.CJK
		case unicode.Is(unicode.Latin, r):
			return &s.Latin
		}
	}
	return &s.Other
}
