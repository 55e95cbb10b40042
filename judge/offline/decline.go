package offline

import (
	"regexp"
	"slices"
	"strings"

	"github.com/assay-eval/assay/internal/lazyregexp"
	"github.com/assay-eval/assay/internal/text"
	"github.com/assay-eval/assay/judge"
)

// citation matches references to sources, such as [1] and [2, 3].
var citation = lazyregexp.New(`\s*\[\d{1,3}(?:\s*[,-]\s*\d{1,3})*\]`)

// The words of its own that a clause may have beside a refusal: one that speaks of the
// sources, as in "the passages about ferries do not say", and an item of a list of what they
// do not say.
const (
	fewWords  = 3
	listWords = 1
	// shortReference is the number of words up to which a denial is what a reference says.
	shortReference = 12
)

// longestDecline is the length in bytes up to which a sentence may be a refusal or
// a courtesy: a longer one makes a claim.
const longestDecline = 600

// quoted matches what comes before words that somebody else said.
var quoted = lazyregexp.New(`[:："'“”„«「『]\s*$`)

var (
	// denial matches words that deny a claim as well as they evade one.
	denial    = lazyregexp.New(`\b(?:not|no|never|\pL+n't)\b|不|没|沒|无|無|未`)
	goesOn    = lazyregexp.New(`^\W*(?:and|so|et|und|y)\s\pL+\s\pL`)
	lineStart = lazyregexp.New(`\n\s*([\p{Lu}\d])`)
)

// Evades reports whether an answer may decline, in words that no list foresees: one of its
// sentences declines, or none speaks of what was asked alone.
func Evades(answer string) bool {
	evades := true
	for _, p := range text.Sentences(answer) {
		sentence := claimIn(p.Of(answer))
		if declines(sentence) {
			return true
		}
		evades = evades && tellsNothing(sentence)
	}
	return evades
}

func tellsNothing(s string) bool {
	s = strings.TrimSpace(plain(s))
	return !hasWord(s) || known().Evasive.MatchString(s) || known().Courtesies.MatchString(s)
}

// adds reports whether an answer states something beside a refusal, in any language: a clause
// has a number, or more than a few words, that neither the question nor a refusal has; or it
// comes after a refusal and is neither one nor a part of what that is about, as in "I don't
// know; it does".
func adds(question, answer string) bool {
	asked, refused := toSet(words(question)), false
	answer = lineStart().ReplaceAllString(answer, "; $1")
	for _, sentence := range text.Sentences(answer) {
		few := 0
		for _, clause := range known().Clauses.Split(claimIn(sentence.Of(answer)), -1) {
			said := strings.TrimSpace(plain(clause))
			if known().Courtesies.MatchString(said) {
				continue
			}
			left, refuses := said, false
			for _, e := range known().Declining {
				if at := e.FindStringIndex(left); at != nil {
					refuses, refused = !goesOn().MatchString(left[at[1]:]), true
					if refuses && slices.ContainsFunc(words(left[at[1]:]), func(w string) bool { return asked[w] }) { // the first of a list
						few = listWords
					}
					left = left[:at[0]] + " " + left[at[1]:]
				}
			}
			evades, own := known().Evasive.MatchString(said), 0
			if refused && !refuses && few == 0 && hasWord(left) && !known().Evasive.MatchString(denial().ReplaceAllString(left, "")) {
				return true
			}
			for _, w := range words(known().Evasive.ReplaceAllString(left, " ")) {
				switch {
				case asked[w], known().function[w], known().question[w]:
				case strings.ContainsAny(w, "0123456789"):
					return true
				case isCJK(w): // two characters are a word
					own++
				case !evades || len(w) > 2:
					own += 2
				}
			}
			if own > 2*few && (!evades || own > 2*fewWords) {
				return true
			}
		}
	}
	return false
}

// Declines reports whether an answer surely says that there is no answer, and claims nothing
// else. An answer without a word declines too; a question in return, or a refusal that is
// quoted, does not.
func Declines(question, answer string) bool {
	if !slices.ContainsFunc(text.Sentences(answer), func(p text.Span) bool { return surely(claimIn(p.Of(answer))) }) {
		return !hasWord(answer)
	}
	r, declined := reading(question, answer)
	return r.Kind == judge.Empty || r.Kind == judge.Abstained && declined && !adds(question, answer)
}

// Refuses reports whether all reference answers say that there is no answer, in words that are
// hardly an answer themselves, as "unknown" and "none" may be.
func Refuses(question string, references ...string) bool {
	return len(references) > 0 && !slices.ContainsFunc(references, func(r string) bool {
		return !hasWord(r) || known().Answering.MatchString(text.Normalize(r)) || !Declines(question, r)
	})
}

// Denies reports whether a refusal may say the same as a reference answer: one that is short
// and denies, or may decline.
func Denies(reference string) bool {
	return len(words(reference)) <= shortReference && known().Denials.MatchString(plain(reference)) ||
		slices.ContainsFunc(text.Sentences(reference), func(p text.Span) bool { return declines(claimIn(p.Of(reference))) })
}

// surely reports whether a sentence declines, and neither quotes nor may be an answer.
func surely(sentence string) bool {
	said := plain(sentence)
	return declines(sentence) && slices.ContainsFunc(known().Refusing, func(e *regexp.Regexp) bool {
		at := e.FindStringIndex(said)
		return at != nil && !quoted().MatchString(said[:at[0]])
	})
}

// declines reports whether a sentence says that there is no answer.
func declines(sentence string) bool {
	if len(sentence) > longestDecline {
		return false
	}
	said := plain(sentence)
	for i, may := range known().screens.May(said) {
		if may && known().Declining[i].MatchString(said) {
			return true
		}
	}
	return false
}

// plain is the form in which phrases are matched.
func plain(s string) string { return strings.ReplaceAll(text.Normalize(s), "’", "'") }
