package redact

import (
	"cmp"
	"slices"
	"strings"
)

// rounds bounds how often a text is searched. Each round replaces all that is found, and
// another looks whether the marks made room for more, as they end words. Only an expression
// with an anchor, such as ^a in "aaaa", could go on.
const rounds = 16

// text redacts the text of a field.
func (p *pass) text(path, s string) string {
	if s == "" {
		return s
	}
	if out, ok := p.document(path, s); ok {
		return out
	}
	if digitsOf(s) > 0 {
		for i := range p.rules {
			if r := &p.rules[i]; r.field != nil && r.field(path, s) {
				return p.mark(r, s)
			}
		}
	}
	for range rounds {
		changed := false
		for _, v := range readings(s) {
			var out string
			if out, changed = p.replace(v, s); changed {
				s = out
				break
			}
		}
		if !changed {
			break
		}
	}
	return s
}

// mayFind reports whether the rule may find something in a text with so many digits.
func (r *rule) mayFind(text string, digits int) bool {
	return digits >= r.digits && (r.has == nil || slices.ContainsFunc(r.has, func(sign string) bool { return strings.Contains(text, sign) }))
}

func digitsOf(s string) (n int) {
	for i := range len(s) {
		if isDigit(s[i]) {
			n++
		}
	}
	return n
}

// A match is a part of a reading, and the mark that replaces it.
type match struct {
	start, end int
	mark       string
}

// replace replaces what is found in one reading of a text.
func (p *pass) replace(v reading, raw string) (string, bool) {
	digits := digitsOf(v.text)
	var gaps []match
	var found []match
	for i := range p.rules {
		r := &p.rules[i]
		if !r.mayFind(v.text, digits) {
			continue
		}
		if gaps == nil {
			gaps = p.gaps(v.text, nil)
		}
		var left []match // the gaps that r leaves, once it found something
		for j, g := range gaps {
			text, at := v.text[g.start:g.end], 0
			for at < len(text) {
				start, end := r.find(text, at)
				if start < 0 {
					break
				}
				if left == nil {
					left = append(make([]match, 0, len(gaps)+1), gaps[:j]...)
				}
				found = append(found, match{g.start + start, g.start + end, p.mark(r, text[start:end])})
				if start > at {
					left = append(left, match{start: g.start + at, end: g.start + start})
				}
				at = end
			}
			if left != nil && at < len(text) {
				left = append(left, match{start: g.start + at, end: g.end})
			}
		}
		if left != nil {
			gaps = left
		}
	}
	if len(found) == 0 {
		return raw, false
	}
	slices.SortFunc(found, func(a, b match) int { return cmp.Compare(a.start, b.start) })
	var b strings.Builder
	at := 0
	for _, m := range found {
		start, end := v.raw(m.start), v.raw(m.end)
		b.WriteString(raw[at:start])
		b.WriteString(m.mark)
		at = end
	}
	b.WriteString(raw[at:])
	return b.String(), true
}

// gaps adds the parts of a text between its marks. Nothing is searched for in a mark.
func (p *pass) gaps(text string, out []match) []match {
	at := 0
	for from := 0; ; {
		i := strings.IndexByte(text[from:], '[')
		if i < 0 {
			break
		}
		from += i
		if size := p.markAt(text[from:]); size > 0 {
			if from > at {
				out = append(out, match{start: at, end: from})
			}
			from += size
			at = from
			continue
		}
		from++
	}
	if at < len(text) {
		out = append(out, match{start: at, end: len(text)})
	}
	return out
}

// markAt returns the length of the mark with which a text begins; 0 if with none.
func (p *pass) markAt(text string) int {
	end := strings.IndexByte(text[:min(len(text), longestName+pseudonymDigits+3)], ']')
	if end < 0 {
		return 0
	}
	name, digits, pseudonym := strings.Cut(text[1:end], ":")
	if !p.marks[name] || pseudonym && (len(digits) != pseudonymDigits || strings.Trim(digits, "0123456789abcdef") != "") {
		return 0
	}
	return end + 1
}
