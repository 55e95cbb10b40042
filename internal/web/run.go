package web

import (
	"html/template"
	"io"
	"net/url"
	"strconv"

	"github.com/assay-eval/assay"
	"github.com/assay-eval/assay/report"
	"github.com/assay-eval/assay/report/document"
	"github.com/assay-eval/assay/report/html"
	"github.com/assay-eval/assay/report/words"
)

// A file is a report of a run in a format.
type file struct{ Name, Address string }

// run is the page of a run: its report without the cases, which have a page of their own.
func (p *Pages) run(r *request, one Run) (view, error) {
	h := one.Header
	data := struct {
		Run            runRow
		Sections       template.HTML
		Rule           string
		Cases, Events  string
		Progress, Wait string
		Files          []file
		// Trend is the address of its metric over time, "" while there is none.
		Trend, OverTime string
		// Cancel is the address that cancels the run, Again that of a form to start it again, ""
		// where the reader cannot.
		Cancel, Again string
	}{Run: rowOf(r.w, one), Cases: casesAddress(h.ID), Files: filesOf(h), Trend: trendOf(h), OverTime: r.w.Names().TrendNames.OverTime}
	if going(h) {
		data.Progress = r.w.Say("SoFar", words.V{"state": h.State, "done": one.Done, "of": h.Asked(), "failed": one.Failed, "draws": h.Repeat > 1})
		data.Events = "/api/v1/runs/" + url.PathEscape(h.ID) + "/events?cases=false"
	}
	if p.cfg.Backend.MayStart(r.Context()) == MayStart {
		if going(h) {
			data.Cancel = runAddress(h.ID) + "/cancel"
		}
		_, ok, err := p.cfg.Backend.Again(r.Context(), h.ID)
		if err != nil {
			return view{}, err
		}
		if ok {
			data.Again = newAddress + "?" + url.Values{"like": {h.ID}}.Encode()
		}
	}
	if one.Done == 0 {
		data.Wait = r.w.Say("NoCases", words.V{"going": going(h), "state": h.Shown()})
	} else {
		body, err := p.cfg.Backend.RunSections(r.Context(), h, "run "+r.Lang, func(w io.Writer, rep *report.Report) error {
			return writeRun(w, rep, r.options())
		})
		if err != nil {
			return view{}, err
		}
		data.Sections, data.Rule = template.HTML(body), report.OutcomeRule(r.w, h)
	}
	return view{Template: "run", Title: data.Run.Name, Place: placeRuns, Data: data}, nil
}

// writeRun writes the head and the sections of a run's report, which link to its cases.
func writeRun(w io.Writer, rep *report.Report, o report.Options) error {
	o.Strict = rep.Strict()
	d := rep.Document(o)
	links := html.Links{
		Case:  func(id string) string { return caseAddress(rep.Header.ID, id, values{}) },
		Query: func(filter string) string { return filterAddress(rep.Header.ID, filter) },
	}
	if err := html.Head(w, d); err != nil {
		return err
	}
	return html.Sections(w, d, d.For(document.Page), links)
}

// filesOf lists the reports of a run as files.
func filesOf(h assay.Header) []file {
	var out []file
	for _, f := range report.Formats {
		out = append(out, file{f.Name, "/api/v1/runs/" + url.PathEscape(h.ID) + "/report" + f.Ext})
	}
	return out
}

func itoa(n int) string { return strconv.Itoa(n) }
