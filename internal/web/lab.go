package web

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"net/url"
	"slices"
	"strconv"
	"strings"

	"github.com/assay-eval/assay"
	"github.com/assay-eval/assay/judge"
	"github.com/assay-eval/assay/report"
	"github.com/assay-eval/assay/report/document"
	"github.com/assay-eval/assay/report/words"
	"github.com/assay-eval/assay/stats"
)

// A LabBackend answers what the judge lab shows, and keeps labels.
type LabBackend interface {
	// LabRuns returns the latest runs with a judged metric, and how many labels each metric
	// has.
	LabRuns(ctx context.Context) ([]LabRun, error)
	// Calibration compares the judge's scores of a metric with the labels of people.
	Calibration(ctx context.Context, h assay.Header, m assay.MetricInfo) (Calibration, error)
	// LabelTask returns a case to label: that of the queue, or the next one.
	LabelTask(ctx context.Context, h assay.Header, m assay.MetricInfo, q LabelQueue) (LabelTask, error)
	// SaveLabel keeps a label of the reader. The error is a [*LabelConflict] if there is another
	// version than the reader saw.
	SaveLabel(ctx context.Context, l NewLabel) error
	// UndoLabel takes back the last version of the reader's label of a case.
	UndoLabel(ctx context.Context, h assay.Header, m assay.MetricInfo, caseID string) error
}

// A LabRun is a run with judged metrics. Labels counts labels by metric.
type LabRun struct {
	assay.Header
	Labels map[string]int
}

// A Calibration is what labels say of the judge. The report is nil if no label counts.
type Calibration struct {
	*judge.CalibrationReport
	// People are those whose labels count, the one whom the judge is compared with first.
	People []string
	// Carried are counted labels of other runs, Undeclared those that do not say how their
	// cases were chosen; the others do not count.
	Carried, Undeclared, Unsure, Sighted, NotRandom int
	// Ruled are the cases with a label and a score.
	Ruled []judge.Rated
	// Threshold is the score from which the judge counts as saying yes.
	Threshold float64
}

// A LabelQueue is an order of the cases to label. Case is the one to show, or else After is
// the one whose next is shown; "" for both is the first.
type LabelQueue struct {
	How         string
	Seed        uint64
	Case, After string
}

// A LabelTask is a case to label.
type LabelTask struct {
	// Record is nil if every case is labelled.
	Record *assay.Record
	// Next is the id of the case after it, "" without one.
	Next       string
	Done, Left int
	// Mine is the reader's label; nil if there is none. Others are those of other people, and
	// nil before the reader has labelled the case.
	Mine   *LabelState
	Others []LabelState
	// Corrected is nil if there are too few labels.
	Corrected *judge.Corrected
	Counted   int
}

// A LabelState is a label of a person.
type LabelState struct {
	ID, Annotator, Comment string
	Value                  *float64
	Unsure, Withdrawn      bool
	Version                int
	// From is another run whose label it is, "" for this one.
	From string
}

// A NewLabel is a label to keep. Version is that of the label that the reader saw, 0 without.
type NewLabel struct {
	Run, Case, Metric, How, Comment string
	Value                           *float64
	Unsure, Sighted                 bool
	Version                         int
}

// A LabelConflict is a label that was changed since the reader saw it.
type LabelConflict struct{ Is LabelState }

// Error implements error.
func (e *LabelConflict) Error() string {
	return fmt.Sprintf("the label is version %d now", e.Is.Version)
}

// labAddress is the address of a judged metric of a run.
func labAddress(run, metric string) string {
	return "/judge/" + url.PathEscape(run) + "/" + caseSegment(metric)
}

// The parts of the lab's addresses.
const (
	howRandom = "random"
	howUnsure = "unsure"
)

// A labRow is a judged metric of a run in the list.
type labRow struct {
	Run, RunAddress, Metric, Address, LabelAddress, Dataset, Day string
	Labels                                                       int
}

