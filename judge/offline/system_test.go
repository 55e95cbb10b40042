//go:build results

package offline

import (
	"fmt"
	"math"
	"slices"
	"testing"
)

// picks are systems made of the answers of NQ-301, which does not say whose they are:
// each takes one answer to every question, by its length or its place.
var picks = []struct {
	name string
	of   func(answers []int, length func(int) int) int
}{
	{"shortest", func(v []int, length func(int) int) int { return byLength(v, length)[0] }},
	{"median", func(v []int, length func(int) int) int { return byLength(v, length)[len(v)/2] }},
	{"longest", func(v []int, length func(int) int) int { return byLength(v, length)[len(v)-1] }},
	{"first", func(v []int, _ func(int) int) int { return v[0] }},
	{"second", func(v []int, _ func(int) int) int { return v[1] }},
	{"last", func(v []int, _ func(int) int) int { return v[len(v)-1] }},
}

func byLength(v []int, length func(int) int) []int {
	out := slices.Clone(v)
	slices.SortStableFunc(out, func(a, b int) int { return length(a) - length(b) })
	return out
}

// systems asks whether estimates rank systems as people do, and by how much they are
// off: the difference of every two systems by people, by the judge, and by the recall of
// the reference's terms.
func (p *page) systems(test []row, labels []bool, own, recall []float64) {
	by := map[string][]int{}
	var asked []string
	for i, r := range test {
		if by[r.Question] == nil {
			asked = append(asked, r.Question)
		}
		by[r.Question] = append(by[r.Question], i)
	}
	asked = slices.DeleteFunc(asked, func(q string) bool { return len(by[q]) < 2 })
	length := func(i int) int { return len(test[i].Answer) }
	mean := func(of func([]int, func(int) int) int, value func(int) float64) float64 {
		sum := 0.0
		for _, q := range asked {
			sum += value(of(by[q], length))
		}
		return sum / float64(len(asked))
	}
	people := func(i int) float64 { return indicator(labels[i]) }
	fmt.Fprintf(p, "\nSystems: the data do not say which system gave an answer, so systems are made of them. Each takes one answer to each "+
		"of the %d questions that have two or more: the shortest, the median or the longest one, the first, the second or the last one "+
		"listed. Δ is the second system's mean minus the first's.\n\n| systems | people | offline judge | bias | recall of terms | bias |\n"+
		"|---|---|---|---|---|---|\n", len(asked))
	var n, agree, recalled int
	var off, recallOff float64
	for b := range picks {
		for a := range b {
			d := func(value func(int) float64) float64 { return mean(picks[b].of, value) - mean(picks[a].of, value) }
			said, judged, found := d(people), d(func(i int) float64 { return own[i] }), d(func(i int) float64 { return recall[i] })
			n++
			agree, recalled = agree+int(indicator(said*judged > 0)), recalled+int(indicator(said*found > 0))
			off, recallOff = off+math.Abs(judged-said), recallOff+math.Abs(found-said)
			fmt.Fprintf(p, "| %s → %s | %.3f | %.3f | %.3f | %.3f | %.3f |\n", picks[a].name, picks[b].name, said, judged, judged-said,
				found, found-said)
		}
	}
	fmt.Fprintf(p, "\nSame sign as people: offline judge %d of %d pairs, recall of terms %d. Mean size of the bias of Δ: %.3f and %.3f. "+
		"Where people's Δ is near 0 its sign is chance.\n", agree, n, recalled, off/float64(n), recallOff/float64(n))
}

// probed writes the estimates of the probes.
func (p *page) probed(t *testing.T) {
	fmt.Fprint(p, "\nProbes, written by hand and fitted to nothing: what an answer may alter in a reference, and what it may reword.\n\n"+
		"| probe | reference | answer | equivalent | estimate |\n|---|---|---|---|---|\n")
	for _, x := range probes {
		r := equivalenceOf(t, p.judge, x)
		fmt.Fprintf(p, "| %s | %s | %s | %s | %.3f |\n", x.kind, x.reference, x.answer, map[bool]string{true: "yes", false: "no"}[x.same],
			r.Degree)
	}
}
