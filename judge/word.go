package judge

import (
	"fmt"
	"slices"
	"strings"

	"github.com/assay-eval/assay/internal/text"
)

var (
	kindNames    = []string{"unknown", "answered", "partial", "abstained", "empty"}
	verdictNames = []string{"unknown", "supported", "contradicted", "not_found"}
)

// String returns the kind's word in prompts and reports.
func (k AnswerKind) String() string { return word(kindNames, uint8(k)) }

// MarshalText writes the kind's word.
func (k AnswerKind) MarshalText() ([]byte, error) { return []byte(k.String()), nil }

// UnmarshalText reads the kind's word; any other is an error.
func (k *AnswerKind) UnmarshalText(b []byte) error {
	i, err := place(kindNames, string(b))
	*k = AnswerKind(i)
	return err
}

// Declines reports whether the text declines to answer or is empty.
func (k AnswerKind) Declines() bool { return k == Abstained || k == Empty }

// String returns the verdict's word in prompts and reports.
func (v Verdict) String() string { return word(verdictNames, uint8(v)) }

// MarshalText writes the verdict's word.
func (v Verdict) MarshalText() ([]byte, error) { return []byte(v.String()), nil }

// UnmarshalText reads the verdict's word; any other is an error.
func (v *Verdict) UnmarshalText(b []byte) error {
	i, err := place(verdictNames, string(b))
	*v = Verdict(i)
	return err
}

func word(names []string, i uint8) string {
	if int(i) < len(names) {
		return names[i]
	}
	return fmt.Sprintf("%d", i)
}

// place finds a word; a judge must not say "unknown".
func place(names []string, s string) (uint8, error) {
	if i := slices.Index(names, s); i > 0 {
		return uint8(i), nil
	}
	return 0, fmt.Errorf("%q: want one of %q", s, names[1:])
}

// A Language is a language of prompts.
type Language string

// The languages of prompts.
const (
	English Language = "en"
	Chinese Language = "zh"
)

// LanguageTagged selects the language of the prompts for a language tag (BCP 47): Chinese
// for "zh", "yue" and "cmn" with any region or script, English for every other language,
// and "" for "".
func LanguageTagged(tag string) Language {
	first, _, _ := strings.Cut(strings.ToLower(strings.ReplaceAll(tag, "_", "-")), "-")
	switch first {
	case "":
		return ""
	case "zh", "yue", "cmn":
		return Chinese
	}
	return English
}

// LanguageOf selects the language of the prompts for a text: Chinese if [text.Chinese]
// says so, else English.
func LanguageOf(s string) Language {
	if text.Chinese(s) {
		return Chinese
	}
	return English
}
