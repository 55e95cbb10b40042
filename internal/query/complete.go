package query

import (
	"slices"
	"strings"
)

// Complete suggests how the last word of a query that is being typed can go on: the
// names of fields and metrics and, after a colon, the values of the field. from is where
// that word begins, and each option takes its place.
func Complete(typed string, v Vocabulary) (from int, options []string) {
	from, inside := lastWord(typed)
	if inside {
		return len(typed), nil
	}
	head, last := "", typed[from:]
	if rest, ok := strings.CutPrefix(last, "-"); ok {
		head, last = "-", rest
	}
	name, value, ok := strings.Cut(last, ":")
	if !ok {
		for _, n := range v.names() {
			if !strings.Contains(n, metricName) {
				options = append(options, head+n+":")
			}
		}
		for _, m := range v.metrics() {
			if !bareWord(m) {
				m = quote(m)
			}
			options = append(options, head+m)
		}
	} else {
		done := value[:strings.LastIndexByte(value, ',')+1]
		for _, word := range v.values(name) {
			if !bareValue(word) {
				word = quote(word)
			}
			if !slices.Contains(strings.Split(done, ","), word) {
				options = append(options, head+name+":"+done+word)
			}
		}
	}
	return from, slices.DeleteFunc(options, func(o string) bool { return !strings.HasPrefix(o, head+last) || o == head+last })
}

// values lists the values of a field, as far as they are known.
func (v *Vocabulary) values(name string) []string {
	f := field(name)
	if f == nil {
		if slices.Contains(v.metrics(), name) {
			return stateWords
		}
		return nil
	}
	values := f.known(v)
	if f.values != nil && f.optional && !slices.Contains(values, none) {
		values = append(slices.Clone(values), none)
	}
	return values
}

// lastWord returns where the last word begins; inside reports whether it stands in
// quotes.
func lastWord(typed string) (from int, inside bool) {
	for i := 0; i < len(typed); i++ {
		switch c := typed[i]; {
		case inside && c == '\\':
			i++
		case c == '"':
			inside = !inside
		case !inside && (c == ' ' || c == '\t' || c == '(' && (i == 0 || strings.IndexByte(" (-", typed[i-1]) >= 0)):
			from = i + 1
		}
	}
	return from, inside
}
