package summary

import (
	"maps"
	"slices"

	"github.com/assay-eval/assay/columns"
	"github.com/assay-eval/assay/stats"
)

// SliceCases is the smallest number of cases for which a slice is tested (metrics.md
// §4.4).
const SliceCases = 20

// slice compares the runs over the cases with each tag. It holds the pairs of one slice at
// a time.
func (c *Comparison) slice(all []rowPairs, runs []*columns.Table, seed uint64) {
	s := newSlicer(all, runs)
	var tags []string
	for _, tag := range slices.Sorted(maps.Keys(s.tagged)) {
		if in := len(s.tagged[tag]); in < len(s.numbers) {
			tags = append(tags, tag)
			c.Slices = append(c.Slices, ComparisonSlice{Tag: tag, Cases: in, Tested: in >= SliceCases})
		}
	}
	tested := stats.Explore(c.Test, len(tags), func(i int) (lists [][]stats.Pair) {
		for _, r := range s.rows(tags[i]) {
			if !r.metric.Estimate {
				lists = append(lists, r.pairs...)
			}
		}
		return lists
	}, SliceCases, c.Level, seed)
	for i, tag := range tags {
		c.Slices[i].Rows = c.rows(s.rows(tag), s.tables(tag), func(rows []rowPairs) [][]stats.Comparison {
			return c.explored(rows, tested[i], seed)
		})
	}
}

// explored distributes the tests of a slice over its metrics; estimates have no test, and
// an interval of their own.
func (c *Comparison) explored(rows []rowPairs, tested []stats.Comparison, seed uint64) (out [][]stats.Comparison) {
	for _, r := range rows {
		if r.metric.Estimate {
			out = append(out, stats.CompareBy(c.Test, r.pairs, c.Level, seed))
			continue
		}
		out, tested = append(out, tested[:len(r.pairs)]), tested[len(r.pairs):]
	}
	return out
}

// A slicer takes the cases with a tag from runs. Cases have numbers, which the draws of a
// case share in all runs.
type slicer struct {
	all  []rowPairs
	runs []*columns.Table
	// numbers has the number of each case, byRow those of the rows of each run, byPair
	// those of the pairs of each metric and run, tagged those of the cases with a tag in
	// any run, in order.
	numbers map[string]int32
	byRow   [][]int32
	byPair  [][][]int32
	tagged  map[string][]int32
	// in tells whether a case has the tag; it is used for one tag after the other.
	in []bool
}

func newSlicer(all []rowPairs, runs []*columns.Table) *slicer {
	s := &slicer{all: all, runs: runs, numbers: make(map[string]int32, runs[0].Len()), tagged: map[string][]int32{}}
	for _, run := range runs {
		rows := make([]int32, run.Len())
		for i := range rows {
			base := run.Base(i)
			n, ok := s.numbers[base]
			if !ok {
				n = int32(len(s.numbers))
				s.numbers[base] = n
			}
			rows[i] = n
			for _, tag := range run.Tags(i) {
				s.tagged[tag] = append(s.tagged[tag], n)
			}
		}
		s.byRow = append(s.byRow, rows)
	}
	for tag, in := range s.tagged {
		slices.Sort(in)
		s.tagged[tag] = slices.Compact(in)
	}
	s.byPair = make([][][]int32, len(all))
	for m, r := range all {
		for _, pairs := range r.pairs {
			numbers := make([]int32, len(pairs))
			for i, p := range pairs {
				numbers[i] = s.numbers[p.Case]
			}
			s.byPair[m] = append(s.byPair[m], numbers)
		}
	}
	s.in = make([]bool, len(s.numbers))
	return s
}

// mark sets in for a tag and returns the function that clears it.
func (s *slicer) mark(tag string) (clear func()) {
	set := func(to bool) {
		for _, n := range s.tagged[tag] {
			s.in[n] = to
		}
	}
	set(true)
	return func() { set(false) }
}

// rows returns the pairs of the cases with a tag.
func (s *slicer) rows(tag string) []rowPairs {
	defer s.mark(tag)()
	out := make([]rowPairs, len(s.all))
	for m, all := range s.all {
		out[m].metric, out[m].ends = all.metric, all.ends
		for i := range all.pairs {
			pairs := make([]stats.Pair, 0, min(len(all.pairs[i]), len(s.tagged[tag])))
			for k, n := range s.byPair[m][i] {
				if s.in[n] {
					pairs = append(pairs, all.pairs[i][k])
				}
			}
			var dropped []string
			for _, id := range all.dropped[i] {
				if s.in[s.numbers[id]] {
					dropped = append(dropped, id)
				}
			}
			out[m].pairs, out[m].dropped = append(out[m].pairs, pairs), append(out[m].dropped, dropped)
		}
	}
	return out
}

// tables returns the parts of the runs that have the cases with a tag.
func (s *slicer) tables(tag string) []*columns.Table {
	defer s.mark(tag)()
	out := make([]*columns.Table, len(s.runs))
	for r, run := range s.runs {
		out[r] = run.Where(func(i int) bool { return s.in[s.byRow[r][i]] })
	}
	return out
}
