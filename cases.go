package assay

import "iter"

// Cases is a list of cases that takes little memory: they are packed, and those behind the
// first megabytes compressed. Each case is made anew when it is read, so that a caller may
// keep and change what it gets, except metadata, subtopics and the ideal answer, which all
// readers share. Cases are read fastest in their order.
//
// A nil list is empty. Reading is safe for concurrent use, and adding is not.
type Cases struct {
	n int
	// full are the chunks that are complete, of which the first plain bytes are not
	// compressed; open is added to.
	full  []chunk
	plain int
	open  openChunk
	// files are the names in the origins, which few cases differ in.
	files []string
	file  map[string]int
	// rare are the parts of cases that are not packed, by index.
	rare  map[int]rareParts
	cache chunkCache
}

// CasesOf returns a list of the cases.
func CasesOf(cases ...Case) *Cases {
	list := &Cases{}
	for i := range cases {
		list.Add(&cases[i])
	}
	return list
}

// Len returns the number of cases.
func (l *Cases) Len() int {
	if l == nil {
		return 0
	}
	return l.n
}

// Add appends a case.
func (l *Cases) Add(c *Case) {
	l.open.begin()
	l.open.text = l.pack(l.open.text, c)
	l.n++
	if len(l.open.text) >= chunkSize {
		l.full = append(l.full, l.complete())
	}
}

// At returns the case at an index from 0. It panics if there is none.
func (l *Cases) At(i int) Case {
	if i < 0 || i >= l.Len() {
		panic("assay: no case at this index")
	}
	return l.unpack(i, l.text(i))
}

// All yields the cases with their indexes.
func (l *Cases) All() iter.Seq2[int, Case] {
	return func(yield func(int, Case) bool) {
		for i := range l.Len() {
			if !yield(i, l.At(i)) {
				return
			}
		}
	}
}

// List returns the cases in a slice, which takes several times the memory of the list.
func (l *Cases) List() []Case {
	out := make([]Case, 0, l.Len())
	for _, c := range l.All() {
		out = append(out, c)
	}
	return out
}

// Any reports whether a case fulfils a condition.
func (l *Cases) Any(is func(*Case) bool) bool {
	for _, c := range l.All() {
		if is(&c) {
			return true
		}
	}
	return false
}

// Count returns the number of cases that fulfil a condition.
func (l *Cases) Count(is func(*Case) bool) int {
	n := 0
	for _, c := range l.All() {
		if is(&c) {
			n++
		}
	}
	return n
}

// Where returns a list of the cases at the indexes that are kept.
func (l *Cases) Where(keep func(i int) bool) *Cases {
	out := &Cases{}
	for i := range l.Len() {
		if keep(i) {
			c := l.At(i)
			out.Add(&c)
		}
	}
	return out
}

// Change returns a list of the cases as change leaves them.
func (l *Cases) Change(change func(i int, c *Case)) *Cases {
	out := &Cases{}
	for i, c := range l.All() {
		change(i, &c)
		out.Add(&c)
	}
	return out
}
