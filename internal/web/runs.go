package web

import (
	"cmp"

	"github.com/assay-eval/assay"
	"github.com/assay-eval/assay/gate"
	"github.com/assay-eval/assay/internal/wire"
	"github.com/assay-eval/assay/report"
	"github.com/assay-eval/assay/report/words"
	"github.com/assay-eval/assay/store"
)

// runsShown is the number of runs on a page of the list.
const runsShown = 50

// runStates are the states by which runs are chosen.
var runStates = []string{"queued", "running", "finished", "interrupted", "failed", "cancelled"}

// A runRow is a run in the list.
type runRow struct {
	ID, Name, Address, Dataset, Target, Day, Time, State string
	// Going is set while the run has not ended.
	Going              bool
	Cases, Done, Share int
	// Draws is the number of draws of each case if it is more than one.
	Draws int
	// Metric and Mean are those of the primary metric, else of the first.
	Metric, Mean string
	Verdict      string
	// Mark is the class of the verdict: "pass", "fail" or "unsure".
	Mark string
}

// runs is the list of runs.
func (p *Pages) runs(r *request) (view, error) {
	page := r.values.number("page")
	q := store.RunQuery{Text: r.values.Get("q"), State: r.values.Get("state"), Limit: runsShown, Offset: (page - 1) * runsShown}
	runs, total, err := p.cfg.Backend.Runs(r.Context(), q)
	if err != nil {
		return view{}, err
	}
	data := struct {
		Rows     []runRow
		Q        string
		States   []option
		Pager    pager
		Filtered bool
		Found    string
		// New is set if the reader may start runs.
		New bool
	}{New: p.cfg.Backend.MayStart(r.Context()) == MayStart, Q: q.Text, Pager: newPager(r, total, runsShown), Filtered: q.Text != "" || q.State != "", Found: r.w.RunsFound(total, total)}
	for _, one := range runs {
		data.Rows = append(data.Rows, rowOf(r.w, one))
	}
	data.States = []option{{"", r.w.Names().WebNames.Any, q.State == ""}}
	for _, s := range runStates {
		data.States = append(data.States, option{s, r.w.RunState(s), q.State == s})
	}
	return view{Template: "runs", Title: r.w.Names().WebNames.RunsTitle, Place: placeRuns, Data: data}, nil
}

func rowOf(w words.Words, one Run) runRow {
	h := one.Header
	row := runRow{
		ID: h.ID, Name: cmp.Or(h.Name, h.ID), Address: runAddress(h.ID), Dataset: h.Dataset.Name, Target: targetName(h),
		Day: day(h.Started), Time: h.Started.UTC().Format("15:04"), State: w.RunState(h.Shown()), Going: going(h), Cases: h.Asked(), Done: one.Done,
	}
	if row.Cases > 0 {
		row.Share = 100 * row.Done / row.Cases
	}
	if h.Repeat > 1 {
		row.Draws, row.Cases, row.Done = h.Repeat, row.Cases/h.Repeat, row.Done/h.Repeat
	}
	if m, ok := wire.LeadingMetric(h); ok {
		row.Metric, row.Mean = report.MetricTitle(m), meanOf(w, one, m)
	}
	if one.Verdict != "" {
		row.Verdict, row.Mark = w.Verdict(one.Verdict), verdictClass(one.Verdict)
	}
	return row
}

// meanOf is the mean of a metric of a run, "–" without one.
func meanOf(w words.Words, one Run, m assay.MetricInfo) string {
	if e, ok := one.Of(m.Name); ok {
		return report.MeanText(w, m, e.Mean, e.CI, e.N)
	}
	return "–"
}

// going reports whether a run has not ended.
func going(h assay.Header) bool { return h.State == "queued" || h.State == "running" }

func verdictClass(v gate.Verdict) string {
	switch v {
	case gate.Pass:
		return "pass"
	case gate.Fail:
		return "fail"
	}
	return "unsure"
}

// targetName returns what a run asked, for lists.
func targetName(h assay.Header) string { return cmp.Or(h.Target.Endpoint, h.Target.Adapter) }

// A pager leads to the pages of a list.
type pager struct {
	// Text says which page this is, "" if there is only one.
	Text string
	// Previous and Next are addresses, "" without such a page.
	Previous, Next string
}

// paged returns the part of a list that the address names, with its pager.
func paged[T any](r *request, all []T, size int) ([]T, pager) {
	from := min((r.values.number("page")-1)*size, len(all))
	return all[from:min(from+size, len(all))], newPager(r, len(all), size)
}

func newPager(r *request, total, size int) pager {
	page, pages := r.values.number("page"), (total+size-1)/size
	if pages < 2 && page == 1 {
		return pager{}
	}
	out := pager{Text: r.w.Say("PageOf", words.V{"page": page, "pages": max(pages, 1)})}
	address := func(n int) string {
		if n == 1 {
			return r.URL.Path + r.values.with()
		}
		return r.URL.Path + r.values.with("page", itoa(n))
	}
	if page > 1 {
		out.Previous = address(min(page-1, max(pages, 1)))
	}
	if page < pages {
		out.Next = address(page + 1)
	}
	return out
}
