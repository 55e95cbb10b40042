// Package columns holds the records of a run as packed columns: everything that a summary,
// a gate or a comparison reads, in some tens of bytes a case and metric instead of
// kilobytes.
package columns

import (
	"cmp"
	"iter"
	"slices"
	"sort"
	"time"

	"github.com/assay-eval/assay"
)

// A Table holds the short forms of a run's records, in the order of Seq. It never
// changes. A table may be a part of another one and then shares its columns.
type Table struct {
	*data
	// at has the positions of the rows in the columns; nil if every row is at its own.
	at []int32
}

// data are the columns, as parts are stored but for what is not exported. Each has an entry for every record, except those that are nil
// because no record has anything in them.
type data struct {
	n       int
	Seqs    []int32
	IDs     []string
	Draws   []int32
	Flags   []flag
	Answers []assay.Correctness
	// Attempts are one less than they were, so that one is the zero value.
	Attempts []int32
	// ShapeOf has an index into Shapes, GroupOf one into Groups, base one into bases. base and
	// bases are nil if every case has one record, its first draw.
	ShapeOf []uint32
	Shapes  []shape
	GroupOf []uint32
	Groups  []string
	base    []uint32
	bases   []string

	Latencies []int64
	Inputs    []int64
	Outputs   []int64
	Costs     []int64
	Judging   []assay.Spending

	Metrics map[string]*column
}

// A flag is a set of facts about a record that are true or false.
type flag uint8

const (
	critical flag = 1 << iota
	slow
	responded
	noAnswer
	emptyAnswer
	judged
	withheld
)

// Of returns the table of records, which may be in any order.
func Of(records []assay.Record) *Table {
	b := NewBuilder()
	for i := range records {
		b.Add(&records[i])
	}
	return b.Table()
}

// Len returns the number of rows.
func (t *Table) Len() int {
	if t.at != nil {
		return len(t.at)
	}
	return t.n
}

// row returns the position of row i in the columns.
func (t *Table) row(i int) int {
	if t.at != nil {
		return int(t.at[i])
	}
	return i
}

// Where returns the table of the rows that keep accepts.
func (t *Table) Where(keep func(i int) bool) *Table {
	at := []int32{}
	for i := range t.Len() {
		if keep(i) {
			at = append(at, int32(t.row(i)))
		}
	}
	return &Table{t.data, at}
}

// Part returns the table of some rows, in the given order.
func (t *Table) Part(rows []int) *Table {
	at := make([]int32, len(rows))
	for k, i := range rows {
		at[k] = int32(t.row(i))
	}
	return &Table{t.data, at}
}

// ID returns the id of the case of row i.
func (t *Table) ID(i int) string { return t.IDs[t.row(i)] }

// Seq returns the place of row i in the run.
func (t *Table) Seq(i int) int { return int(t.Seqs[t.row(i)]) }

// RowOf returns the row of a place in the run.
func (t *Table) RowOf(seq int) (row int, ok bool) {
	row = sort.Search(t.Len(), func(row int) bool { return t.Seq(row) >= seq })
	return row, row < t.Len() && t.Seq(row) == seq
}

// Draw returns which draw of its case row i is; the first is 0.
func (t *Table) Draw(i int) int { return int(at(t.Draws, t.row(i))) }

// Case returns the number of the case of row i, which all draws of a case share. Numbers
// are below [Table.Cases], in the order of the first draws in the whole table; those of
// cases that a part lacks are not used in it.
func (t *Table) Case(i int) int {
	row := t.row(i)
	if t.base == nil {
		return row
	}
	return int(t.base[row])
}

// Cases returns the number of cases in the table that this one is a part of.
func (t *Table) Cases() int {
	if t.base == nil {
		return t.n
	}
	return len(t.bases)
}

// Base returns the id that the draws of the case of row i share; see [assay.Case.Base].
func (t *Table) Base(i int) string {
	if t.bases == nil {
		return t.IDs[t.row(i)]
	}
	return t.bases[t.Case(i)]
}

// Group returns the cluster of the case of row i, "" if it has none.
func (t *Table) Group(i int) string { return t.Groups[t.GroupOf[t.row(i)]] }

// Tags returns the tags of the case of row i, which must not be changed.
func (t *Table) Tags(i int) []string { return t.Shapes[t.ShapeOf[t.row(i)]].Tags }

