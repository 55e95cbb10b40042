package web

import (
	"cmp"
	"slices"
	"strings"

	"github.com/assay-eval/assay"
	"github.com/assay-eval/assay/report/words"
)

// newData is what the page that starts a run shows.
type newData struct {
	Fields     formFields
	NoDatasets bool
	// Refused is why the reader may not start runs here, "" if they may.
	Refused  string
	Problems FormError
	Estimate *estimateData
	// Confirm are the fields of the form that starts the run, Once its key.
	Confirm []option
	Once    string
}

// formFields are the fields of the form of a run.
type formFields struct {
	Datasets, Targets, Judges []option
	Groups                    []metricGroup
	Other                     string
	Name, Repeat, Sample      string
	Seed, MaxCost, More       string
	// Wrong has what is wrong with a field, by its name.
	Wrong map[string]string
}

// A metricGroup are metrics under a heading.
type metricGroup struct {
	Title string
	// Needs are the labels that each of its metrics needs, "" if they differ.
	Needs   string
	Metrics []metricField
	// Chosen is the number of those that are chosen.
	Chosen int
}

// A metricField is a metric that can be chosen.
type metricField struct {
	option
	Needs string
}

// share names what all metrics of a group need beside its heading.
func (g *metricGroup) share() {
	for _, m := range g.Metrics {
		if m.Needs != g.Metrics[0].Needs {
			return
		}
	}
	g.Needs = g.Metrics[0].Needs
	for i := range g.Metrics {
		g.Metrics[i].Needs = ""
	}
}

// blame tells what is wrong beside the fields.
func (f *formFields) blame(e FormError) {
	f.Wrong = map[string]string{}
	for _, one := range e {
		f.Wrong[one.Field] = strings.TrimSpace(f.Wrong[one.Field] + " " + one.Message)
	}
}

// fieldsOf returns the fields with the values of a form.
func (r *request) fieldsOf(f RunForm, c RunChoices) formFields {
	n := r.w.Names().StartNames
	all := f.values()
	out := formFields{Name: f.Name, Repeat: all.Get("repeat"), Sample: all.Get("sample"), Seed: all.Get("seed"), MaxCost: all.Get("max-cost"),
		More: all.Get(fieldMore)}
	for _, d := range c.Datasets {
		out.Datasets = append(out.Datasets, option{d, cmp.Or(d, n.Own), d == f.Dataset})
	}
	// A dataset that the server no longer has stays in the form, and is told to be wrong.
	if f.Dataset != "" && !slices.Contains(c.Datasets, f.Dataset) {
		out.Datasets = append(out.Datasets, option{f.Dataset, f.Dataset, true})
	}
	for _, t := range c.Targets {
		text := cmp.Or(t.Name, n.Own)
		if about := strings.TrimSpace(t.Adapter + " " + t.Endpoint); about != "" {
			text += " · " + about
		}
		if t.Problem != "" {
			text += " · " + t.Problem
		}
		out.Targets = append(out.Targets, option{t.Name, text, t.Name == f.Target})
	}
	judge := f.Settings["judge"]
	out.Judges = []option{{"", n.AsTarget, judge == ""}}
	judges := slices.Clone(c.Judges)
	if judge != "" && !slices.Contains(judges, judge) {
		judges = append(judges, judge)
	}
	for _, j := range judges {
		out.Judges = append(out.Judges, option{j, j, j == judge})
	}
	var chosen []string
	if list := f.Settings["metrics"]; list != "" {
		chosen = strings.Split(list, ",")
	}
	for i, m := range c.Metrics {
		if i == 0 || c.Metrics[i-1].Group != m.Group {
			out.Groups = append(out.Groups, metricGroup{Title: r.w.MetricGroup(m.Group)})
		}
		g := &out.Groups[len(out.Groups)-1]
		field := metricField{option: option{m.Name, m.Name, slices.Contains(chosen, m.Name)}}
		var needs []string
		for _, need := range m.Needs {
			needs = append(needs, r.w.MetricNeed(need))
		}
		if m.Judged {
			needs = append(needs, n.Judged)
		}
		field.Needs = strings.Join(needs, ", ")
		if field.Chosen {
			g.Chosen++
			chosen = slices.DeleteFunc(chosen, func(name string) bool { return name == m.Name })
		}
		g.Metrics = append(g.Metrics, field)
	}
	for i := range out.Groups {
		out.Groups[i].share()
	}
	out.Other = strings.Join(chosen, ",")
	return out
}

