package assay

import "encoding/binary"

// A packed case is a bit for each of its parts, and the parts that it has.

// A casePart is a part of a case that not every case has.
type casePart struct {
	// has reports whether a case has the part.
	has func(c *Case) bool
	// put appends the part, and get reads it. A part without them is a truth.
	put func(l *Cases, b []byte, c *Case) []byte
	get func(l *Cases, r *caseReader, c *Case)
}

// rareParts are parts of a case that are kept as they are.
type rareParts struct {
	subtopics map[string][]string
	ideal     *Ideal
	checks    []Check
	metadata  map[string]any
}

func (r rareParts) none() bool {
	return r.subtopics == nil && r.ideal == nil && r.checks == nil && r.metadata == nil
}

// caseParts are the parts, in the order of their bits.
var caseParts = []casePart{
	textPart(func(c *Case) *string { return &c.ID }),
	textPart(func(c *Case) *string { return &c.Question }),
	textsPart(func(c *Case) *[]string { return &c.Want.Answers }),
	{
		has: func(c *Case) bool { return c.Want.Documents != nil },
		put: func(_ *Cases, b []byte, c *Case) []byte {
			b = putUint(b, uint64(len(c.Want.Documents)))
			for id, grade := range c.Want.Documents {
				b = putInt(putString(b, id), grade)
			}
			return b
		},
		get: func(_ *Cases, r *caseReader, c *Case) {
			n := int(r.uint())
			c.Want.Documents = make(map[string]int, n)
			for range n {
				id := r.string()
				c.Want.Documents[id] = r.int()
			}
		},
	},
	{
		has: func(c *Case) bool { return c.Origin.File != "" },
		put: func(l *Cases, b []byte, c *Case) []byte { return putUint(b, l.numberOf(c.Origin.File)) },
		get: func(l *Cases, r *caseReader, c *Case) { c.Origin.File = l.files[r.uint()] },
	},
	numberPart(func(c *Case) *int { return &c.Origin.Line }),
	textsPart(func(c *Case) *[]string { return &c.Tags }),
	textsPart(func(c *Case) *[]string { return &c.Want.Passages }),
	textsPart(func(c *Case) *[]string { return &c.Want.Keywords }),
	textsPart(func(c *Case) *[]string { return &c.Want.SubQuestions }),
	{
		has: func(c *Case) bool { return c.Want.Transcript != nil },
		put: func(_ *Cases, b []byte, c *Case) []byte { return putString(b, *c.Want.Transcript) },
		get: func(_ *Cases, r *caseReader, c *Case) { c.Want.Transcript = new(r.string()) },
	},
	{
		has: func(c *Case) bool { return c.Want.Answerable != nil && *c.Want.Answerable },
		get: func(_ *Cases, _ *caseReader, c *Case) { c.Want.Answerable = new(true) },
	},
	{
		has: func(c *Case) bool { return c.Want.Answerable != nil && !*c.Want.Answerable },
		get: func(_ *Cases, _ *caseReader, c *Case) { c.Want.Answerable = new(false) },
	},
	{
		has: func(c *Case) bool { return c.Critical },
		get: func(_ *Cases, _ *caseReader, c *Case) { c.Critical = true },
	},
	{
		has: func(c *Case) bool { return c.Want.OwnText },
		get: func(_ *Cases, _ *caseReader, c *Case) { c.Want.OwnText = true },
	},
	textPart(func(c *Case) *string { return &c.Group }),
	textPart(func(c *Case) *string { return &c.Language }),
	textPart(func(c *Case) *string { return &c.Audio }),
	numberPart(func(c *Case) *int { return &c.Draw }),
}

func textPart(of func(*Case) *string) casePart {
	return casePart{
		has: func(c *Case) bool { return *of(c) != "" },
		put: func(_ *Cases, b []byte, c *Case) []byte { return putString(b, *of(c)) },
		get: func(_ *Cases, r *caseReader, c *Case) { *of(c) = r.string() },
	}
}

func textsPart(of func(*Case) *[]string) casePart {
	return casePart{
		has: func(c *Case) bool { return *of(c) != nil },
		put: func(_ *Cases, b []byte, c *Case) []byte { return putStrings(b, *of(c)) },
		get: func(_ *Cases, r *caseReader, c *Case) { *of(c) = r.strings() },
	}
}

func numberPart(of func(*Case) *int) casePart {
	return casePart{
		has: func(c *Case) bool { return *of(c) != 0 },
		put: func(_ *Cases, b []byte, c *Case) []byte { return putInt(b, *of(c)) },
		get: func(_ *Cases, r *caseReader, c *Case) { *of(c) = r.int() },
	}
}

// pack appends a case, which becomes that at index l.n.
func (l *Cases) pack(b []byte, c *Case) []byte {
	bits := uint64(0)
	for i := range caseParts {
		if caseParts[i].has(c) {
			bits |= 1 << i
		}
	}
	b = putUint(b, bits)
	for i := range caseParts {
		if p := &caseParts[i]; bits>>i&1 == 1 && p.put != nil {
			b = p.put(l, b, c)
		}
	}
	if rare := (rareParts{c.Want.Subtopics, c.Want.Ideal, c.Want.Checks, c.Metadata}); !rare.none() {
		if l.rare == nil {
			l.rare = map[int]rareParts{}
		}
		l.rare[l.n] = rare
	}
	return b
}

// unpack returns the case at an index from its text.
func (l *Cases) unpack(at int, text string) (c Case) {
	r := &caseReader{text}
	bits := r.uint()
	for i := range caseParts {
		if bits>>i&1 == 1 {
			caseParts[i].get(l, r, &c)
		}
	}
	if rare, ok := l.rare[at]; ok {
		c.Want.Subtopics, c.Want.Ideal, c.Want.Checks, c.Metadata = rare.subtopics, rare.ideal, rare.checks, rare.metadata
	}
	return c
}

// numberOf returns the number of a file.
func (l *Cases) numberOf(file string) uint64 {
	i, ok := l.file[file]
	if !ok {
		if l.file == nil {
			l.file = map[string]int{}
		}
		i = len(l.files)
		l.file[file], l.files = i, append(l.files, file)
	}
	return uint64(i)
}

// A caseReader reads a packed case.
type caseReader struct {
	rest string
}

// uint is [binary.Uvarint] for a string, of which the parts of a case are cut.
func (r *caseReader) uint() uint64 {
	var v uint64
	for i := 0; ; i++ {
		b := r.rest[i]
		v |= uint64(b&0x7f) << (7 * i)
		if b < 0x80 {
			r.rest = r.rest[i+1:]
			return v
		}
	}
}

func (r *caseReader) int() int {
	u := r.uint()
	return int(u>>1) ^ -int(u&1)
}

func (r *caseReader) string() string {
	n := r.uint()
	s := r.rest[:n]
	r.rest = r.rest[n:]
	return s
}

func (r *caseReader) strings() []string {
	out := make([]string, r.uint())
	for i := range out {
		out[i] = r.string()
	}
	return out
}

func putUint(b []byte, v uint64) []byte { return binary.AppendUvarint(b, v) }

func putInt(b []byte, v int) []byte { return binary.AppendVarint(b, int64(v)) }

func putString(b []byte, s string) []byte { return append(putUint(b, uint64(len(s))), s...) }

func putStrings(b []byte, all []string) []byte {
	b = putUint(b, uint64(len(all)))
	for _, s := range all {
		b = putString(b, s)
	}
	return b
}