// AllTags returns the tags that cases of the table have, each once.
func (t *Table) AllTags() []string {
	all := []string{}
	for _, shape := range t.Shapes {
		for _, tag := range shape.Tags {
			if i, ok := slices.BinarySearch(all, tag); !ok {
				all = slices.Insert(all, i, tag)
			}
		}
	}
	return all
}

// Size returns roughly how much memory the columns take, in bytes.
func (t *Table) Size() int {
	size := t.n*(4+16+1+4+4) + 4*len(t.at) + 4*len(t.Draws) + 16*len(t.Answers) + 4*len(t.Attempts) + 4*len(t.base) +
		8*(len(t.Latencies)+len(t.Inputs)+len(t.Outputs)+len(t.Costs)) + 64*len(t.Judging)
	for _, id := range t.IDs {
		size += len(id)
	}
	for _, c := range t.Metrics {
		size += len(c.State) + 8*(len(c.Value)+len(c.Lower)+len(c.Upper)+len(c.Num)+len(c.Den)) + 4*len(c.Reason)
	}
	return size
}

// Critical reports whether the case of row i is critical.
func (t *Table) Critical(i int) bool { return t.Flags[t.row(i)]&critical != 0 }

// AllCritical returns the table with every case critical.
func (t *Table) AllCritical() *Table {
	d := *t.data
	d.Flags = slices.Clone(d.Flags)
	for i := range d.Flags {
		d.Flags[i] |= critical
	}
	return &Table{&d, t.at}
}

// Attribution returns what attribution found of row i, without texts, which must not be
// changed; nil if nothing was followed.
func (t *Table) Attribution(i int) *assay.Attribution {
	return t.Shapes[t.ShapeOf[t.row(i)]].Attribution
}

// Answer returns whether the answer of row i is right.
func (t *Table) Answer(i int) assay.Correctness { return at(t.Answers, t.row(i)) }

// Responded reports whether the target gave a response to row i.
func (t *Table) Responded(i int) bool { return t.Flags[t.row(i)]&responded != 0 }

// Answered reports whether the target of row i gives answers and responded; something is
// set if the answer is not empty.
func (t *Table) Answered(i int) (given, something bool) {
	f := t.Flags[t.row(i)]
	return f&responded != 0 && f&noAnswer == 0, f&emptyAnswer == 0
}

// Latency returns how long the response of row i took; 0 if that is not known.
func (t *Table) Latency(i int) time.Duration { return time.Duration(at(t.Latencies, t.row(i))) }

// Cost returns what asking the target cost in row i, in micro-dollars, failed attempts included.
func (t *Table) Cost(i int) int64 { return at(t.Costs, t.row(i)) }

// Unpriced reports whether asking the target took tokens and has no cost.
func (t *Table) Unpriced(i int) bool {
	return t.Cost(i) == 0 && at(t.Inputs, t.row(i))+at(t.Outputs, t.row(i)) > 0
}

// Slow reports whether the response of row i took longer than the slow threshold.
func (t *Table) Slow(i int) bool { return t.Flags[t.row(i)]&slow != 0 }

// Audio reports whether the question of row i is a recording.
func (t *Table) Audio(i int) bool { return t.Shapes[t.ShapeOf[t.row(i)]].Audio != "" }

// Relevant returns how many documents the case of row i has that are labelled relevant; ok
// is false if none is labelled.
func (t *Table) Relevant(i int) (n int, ok bool) {
	want := t.Shapes[t.ShapeOf[t.row(i)]].Want.Documents
	for _, grade := range want {
		if grade > 0 {
			n++
		}
	}
	return n, want != nil
}

// Labels returns the labels of the documents of row i, under names that mean nothing. Rows with
// the same shape have the same labels.
func (t *Table) Labels(i int) (shape int, labels map[string]int) {
	shape = int(t.ShapeOf[t.row(i)])
	return shape, t.Shapes[shape].Want.Documents
}

// MaxGrade returns the highest grade of a label in the whole table, at least 1.
func (t *Table) MaxGrade() int {
	most := 1
	for _, s := range t.Shapes {
		for _, grade := range s.Want.Documents {
			most = max(most, grade)
		}
	}
	return most
}

// Shows is [assay.Response.ShowsStage] of row i, for the stages of [assay.LossStages].
func (t *Table) Shows(i int, stage string) bool {
	at := slices.Index(lossStages, stage)
	return at >= 0 && t.Shapes[t.ShapeOf[t.row(i)]].Shows&(1<<at) != 0
}

