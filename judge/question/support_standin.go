package question

import (
	"slices"

	"github.com/assay-eval/assay/judge/standin"
)

const (
	// supports is the share of a claim's words that one sentence must have to
	// bear it out, touches the share from which a sentence that differs in a
	// number or a negation contradicts it, together the share that two
	// sentences must have between them.
	supports, touches, together = 0.7, 0.7, 0.95
)

// playSupport looks for a sentence that has the words of the claim.
func playSupport(r supportData) object {
	sources := make([][]standin.Sentence, len(r.Sources))
	for i, s := range r.Sources {
		sources[i] = standin.Sentences(s.Text)
	}
	items := []object{}
	for _, c := range r.Claims {
		o := r.find(standin.Read(c.Claim), sources, func(i int) bool {
			return len(c.Sources) == 0 || slices.Contains(c.Sources, r.Sources[i].ID)
		})
		o["id"] = c.ID
		if o["against"] == nil {
			o["against"] = []any{}
		}
		items = append(items, o)
	}
	return object{"items": items}
}

// A hit is a sentence of a source.
type hit struct {
	source int
	standin.Sentence
}

func (h hit) quote(r supportData) object {
	return object{"source": r.Sources[h.source].ID, "quote": h.Text}
}

func (r supportData) find(c standin.Reading, sources [][]standin.Sentence, in func(int) bool) object {
	var found, denies []object
	var against []any
	var parts []hit
	most := 0.
	for i, all := range sources {
		if !in(i) {
			continue
		}
		var said, denied *standin.Sentence
		for k, s := range all {
			parts = append(parts, hit{i, s})
			share := c.Share(s.Reading)
			most = max(most, share)
			switch {
			case share >= supports && s.Agrees(c) && said == nil:
				said = &all[k]
			case share >= touches && !s.Agrees(c) && (c.Denies != s.Denies || len(s.Numbers) > 0) && denied == nil:
				denied = &all[k]
			}
		}
		if said != nil {
			found = append(found, hit{i, *said}.quote(r))
		} else if denied != nil {
			denies, against = append(denies, hit{i, *denied}.quote(r)), append(against, r.Sources[i].ID)
		}
	}
	switch {
	case found != nil && denies != nil:
		return object{"verdict": conflict, "quotes": append(found, denies...), "against": against,
			"why": "one sentence has these words, another with another number or a negation", "confidence": 90}
	case found != nil:
		return object{"verdict": "supported", "quotes": found, "why": "a sentence has these words", "confidence": playConfidence(most - supports)}
	case denies != nil:
		return object{"verdict": "contradicted", "quotes": denies, "why": "a sentence has these words with another number or a negation",
			"confidence": playConfidence(most - touches)}
	}
	if two := r.two(c, parts); two != nil {
		return object{"verdict": "supported", "quotes": two, "why": "two sentences have these words between them", "confidence": 80}
	}
	return object{"verdict": "not_found", "quotes": []object{}, "why": "no sentence has these words",
		"confidence": playConfidence(supports - most)}
}

// two looks for two sentences of different sources that have the words and the
// numbers between them: the one that has most, and the one that has most of
// the rest.
func (r supportData) two(c standin.Reading, parts []hit) []object {
	first := mostOf(c, parts, -1)
	if first == nil {
		return nil
	}
	rest := standin.Reading{Words: map[string]bool{}, Numbers: map[string]bool{}}
	for w := range c.Words {
		if !first.Words[w] {
			rest.Words[w] = true
		}
	}
	for n := range c.Numbers {
		if !first.Numbers[n] {
			rest.Numbers[n] = true
		}
	}
	second := mostOf(rest, parts, first.source)
	if second == nil || first.Denies != c.Denies || second.Denies || !second.Has(rest) {
		return nil
	}
	missing := float64(len(rest.Words)) * (1 - rest.Share(second.Reading))
	if len(c.Words) == 0 || 1-missing/float64(len(c.Words)) < together {
		return nil
	}
	return []object{first.quote(r), second.quote(r)}
}

func mostOf(c standin.Reading, parts []hit, not int) *hit {
	var out *hit
	most := 0.
	for i, p := range parts {
		if share := c.Share(p.Reading); p.source != not && share > most {
			out, most = &parts[i], share
		}
	}
	return out
}
