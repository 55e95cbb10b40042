package web

import (
	"strings"

	"github.com/assay-eval/assay"
	"github.com/assay-eval/assay/internal/query"
	"github.com/assay-eval/assay/report"
	"github.com/assay-eval/assay/report/document"
	"github.com/assay-eval/assay/report/words"
	"github.com/assay-eval/assay/store"
)

// The bounds of a search.
const (
	// foundShown is the number of finds of a kind that are shown at most.
	foundShown = 8
	// runsSearched is the number of the latest runs whose metrics are searched.
	runsSearched = 50
	// caseRunsSearched and casesSearched bound the runs whose cases are searched, by their
	// number and by that of their cases.
	caseRunsSearched = 5
	casesSearched    = 120_000
	// searchedWords bounds the words of a search.
	searchedWords = 8
)

// A place is a page that the head of every page, the search and its palette lead to.
type place struct {
	name, address string
	text          func(words.Words) string
	// head is set if the head of every page has it among its first links.
	head bool
}

// places lists the pages that need no choice before them, in the order of the head.
var places = []place{
	{placeRuns, "/", func(w words.Words) string { return w.Names().WebNames.Runs }, true},
	{placeCompare, "/compare", func(w words.Words) string { return w.Names().WebNames.Compare }, true},
	{placeTrends, "/trends", func(w words.Words) string { return w.Names().WebNames.Trends }, true},
	{"", "/frontier", func(w words.Words) string { return w.Names().WebNames.Frontier }, false},
	{placeLab, "/judge", func(w words.Words) string { return w.Names().LabNames.Title }, true},
	{placeDatasets, "/datasets", func(w words.Words) string { return w.Names().SetNames.Datasets }, true},
	{placeSearch, "/search", func(w words.Words) string { return w.Names().ShellNames.Search }, false},
	{placeSettings, "/settings", func(w words.Words) string { return w.Names().WebNames.Settings }, false},
	{"", "/docs", func(w words.Words) string { return w.Names().ShellNames.Reference }, false},
}

// A find is one result of a search.
type find struct {
	Text, Note, Lang string
	// Address is where it leads; Post is instead a choice of the settings that it saves, as a
	// name and a value.
	Address, Post string
}

// A findGroup has the finds of a kind.
type findGroup struct {
	Name string
	// Note says what was searched, or how many are not shown; More leads to these.
	Note, More, MoreText string
	Finds                []find
}

type searchData struct {
	Q      string
	Groups []findGroup
	// Nothing is set if something was searched and not found.
	Nothing bool
	// Searched says in which runs cases were searched, "" if in none.
	Searched string
}

// search is the page of a search over pages, runs, metrics and cases.
func (p *Pages) search(r *request) (view, error) {
	data := searchData{Q: strings.TrimSpace(r.values.Get("q"))}
	data.add(findPlaces(r, data.Q))
	if data.Q != "" {
		if err := p.searchRuns(r, &data); err != nil {
			return view{}, err
		}
	}
	data.Nothing = data.Q != "" && len(data.Groups) == 0
	return view{Template: "search", Title: r.w.Names().ShellNames.Search, Place: placeSearch, Data: data}, nil
}

// add adds a group unless it is empty.
func (d *searchData) add(g findGroup) {
	if len(g.Finds) > 0 {
		d.Groups = append(d.Groups, g)
	}
}

// searchRuns adds the runs, metrics and cases that have the text.
func (p *Pages) searchRuns(r *request, data *searchData) error {
	found, total, err := p.cfg.Backend.Runs(r.Context(), store.RunQuery{Text: data.Q, Limit: foundShown})
	if err != nil {
		return err
	}
	n := r.w.Names().WebNames
	g := findGroup{Name: n.Runs}
	for _, one := range found {
		row := rowOf(r.w, one)
		note := row.Day + " · " + row.Dataset
		if row.Metric != "" {
			note += " · " + row.Metric + " " + row.Mean
		}
		g.Finds = append(g.Finds, find{Text: row.Name, Note: note, Address: row.Address})
	}
	if total > len(found) {
		g.More, g.MoreText = "/"+values{}.with("q", data.Q), r.w.RunsFound(total, total)
	}
	data.add(g)
	latest, _, err := p.cfg.Backend.Runs(r.Context(), store.RunQuery{Limit: runsSearched})
	if err != nil {
		return err
	}
	data.add(findMetrics(r, data.Q, latest))
	return p.findCases(r, data, latest)
}