var lossStages = assay.LossStages()

// Repeated reports whether cases were asked more than once.
func (t *Table) Repeated() bool {
	if t.Draws == nil {
		return false
	}
	for i := range t.Len() {
		if t.Draws[t.row(i)] > 0 {
			return true
		}
	}
	return false
}

// Distinct returns the number of cases, without repetitions.
func (t *Table) Distinct() int {
	if t.base == nil {
		return t.Len()
	}
	seen := make([]bool, len(t.bases))
	n := 0
	for i := range t.Len() {
		if c := t.base[t.row(i)]; !seen[c] {
			seen[c] = true
			n++
		}
	}
	return n
}

// Record returns the short form of the record of row i: its case without question and
// texts, whether it has labels of each kind, how many, and the grades of documents; its
// response with latency and the usage of all attempts, "…" for an answer that is not empty, and for why it was
// withheld; the kind of a failure, and a try with the usage of all; scores without evidence, and without reasons if they were scored; the
// attribution without texts, "…" for a fact that has one. What it points to must not be
// changed.
func (t *Table) Record(i int) assay.Record {
	var r assay.Record
	t.fill(&r, &assay.Response{}, &assay.Spending{}, i)
	return r
}

// Records yields the short forms of all rows; see [Table.Record]. Each is valid until the
// next one.
func (t *Table) Records() iter.Seq2[int, *assay.Record] {
	return func(yield func(int, *assay.Record) bool) {
		rec, response, spending, scores := assay.Record{}, assay.Response{}, assay.Spending{}, map[string]assay.Score{}
		for i := range t.Len() {
			clear(scores)
			rec, response = assay.Record{Scores: scores}, assay.Response{}
			t.fill(&rec, &response, &spending, i)
			if !yield(i, &rec) {
				return
			}
		}
	}
}

func (t *Table) fill(r *assay.Record, response *assay.Response, spending *assay.Spending, i int) {
	row := t.row(i)
	s, f := &t.Shapes[t.ShapeOf[row]], t.Flags[row]
	r.Seq, r.Answer, r.Slow, r.Attempts = int(t.Seqs[row]), at(t.Answers, row), f&slow != 0, int(at(t.Attempts, row))+1
	r.Case = assay.Case{ID: t.IDs[row], Draw: int(at(t.Draws, row)), Group: t.Groups[t.GroupOf[row]], Tags: s.Tags, Critical: f&critical != 0,
		Audio: s.Audio, Want: s.Want}
	r.Failure, r.Attribution, r.Retrieved = s.Failure, s.Attribution, s.Retrieved
	usage := assay.Usage{InputTokens: int(at(t.Inputs, row)), OutputTokens: int(at(t.Outputs, row)), Cost: at(t.Costs, row)}
	if f&responded == 0 && usage != (assay.Usage{}) {
		r.Tries = []assay.Try{{Usage: usage}}
	}
	if f&responded != 0 {
		response.NoAnswer, response.Latency, response.Usage = f&noAnswer != 0, time.Duration(at(t.Latencies, row)), usage
		if f&emptyAnswer == 0 {
			response.Answer = something
		}
		if f&withheld != 0 {
			response.Withheld = something
		}
		r.Response = response
	}
	if f&judged != 0 {
		*spending = at(t.Judging, row)
		r.Judging = spending
	}
	if r.Scores == nil {
		r.Scores = make(map[string]assay.Score, len(t.Metrics))
	}
	for name, c := range t.Metrics {
		if s, ok := c.score(row); ok {
			r.Scores[name] = s
		}
	}
}

// at returns the entry of a column, the zero value if the column is nil.
func at[T any](column []T, i int) (zero T) {
	if column == nil {
		return zero
	}
	return column[i]
}

// sorted returns the table in the order of Seq. Records with the same Seq stay in the
// order in which they were added.
func (d *data) sorted() *Table {
	if slices.IsSorted(d.Seqs) {
		return &Table{data: d}
	}
	order := make([]int32, d.n)
	for i := range order {
		order[i] = int32(i)
	}
	slices.SortStableFunc(order, func(a, b int32) int { return cmp.Compare(d.Seqs[a], d.Seqs[b]) })
	return &Table{d, order}
}
