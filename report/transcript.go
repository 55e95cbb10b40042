package report

import (
	"strings"
	"unicode"

	"github.com/assay-eval/assay"
	"github.com/assay-eval/assay/internal/text"
)

// A heard is a stretch of a transcript beside the reference. Same is set where
// the two agree; else Ref is what was said and Hyp what was heard, either of which
// may be "".
type heard struct {
	Same     bool
	Ref, Hyp string
}

// longestAligned bounds the tokens of an alignment, whose cost is their product.
const longestAligned = 1500

// transcriptOf sets the transcript of a case beside its reference, with the
// number of tokens (words, or single Chinese characters) of the reference and of
// the edits between the two. Letter case and punctuation make no difference. It
// is nil when the case has no reference, the trace no transcript, or either is
// too long to align.
func transcriptOf(r assay.Record) (pieces []heard, edits, tokens int) {
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

// sounds is what of a token can be heard: its letters and digits, folded.
func sounds(token string) string {
	return strings.Map(func(r rune) rune {
		if unicode.IsLetter(r) || unicode.IsDigit(r) || unicode.IsMark(r) {
			return r
		}
		return -1
	}, text.Fold(token))
}

// align finds the fewest substitutions, insertions and deletions that make hyp
// of ref, and joins neighbours that are of one kind. Tokens that cannot be heard
// cost nothing.
func align(ref, hyp []string) (pieces []heard, edits int) {
	a, b := make([]string, len(ref)), make([]string, len(hyp))
	for i, t := range ref {
		a[i] = sounds(t)
	}
	for j, t := range hyp {
		b[j] = sounds(t)
	}
	// Of alignments with as few edits, one with fewer substitutions has more that
	// agrees: they cost a little more.
	const edit, substitution = 1 << 16, 1<<16 + 1
	price := func(s string) int {
		if s == "" {
			return 0
		}
		return edit
	}
	width := len(b) + 1
	cost := make([]int32, (len(a)+1)*width)
	for i := 0; i <= len(a); i++ {
		for j := 0; j <= len(b); j++ {
			var best int
			switch {
			case i == 0 && j == 0:
			case i == 0:
				best = int(cost[j-1]) + price(b[j-1])
			case j == 0:
				best = int(cost[(i-1)*width]) + price(a[i-1])
			default:
				best = min(int(cost[(i-1)*width+j])+price(a[i-1]), int(cost[i*width+j-1])+price(b[j-1]))
				if a[i-1] == b[j-1] {
					best = min(best, int(cost[(i-1)*width+j-1]))
				} else {
					best = min(best, int(cost[(i-1)*width+j-1])+substitution)
				}
			}
			cost[i*width+j] = int32(best)
		}
	}
	edits = int(cost[len(cost)-1]) / edit
	var back []heard
	for i, j := len(a), len(b); i > 0 || j > 0; {
		here := int(cost[i*width+j])
		switch {
		case i > 0 && j > 0 && a[i-1] == b[j-1] && here == int(cost[(i-1)*width+j-1]):
			back = append(back, heard{true, ref[i-1], hyp[j-1]})
			i, j = i-1, j-1
		case i > 0 && j > 0 && here == int(cost[(i-1)*width+j-1])+substitution && a[i-1] != b[j-1]:
			back = append(back, heard{false, ref[i-1], hyp[j-1]})
			i, j = i-1, j-1
		case i > 0 && here == int(cost[(i-1)*width+j])+price(a[i-1]):
			back = append(back, heard{a[i-1] == "", ref[i-1], ""})
			i--
		default:
			back = append(back, heard{b[j-1] == "", "", hyp[j-1]})
			j--
		}
	}
	for k := len(back) - 1; k >= 0; k-- {
		p := back[k]
		if n := len(pieces); n > 0 && pieces[n-1].Same == p.Same {
			pieces[n-1].Ref = joined(pieces[n-1].Ref, p.Ref)
			pieces[n-1].Hyp = joined(pieces[n-1].Hyp, p.Hyp)
			continue
		}
		pieces = append(pieces, p)
	}
	return pieces, edits
}

// joined puts a token behind a text, with a space but between Chinese
// characters.
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

// heardLine is how exact a transcript is: "1 error in 11 words".
func heardLine(r assay.Record, edits, tokens int) string {
	one, many := "word", "words"
	if text.ShareCJK(*r.Case.Want.Transcript) > 0 {
		one, many = "character", "characters"
	}
	return plural(edits, "error", "errors") + " in " + plural(tokens, one, many)
}
