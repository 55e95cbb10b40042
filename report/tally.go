package report

import (
	"cmp"
	"maps"
	"slices"

	"github.com/assay-eval/assay"
	"github.com/assay-eval/assay/internal/lazyregexp"
	"github.com/assay-eval/assay/report/words"
	"github.com/assay-eval/assay/summary"
)

// remarks count the remarks of adapters and the engine on responses, and of judges on
// cases, the most frequent first.
type remarks struct{ responses, cases tally }

func newRemarks() remarks { return remarks{tally{}, tally{}} }

func (x remarks) add(r *assay.Record) {
	x.cases.add(append(slices.Clip(r.Warnings), summary.Alike(r)...))
	if r.Response != nil {
		x.responses.add(r.Response.Warnings)
	}
}

func (x remarks) list() []string { return append(x.responses.list(true), x.cases.list(false)...) }

// A tally counts remarks by their text without numbers and quotations, because details
// such as the length of a cut text differ in every case.
type tally map[string]*tallied

// tallied is one kind of remark.
type tallied struct {
	n int
	// text is the first remark of the kind in alphabetical order; many is set if there
	// are others.
	text string
	many bool
}

var particulars = lazyregexp.New(`"[^"]*"|[0-9]+`)

// add counts the remarks on one response or case, each kind once.
func (t tally) add(remarks []string) {
	seen := map[string]bool{}
	for _, text := range remarks {
		kind := particulars().ReplaceAllString(text, "#")
		of := t[kind]
		if of == nil {
			of = &tallied{text: text}
			t[kind] = of
		}
		of.many = of.many || of.text != text
		of.text = min(of.text, text)
		if !seen[kind] {
			of.n++
		}
		seen[kind] = true
	}
}

// list returns the remarks with the number of responses, or cases, that have them.
// They are in English, like everything that a run stores.
func (t tally) list(responses bool) []string {
	kinds := slices.SortedFunc(maps.Values(t), func(a, b *tallied) int {
		return cmp.Or(cmp.Compare(b.n, a.n), cmp.Compare(a.text, b.text))
	})
	const most = 10
	var out []string
	for i, k := range kinds {
		if i == most {
			return append(out, words.English.Say("MoreRemarks", words.V{"n": len(kinds) - most, "responses": responses}))
		}
		out = append(out, words.English.Say("Remarked", words.V{"n": k.n, "responses": responses, "text": k.text, "many": k.many}))
	}
	return out
}
