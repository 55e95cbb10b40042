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

// UnmarshalText reads the kind's word; any other is an error, and a kind that is unknown. A
// judge must not say "unknown".
func (k *AnswerKind) UnmarshalText(b []byte) error {
	*k = AnswerKind(max(0, slices.Index(kindNames, string(b))))
	if *k == KindUnknown {
		return fmt.Errorf("%q: want one of %q", b, kindNames[1:])
	}
	return nil
}

// Declines reports whether the text declines to answer or is empty.
func (k AnswerKind) Declines() bool { return k == Abstained || k == Empty }

// String returns the verdict's word in prompts and reports.
func (v Verdict) String() string { return word(verdictNames, uint8(v)) }

func word(names []string, i uint8) string {
	if int(i) < len(names) {
		return names[i]
	}
	return fmt.Sprintf("%d", i)
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
