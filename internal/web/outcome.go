package web

import (
	"net/url"
	"slices"
	"strconv"

	"github.com/assay-eval/assay"
	"github.com/assay-eval/assay/judge"
	"github.com/assay-eval/assay/report"
	"github.com/assay-eval/assay/report/document"
	"github.com/assay-eval/assay/report/words"
	"github.com/assay-eval/assay/stats"
)

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
func (p *Pages) outcome(r *request, one Run, m assay.MetricInfo) (view, error) {
	h, n := one.Header, r.w.Names().LabNames
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
	data.Sentence, data.People = labSentence(r.w, m, c.CalibrationReport), r.w.Say("PeopleWho", words.V{"first": c.People[0], "others": c.People[1:]})
	data.agreement(r.w, m, c)
	data.Validated, data.Lacks = c.Validated, lacks(r.w, c)
	if c.Unscored > 0 {
		data.Notes = append(data.Notes, r.w.Say("LabelsUnscored", words.V{"n": c.Unscored, "failed": c.JudgeErrors}))
	}
	if c.Unlike != nil {
		data.Notes = append(data.Notes, r.w.Say("UnlikeSample", words.V{"by": signedNumber(*c.Unlike)}))
	}
	if c.Binary != nil && c.Binary.AUROC.CI != nil && c.Binary.AUROC.CI.Hi < 0.5 {
		data.Notes = append(data.Notes, r.w.Names().ScoresFall)
	}
	if c.Run.PPI != nil && c.Run.PPI.SE > 0 && c.Run.LabelsForHalf == nil {
		data.Notes = append(data.Notes, r.w.Names().NoFurtherLabels)
	}
	if more := stats.MinLabels - c.N; more > 0 {
		data.Notes = append(data.Notes, r.w.Say("LabelsMissing", words.V{"n": more}))
	}
	if c.Binary != nil {
		err = p.cells(r, h, m, c, &data)
	}
	return v, err
}

// questionOf is what people decide for a metric.
func questionOf(w words.Words, m assay.MetricInfo) string {
	return w.LabelQuestion(report.Described(m).LabelQuestion, report.MetricTitle(m))
}

// leftOut says how many labels do not count, or count with a reservation.
func leftOut(w words.Words, c Calibration) (out []string) {
	for _, x := range []struct {
		why string
		n   int
	}{{"Carried", c.Carried}, {"LeftOutChosen", c.NotRandom}, {"LeftOutSighted", c.Sighted}, {"LeftOutUnsure", c.Unsure},
		{"Undeclared", c.Undeclared}} {
		if x.n > 0 {
			out = append(out, w.Say("LabelsLeftOut."+x.why, words.V{"n": x.n}))
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
		out = append(out, w.Say("JudgeLacksLabels", words.V{"more": judge.MinValidated - c.N, "of": judge.MinValidated}))
	}
	if n := min(b.Confusion.Positives(), b.Confusion.Negatives()); n < judge.MinRarer {
		out = append(out, w.Say("JudgeLacksRarer", words.V{"more": judge.MinRarer - n}))
	}
	if c.ClustersMissing > 0 {
		out = append(out, w.Say("JudgeLacksClusters", words.V{"more": c.ClustersMissing}))
	}
	if b.Humans == nil {
		return append(out, w.Names().JudgeLacksPerson)
	}
	if c.PairsMissing > 0 {
		out = append(out, w.Say("JudgeLacksPairs", words.V{"more": c.PairsMissing}))
	}
	if len(c.Lacks) > len(out) {
		out = append(out, w.Names().JudgeLacksAgreement)
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

// labSentence says what the judge and people make of a run.
func labSentence(w words.Words, m assay.MetricInfo, all *judge.CalibrationReport) string {
	c, n := all.Run, all.N
	corrected, alone, further := correctedText(c, all.Binary != nil), "", 0
	if corrected == "" && n >= stats.MinLabels && c.Labels.CI != nil {
		alone = labNumber(c.Labels.Mean) + " " + intervalText(*c.Labels.CI)
	}
	if c.LabelsForHalf != nil {
		further = *c.LabelsForHalf
	}
	return w.Say("LabSentence", words.V{"Metric": report.MetricTitle(m), "Judge": labNumber(*c.Score.Value), "Cases": n + all.Unlabelled,
		"Labels": n, "Corrected": corrected, "Alone": alone, "Further": further})
}

// agreement fills in the tables of agreement.
func (d *outcomeData) agreement(w words.Words, m assay.MetricInfo, c Calibration) {
	n := w.Names().LabNames
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
	d.From = w.Say("JudgeFrom", words.V{"threshold": threshold, "above": true})
	d.Below = w.Say("JudgeFrom", words.V{"threshold": threshold, "above": false})
}

// cells fills in the table of rulings, and lists the cases of the cell that the address names.
func (p *Pages) cells(r *request, h assay.Header, m assay.MetricInfo, c Calibration, data *outcomeData) error {
	n := r.w.Names().LabNames
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
	shown, pages := paged(r, in[chosen], casesShown)
	list := &cellList{Title: r.w.Say("CellCases", words.V{"people": people, "judge": said, "n": len(in[chosen])}), Pager: pages}
	data.List = list
	for _, item := range shown {
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