// lab is the list of runs with a judged metric.
func (p *Pages) lab(r *request) (view, error) {
	runs, err := p.cfg.Backend.LabRuns(r.Context())
	if err != nil {
		return view{}, err
	}
	var data struct{ Rows []labRow }
	for _, one := range runs {
		for _, m := range one.Metrics {
			if !m.Judged {
				continue
			}
			address := labAddress(one.ID, m.Name)
			data.Rows = append(data.Rows, labRow{Run: rowOf(r.w, Run{Header: one.Header}).Name, RunAddress: runAddress(one.ID),
				Metric: report.MetricTitle(m), Address: address, LabelAddress: address + "/label", Dataset: one.Dataset.Name,
				Day: one.Started.UTC().Format("2006-01-02 15:04"), Labels: one.Labels[m.Name]})
		}
	}
	return view{Template: "lab", Title: r.w.LabNames().Title, Place: placeLab, Data: data}, nil
}

// labRun returns the run and the metric of an address.
func (p *Pages) labRun(r *request) (Run, assay.MetricInfo, error) {
	one, err := p.cfg.Backend.Run(r.Context(), r.PathValue("run"))
	if err != nil {
		return one, assay.MetricInfo{}, err
	}
	name := caseOf(r.PathValue("metric"))
	for _, m := range one.Metrics {
		if m.Name == name {
			return one, m, nil
		}
	}
	return one, assay.MetricInfo{}, absentMetric(name)
}

// absentMetric is a metric that the run does not have.
type absentMetric string

// Error implements error.
func (e absentMetric) Error() string { return "no such metric: " + strconv.Quote(string(e)) }

// GetStatus returns the HTTP status.
func (absentMetric) GetStatus() int { return http.StatusNotFound }

// A labFigure is a row of the table of agreement.
type labFigure struct {
	Name, Value, Interval string
	N                     int
}

// A labCell is a cell of the table of rulings; it leads to its cases.
type labCell struct {
	N       int
	Address string
	Here    bool
}

type outcomeData struct {
	Run                                 runRow
	Metric, Question                    string
	Sentence, People                    string
	Figures, Humans                     []labFigure
	Confusion                           bool
	One, Zero, From, Below              string
	Cells                               [4]labCell // label 1: judge from, below; label 0: judge from, below
	List                                *cellList
	Notes, Lacks                        []string
	Validated, Going, OneSided, Nothing bool
	Label, LabelUnsure, Export, Address string
	May                                 bool
}

// A cellList has the cases of a cell.
type cellList struct {
	Title string
	Rows  []cellRow
	Pager pager
}

// A cellRow is a case with its score and its label.
type cellRow struct{ ID, Address, Question, Lang, Score, Label, LabelAddress string }

// cellNames name the cells in addresses.
var cellNames = [4]string{"tp", "fn", "fp", "tn"}

// outcome is the page of a judged metric of a run: what people and the judge make of it.
func (p *Pages) outcome(r *request) (view, error) {
	one, m, err := p.labRun(r)
	if err != nil {
		return view{}, err
	}
	h, n := one.Header, r.w.LabNames()
	address := labAddress(h.ID, m.Name)
	data := outcomeData{
		Run: rowOf(r.w, one), Metric: report.MetricTitle(m), Question: questionOf(r.w, m), Going: going(h), Address: address,
		Label: address + "/label", LabelUnsure: address + "/label?how=" + howUnsure, May: p.cfg.Backend.MayLabel(r.Context()),
		Export: "/api/v1/labels.csv?" + url.Values{"run_id": {h.ID}, "metric": {m.Name}}.Encode(),
	}
	v := view{Template: "outcome", Title: data.Metric + " · " + n.Title, Place: placeLab, Data: &data}
	if data.Going {
		return v, nil
	}
	c, err := p.cfg.Backend.Calibration(r.Context(), h, m)
	if err != nil {
		return view{}, err
	}
	data.Notes = leftOut(r.w, c)
	if c.CalibrationReport == nil {
		data.Nothing = true
		return v, nil
	}
	data.Sentence, data.People = labSentence(r.w, m, c.Run, c.N, c.Binary != nil), r.w.PeopleWho(c.People)
	data.agreement(r.w, m, c)
	data.Validated, data.Lacks = c.Validated, lacks(r.w, c)
	if c.Unscored > 0 {
		data.Notes = append(data.Notes, r.w.LabelsUnscored(c.Unscored, c.JudgeErrors))
	}
	if c.Unlike != nil {
		data.Notes = append(data.Notes, r.w.UnlikeSample(signedNumber(*c.Unlike)))
	}
	if c.Binary != nil && c.Binary.AUROC.CI != nil && c.Binary.AUROC.CI.Hi < 0.5 {
		data.Notes = append(data.Notes, r.w.ScoresFall())
	}
	if c.Run.PPI != nil && c.Run.PPI.SE > 0 && c.Run.LabelsForHalf == nil {
		data.Notes = append(data.Notes, r.w.NoFurtherLabels())
	}
	if more := stats.MinLabels - c.N; more > 0 {
		data.Notes = append(data.Notes, r.w.LabelsMissing(more))
	}
	if c.Binary != nil {
		err = p.cells(r, h, m, c, &data)
	}
	return v, err
}

