package certify

import "slices"

// Unruled is why a judge gave no ruling on items of a certificate.
type Unruled struct {
	Question string `json:"question"`
	Language string `json:"language"`
	// Items counts the items without a ruling, Alike those of the most frequent reason, of
	// which Why is an example.
	Items int    `json:"items"`
	Alike int    `json:"alike"`
	Why   string `json:"why"`
}

// unruled tells of the items without a ruling; any is false if there are none.
func (p *plan) unruled() (u Unruled, any bool) {
	u = Unruled{Question: p.question.Name(), Language: string(p.language)}
	alike := map[string]int{}
	all := slices.Concat(p.answers...)
	for _, a := range all {
		if !a.known {
			u.Items++
			alike[a.cause]++
		}
	}
	for _, a := range all {
		if n := alike[a.cause]; !a.known && n > u.Alike {
			u.Alike, u.Why = n, a.why
		}
	}
	return u, u.Items > 0
}
