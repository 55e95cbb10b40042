package web

import (
	"context"
	"errors"
	"html/template"
	"io"
	"slices"
	"strings"
	"time"

	"github.com/assay-eval/assay"
	"github.com/assay-eval/assay/internal/query"
	"github.com/assay-eval/assay/report"
	"github.com/assay-eval/assay/report/document"
	"github.com/assay-eval/assay/report/html"
	"github.com/assay-eval/assay/report/words"
	"github.com/assay-eval/assay/summary/explore"
)

// A Comparison is a comparison of runs, the baseline first.
type Comparison interface {
	Report() *report.Comparison
	// Count returns how many of some cases of the matrix are of a class, in a run and the
	// baseline; "" is all that one of the two has. known is false if the runs cannot tell.
	Count(run int, class report.Class, among []int) (n int, known bool)
	// Values returns the values of a metric, by run and case of the matrix.
	Values(m assay.MetricInfo) [][]float64
	// Cases returns the cases of the matrix that a query selects, in its order. The error is
	// a [*query.Error] if the filter does not fit the run.
	Cases(ctx context.Context, q PairQuery) ([]int, error)
	// Slices looks for slices on which the change of a metric departs, in a run.
	Slices(ctx context.Context, run int, m assay.MetricInfo) (explore.Finding, error)
	// Briefs reads cases of the matrix in brief, by run and case: nil for a run that lacks the
	// case.
	Briefs(ctx context.Context, cases []int) ([][]*assay.Record, error)
	// Sections returns a part of the comparison's page, as write makes it. What it makes of
	// finished runs is kept under the key.
	Sections(ctx context.Context, key string, write func(io.Writer, *report.Comparison) error) ([]byte, error)
}

// A PairQuery chooses cases of a comparison.
type PairQuery struct {
	// Run is the index of the run that is set against the baseline.
	Run    int
	Metric assay.MetricInfo
	Class  report.Class
	// Sort is "delta" for the largest loss first, "change" for the largest difference first,
	// else the order of the dataset.
	Sort string
	// Query selects among the cases of the run.
	Query query.Query
}

// MaxCompared bounds the runs of one comparison.
const MaxCompared = 10

// The views of a comparison.
const (
	viewForest   = "forest"
	viewMatrix   = "matrix"
	viewSlices   = "slices"
	viewSettings = "settings"
)

// A comparisonHead is the head of the page of a comparison.
type comparisonHead struct {
	Names, About string
	// Baselines lead to the same page with another baseline, Tabs to the other views.
	Baselines, Tabs []navigation
}

// compare is the page of a comparison.
func (p *Pages) compare(r *request) (view, error) {
	n := r.w.Names().WebNames
	if ids := strings.Split(r.values.Get("run"), ","); r.values.Get("runs") == "" && len(ids) > 1 {
		runs, err := p.oldestFirst(r.Context(), ids)
		return view{Redirect: "/compare" + values{}.with("runs", strings.Join(runs, ","))}, err
	}
	if !strings.Contains(r.values.Get("runs"), ",") {
		return view{Template: "choose", Title: n.ChooseRuns, Place: placeCompare}, nil
	}
	c, err := p.cfg.Backend.Comparison(r.Context(), r.values.Get("runs"), r.values.Get("base"), r.values.Get("primary"))
	if err != nil {
		return view{}, err
	}
	data := struct {
		comparisonHead
		Sections template.HTML
		Matrix   *matrix
		List     *sliceList
		Nothing  bool
	}{}
	show := r.values.Get("view")
	switch show {
	case viewMatrix:
		data.Matrix, err = p.matrix(r, c)
	case viewSlices:
		if data.List, err = p.comparedSlices(r, c); err == nil {
			data.Sections, err = p.sections(r, c, viewSlices, []string{"tags"})
		}
	case viewSettings:
		data.Sections, err = p.sections(r, c, viewSettings, []string{viewSettings})
		data.Nothing = data.Sections == ""
	default:
		show = viewForest
		data.Sections, err = p.sections(r, c, viewForest, nil)
	}
	if err != nil {
		return view{}, err
	}
	data.comparisonHead = headOf(r, c, show)
	return view{Template: "compare", Title: n.Compare + " · " + data.Names, Place: placeCompare, Data: data}, nil
}

// oldestFirst returns runs in the order in which they started; too many for a comparison,
// which refuses them, as they are.
func (p *Pages) oldestFirst(ctx context.Context, ids []string) ([]string, error) {
	if len(ids) > MaxCompared {
		return ids, nil
	}
	started := map[string]time.Time{}
	for _, id := range ids {
		one, err := p.cfg.Backend.Run(ctx, id)
		if err != nil {
			return nil, err
		}
		started[id] = one.Started
	}
	ids = slices.Clone(ids)
	slices.Reverse(ids) // the list has the latest first, also of those of one moment
	slices.SortStableFunc(ids, func(a, b string) int { return started[a].Compare(started[b]) })
	return ids, nil
}