// estimateData is an estimate as the page shows it.
type estimateData struct {
	// Says are sentences; Bad is what speaks against the start.
	Says, Bad   []string
	Metrics     []string
	Rows        []callsRow
	Notes       []string
	Time        string
	LikeAddress string
	Remarks     []string
	Button      string
}

// A callsRow are expected calls of models.
type callsRow struct {
	Name, Cost           string
	Calls, Input, Output int
	Sum                  bool
}

func (r *request) estimateOf(e *EstimateView) *estimateData {
	n := r.w.Names().StartNames
	out := &estimateData{Metrics: e.Metrics, Remarks: e.Warning}
	out.Says = []string{r.w.Say("Questions", words.V{"cases": e.Cases, "draws": e.Draws, "adapter": e.Adapter, "times": e.Cases * max(e.Draws, 1)})}
	if e.Failure != "" {
		out.Bad = append(out.Bad, r.w.Say("TargetSilent", words.V{"caseID": e.Asked, "why": e.Failure}))
	} else {
		out.Says = append(out.Says, r.w.Say("TargetAnswered", words.V{"caseID": e.Asked}))
	}
	out.Says = append(out.Says, r.w.Say("JudgeAsked", words.V{"judging": e.Judging, "judge": e.Judge, "passes": e.Passes}))
	if e.Unmet != "" {
		out.Bad = append(out.Bad, n.Unmet+r.w.Names().Colon+e.Unmet)
	}
	row := func(name string, c CallsView, sum bool) {
		out.Rows = append(out.Rows, callsRow{name, dollars(micro(c.Cost), c.Priced, n.NotPriced), c.Calls, c.Input, c.Output, sum})
	}
	calls := 0
	if e.Pipeline != nil {
		row(n.Pipeline, *e.Pipeline, true)
		calls += e.Pipeline.Calls
	}
	for _, m := range e.Metric {
		row(m.Name, m, false)
	}
	if e.Together != nil {
		row(n.Together, *e.Together, true)
		calls += e.Together.Calls
		out.Notes = append(out.Notes, n.LedgerNote, r.w.Say("CountedFrom", words.V{"sampled": e.Sampled, "cases": e.Cases, "responses": e.Real}))
		if e.Most > e.Together.Calls {
			out.Notes = append(out.Notes, r.w.Say("AtMostCalls", words.V{"calls": e.Most}))
		}
	}
	if e.Canaries != nil {
		row(n.Canaries, *e.Canaries, true)
		calls += e.Canaries.Calls
		out.Notes = append(out.Notes, n.CanaryNote)
	}
	cost := assay.Dollars(micro(e.Cost))
	if calls > 0 {
		out.Says = append(out.Says, r.w.Say("ExpectedCost", words.V{"cost": cost, "priced": e.Priced}))
	}
	if !e.Metered {
		out.Notes = append(out.Notes, n.TargetCost)
	}
	if e.Ladder > 0 {
		out.Notes = append(out.Notes, r.w.Say("LadderAsks", words.V{"times": e.Ladder}))
	}
	if e.Over {
		out.Bad = append(out.Bad, r.w.Say("OverLimit", words.V{"limit": assay.Dollars(micro(e.MaxCost))}))
	}
	out.Time = n.UnknownTime
	if e.Like != "" {
		out.Time, out.LikeAddress = r.w.Takes(e.Seconds), runAddress(e.Like)
	}
	out.Button = r.w.Say("StartWith", words.V{"cases": e.Cases, "calls": calls, "cost": dollars(micro(e.Cost), e.Priced, n.NotPriced)})
	return out
}

func micro(dollars float64) int64 { return int64(dollars*1e6 + 0.5) }
