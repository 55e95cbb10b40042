package web

import (
	"html/template"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/assay-eval/assay"
	textkit "github.com/assay-eval/assay/internal/text"
	"github.com/assay-eval/assay/report"
	"github.com/assay-eval/assay/report/document"
	"github.com/assay-eval/assay/report/html"
	"github.com/assay-eval/assay/report/words"
)

type comparedCaseData struct {
	// Runs is the address of the comparison, Names the names of its runs.
	Runs, Names        string
	ID, Question, Lang string
	Tags               []string
	// Place is the place in the list, "" outside it.
	Place                string
	Back, Previous, Next string
	Filter               string
	Sides                []side
	// Diff is the address of the page with, or without, marks of the differences.
	Diff, DiffText string
	Wanted, Scores template.HTML
}

// A side is a case in one of the runs.
type side struct {
	Name, Address, Took string
	About               template.HTML
	// Answer is the answer in parts: those that the baseline's lacks, or that only the
	// baseline's has. It is nil if Instead says why there is none.
	Answer []textkit.Change
	// Rest is the rest of a very long answer, More its length.
	Rest     []textkit.Change
	More     string
	Lang     string
	Instead  template.HTML
	Passages template.HTML
}

// diffOff is the value of the parameter diff that leaves the marks of differences out.
const diffOff = "off"

// comparedCase is the page of a case in all runs of a comparison.
func (p *Pages) comparedCase(r *request) (view, error) {
	c, err := p.cfg.Backend.Comparison(r.Context(), r.values.Get("runs"), r.values.Get("base"), r.values.Get("primary"))
	if err != nil {
		return view{}, err
	}
	rep, id := c.Report(), CaseOf(r.PathValue("case"))
	at := rep.Matrix().Index(id)
	if at < 0 {
		// The error says what is not there; a draw of a case is there.
		rec, err := p.cfg.Backend.Record(r.Context(), rep.Reports[0].Header, id)
		if err != nil {
			return view{}, err
		}
		return view{Redirect: comparedCaseAddress(r.values, rec.Case.Base())}, nil
	}
	data := comparedCaseData{
		Runs: "/compare" + r.values.only("runs", "base", "primary").with(), Names: headOf(r, c, viewMatrix).Names, ID: id, Filter: r.values.Get("q"),
	}
	marked := r.values.Get("diff") != diffOff
	data.Diff, data.DiffText = r.values.with("diff", diffOff), r.w.Names().WebNames.HideDiff
	if !marked {
		data.Diff, data.DiffText = r.values.with("diff", ""), r.w.Names().WebNames.ShowDiff
	}
	records := make([]*assay.Record, len(rep.Reports))
	for i, one := range rep.Reports {
		row, ok := rep.Matrix().Row(i, at)
		if !ok {
			continue
		}
		rec, err := p.cfg.Backend.Record(r.Context(), one.Header, one.Cases.ID(row))
		if err != nil {
			return view{}, err
		}
		records[i] = &rec
	}
	shown := rep.ListCases(r.options(), c.Values).Inspect(at, records)
	data.Question, data.Lang, data.Tags = shown.Question, languageOf(shown.Question), shown.Tags
	for i, one := range shown.Runs {
		s, err := sideOf(r, rep.Reports[i].Header, one, records[i])
		if err != nil {
			return view{}, err
		}
		if one.Answer != nil {
			was := *one.Answer
			if first := shown.Runs[0].Answer; first != nil && marked {
				was = *first
			}
			s.Answer, s.Rest = folded(textkit.Diff(was, *one.Answer))
			s.Lang = languageOf(*one.Answer)
			length := 0
			for _, c := range s.Rest {
				length += utf8.RuneCountInString(c.New)
			}
			s.More = r.w.More(length)
		}
		data.Sides = append(data.Sides, s)
	}
	first := rep.Reports[0].Header
	if data.Wanted, err = blocks(r.w, first, shown.Wanted); err != nil {
		return view{}, err
	}
	if data.Scores, err = blocks(r.w, first, shown.Scores); err != nil {
		return view{}, err
	}
	if err := placePair(r, c, at, &data); err != nil {
		return view{}, err
	}
	return view{Template: "comparedcase", Title: document.Line(id) + " · " + data.Names, Place: placeCompare, Data: data}, nil
}

// folded divides the parts of a very long answer, which browsers take seconds to lay out.
func folded(parts []textkit.Change) (first, rest []textkit.Change) {
	length := 0
	for i, c := range parts {
		if length += len(c.Old) + len(c.New); length > html.LongText {
			return parts[:i], parts[i:]
		}
	}
	return parts, nil
}

// sideOf returns what a run made of a case, without its answer.
func sideOf(r *request, h assay.Header, one report.ComparedRun, rec *assay.Record) (out side, err error) {
	out = side{Name: one.Name, Took: one.Took, About: html.Text(one.About, html.Links{})}
	if rec != nil {
		out.Address = caseAddress(h.ID, rec.Case.ID, values{})
	}
	if out.Instead, err = blocks(r.w, h, one.Instead); err != nil {
		return out, err
	}
	out.Passages, err = blocks(r.w, h, one.Passages)
	return out, err
}

// placePair finds the case in the list that the address states, and its neighbours.
func placePair(r *request, c Comparison, at int, data *comparedCaseData) error {
	list := r.values.only(comparedParameters...)
	data.Back = "/compare" + list.with("view", viewMatrix)
	chosen, err := pairsOf(r, c)
	if err != nil {
		return err
	}
	place := slices.Index(chosen.cases, at)
	if place < 0 {
		return nil
	}
	if chosen.Class != "" {
		data.Filter = strings.TrimSpace(report.ClassName(r.w, chosen.Class) + " " + data.Filter)
	}
	data.Place = r.w.Say("PlaceOf", words.V{"place": place + 1, "of": len(chosen.cases)})
	if page := place/casesShown + 1; page > 1 {
		data.Back = "/compare" + list.with("view", viewMatrix, "page", itoa(page))
	}
	id := func(i int) string { return comparedCaseAddress(list, c.Report().Matrix().Cases[chosen.cases[i]]) }
	if place > 0 {
		data.Previous = id(place - 1)
	}
	if place+1 < len(chosen.cases) {
		data.Next = id(place + 1)
	}
	return nil
}
