// Package explore looks through a run, or a comparison, for slices: cases with something in
// common that was known before any answer, such as a tag or a word of the question, on
// which a metric departs from the other cases.
//
// Slices are looked through and not decided on: each of many is tested, and those that are
// found are a place to look, not a verdict.
package explore

import (
	"cmp"
	"encoding/binary"
	"maps"
	"math/bits"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/assay-eval/assay/columns"
	"github.com/assay-eval/assay/internal/query"
	"github.com/assay-eval/assay/internal/text"
)

// A Kind is what the cases of a slice have in common.
type Kind string

// The kinds of slices, those first that say most about a case: of slices with the same
// cases the first one is kept.
const (
	Tag       Kind = "tag"
	Group     Kind = "group"
	Documents Kind = "documents"
	Script    Kind = "script"
	Digits    Kind = "digits"
	Length    Kind = "length"
	Begins    Kind = "begins"
	Word      Kind = "word"
)

// Kinds lists the kinds in that order.
var Kinds = []Kind{Tag, Group, Documents, Script, Digits, Length, Begins, Word}

const (
	// LeastCases is the least number of cases with a value inside a slice, and outside, for
	// it to be looked at.
	LeastCases = 10
	// mostOf bounds the slices of a kind: the largest ones are looked at.
	mostOf = 300
	// longest bounds the words, tags and groups, in bytes, so that a filter can hold one.
	longest = 200
)

// A Slice is a part of the cases of a run. Draws of a case count as one.
type Slice struct {
	Kind Kind
	// Value is the tag, the group, the word, the script, "yes" or "no", or a number.
	Value string
	// From and To bound the length of the question: From ≤ length < To. To is 0 if there is
	// no upper bound.
	From, To int
	// Cases counts the cases.
	Cases int

	// in has a bit for each case of the run, by its number in the table.
	in []uint64
}

// Query returns the filter that selects the cases of the slice.
func (s *Slice) Query() query.Query {
	if s.Kind != Length {
		return query.Term(string(s.Kind), ":", s.Value)
	}
	var out query.Query
	if s.From > 0 {
		out = query.Term(string(Length), ">=", strconv.Itoa(s.From))
	}
	if s.To > 0 {
		out = out.With(query.Term(string(Length), "<", strconv.Itoa(s.To)))
	}
	return out
}

// has reports whether the slice has a case.
func (s *Slice) has(k int) bool { return s.in[k>>6]&(1<<(k&63)) != 0 }

// overlap returns the share of the cases of either slice that both have.
func (s *Slice) overlap(other *Slice) float64 {
	both, either := 0, 0
	for i, w := range s.in {
		both += bits.OnesCount64(w & other.in[i])
		either += bits.OnesCount64(w | other.in[i])
	}
	return float64(both) / float64(max(1, either))
}

// Slices are the slices of a run that are looked through.
type Slices struct {
	list []Slice
	// at has the row of the first draw of each case by its number, −1 if the table lacks it.
	at []int32
}

// Of returns the slices of a run. texts are those of the same records. Words that nearly all
// questions have are in more than half of them, and are left out, as are those in fewer than
// [LeastCases]; so no list of common words is needed.
func Of(t *columns.Table, texts *columns.Texts) *Slices {
	s := &Slices{at: make([]int32, t.Cases())}
	for k := range s.at {
		s.at[k] = -1
	}
	total := 0
	for row := range t.Len() {
		if k := t.Case(row); s.at[k] < 0 {
			s.at[k] = int32(row)
			total++
		}
	}
	counts := map[Kind]map[string]*count{}
	for _, kind := range Kinds {
		counts[kind] = map[string]*count{}
	}
	lengths := make([]int, 0, total)
	s.each(t, texts, func(k, row int, question string) {
		valuesOf(t, row, question, func(kind Kind, value string) {
			c := counts[kind][value]
			switch {
			case value == "" || len(value) > longest:
				return
			case c == nil:
				c = &count{last: -1}
				counts[kind][value] = c
			}
			if c.last != k {
				c.n, c.last = c.n+1, k
			}
		})
		lengths = append(lengths, utf8.RuneCountInString(question))
	})
	index := map[Kind]map[string]int32{}
	for _, kind := range Kinds {
		most := total - LeastCases
		if kind == Word {
			most = total / 2
		}
		index[kind] = s.largest(kind, counts[kind], most)
	}
	s.addLengths(lengths, total)
	for i := range s.list {
		s.list[i].in = make([]uint64, (len(s.at)+63)/64)
	}
	s.fill(t, texts, index)
	s.list = slices.DeleteFunc(s.list, func(x Slice) bool { return x.Cases < LeastCases || x.Cases > total-LeastCases })
	s.distinct()
	return s
}

