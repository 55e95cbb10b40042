package report

import (
	"slices"

	"github.com/assay-eval/assay"
	"github.com/assay-eval/assay/columns"
	"github.com/assay-eval/assay/summary"
)

// LeastRuns and LeastSystems are the numbers of runs, and of different systems among them,
// from which a case that all of them get wrong is listed in [Doubts.Unsolved]. Two runs of
// one system say little about a label: the system makes the same mistake again.
const (
	LeastRuns    = 3
	LeastSystems = 2
)

// LeastUnruled is the number of times that a judge must have failed to rule on a case before
// it is listed in [Doubts.Unruled]: a single error is mostly one of the network.
const LeastUnruled = 2

// A DoubtRun is one of the runs from whose outcomes a dataset is doubted.
type DoubtRun struct {
	Header assay.Header
	Cases  *columns.Table
	// System is the same number for runs that asked the same system: the same target with
	// the same settings and documents. Setup is the same number for those that also judged
	// alike, by the same judge, metrics and rules. Numbers count from 0.
	System, Setup int
}

// Doubts are the cases of a dataset that runs cast doubt on. A run asked a case once for each
// draw; each time it is right or wrong by [Report.Check]. It is neither if the target gave no
// response or if nothing decides.
type Doubts struct {
	// Runs is the number of runs, Systems that of the different systems that they asked.
	Runs, Systems int
	// Cases is the number of cases that any of the runs has.
	Cases int
	// Unsolved are the cases that are wrong each time, in [LeastRuns] runs of [LeastSystems]
	// systems or more. Such a case can have a wrong label, or be hard. Decided is the number
	// of cases that are right or wrong in as many runs and systems.
	Unsolved []DoubtedCase
	Decided  int
	// Flaky are the cases that one setup got right one time and wrong another, in draws or in
	// several runs. Repeated is the number of cases that are right or wrong at least twice in
	// one setup.
	Flaky    []DoubtedCase
	Repeated int
	// Unruled are the cases on which the judge failed to rule [LeastUnruled] times or more,
	// and in at least half of the times that it was asked. Judged is the number of cases on
	// which it was asked [LeastUnruled] times or more.
	Unruled []DoubtedCase
	Judged  int
}

// A DoubtedCase is a case with what runs found.
type DoubtedCase struct {
	// Case is the id that draws share.
	Case string
	// Run is the index of the first of the runs that has the case, Seq the place there of its
	// first draw.
	Run, Seq int
	// Runs and Systems count those in which the case is right or wrong.
	Runs, Systems int
	// Right and Wrong count the times. Of a flaky case they are those of the setup with the
	// most changes.
	Right, Wrong int
	// Unruled is how often the judge failed to rule on it, of Asked times.
	Unruled, Asked int
}

// NewDoubts returns the doubts that runs over the same content of a dataset cast on its cases,
// each list in the order of the cases. Links lead to the runs that are given first.
func NewDoubts(runs []DoubtRun) Doubts {
	out := Doubts{Runs: len(runs)}
	if len(runs) == 0 {
		return out
	}
	systems := map[int]bool{}
	d := doubter{at: make(map[string]int, runs[0].Cases.Len())}
	for i := range runs {
		systems[runs[i].System] = true
		d.add(i, &runs[i])
	}
	out.Systems = len(systems)
	out.Cases = len(d.cases)
	for k := range d.cases {
		c := &d.cases[k]
		one := c.DoubtedCase
		one.Systems = len(c.systems)
		if one.Runs >= LeastRuns && one.Systems >= LeastSystems {
			out.Decided++
			if one.Right == 0 {
				out.Unsolved = append(out.Unsolved, one)
			}
		}
		if one.Asked >= LeastUnruled {
			out.Judged++
			if one.Unruled >= LeastUnruled && 2*one.Unruled >= one.Asked {
				out.Unruled = append(out.Unruled, one)
			}
		}
		flaky, repeated := c.flaky()
		if repeated {
			out.Repeated++
		}
		if flaky != nil {
			one.Right, one.Wrong = flaky.right, flaky.wrong
			out.Flaky = append(out.Flaky, one)
		}
	}
	return out
}

// A doubter collects the outcomes of cases.
type doubter struct {
	at    map[string]int
	cases []collected
}

// collected has the outcomes of a case.
type collected struct {
	DoubtedCase
	systems []int
	setups  []setupOutcomes
	// decided is the last run in which the case is right or wrong, counted from 1.
	decided int
}

// setupOutcomes counts the outcomes of a case in one setup.
type setupOutcomes struct{ setup, right, wrong int }

// flaky returns the setup in which a case came out differently most often, nil if none is.
// repeated is set if a setup has two outcomes of it.
func (c *collected) flaky() (most *setupOutcomes, repeated bool) {
	for i := range c.setups {
		s := &c.setups[i]
		repeated = repeated || s.right+s.wrong >= 2
		if min(s.right, s.wrong) > 0 && (most == nil || min(s.right, s.wrong) > min(most.right, most.wrong)) {
			most = s
		}
	}
	return most, repeated
}

// An outcome of a case that was asked once.
type outcome int8

const (
	undecided outcome = iota
	right
	wrong
)

func outcomeOf(c summary.Check) outcome {
	switch c.Outcome() {
	case assay.AnswerRight:
		return right
	case assay.AnswerWrong:
		return wrong
	}
	return undecided
}

// add collects the outcomes of a run.
func (d *doubter) add(i int, r *DoubtRun) {
	check := Checks(r.Header, r.Cases)
	var judged []columns.Column
	for _, m := range r.Header.Metrics {
		if m.Judged && !m.Estimate {
			judged = append(judged, r.Cases.Metric(m.Name))
		}
	}
	for row, rec := range r.Cases.Records() {
		id := r.Cases.Base(row)
		k, seen := d.at[id]
		if !seen {
			k = len(d.cases)
			d.at[id] = k
			d.cases = append(d.cases, collected{DoubtedCase: DoubtedCase{Case: id, Run: i, Seq: r.Cases.Seq(row)}})
		}
		c := &d.cases[k]
		asked, failed := ruledOn(judged, row, rec)
		if asked {
			c.Asked++
		}
		if failed {
			c.Unruled++
		}
		if o := outcomeOf(check(*rec)); o != undecided && rec.Response != nil {
			c.count(i, r, o)
		}
	}
}

// count counts an outcome that is right or wrong.
func (c *collected) count(i int, r *DoubtRun, o outcome) {
	if c.decided != i+1 {
		c.decided = i + 1
		c.Runs++
	}
	if !slices.Contains(c.systems, r.System) {
		c.systems = append(c.systems, r.System)
	}
	at := slices.IndexFunc(c.setups, func(s setupOutcomes) bool { return s.setup == r.Setup })
	if at < 0 {
		at = len(c.setups)
		c.setups = append(c.setups, setupOutcomes{setup: r.Setup})
	}
	if o == right {
		c.Right++
		c.setups[at].right++
	} else {
		c.Wrong++
		c.setups[at].wrong++
	}
}

// ruledOn reports whether the judge was asked about the record of a row, and whether it failed
// to rule for any of its metrics.
func ruledOn(judged []columns.Column, row int, rec *assay.Record) (asked, failed bool) {
	for _, scores := range judged {
		n, _ := scores.Numbers(row)
		unruled := rec.Unruled(n.State)
		asked, failed = asked || unruled || n.State == assay.Scored, failed || unruled
	}
	return asked, failed
}
