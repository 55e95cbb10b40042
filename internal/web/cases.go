package web

import (
	"cmp"
	"errors"
	"html/template"
	"maps"
	"slices"
	"strings"

	"github.com/assay-eval/assay"
	"github.com/assay-eval/assay/internal/query"
	"github.com/assay-eval/assay/internal/scan"
	"github.com/assay-eval/assay/internal/wire"
	"github.com/assay-eval/assay/report"
	"github.com/assay-eval/assay/report/document"
	"github.com/assay-eval/assay/report/html"
	"github.com/assay-eval/assay/report/words"
)

const (
	// casesShown is the number of cases on a page of the list.
	casesShown = 50
	// facetsShown is the number of values of a facet that are shown at most.
	facetsShown = 12
	// metricsShown is the number of metrics in the table unless the reader chooses.
	metricsShown = 6
)

// A caseRow is a case in the list.
type caseRow struct {
	Address, ID, Language string
	Cells                 []cell
}

// A cell is a cell of the list of cases.
type cell struct {
	Class, Label string
	Text         template.HTML
	Below        string
}

// A heading is the head of a column; Address orders the list by it.
type heading struct {
	Text, Class, Address string
	// Order is "ascending" or "descending" if the list is in the order of the column.
	Order string
}

// A facet counts cases by a value, and leads to those that have it.
type facet struct {
	Name   string
	Values []facetValue
}

// A facetValue is a value of a [facet].
type facetValue struct {
	Text, Address string
	N             int
}

// A chip is a term of the filter; Address is that of the list without it.
type chip struct{ Text, Label, Address string }

// caseFilter is the choice of cases that an address states.
type caseFilter struct {
	text  string
	query query.Query
	order query.Order
	sort  string
	// wrong says what is wrong with the filter or the order; the list is then of all
	// cases.
	wrong string
}

// filterOf reads the filter and the order of an address. A mistake is told beside the box,
// and is no error.
func filterOf(r *request, h assay.Header) caseFilter {
	out := caseFilter{text: strings.TrimSpace(r.values.Get("q")), sort: r.values.Get("sort")}
	out.query, out.wrong = parsed(r.w, out.text)
	var err error
	if out.order, err = query.ParseOrder(out.sort, wire.CaseVocabulary(h)); err != nil {
		out.wrong, out.sort = strings.TrimSpace(out.wrong+" "+query.In(r.w, err)), ""
	}
	return out
}

// parsed reads a filter. wrong says what is wrong with it; whether it fits the cases is told
// by those who choose them.
func parsed(w words.Words, text string) (q query.Query, wrong string) {
	q, err := query.Parse(text)
	if err != nil {
		return query.Query{}, query.In(w, err)
	}
	return q, ""
}

// chosen returns the cases of a filter. One that does not fit the cases selects all of them.
func (p *Pages) chosen(r *request, h assay.Header, f *caseFilter) (*wire.CaseList, error) {
	list, err := p.cfg.Backend.Cases(r.Context(), h, f.query, f.order)
	var invalid *query.Error
	if errors.As(err, &invalid) {
		f.wrong, f.query = strings.TrimSpace(invalid.In(r.w)+" "+f.wrong), query.Query{}
		list, err = p.cfg.Backend.Cases(r.Context(), h, f.query, f.order)
	}
	return list, err
}

type casesData struct {
	Run            runRow
	Q, Wrong, Sort string
	Hidden         []option // other parameters that the form keeps
	Chips          []chip
	// Rule says what makes a case right or wrong.
	Found, Draws, Rule string
	Facets             []facet
	Metrics            []histogram
	Columns            []option
	Headings           []heading
	Rows               []caseRow
	Pager              pager
	Clear              string
	// Wider are the counts of the list without one of the terms, if it is empty.
	Wider []chip
}

// cases is the list of the cases of a run.
func (p *Pages) cases(r *request, one Run) (view, error) {
	h := one.Header
	f := filterOf(r, h)
	list, err := p.chosen(r, h, &f)
	if err != nil {
		return view{}, err
	}
	page := r.values.number("page")
	data := casesData{
		Run: rowOf(r.w, one), Q: f.text, Wrong: f.wrong, Sort: f.sort, Found: r.w.CasesFound(list.Selected, list.Recorded, h.Repeat > 1),
		Pager: newPager(r, list.Selected, casesShown), Clear: casesAddress(h.ID) + r.values.with("q", ""),
		Rule: report.OutcomeRule(r.w, h), Hidden: r.values.hidden("sort", "cols"),
	}
	if h.Repeat > 1 {
		data.Draws = r.w.Say("DrawsListed", words.V{"draws": h.Repeat})
	}
	if data.Chips, err = p.chips(r, h, f, &data, list); err != nil {
		return view{}, err
	}
	counts, err := list.Facets(r.Context())
	if err != nil {
		return view{}, err
	}
	data.Facets, data.Metrics = facetsOf(r, h, f, counts), histogramsOf(r, h, f, counts)
	only := columnsOf(r, h)
	for _, m := range h.Metrics {
		data.Columns = append(data.Columns, option{m.Name, report.MetricTitle(m), slices.Contains(only, m.Name)})
	}
	table := report.CaseTable{Header: h, Metrics: only, Check: list.Check, Options: r.options()}
	columns := table.Columns()
	data.Headings = headingsOf(r, h, columns, f)
	for rec, err := range list.Read(r.Context(), casesShown, (page-1)*casesShown, false) {
		if err != nil {
			return view{}, err
		}
		data.Rows = append(data.Rows, rowOfCase(r, h, rec, table.Row(rec), columns))
	}
	return view{Template: "cases", Title: r.w.Names().WebNames.Cases + " · " + data.Run.Name, Place: placeRuns, Data: data}, nil
}