func headOf(r *request, c Comparison, show string) comparisonHead {
	n, rep := r.w.Names().WebNames, c.Report()
	first := rep.Reports[0].Header
	names := document.Line(rep.Runs[0] + " → " + strings.Join(rep.Runs[1:], ", "))
	out := comparisonHead{Names: names, About: r.w.Cases(first.Dataset.Cases)}
	if first.Dataset.Name != "" {
		out.About = document.Line(first.Dataset.Name) + " · " + out.About
	}
	for _, id := range strings.Split(r.values.Get("runs"), ",") {
		i := slices.IndexFunc(rep.Reports, func(one *report.Report) bool { return one.Header.ID == id })
		out.Baselines = append(out.Baselines, navigation{rep.Runs[i], "/compare" + r.values.with("base", id, "run", ""), i == 0})
	}
	settings := n.SettingsDiffer + r.w.Names().Colon + itoa(len(rep.Settings(r.w)))
	for _, tab := range []navigation{{n.Forest, viewForest, false}, {n.Matrix, viewMatrix, false},
		{r.w.Names().SliceNames.Title, viewSlices, false}, {settings, viewSettings, false}} {
		tab.Here = tab.Href == show
		tab.Href = "/compare" + r.values.only("runs", "base", "primary", "run", "metric").with("view", tab.Href)
		out.Tabs = append(out.Tabs, tab)
	}
	return out
}

// sections returns sections of the comparison's document as the static report has them: those
// with these ids, or else all but the lists of cases and the tags, which have views of their
// own.
func (p *Pages) sections(r *request, c Comparison, key string, only []string) (template.HTML, error) {
	body, err := c.Sections(r.Context(), key+" "+r.Lang, func(w io.Writer, rep *report.Comparison) error {
		d := rep.Document(r.options())
		var chosen []document.Section
		with := false
		for _, s := range d.For(document.Page) {
			if !s.Sub {
				with = only == nil && !slices.Contains([]string{"changed", "missed", "lookup", "tags"}, s.ID) || slices.Contains(only, s.ID)
			}
			if with {
				chosen = append(chosen, s)
			}
		}
		return html.Sections(w, d, chosen, html.Links{})
	})
	return template.HTML(body), err
}

// A matrix is the list of the cases of a comparison.
type matrix struct {
	Q, Wrong string
	// Rule says what makes a case right or wrong.
	Rule string
	// Options is the address of the completions of the filter.
	Options string
	Hidden  []option
	Classes []class
	// Runs are those that can be set against the baseline, if there are several.
	Runs, Metrics, Sorts []option
	Found                string
	// Selection describes the selected cases, if they are not all.
	Selection *selection
	Headings  []heading
	Rows      []caseRow
	Pager     pager
	// Clear is the address of the list of all cases.
	Clear string
}

// A class is a class of cases with the address of its list.
type class struct {
	Text, Address string
	N             int
	Here          bool
	// Next is set if a key leads there from the class that is shown.
	Next bool
}

// turned are the classes that a key leads to in turn.
var turned = []report.Class{report.Different, report.NewlyWrong, report.BothWrong, report.Flaky}

// nextClass returns the class that follows that of the list in turned, of those that the runs
// can tell.
func nextClass(c Comparison, chosen pairs) report.Class {
	at := slices.Index(turned, chosen.Class)
	for i := range turned {
		next := turned[(at+1+i)%len(turned)]
		if _, known := c.Count(chosen.Run, next, nil); known {
			return next
		}
	}
	return ""
}

// A selection describes a metric over the selected cases.
type selection struct {
	report.Selected
	Metric, Baseline, Run string
}

// matrixSorts are the orders of the list of cases: their names in addresses, the first
// without one, and those of a [PairQuery].
var matrixSorts = []struct {
	name, sort string
	text       func(words.WebNames) string
}{
	{"", "delta", func(n words.WebNames) string { return n.LossOrder }},
	{"change", "change", func(n words.WebNames) string { return n.ChangeOrder }},
	{"dataset", "", func(n words.WebNames) string { return n.DatasetOrder }},
}

// pairs are the cases of a comparison that an address selects.
type pairs struct {
	PairQuery
	// text is the filter, wrong what is wrong with it: the list is then of the class.
	text, wrong string
	// cases are those of the filter and the class, filtered those of the filter alone.
	cases, filtered []int
}

// matrixSort returns the order that a name in an address stands for.
func matrixSort(name string) (string, error) {
	known := []string{"delta"} // the name of the first in the API
	for _, s := range matrixSorts {
		if s.name == name {
			return s.sort, nil
		}
		known = append(known, s.name)
	}
	return matrixSorts[0].sort, Known("order", name, slices.DeleteFunc(known, func(s string) bool { return s == "" }))
}

