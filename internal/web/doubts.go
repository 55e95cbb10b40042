package web

import (
	"cmp"

	"github.com/assay-eval/assay/report"
	"github.com/assay-eval/assay/report/words"
)

// doubtsData are the cases that runs cast doubt on.
type doubtsData struct {
	Rest, By string
	Runs     []caseLink
	Lists    []doubtList
	// All is the address of the page with every list, "" on it.
	All   string
	Pager pager
}

// A doubtList are the cases of one kind of doubt.
type doubtList struct {
	Title, Says, Why, Nothing string
	Rows                      []doubtRow
	// More leads to the whole list, if it is longer.
	More, MoreAddress string
}

// A doubtRow is a case that is doubted.
type doubtRow struct{ ID, Address, Question, Language, Outcome string }

// The lists of doubts, as addresses name them.
const (
	listUnsolved = "unsolved"
	listFlaky    = "flaky"
	listUnruled  = "unruled"
)

// doubtsOf returns what is shown of doubts: the beginning of each list, or a page of the one
// that the address names.
func (p *Pages) doubtsOf(r *request, d *DatasetDoubts) (*doubtsData, error) {
	out := &doubtsData{Rest: r.w.Say("DoubtsRest", words.V{"read": d.Runs, "all": d.All, "systems": d.Systems}),
		By: r.w.Say("DoubtsBy", words.V{"rule": report.OutcomeRule(r.w, d.Headers...)})}
	for _, h := range d.Headers {
		out.Runs = append(out.Runs, caseLink{cmp.Or(h.Name, h.ID), runAddress(h.ID)})
	}
	n := r.w.Names().SetNames
	unsolved := doubtList{Title: n.Unsolved, Says: r.w.Say("AlwaysWrong", words.V{"n": len(d.Unsolved), "of": d.Decided}), Why: n.HardOrWrong,
		Nothing: n.NoUnsolved}
	if d.Decided == 0 {
		unsolved.Says, unsolved.Nothing = "", r.w.Say("DoubtsNeed", words.V{"runs": report.LeastRuns, "systems": report.LeastSystems})
	}
	flaky := doubtList{Title: n.Flaky, Says: r.w.Say("ComesOutDifferently", words.V{"n": len(d.Flaky), "of": d.Repeated}), Why: n.FlakyWhy,
		Nothing: n.NoFlaky}
	if d.Repeated == 0 {
		flaky.Says, flaky.Nothing = "", n.NeverRepeated
	}
	unruled := doubtList{Title: n.Unruled,
		Says: r.w.Say("JudgeDoubts", words.V{"n": len(d.Unruled), "of": d.Judged, "least": report.LeastUnruled}), Why: n.UnruledWhy,
		Nothing: n.NoUnruled}
	only := r.values.Get("list")
	for _, one := range []struct {
		name    string
		list    doubtList
		cases   []report.DoubtedCase
		outcome func(report.DoubtedCase) string
	}{
		{listUnsolved, unsolved, d.Unsolved, func(c report.DoubtedCase) string {
			return r.w.Say("InRuns", words.V{"runs": c.Runs, "systems": c.Systems})
		}},
		{listFlaky, flaky, d.Flaky, func(c report.DoubtedCase) string {
			return r.w.Say("TimesRight", words.V{"right": c.Right, "wrong": c.Wrong})
		}},
		{listUnruled, unruled, d.Unruled, func(c report.DoubtedCase) string { return r.w.Say("NotRuled", words.V{"n": c.Unruled, "of": c.Asked}) }},
	} {
		if one.name == listUnruled && d.Judged == 0 || only != "" && only != one.name {
			continue
		}
		shown := one.cases[:min(len(one.cases), doubtsShown)]
		if only != "" {
			shown, out.Pager = paged(r, one.cases, doubtsPage)
			out.All = r.URL.Path + r.values.with("list", "")
		} else if len(one.cases) > len(shown) {
			one.list.More, one.list.MoreAddress = r.w.Say("AllOf", words.V{"n": len(one.cases)}), r.URL.Path+r.values.with("list", one.name)
		}
		var err error
		if one.list.Rows, err = p.doubtRows(r, d, shown, one.outcome); err != nil {
			return nil, err
		}
		out.Lists = append(out.Lists, one.list)
	}
	return out, nil
}

// doubtRows reads the cases of a list.
func (p *Pages) doubtRows(
	r *request, d *DatasetDoubts, cases []report.DoubtedCase, outcome func(report.DoubtedCase) string,
) ([]doubtRow, error) {
	rows := make([]doubtRow, len(cases))
	for run, h := range d.Headers {
		var seqs, places []int
		for i, c := range cases {
			if c.Run == run {
				seqs, places = append(seqs, c.Seq), append(places, i)
			}
		}
		if seqs == nil {
			continue
		}
		records, err := p.cfg.Backend.Briefs(r.Context(), h.ID, seqs)
		if err != nil {
			return nil, err
		}
		for k, i := range places {
			one := records[k].Case
			rows[i] = doubtRow{cases[i].Case, caseAddress(h.ID, one.ID, values{}), one.Question, languageOf(one.Question), outcome(cases[i])}
		}
	}
	return rows, nil
}
