package simulate

import (
	"bytes"
	"encoding/json"
)

// claims takes every sentence for one claim.
func (r request) claims() object {
	items := []object{}
	declined, told := 0, 0
	for i, s := range r.Sentences {
		worth := !declines(s.Text) && !greets(s.Text) && s.Text != ""
		switch {
		case worth:
			told++
		case declines(s.Text):
			declined++
		}
		items = append(items, object{"id": i + 1, "claim": s.Text, "sentence": s.ID, "checkworthy": worth})
	}
	kind := "answered"
	switch {
	case len(r.Sentences) == 0:
		kind = "empty"
	case told == 0 && declined > 0:
		kind = "abstained"
	case declined > 0:
		kind = "partial"
	}
	return object{"kind": kind, "items": items}
}

const (
	// supports is the share of a claim's words that one sentence must have to
	// bear it out, touches the share from which a sentence that differs in a
	// number or a negation contradicts it, together the share that two
	// sentences must have between them.
	supports, touches, together = 0.7, 0.7, 0.95
)

// support looks for a sentence that has the words of the claim.
func (r request) support() object {
	sources := make([][]sentence, len(r.Sources))
	for i, s := range r.Sources {
		sources[i] = sentences(s.Text)
	}
	items := []object{}
	for _, c := range r.Claims {
		o := r.find(read(c.Claim), sources, func(i int) bool { return allowed(c.Sources, r.Sources[i].ID) })
		o["id"] = c.ID
		items = append(items, o)
	}
	return object{"items": items}
}

func allowed(only []json.RawMessage, id json.RawMessage) bool {
	for _, o := range only {
		if bytes.Equal(o, id) {
			return true
		}
	}
	return len(only) == 0
}

// A hit is a sentence of a source.
type hit struct {
	source int
	sentence
}

func (h hit) quote(r request, alone bool) object {
	return object{"source": r.Sources[h.source].ID, "quote": h.text, "alone": alone}
}

func (r request) find(c reading, sources [][]sentence, in func(int) bool) object {
	var found, against []object
	var parts []hit
	for i, all := range sources {
		if !in(i) {
			continue
		}
		var said, denied *sentence
		for k, s := range all {
			parts = append(parts, hit{i, s})
			switch share := c.share(s.reading); {
			case share >= supports && s.agrees(c) && said == nil:
				said = &all[k]
			case share >= touches && !s.agrees(c) && (c.denies != s.denies || len(s.numbers) > 0) && denied == nil:
				denied = &all[k]
			}
		}
		if said != nil {
			found = append(found, hit{i, *said}.quote(r, true))
		} else if denied != nil {
			against = append(against, hit{i, *denied}.quote(r, true))
		}
	}
	switch {
	case found != nil:
		return object{"verdict": "supported", "quotes": found, "why": "a sentence has these words"}
	case against != nil:
		return object{"verdict": "contradicted", "quotes": against, "why": "a sentence has these words with another number or a negation"}
	}
	if two := r.two(c, parts); two != nil {
		return object{"verdict": "supported", "quotes": two, "why": "two sentences have these words between them"}
	}
	return object{"verdict": "not_found", "quotes": []object{}, "why": "no sentence has these words"}
}

// two looks for two sentences of different sources that have the words and the
// numbers between them: the one that has most, and the one that has most of
// the rest.
func (r request) two(c reading, parts []hit) []object {
	first := mostOf(c, parts, -1)
	if first == nil {
		return nil
	}
	rest := reading{words: map[string]bool{}, numbers: map[string]bool{}}
	for w := range c.words {
		if !first.words[w] {
			rest.words[w] = true
		}
	}
	for n := range c.numbers {
		if !first.numbers[n] {
			rest.numbers[n] = true
		}
	}
	second := mostOf(rest, parts, first.source)
	if second == nil || first.denies != c.denies || second.denies || !second.has(rest) {
		return nil
	}
	missing := float64(len(rest.words)) * (1 - rest.share(second.reading))
	if len(c.words) == 0 || 1-missing/float64(len(c.words)) < together {
		return nil
	}
	return []object{first.quote(r, false), second.quote(r, false)}
}

func mostOf(c reading, parts []hit, not int) *hit {
	var out *hit
	most := 0.
	for i, p := range parts {
		if share := c.share(p.reading); p.source != not && share > most {
			out, most = &parts[i], share
		}
	}
	return out
}