// pairsOf returns the cases that the address selects. A mistake in the filter is told beside
// its box; a class that no case of these runs can have selects all.
func pairsOf(r *request, c Comparison) (pairs, error) {
	rep := c.Report()
	run, err := runOf(r, rep)
	if err != nil {
		return pairs{}, err
	}
	out := pairs{PairQuery: PairQuery{Run: run, Class: report.Class(r.values.Get("class"))}, text: strings.TrimSpace(r.values.Get("q"))}
	metrics := rep.Metrics()
	if err := Measured(r.values.Get("metric"), metrics); err != nil {
		return out, err
	}
	out.Metric = metrics[0]
	for _, name := range []string{rep.Primary, r.values.Get("metric")} {
		for _, m := range metrics {
			if m.Name == name {
				out.Metric = m
			}
		}
	}
	if _, known := c.Count(out.Run, out.Class, nil); !known {
		out.Class = ""
	}
	if out.Sort, err = matrixSort(r.values.Get("sort")); err != nil {
		return out, err
	}
	out.Query, out.wrong = parsed(r.w, out.text)
	all := out.PairQuery
	all.Class = ""
	out.filtered, err = c.Cases(r.Context(), all)
	var invalid *query.Error
	if errors.As(err, &invalid) {
		out.wrong, out.Query, all.Query = invalid.In(r.w), query.Query{}, query.Query{}
		out.filtered, err = c.Cases(r.Context(), all)
	}
	if err != nil {
		return out, err
	}
	out.cases = out.filtered
	if out.Class != "" {
		out.cases, err = c.Cases(r.Context(), out.PairQuery)
	}
	return out, err
}

// matrix is the list of the cases of a comparison.
func (p *Pages) matrix(r *request, c Comparison) (*matrix, error) {
	rep, n := c.Report(), r.w.Names().WebNames
	chosen, err := pairsOf(r, c)
	if err != nil {
		return nil, err
	}
	all := 0
	for at := range rep.Matrix().Cases {
		if rep.Matrix().Has(0, at) || rep.Matrix().Has(chosen.Run, at) {
			all++
		}
	}
	part, pages := paged(r, chosen.cases, casesShown)
	out := &matrix{
		Q: chosen.text, Wrong: chosen.wrong, Rule: rep.OutcomeRule(r.w), Hidden: r.values.hidden("runs", "base", "primary", "view", "class"),
		Options: runAddress(rep.Reports[chosen.Run].Header.ID) + "/filter", Found: r.w.CasesFound(len(chosen.cases), all, false),
		Pager: pages, Clear: "/compare" + r.values.with("q", "", "class", ""),
	}
	next := nextClass(c, chosen)
	for _, one := range append([]report.Class{""}, report.Classes...) {
		if count, known := c.Count(chosen.Run, one, chosen.filtered); known {
			text := n.All
			if one != "" {
				text = report.ClassName(r.w, one)
			}
			address := "/compare" + r.values.with("class", string(one))
			out.Classes = append(out.Classes, class{text, address, count, one == chosen.Class, one == next})
		}
	}
	out.Runs = runsOf(rep, chosen.Run)
	for _, m := range rep.Metrics() {
		out.Metrics = append(out.Metrics, option{m.Name, report.MetricTitle(m), m.Name == chosen.Metric.Name})
	}
	for _, s := range matrixSorts {
		out.Sorts = append(out.Sorts, option{s.name, s.text(n), s.sort == chosen.Sort})
	}
	list := rep.ListCases(r.options(), c.Values)
	if chosen.Class != "" || !chosen.Query.Empty() {
		out.Selection = &selection{list.Selected(chosen.Run, chosen.Metric.Name, chosen.cases), report.MetricTitle(chosen.Metric), rep.Runs[0],
			rep.Runs[chosen.Run]}
	}
	columns := list.Columns(chosen.Run, chosen.Metric.Name)
	for _, column := range columns {
		out.Headings = append(out.Headings, heading{Text: column.Head, Class: strings.TrimSpace(column.Role + " " + number(column))})
	}
	briefs, err := c.Briefs(r.Context(), part)
	if err != nil {
		return nil, err
	}
	for i, at := range part {
		records := make([]*assay.Record, len(briefs))
		question := ""
		for run := range briefs {
			if records[run] = briefs[run][i]; records[run] != nil {
				question = records[run].Case.Question
			}
		}
		row := rowOfCells(list.Row(at, chosen.Run, chosen.Metric.Name, records), columns)
		row.Address, row.Language = comparedCaseAddress(r.values, rep.Matrix().Cases[at]), languageOf(question)
		out.Rows = append(out.Rows, row)
	}
	return out, nil
}

// comparedParameters are the parameters of a case of a comparison in a list.
var comparedParameters = []string{"runs", "base", "primary", "run", "metric", "class", "q", "sort", "diff"}

// comparedCaseAddress is the address of a case of a comparison, in the list that an address
// states.
func comparedCaseAddress(list values, id string) string {
	return "/compare/case/" + caseSegment(id) + list.only(comparedParameters...).with()
}
