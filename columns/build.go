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
	// numbered is set once records are known to share a case: their cases have numbers then.
	// Otherwise the number of a case is that of its record, and is not kept.
	numbered bool
}

// NewBuilder returns a builder of an empty table.
func NewBuilder() *Builder {
	b := &Builder{}
	b.Metrics = map[string]*column{}
	b.known.shapes, b.known.groups, b.known.bases = map[string]uint32{}, map[string]uint32{}, map[string]uint32{}
	return b
}

// Add adds a record. The builder keeps nothing of it that is large.
func (b *Builder) Add(r *assay.Record) {
	n := b.n
	b.Seqs, b.IDs = append(b.Seqs, int32(r.Seq)), append(b.IDs, b.ids.keep(r.Case.ID))
	b.Draws = extend(b.Draws, n, int32(r.Case.Draw))
	b.Answers, b.Attempts = extend(b.Answers, n, r.Answer), extend(b.Attempts, n, int32(r.Attempts-1))
	b.GroupOf = append(b.GroupOf, b.code(&b.Groups, b.known.groups, r.Case.Group))
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
		set(withheld, p.Withheld != "")
		set(emptyAnswer, strings.TrimSpace(p.Answer) == "")
		latency = p.Latency
	}
	b.Latencies = extend(b.Latencies, n, int64(latency))
	b.Inputs, b.Outputs = extend(b.Inputs, n, int64(usage.InputTokens)), extend(b.Outputs, n, int64(usage.OutputTokens))
	b.Costs = extend(b.Costs, n, usage.Cost)
	var spent assay.Spending
	if r.Judging != nil {
		set(judged, true)
		spent = *r.Judging
	}
	b.Judging = extend(b.Judging, n, spent)
	b.Flags = append(b.Flags, f)
	b.addShape(r)
	for name, s := range r.Scores {
		b.metric(name).add(n, s)
	}
	b.n++
}

// metric returns the column of a metric.
func (b *Builder) metric(name string) *column {
	c := b.Metrics[name]
	if c == nil {
		c = &column{}
		b.Metrics[strings.Clone(name)] = c
	}
	return c
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
	draw := int(at(b.Draws, row))
	if draw > 0 {
		b.numberAll(row)
	}
	if b.numbered {
		base := assay.Case{ID: b.IDs[row], Draw: draw}.Base()
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
	if !b.numbered && twice(b.IDs) {
		b.numberAll(b.n)
	}
	d := b.data
	if d.Groups == nil {
		d.Groups = []string{""}
	}
	d.Metrics = make(map[string]*column, len(b.Metrics))
	for name, c := range b.Metrics {
		part := c.clip()
		for len(part.State) < d.n {
			part.put(absent, assay.Score{})
		}
		part.known = nil
		d.Metrics[name] = part
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
