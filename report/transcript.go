package report

import (
	"strings"
	"unicode"

	"github.com/assay-eval/assay"
	"github.com/assay-eval/assay/internal/text"
	"github.com/assay-eval/assay/report/document"
)

// longestAligned is the most tokens to align; the cost may be the product of the two
// lengths.
const longestAligned = 1500

// transcriptOf aligns the transcript of a case with its reference. tokens is the
// number of tokens (words, or single Chinese characters) in the reference, edits the
// number of edits between the two. Letter case and punctuation are ignored. It returns
// nil if the case has no reference, the trace has no transcript, or either is too long
// to align.
func transcriptOf(r assay.Record) (pieces []document.Heard, edits, tokens int) {
	said := r.Case.Want.Transcript
	if said == nil || r.Response == nil {
		return nil, 0, 0
	}
	was, ok := r.Response.Transcript()
	if !ok {
		return nil, 0, 0
	}
	ref, hyp := text.Tokens(visible(*said)), text.Tokens(visible(was))
	if len(ref) > longestAligned || len(hyp) > longestAligned {
		return nil, 0, 0
	}
	pieces, edits = align(ref, hyp)
	for _, t := range ref {
		if sounds(t) != "" {
			tokens++
		}
	}
	return pieces, edits, tokens
}

// sounds returns the audible part of a token: its letters and digits, folded.
func sounds(token string) string {
	return strings.Map(func(r rune) rune {
		if unicode.IsLetter(r) || unicode.IsDigit(r) || unicode.IsMark(r) {
			return r
		}
		return -1
	}, text.Fold(token))
}

// align finds the fewest substitutions, insertions and deletions that turn ref into
// hyp, and joins neighbours of the same kind. Tokens that are not audible cost
// nothing.
func align(ref, hyp []string) (pieces []document.Heard, edits int) {
	a, at := audible(ref)
	b, bt := audible(hyp)
	put := func(same bool, said, was string) {
		if n := len(pieces); n > 0 && pieces[n-1].Same == same {
			last := &pieces[n-1]
			last.Ref, last.Hyp = joined(last.Ref, said), joined(last.Hyp, was)
			return
		}
		pieces = append(pieces, document.Heard{Same: same, Ref: said, Hyp: was})
	}
	i, j := 0, 0
	// silent adds the inaudible tokens before the i-th token of ref and the j-th of
	// hyp.
	silent := func(toI, toJ int) {
		for ; i < toI && j < toJ; i, j = i+1, j+1 {
			put(true, ref[i], hyp[j])
		}
		for ; i < toI; i++ {
			put(true, ref[i], "")
		}
		for ; j < toJ; j++ {
			put(true, "", hyp[j])
		}
	}
	for _, s := range text.Align(a, b) {
		said, was := "", ""
		toI, toJ := i, j
		if s.Reference >= 0 {
			toI = at[s.Reference]
			said = ref[toI]
		}
		if s.Hypothesis >= 0 {
			toJ = bt[s.Hypothesis]
			was = hyp[toJ]
		}
		silent(toI, toJ)
		if s.Reference >= 0 {
			i++
		}
		if s.Hypothesis >= 0 {
			j++
		}
		if s.Op != text.Hit {
			edits++
		}
		put(s.Op == text.Hit, said, was)
	}
	silent(len(ref), len(hyp))
	return pieces, edits
}

// audible returns the audible tokens and the index of each.
func audible(tokens []string) (heard []string, at []int) {
	for i, t := range tokens {
		if s := sounds(t); s != "" {
			heard, at = append(heard, s), append(at, i)
		}
	}
	return heard, at
}

// joined appends a token to a text, with a space between them unless either of the
// characters that meet is Chinese.
func joined(s, token string) string {
	if s == "" || token == "" {
		return s + token
	}
	last, next := []rune(s), []rune(token)
	if text.IsCJK(last[len(last)-1]) || text.IsCJK(next[0]) {
		return s + token
	}
	return s + " " + token
}
