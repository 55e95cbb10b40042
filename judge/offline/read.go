package offline

import (
	"context"
	"strings"
	"unicode"

	"github.com/assay-eval/assay/internal/text"
	"github.com/assay-eval/assay/judge"
	"github.com/assay-eval/assay/judge/question"
)

// read splits a text into sentences. Each is a claim unless it declines, asks, greets,
// ends in a colon or repeats the question. Pronouns are not resolved. A text without a
// claim counts as abstaining.
func (j *Judge) read(ctx context.Context, s judge.Subject, answer string) (judge.Reading, error) {
	out, _ := reading(s.Question, answer)
	return out, ctx.Err()
}

// reading reads an answer; declined is set if a sentence of it declines.
func reading(asked, answer string) (out judge.Reading, declined bool) {
	question := wordsOnly(asked)
	for i, p := range text.Sentences(answer) {
		sentence := p.Of(answer)
		claim := claimIn(sentence)
		if declines(claim) {
			declined = true
			rest := afterTurn(claim)
			if rest == "" {
				out.Asides = append(out.Asides, sentence)
				continue
			}
			claim = rest
		}
		if !checkworthy(sentence, claim, question) {
			out.Asides = append(out.Asides, sentence)
			continue
		}
		out.Claims = append(out.Claims, judge.Claim{Text: claim, Sentence: i + 1})
	}
	switch {
	case !hasWord(answer):
		out.Kind = judge.Empty
	case len(out.Claims) == 0:
		out.Kind = judge.Abstained
	case declined:
		out.Kind = judge.Partial
	default:
		out.Kind = judge.Answered
	}
	return out, declined
}

// claimIn is claimOf in valid UTF-8.
func claimIn(sentence string) string { return strings.ToValidUTF8(claimOf(sentence), "\uFFFD") }

// emphasis removes the marks of bold text.
var emphasis = strings.NewReplacer("**", "", "__", "")

// claimOf returns a sentence without list and heading marks, emphasis, references and
// attribution.
func claimOf(sentence string) string {
	s := sentence
	if strings.Contains(s, "[") {
		s = citation().ReplaceAllString(s, "")
	}
	s = emphasis.Replace(s)
	s = strings.TrimLeft(s, " \t\r\n#>|•‣◦▪●*+-–—")
	if i := strings.IndexAny(s, ".)"); i > 0 && i <= 3 && strings.Trim(s[:i], "0123456789") == "" && i+1 < len(s) && s[i+1] == ' ' {
		s = s[i+2:]
	}
	if m := known().Attribution.FindString(s); len(m) < len(s) {
		s = s[len(m):]
	}
	return text.Collapse(s)
}

// checkworthy reports whether a sentence makes a claim. A single word does: "Paris"
// answers a question.
func checkworthy(sentence, claim, question string) bool {
	c := wordsOnly(claim)
	last := strings.TrimRightFunc(claim, func(r rune) bool { return unicode.IsSpace(r) || strings.ContainsRune("\"'”’»)*_", r) })
	switch {
	case !hasWord(claim), c == question:
		return false
	case strings.HasSuffix(last, "?"), strings.HasSuffix(last, "？"):
		return false
	case strings.HasSuffix(last, ":"), strings.HasSuffix(last, "："):
		return false
	case strings.HasPrefix(sentence, "#"):
		return false
	case len(c) <= longestDecline && known().Courtesies.MatchString(plain(claim)):
		return false
	}
	return true
}

// afterTurn returns what a sentence that declines claims after a "but", "" if that is
// too short for a claim or declines as well.
func afterTurn(s string) string {
	const least = 4
	at := known().Turn.FindStringIndex(s)
	if at == nil {
		return ""
	}
	rest := strings.TrimSpace(s[at[1]:])
	if len(words(rest)) < least || declines(rest) {
		return ""
	}
	return rest
}

// wordsOnly returns the words of a text, for comparison.
func wordsOnly(s string) string { return strings.Join(words(s), " ") }

func hasWord(s string) bool {
	return strings.ContainsFunc(s, func(r rune) bool { return unicode.IsLetter(r) || unicode.IsNumber(r) })
}

// reverse returns the first claims of the answer in place of questions. Their cosine
// with the real question separates it from others better than that of a question made
// by a template, and as well as that of the whole answer, which an embedder may
// truncate; docs/results/offline-judge.md has the figures. An answer that declines is
// noncommittal.
func (j *Judge) reverse(ctx context.Context, s judge.Subject, in question.ReverseInput) ([]judge.Reversed, error) {
	if err := unmeasured(ofReverse, s); err != nil {
		return nil, err
	}
	answer, n := in.Answer, in.Count
	reading, err := j.read(ctx, judge.Subject{Language: s.Language}, answer)
	if err != nil {
		return nil, err
	}
	var out []judge.Reversed
	for _, c := range reading.Claims[:min(max(n, 0), len(reading.Claims))] {
		out = append(out, judge.Reversed{Question: c.Text})
	}
	if out == nil && hasWord(answer) && n > 0 {
		out = append(out, judge.Reversed{Question: text.Collapse(answer), Noncommittal: reading.Kind.Declines()})
	}
	return out, nil
}