// chips returns the terms of the filter. If the filter selects nothing, it counts what it
// would select without each.
func (p *Pages) chips(r *request, h assay.Header, f caseFilter, data *casesData, list *wire.CaseList) ([]chip, error) {
	var out []chip
	for i, t := range f.query.Terms() {
		rest := f.query.Without(i)
		c := chip{t.String(), r.w.Say("RemoveTerm", words.V{"term": t.String()}), casesAddress(h.ID) + r.values.with("q", rest.String())}
		out = append(out, c)
		if list.Selected > 0 || list.Recorded == 0 {
			continue
		}
		wider, err := p.cfg.Backend.Cases(r.Context(), h, rest, f.order)
		if err != nil {
			return nil, err
		}
		c.Text = r.w.Say("WithoutTerm", words.V{"term": t.String(), "n": wider.Selected})
		data.Wider = append(data.Wider, c)
	}
	return out, nil
}

// columnsOf returns the metrics of the table: those of the address, else the first few.
func columnsOf(r *request, h assay.Header) []string {
	var names []string
	for _, name := range scan.Items(r.values.Get("cols")) {
		if _, ok := wire.MetricOf(h, name); ok {
			names = append(names, name)
		}
	}
	if names != nil {
		return names
	}
	for _, c := range (report.CaseTable{Header: h}).Columns() {
		if c.Metric != "" && len(names) < metricsShown {
			names = append(names, c.Metric)
		}
	}
	return names
}

func headingsOf(r *request, h assay.Header, columns []document.Column, f caseFilter) []heading {
	var out []heading
	for _, c := range columns {
		head := heading{Text: c.Head, Class: strings.TrimSpace(c.Role + " " + number(c))}
		if c.ID != "" {
			to := c.ID
			switch f.sort {
			case c.ID:
				head.Order, to = "ascending", "-"+c.ID
			case "-" + c.ID:
				head.Order, to = "descending", ""
			}
			head.Address = casesAddress(h.ID) + r.values.with("sort", to)
		}
		out = append(out, head)
	}
	return out
}

func number(c document.Column) string {
	if c.Words {
		return ""
	}
	return "num"
}

func rowOfCase(r *request, h assay.Header, rec assay.Record, row document.LookupRow, columns []document.Column) caseRow {
	out := rowOfCells(row, columns)
	out.Address, out.Language = caseAddress(h.ID, rec.Case.ID, r.values), languageOf(rec.Case.Question)
	return out
}

// rowOfCells returns a row of a list of cases without its address.
func rowOfCells(row document.LookupRow, columns []document.Column) caseRow {
	out := caseRow{ID: row.ID}
	for i, c := range row.Cells {
		class := strings.TrimSpace(columns[i].Role + " " + number(columns[i]))
		switch c.Mark {
		case document.Good:
			class += " good"
		case document.Bad:
			class += " bad"
		case document.Unsure:
			class += " dim"
		}
		out.Cells = append(out.Cells, cell{class, columns[i].Head, html.Text(c.Text, html.Links{}), document.Line(c.Below)})
	}
	return out
}

// facetsOf returns the counts of the selected cases as links to fewer of them.
func facetsOf(r *request, h assay.Header, f caseFilter, counts wire.Facets) []facet {
	n := r.w.Names().WebNames
	narrow := func(name, value string) string {
		return casesAddress(h.ID) + r.values.with("q", narrowed(f.query, name, value))
	}
	return slices.DeleteFunc([]facet{
		{n.Status, facetValues("status", counts.Status, r.w.Status, most(counts.Status), narrow)},
		{n.Answers, facetValues("answer", counts.Answers, r.w.Correct, most(counts.Answers), narrow)},
		{n.Stage, facetValues("stage", counts.Stages, r.w.Stage, assay.CompareStages, narrow)},
		{n.Tag, facetValues("tag", counts.Tags, func(s string) string { return s }, most(counts.Tags), narrow)},
	}, func(x facet) bool { return len(x.Values) == 0 })
}

// facetValues returns the first values of a facet, in an order; narrow gives the address of the
// cases with a value.
func facetValues[K ~string](
	name string, by map[K]int, text func(K) string, before func(a, b K) int, narrow func(name, value string) string,
) (out []facetValue) {
	keys := slices.SortedFunc(maps.Keys(by), before)
	for _, key := range keys[:min(len(keys), facetsShown)] {
		out = append(out, facetValue{text(key), narrow(name, string(key)), by[key]})
	}
	return out
}

// most orders values by their counts, the largest first.
func most[K ~string](by map[K]int) func(a, b K) int {
	return func(a, b K) int { return cmp.Or(by[b]-by[a], cmp.Compare(a, b)) }
}
