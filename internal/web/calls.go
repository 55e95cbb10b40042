package web

import (
	"context"
	"html/template"

	"github.com/assay-eval/assay"
	"github.com/assay-eval/assay/report"
	"github.com/assay-eval/assay/report/document"
	"github.com/assay-eval/assay/report/words"
)

// A CallBackend answers what the page of the calls of a case shows.
type CallBackend interface {
	// CaseCalls returns the calls that a record names, in the order in which they were made;
	// those that cannot be shown are last.
	CaseCalls(ctx context.Context, h assay.Header, rec assay.Record) ([]CaseCall, error)
}

// A CaseCall is a call to a model that a record names.
type CaseCall struct {
	Key string
	// Call is nil if the ledger no longer has it, or if it is Altered.
	Call    *assay.Call
	Altered bool
	// Later is set if the call was made after the run ended: another run asked again.
	Later bool
}

type callsData struct {
	Run                   runRow
	Case, Back, None, Raw string
	Title                 string
	Calls                 []callRow
}

// A callRow is a call on the page. Remark says what is not as it was when the case was judged.
type callRow struct {
	Key, Title, Told, Remark string
	// Payer is the run that paid, and Paid says so; PayerAt is its address.
	Paid, PayerAt string
	Body          template.HTML
}

// calls is the page of the calls to models that a case was judged with.
func (p *Pages) calls(r *request, one Run) (view, error) {
	h := one.Header
	rec, err := p.cfg.Backend.Record(r.Context(), h, CaseOf(r.PathValue("case")))
	if err != nil {
		return view{}, err
	}
	list, err := p.cfg.Backend.CaseCalls(r.Context(), h, rec)
	if err != nil {
		return view{}, err
	}
	n := r.w.Names().CallNames
	data := callsData{
		Run: rowOf(r.w, one), Case: rec.Case.ID, Back: caseAddress(h.ID, rec.Case.ID, r.values), Title: r.w.Say("CallsOfCase", words.V{"n": len(list)}),
		Raw: "/api/v1" + callsAddress(h.ID, rec.Case.ID, values{}),
	}
	switch {
	case len(list) > 0:
	case rec.Judging == nil:
		data.None = n.NoneAsked
	default:
		data.None = n.NoneNamed
	}
	for _, c := range list {
		row := callRow{Key: c.Key}
		switch {
		case c.Altered:
			row.Remark = n.Altered
		case c.Call == nil:
			row.Remark = n.Absent
		default:
			shown := report.ShowCall(*c.Call, r.options())
			row.Title, row.Told = shown.Title, shown.Told
			if c.Later {
				row.Remark = n.Later
			}
			if c.Call.Run != "" && c.Call.Run != h.ID {
				row.Paid, row.PayerAt = r.w.Say("PaidBy", words.V{"run": c.Call.Run}), runAddress(c.Call.Run)
			}
			if row.Body, err = blocks(r.w, h, shown.Blocks); err != nil {
				return view{}, err
			}
		}
		data.Calls = append(data.Calls, row)
	}
	title := data.Title + " · " + document.Line(rec.Case.ID)
	return view{Template: "calls", Title: title, Place: placeRuns, Data: data}, nil
}

// callsAddress is the address of the calls of a case.
func callsAddress(runID, caseID string, v values) string {
	return casesAddress(runID) + "/" + caseSegment(caseID) + "/calls" + v.only("q", "sort").with()
}
