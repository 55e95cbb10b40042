package columns

import (
	"hash/maphash"
	"slices"
	"strings"
	"time"

	"github.com/assay-eval/assay"
)

// A Builder makes a table of records that come one by one, in any order.
type Builder struct {
	data
	known struct {
		shapes        map[string]uint32
		groups, bases map[string]uint32
	}
	ids arena
	key []byte
	// numbered is set once records are known to share a case: their cases have numbers then.
	// Otherwise the number of a case is that of its record, and is not kept.
	numbered bool
}

// NewBuilder returns a builder of an empty table.
func NewBuilder() *Builder {
	b := &Builder{}
	b.metrics = map[string]*column{}
	b.known.shapes, b.known.groups, b.known.bases = map[string]uint32{}, map[string]uint32{}, map[string]uint32{}
	return b
}

// Add adds a record. The builder keeps nothing of it that is large.
func (b *Builder) Add(r *assay.Record) {
	n := b.n
	b.seq, b.id = append(b.seq, int32(r.Seq)), append(b.id, b.ids.keep(r.Case.ID))
	b.draw = extend(b.draw, n, int32(r.Case.Draw))
	b.answer, b.attempts = extend(b.answer, n, r.Answer), extend(b.attempts, n, int32(r.Attempts-1))
	b.group = append(b.group, b.code(&b.groups, b.known.groups, r.Case.Group))
	b.numberCase(n)
	var f flag
	set := func(bit flag, on bool) {
		if on {
			f |= bit
		}
	}
	set(critical, r.Case.Critical)
	set(slow, r.Slow)
	var latency time.Duration
	usage := r.Usage()
	if p := r.Response; p != nil {
		set(responded, true)
		set(noAnswer, p.NoAnswer)
		set(emptyAnswer, strings.TrimSpace(p.Answer) == "")
		latency = p.Latency
	}
	b.latency = extend(b.latency, n, int64(latency))
	b.input, b.output = extend(b.input, n, int64(usage.InputTokens)), extend(b.output, n, int64(usage.OutputTokens))
	b.cost = extend(b.cost, n, usage.Cost)
	var spent assay.Spending
	if r.Judging != nil {
		set(judged, true)
		spent = *r.Judging
	}
	if b.judging == nil && r.Judging != nil {
		b.judging = make([]assay.Spending, n, 2*n+1)
	}
	if b.judging != nil {
		b.judging = append(b.judging, spent)
	}
	b.flags = append(b.flags, f)
	b.addShape(r)
	for name, s := range r.Scores {
		c := b.metrics[name]
		if c == nil {
			c = &column{}
			b.metrics[strings.Clone(name)] = c
		}
		c.add(n, s)
	}
	b.n++
}

// numberAll numbers the cases of the first n records, of which none is a further draw.
func (b *Builder) numberAll(n int) {
	if b.numbered {
		return
	}
	b.numbered = true
	for row := range n {
		b.numberCase(row)
	}
}

// numberCase numbers the case of a row, the next one, unless cases need no numbers so far.
func (b *Builder) numberCase(row int) {
	draw := int(at(b.draw, row))
	if draw > 0 {
		b.numberAll(row)
	}
	if b.numbered {
		base := assay.Case{ID: b.id[row], Draw: draw}.Base()
		b.base = append(b.base, b.code(&b.bases, b.known.bases, base))
	}
}

// twice reports whether an id may occur twice.
func twice(ids []string) bool {
	seed := maphash.MakeSeed()
	sums := make([]uint64, len(ids))
	for i, id := range ids {
		sums[i] = maphash.String(seed, id)
	}
	slices.Sort(sums)
	return len(slices.Compact(sums)) < len(ids)
}

// code is [code] with texts that do not hold on to what they were cut from.
func (b *Builder) code(texts *[]string, known map[string]uint32, s string) uint32 {
	if at, ok := known[s]; ok {
		return at
	}
	return code(texts, known, b.ids.keep(s))
}

// Table returns the table of the records so far. The builder can be used further: it only
// appends to what the table shares with it.
func (b *Builder) Table() *Table {
	if !b.numbered && twice(b.id) {
		b.numberAll(b.n)
	}
	d := b.data
	d.seq, d.id, d.draw, d.flags = slices.Clip(d.seq), slices.Clip(d.id), slices.Clip(d.draw), slices.Clip(d.flags)
	d.answer, d.attempts = slices.Clip(d.answer), slices.Clip(d.attempts)
	d.shape, d.shapes = slices.Clip(d.shape), slices.Clip(d.shapes)
	d.group, d.groups = slices.Clip(d.group), slices.Clip(d.groups)
	d.base, d.bases = slices.Clip(d.base), slices.Clip(d.bases)
	d.latency, d.input, d.output, d.cost = slices.Clip(d.latency), slices.Clip(d.input), slices.Clip(d.output), slices.Clip(d.cost)
	d.judging = slices.Clip(d.judging)
	if d.groups == nil {
		d.groups = []string{""}
	}
	d.metrics = make(map[string]*column, len(b.metrics))
	for name, c := range b.metrics {
		part := c.clip()
		for len(part.state) < d.n {
			part.put(absent, assay.Score{})
		}
		part.known = nil
		d.metrics[name] = part
	}
	return d.sorted()
}

// An arena keeps short texts in few large ones.
type arena struct{ chunk strings.Builder }

const arenaSize = 1 << 16

func (a *arena) keep(s string) string {
	if s == "" {
		return ""
	}
	if a.chunk.Len()+len(s) > a.chunk.Cap() {
		a.chunk = strings.Builder{}
		a.chunk.Grow(max(arenaSize, len(s)))
	}
	from := a.chunk.Len()
	a.chunk.WriteString(s)
	return a.chunk.String()[from:]
}