// questionOf is what people decide for a metric.
func questionOf(w words.Words, m assay.MetricInfo) string {
	name := m.Name
	if i := strings.IndexAny(name, "@("); i > 0 {
		name = name[:i]
	}
	return w.LabelQuestion(name, report.MetricTitle(m))
}

// leftOut says how many labels do not count, or count with a reservation.
func leftOut(w words.Words, c Calibration) (out []string) {
	for _, x := range []struct {
		why words.LeftOut
		n   int
	}{{words.Carried, c.Carried}, {words.LeftOutChosen, c.NotRandom}, {words.LeftOutSighted, c.Sighted}, {words.LeftOutUnsure, c.Unsure},
		{words.Undeclared, c.Undeclared}} {
		if x.n > 0 {
			out = append(out, w.LabelsLeftOut(x.why, x.n))
		}
	}
	return out
}

// lacks says what a judge lacks to be validated, as [judge.Calibrate] decides it.
func lacks(w words.Words, c Calibration) (out []string) {
	b := c.Binary
	if c.Validated || b == nil {
		return nil
	}
	if c.N < judge.MinValidated {
		out = append(out, w.JudgeLacksLabels(judge.MinValidated-c.N, judge.MinValidated))
	}
	if n := min(b.Confusion.Positives(), b.Confusion.Negatives()); n < judge.MinRarer {
		out = append(out, w.JudgeLacksRarer(judge.MinRarer-n))
	}
	if b.Humans == nil || b.Humans.Kappa.Value == nil && b.Humans.AC1.Value == nil {
		return append(out, w.JudgeLacksPerson())
	}
	if len(c.Lacks) > len(out) {
		out = append(out, w.JudgeLacksAgreement())
	}
	return out
}

// labNumber is a number of the lab with three decimals and a real minus.
func labNumber(v float64) string {
	s := strconv.FormatFloat(v, 'f', 3, 64)
	if s[0] == '-' {
		return "−" + s[1:]
	}
	return s
}

func signedNumber(v float64) string {
	if v > 0 {
		return "+" + labNumber(v)
	}
	return labNumber(v)
}

func intervalText(ci stats.Interval) string {
	return "[" + labNumber(ci.Lo) + ", " + labNumber(ci.Hi) + "]"
}

// correctedText is a corrected mean with its interval, "" without one. Shares are in 0…1.
func correctedText(c judge.Corrected, share bool) string {
	if c.PPI == nil {
		return ""
	}
	ci := c.PPI.CI
	if share {
		ci = ci.Clip(0, 1)
	}
	return labNumber(c.PPI.Mean) + " " + intervalText(ci)
}

// labSentence says what the judge and people make of a run. n is the number of labels.
func labSentence(w words.Words, m assay.MetricInfo, c judge.Corrected, n int, share bool) string {
	s := words.LabSentence{Metric: report.MetricTitle(m), Judge: labNumber(*c.Score.Value), Corrected: correctedText(c, share), Labels: n}
	if s.Corrected == "" && n >= stats.MinLabels && c.Labels.CI != nil {
		s.Alone = labNumber(c.Labels.Mean) + " " + intervalText(*c.Labels.CI)
	}
	if c.LabelsForHalf != nil {
		s.Further = *c.LabelsForHalf
	}
	return w.LabSentence(s)
}

