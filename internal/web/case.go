package web

import (
	"bytes"
	"html/template"
	"slices"

	"github.com/assay-eval/assay"
	"github.com/assay-eval/assay/internal/wire"
	"github.com/assay-eval/assay/report"
	"github.com/assay-eval/assay/report/document"
	"github.com/assay-eval/assay/report/html"
	"github.com/assay-eval/assay/report/words"
)

type caseData struct {
	Run                runRow
	ID, Question, Lang string
	Word, Mark         string
	About              []string
	// Place is the place in the list, "" outside it.
	Place                string
	Back, Previous, Next string
	Filter               string
	Answer, Scores       template.HTML
	Passages, Stages     template.HTML
	Raw                  string
	// Calls counts the calls of the judge, and CallsAt is the address of their page.
	Calls, CallsAt string
}

// oneCase is the page of a case, with its place in the list from which it was opened.
func (p *Pages) oneCase(r *request, one Run) (view, error) {
	h := one.Header
	rec, err := p.cfg.Backend.Record(r.Context(), h, CaseOf(r.PathValue("case")))
	if err != nil {
		return view{}, err
	}
	f := filterOf(r, h)
	chosen, err := p.chosen(r, h, &f)
	if err != nil {
		return view{}, err
	}
	rec = chosen.Shown(rec)
	shown := report.Inspect(h, rec, chosen.Check, r.options())
	data := caseData{
		Run: rowOf(r.w, one), ID: rec.Case.ID, Question: rec.Case.Question, Lang: languageOf(rec.Case.Question), Word: shown.Word,
		Mark: markClass(shown.Mark), About: shown.About, Filter: r.values.Get("q"),
		Raw: "/api/v1" + casesAddress(h.ID) + "/" + caseSegment(rec.Case.ID),
	}
	if n := len(rec.Calls); n > 0 {
		data.Calls, data.CallsAt = r.w.Say("CallsOfCase", words.V{"n": n}), callsAddress(h.ID, rec.Case.ID, r.values)
	}
	for _, part := range []struct {
		to     *template.HTML
		blocks []document.Block
	}{{&data.Answer, shown.Answer}, {&data.Scores, shown.Scores}, {&data.Passages, shown.Passages}, {&data.Stages, shown.Stages}} {
		if *part.to, err = blocks(r.w, h, part.blocks); err != nil {
			return view{}, err
		}
	}
	if err := p.place(r, h, rec, chosen, &data); err != nil {
		return view{}, err
	}
	return view{Template: "case", Title: document.Line(rec.Case.ID) + " · " + data.Run.Name, Place: placeRuns, Data: data}, nil
}

// place finds the case in the list, and its neighbours.
func (p *Pages) place(r *request, h assay.Header, rec assay.Record, chosen *wire.CaseList, data *caseData) error {
	list := r.values.only("q", "sort")
	data.Back = casesAddress(h.ID) + list.with()
	at := placeIn(chosen, rec.Seq)
	if at < 0 || chosen.Seqs() == nil && chosen.Recorded < h.Asked() {
		return nil // records of a run that goes on have gaps
	}
	data.Place = r.w.Say("PlaceOf", words.V{"place": at + 1, "of": chosen.Selected})
	if page := at/casesShown + 1; page > 1 {
		data.Back = casesAddress(h.ID) + list.with("page", itoa(page))
	}
	from := max(0, at-1)
	i := from
	for other, err := range chosen.Read(r.Context(), at+2-from, from, false) {
		if err != nil {
			return err
		}
		switch i - at {
		case -1:
			data.Previous = caseAddress(h.ID, other.Case.ID, r.values)
		case 1:
			data.Next = caseAddress(h.ID, other.Case.ID, r.values)
		}
		i++
	}
	return nil
}

// placeIn returns the place of a record in a list, -1 if the list lacks it. A list of all
// cases of a run that has records of all is in the order of their numbers.
func placeIn(list *wire.CaseList, seq int) int {
	if list.Seqs() == nil {
		return seq
	}
	return slices.Index(list.Seqs(), seq)
}

// blocks renders a part of a case.
func blocks(w words.Words, h assay.Header, list []document.Block) (template.HTML, error) {
	var b bytes.Buffer
	d := &document.Document{More: w.More, Colon: w.Names().Colon, Language: w.Code}
	err := html.Blocks(&b, d, list, html.Links{Case: func(id string) string { return caseAddress(h.ID, id, values{}) }})
	return template.HTML(b.String()), err
}

func markClass(m document.Mark) string {
	switch m {
	case document.Bad:
		return "fail"
	case document.Unsure:
		return "unsure"
	}
	return ""
}

// languageOf returns the language by whose rules a text is set: Chinese if it has Chinese
// characters, else none.
func languageOf(s string) string {
	for _, c := range s {
		if c >= 0x3400 && c <= 0x9fff {
			return "zh-Hant"
		}
	}
	return ""
}