// A count is the number of cases that have a value; last is the latest of them.
type count struct{ n, last int }

// valuesOf calls add with what a case has of each kind but its length, a value as often as it is
// there.
func valuesOf(t *columns.Table, row int, question string, add func(Kind, string)) {
	for _, tag := range t.Tags(row) {
		add(Tag, tag)
	}
	add(Group, t.Group(row))
	if n, ok := t.Relevant(row); ok {
		add(Documents, strconv.Itoa(n))
	}
	add(Script, text.Script(question))
	if text.HasDigits(question) {
		add(Digits, "yes")
	}
	first := true
	for word := range text.Words(question) {
		if first {
			add(Begins, word)
		}
		add(Word, word)
		first = false
	}
}

// each calls f with the number, the row and the question of each case.
func (s *Slices) each(t *columns.Table, texts *columns.Texts, f func(k, row int, question string)) {
	for k, row := range s.at {
		if row >= 0 {
			f(k, int(row), texts.Question(int(row)))
		}
	}
}

// largest adds the slices of a kind with at most so many cases, the largest of them, and
// returns the place of each value in the list.
func (s *Slices) largest(kind Kind, counts map[string]*count, most int) map[string]int32 {
	values := slices.Collect(maps.Keys(counts))
	values = slices.DeleteFunc(values, func(v string) bool { return counts[v].n < LeastCases || counts[v].n > most })
	slices.SortFunc(values, func(a, b string) int { return cmp.Or(counts[b].n-counts[a].n, strings.Compare(a, b)) })
	out := map[string]int32{}
	for _, v := range values[:min(len(values), mostOf)] {
		out[v] = int32(len(s.list))
		s.list = append(s.list, Slice{Kind: kind, Value: strings.Clone(v)})
	}
	return out
}

// addLengths adds the thirds of the questions by length.
func (s *Slices) addLengths(lengths []int, total int) {
	slices.Sort(lengths)
	if total < 3*LeastCases {
		return
	}
	low, high := lengths[total/3], lengths[2*total/3]
	s.list = append(s.list, Slice{Kind: Length, To: low}, Slice{Kind: Length, From: high})
	if low < high {
		s.list = append(s.list, Slice{Kind: Length, From: low, To: high})
	}
}

// fill puts the cases into the slices. index has the place of each value.
func (s *Slices) fill(t *columns.Table, texts *columns.Texts, index map[Kind]map[string]int32) {
	first := slices.IndexFunc(s.list, func(x Slice) bool { return x.Kind == Length })
	s.each(t, texts, func(k, row int, question string) {
		put := func(i int32) {
			if x := &s.list[i]; !x.has(k) {
				x.in[k>>6] |= 1 << (k & 63)
				x.Cases++
			}
		}
		valuesOf(t, row, question, func(kind Kind, value string) {
			if i, ok := index[kind][value]; ok {
				put(i)
			}
		})
		if first >= 0 {
			n := utf8.RuneCountInString(question)
			for i := first; i < len(s.list) && s.list[i].Kind == Length; i++ {
				if x := s.list[i]; n >= x.From && (x.To == 0 || n < x.To) {
					put(int32(i))
				}
			}
		}
	})
}

// distinct keeps one of the slices that have the same cases: the first by kind, then the
// shortest value.
func (s *Slices) distinct() {
	slices.SortStableFunc(s.list, func(a, b Slice) int {
		return cmp.Or(slices.Index(Kinds, a.Kind)-slices.Index(Kinds, b.Kind), len(a.Value)-len(b.Value))
	})
	seen := map[string]bool{}
	s.list = slices.DeleteFunc(s.list, func(x Slice) bool {
		key := make([]byte, 0, 8*len(x.in))
		for _, w := range x.in {
			key = binary.LittleEndian.AppendUint64(key, w)
		}
		was := seen[string(key)]
		seen[string(key)] = true
		return was
	})
}

// Size returns roughly how much memory the slices take, in bytes.
func (s *Slices) Size() int { return 4*len(s.at) + len(s.list)*(len(s.at)/8+100) }