// findPlaces returns the pages whose names have a text, and the choices of the settings: all
// pages if it is "".
func findPlaces(r *request, text string) findGroup {
	n := r.w.Names().WebNames
	g := findGroup{Name: n.Pages}
	add := func(f find) {
		if has(f.Text, text) && (text != "" || f.Post == "") {
			g.Finds = append(g.Finds, f)
		}
	}
	for _, one := range places {
		add(find{Text: one.text(r.w), Address: one.address})
	}
	for _, theme := range themesOf(n, r.Theme) {
		add(find{Text: n.Theme + r.w.Names().Colon + theme.Text, Post: "theme " + theme.Value})
	}
	for _, w := range words.All {
		add(find{Text: n.Language + r.w.Names().Colon + w.Name, Post: "language " + w.Code})
	}
	return g
}

// has reports whether a text has a part, whatever the case of its letters.
func has(text, part string) bool {
	return strings.Contains(strings.ToLower(text), strings.ToLower(part))
}

// findMetrics returns the metrics of the latest runs whose name or title has a text, each with
// its mean in the latest run that has it, whose cases it leads to, the worst first, and its
// trend.
func findMetrics(r *request, text string, latest []Run) findGroup {
	g := findGroup{Name: r.w.Names().WebNames.Metrics}
	seen := map[string]bool{}
	for _, one := range latest {
		for _, m := range one.Metrics {
			if seen[m.Name] || !has(m.Name, text) && !has(report.MetricTitle(m), text) {
				continue
			}
			seen[m.Name] = true
			if len(g.Finds) >= foundShown {
				continue
			}
			title := report.MetricTitle(m)
			g.Finds = append(g.Finds, find{
				Text: title, Note: rowOf(r.w, one).Name + " · " + meanOf(r.w, one, m), Address: casesAddress(one.ID) + worstFirst(m),
			}, find{
				Text: title + " · " + r.w.Names().WebNames.Trends, Note: one.Dataset.Name,
				Address: "/trends" + values{}.with("dataset", one.Dataset.Name, "metric", m.Name),
			})
		}
	}
	return g
}

// worstFirst is the query of a list of cases in the order of a metric, the worst first.
func worstFirst(m assay.MetricInfo) string {
	if m.Better == "lower" {
		return values{}.with("sort", "-"+m.Name)
	}
	return values{}.with("sort", m.Name)
}

// findCases adds the cases whose id or question has every word of the text, of the latest
// finished run over each of a few datasets.
func (p *Pages) findCases(r *request, data *searchData, latest []Run) error {
	q, ok := wordsOfCases(data.Q)
	if !ok {
		return nil
	}
	var searched []string
	datasets, cases := map[string]bool{}, 0
	for _, one := range latest {
		h := one.Header
		if h.State != "finished" || datasets[h.Dataset.Name] {
			continue
		}
		if len(searched) == caseRunsSearched || len(searched) > 0 && cases+one.Done > casesSearched {
			break
		}
		datasets[h.Dataset.Name], cases = true, cases+one.Done
		name := rowOf(r.w, one).Name
		searched = append(searched, name)
		g, err := p.casesOf(r, h, name, q)
		if err != nil {
			return err
		}
		data.add(g)
	}
	if len(searched) > 0 {
		data.Searched = r.w.Say("SearchedIn", words.V{"runs": searched})
	}
	return nil
}

// casesOf returns the cases of a run that a filter selects.
func (p *Pages) casesOf(r *request, h assay.Header, name string, q query.Query) (findGroup, error) {
	n := r.w.Names().WebNames
	g := findGroup{Name: n.Cases + " · " + name}
	list, err := p.cfg.Backend.Cases(r.Context(), h, q, query.Order{})
	if err != nil {
		return g, err
	}
	within := values{}.with("q", q.String())
	for rec, err := range list.Read(r.Context(), foundShown, 0, false) {
		if err != nil {
			return g, err
		}
		address := casesAddress(h.ID) + "/" + caseSegment(rec.Case.ID) + within
		g.Finds = append(g.Finds, find{
			Text: rec.Case.ID, Note: document.Line(rec.Case.Question), Lang: languageOf(rec.Case.Question), Address: address,
		})
	}
	if list.Selected > len(g.Finds) {
		g.More, g.MoreText = casesAddress(h.ID)+within, r.w.CasesFound(list.Selected, list.Recorded, h.Repeat > 1)
	}
	return g, nil
}

// wordsOfCases returns the filter of the cases whose id or question has every word of a text.
func wordsOfCases(text string) (q query.Query, ok bool) {
	for i, word := range strings.Fields(text) {
		if i == searchedWords {
			break
		}
		either := query.Term("id", "~", word).String() + " OR " + query.Term("question", "~", word).String()
		one, err := query.Parse(either)
		if err != nil {
			return query.Query{}, false
		}
		q, ok = q.With(one), true
	}
	return q, ok
}