// agreement fills in the tables of agreement.
func (d *outcomeData) agreement(w words.Words, m assay.MetricInfo, c Calibration) {
	n := w.LabNames()
	row := func(name string, f judge.Figure, count int) labFigure {
		out := labFigure{Name: name, Value: "–", Interval: "–", N: count}
		if f.Value != nil {
			out.Value = labNumber(*f.Value)
		}
		if f.CI != nil {
			out.Interval = intervalText(*f.CI)
		}
		return out
	}
	if g := c.Graded; g != nil && c.N >= stats.MinLabels {
		d.Figures = append(d.Figures, row(n.Spearman, g.Spearman, c.N), row(n.WeightedKappa, g.Kappa, c.N), row(n.Alpha, g.Alpha, c.N))
	}
	b := c.Binary
	if b == nil {
		return
	}
	d.OneSided = max(b.Prevalence, 1-b.Prevalence) > judge.OneSided
	agreed := func(a judge.Agreed) []labFigure {
		second := row(n.Kappa, a.Kappa, a.N)
		if d.OneSided {
			second = row(n.AC1, a.AC1, a.N)
		}
		return []labFigure{row(n.Agreement, a.Agreement, a.N), second}
	}
	if c.N >= stats.MinLabels {
		d.Figures = append(append(d.Figures, agreed(b.Judge)...), row(n.AUROC, b.AUROC, c.N))
		if b.Humans != nil {
			d.Humans = agreed(*b.Humans)
		}
	}
	d.Confusion = true
	d.One, d.Zero = n.PeopleRight, n.PeopleWrong
	if rightValue(m) == 0 {
		d.One, d.Zero = d.Zero, d.One
	}
	threshold := strconv.FormatFloat(b.Threshold, 'g', 4, 64)
	d.From, d.Below = w.JudgeFrom(threshold, true), w.JudgeFrom(threshold, false)
}

// cells fills in the table of rulings, and lists the cases of the cell that the address names.
func (p *Pages) cells(r *request, h assay.Header, m assay.MetricInfo, c Calibration, data *outcomeData) error {
	n := r.w.LabNames()
	var in [4][]judge.Rated
	for _, item := range c.Ruled {
		cell := 0
		if *item.Labels[0] != 1 {
			cell = 2
		}
		if *item.Score < c.Threshold {
			cell++
		}
		in[cell] = append(in[cell], item)
	}
	chosen := slices.Index(cellNames[:], r.values.Get("cell"))
	for i := range in {
		data.Cells[i] = labCell{N: len(in[i]), Address: data.Address + "?cell=" + cellNames[i] + "#cell", Here: i == chosen}
	}
	if chosen < 0 {
		return nil
	}
	people, said := []string{data.One, data.Zero}[chosen/2], []string{data.From, data.Below}[chosen%2]
	page := r.values.number("page")
	list := &cellList{Title: r.w.CellCases(people, said, len(in[chosen])), Pager: newPager(r, page, len(in[chosen]), casesShown)}
	data.List = list
	from := min((page-1)*casesShown, len(in[chosen]))
	for _, item := range in[chosen][from:min(from+casesShown, len(in[chosen]))] {
		rec, err := p.cfg.Backend.Record(r.Context(), h, item.Case)
		if err != nil {
			return err
		}
		list.Rows = append(list.Rows, cellRow{ID: document.Line(item.Case), Address: caseAddress(h.ID, item.Case, values{}),
			Question: rec.Case.Question, Lang: languageOf(rec.Case.Question), Score: labNumber(*item.Score),
			Label: labelWord(n, m, *item.Labels[0]), LabelAddress: data.Label + values{}.with("case", item.Case)})
	}
	return nil
}

// rightValue is the label of a case that is good: labels say what a high score stands for.
func rightValue(m assay.MetricInfo) float64 {
	if m.Better == "lower" {
		return 0
	}
	return 1
}

// labelWord is the word of a label's value.
func labelWord(n words.LabNames, m assay.MetricInfo, value float64) string {
	switch value {
	case rightValue(m):
		return n.Right
	case 1 - rightValue(m):
		return n.Wrong
	}
	return strconv.FormatFloat(value, 'g', -1, 64)
}

// stateWord is the word of a label.
func stateWord(n words.LabNames, m assay.MetricInfo, l LabelState) string {
	switch {
	case l.Withdrawn || l.Value == nil && !l.Unsure:
		return n.Withdrawn
	case l.Unsure:
		return n.Unsure
	}
	return labelWord(n, m, *l.Value)
}

// isConflict reports whether a label was changed since the reader saw it.
func isConflict(err error) (*LabelConflict, bool) {
	var c *LabelConflict
	return c, errors.As(err, &c)
}
