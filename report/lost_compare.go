package report

import (
	"slices"
	"strings"

	"github.com/assay-eval/assay/summary"
)

// lostNote says what the tables of lost shares hold.
const lostNote = "Shares of all facts, over the cases that both runs followed. A share that moves from one stage to a later one is evidence that now gets further; only what the answers have is a gain."

// A comparedFall sets the waterfall of a run beside the baseline's.
type comparedFall struct {
	Run  string
	Of   int // cases with facts in both
	Rows []comparedLost
}

// A comparedLost is one stage of both.
type comparedLost struct {
	Name               string
	Old, New           string
	Delta, Interval, P string
	// Shown is set when the difference can be shown, Worse when it is for the
	// worse. End is the last line: what the answers have.
	Shown, Worse, End bool
}

// falls gives the runs whose waterfall stands beside the baseline's: those that
// were followed, when the baseline was.
func (c *Comparison) falls() []comparedFall {
	var out []comparedFall
	for i, lost := range c.Lost {
		if len(lost) == 0 {
			continue
		}
		f := comparedFall{Run: line(c.Runs[i+1]), Of: lost[0].Cases}
		for _, d := range lost {
			r := comparedLost{
				Name: stageWord(d.Stage), Old: summary.Percent(d.Old), New: summary.Percent(d.New), Delta: points(d.Diff), Interval: pointsOf(d.CI), P: summary.P(d.PAdjusted),
				Shown: d.PAdjusted < 1-c.Level, Worse: d.Diff > 0,
			}
			if d.Stage == "" {
				r.Name, r.End, r.Worse = reached(d.Retrieval), true, d.Diff < 0
			}
			if !r.Shown {
				r.Delta = "~ " + r.Delta
			}
			f.Rows = append(f.Rows, r)
		}
		out = append(out, f)
	}
	return out
}

// compareLost compares the waterfalls of the runs with the first one's.
func compareLost(reports []*Report, level float64, seed uint64) [][]summary.LostDifference {
	var out [][]summary.LostDifference
	found := false
	for _, r := range reports[1:] {
		var d []summary.LostDifference
		if reports[0].Summary.Waterfall != nil && r.Summary.Waterfall != nil {
			d = summary.CompareWaterfalls(reports[0].Records, r.Records, level, seed)
			if n := len(d); n > 0 {
				d[n-1].Retrieval = reports[0].Summary.Waterfall.Retrieval && r.Summary.Waterfall.Retrieval
			}
		}
		found = found || d != nil
		out = append(out, d)
	}
	if !found {
		return nil
	}
	return out
}

// lostCompared writes the waterfalls side by side where a difference can be shown;
// of the other runs it says how much is answered, or found.
func (t *terminal) lostCompared(c *Comparison) {
	var same []comparedFall
	noted := false
	for _, f := range c.falls() {
		if !slices.ContainsFunc(f.Rows, func(r comparedLost) bool { return r.Shown }) {
			same = append(same, f)
			continue
		}
		t.println("")
		t.title("where answers are lost: " + line(c.Runs[0]) + " and " + f.Run + ", " + plural(f.Of, "case", "cases"))
		name := 20
		g := comparedGrid(c, f, name)
		for g.columns() > t.o.width() && name > 8 {
			name--
			g = comparedGrid(c, f, name)
		}
		t.grid(g)
		noted = true
	}
	if noted {
		t.paragraph(lostNote, "  ")
	}
	if same == nil {
		return
	}
	var names, answered []string
	for _, f := range same {
		last := f.Rows[len(f.Rows)-1]
		if names == nil {
			answered = append(answered, line(c.Runs[0])+" "+last.Old)
		}
		names, answered = append(names, f.Run), append(answered, f.Run+" "+last.New)
	}
	t.println("")
	t.paragraph("where answers are lost: no stage at which "+strings.Join(names, " or ")+" can be shown to differ from "+line(c.Runs[0])+" (facts "+same[0].Rows[len(same[0].Rows)-1].Name+": "+strings.Join(answered, ", ")+")", "  ")
}

func comparedGrid(c *Comparison, f comparedFall, name int) *grid {
	g := &grid{head: []string{"stage", fit(line(c.Runs[0]), name), fit(f.Run, name), "Δ", intervals(c.Level), "p (Holm)"}, left: []bool{true, false, false, false, false, false}}
	for _, r := range f.Rows {
		g.add(fit(r.Name, name), r.Old, r.New, r.Delta, r.Interval, r.P)
	}
	return g
}

// lostCompared writes the waterfalls side by side.
func (m *markdown) lostCompared(c *Comparison) {
	for i, f := range c.falls() {
		if i == 0 {
			m.printf("\n## %s\n\n%s", lostTitle, lostNote)
		}
		m.printf("\n| Stage | %s | %s | Δ | %s | p (Holm) |\n|---|---:|---:|---:|---:|---:|", inline(c.Runs[0]), inline(f.Run), intervals(c.Level))
		for _, r := range f.Rows {
			name, delta := inline(r.Name), escape(r.Delta)
			if r.End {
				name = "**" + name + "**"
			}
			if r.Shown {
				delta = "**" + delta + "**"
			}
			m.printf("| %s | %s | %s | %s | %s | %s |", name, r.Old, r.New, delta, r.Interval, escape(r.P))
		}
	}
}

// A lostJSON sets the waterfall of a run beside the baseline's.
type lostJSON struct {
	Stages []summary.LostDifference `json:"stages"`
	Answer summary.LostDifference   `json:"answered"`
}

// newLostJSON gives the differences by run; none when no two were followed.
func newLostJSON(c *Comparison) *object[*lostJSON] {
	if c.Lost == nil {
		return nil
	}
	var out object[*lostJSON]
	for i, lost := range c.Lost {
		if len(lost) == 0 {
			continue
		}
		j := &lostJSON{Stages: []summary.LostDifference{}}
		for _, d := range lost {
			if d.Stage == "" {
				j.Answer = d
			} else {
				j.Stages = append(j.Stages, d)
			}
		}
		out.put(c.Runs[i+1], j)
	}
	return &out
}
