package web

import (
	"errors"
	"fmt"
	"net/http"
	"strconv"

	"github.com/assay-eval/assay"
	"github.com/assay-eval/assay/report"
	"github.com/assay-eval/assay/report/html"
	"github.com/assay-eval/assay/report/words"
	"github.com/assay-eval/assay/stats"
)

// labelData is a case to label. What judges and other people say of it is nil unless the
// reader asked to see it: the bytes of the page do not hold it.
type labelData struct {
	Metric, Question, Address, Outcome string
	// Case is "" if every case is labelled.
	Case, CaseAddress string
	Text              labText
	TextLang          string
	Answer            *labText
	AnswerLang        string
	Reference         []labText
	Passages          []labPassage
	// Form are the parameters that the form keeps; Next, Undo and Blind are addresses.
	Form                   []option
	Version                int
	Progress, Corrected    string
	Orders                 []navigation
	Why, Next, Last, Blind string
	Sighted, May           bool
	Mine, Note, From       string
	Judge                  *judgeSays
	Reveal, Conflict       string
	API                    labelAPI
}

// A labelAPI is what the script sends to keep a label: members of the body, and the values of
// its buttons.
type labelAPI struct {
	Run, Case, Metric, How string
	Sighted                bool
	ID                     string
	Right, Wrong           string
	// Was is the label so far: "1", "0", "unsure" or "".
	Was string
}

// A judgeSays is what the judge, and other people, say of a case.
type judgeSays struct {
	Score, Reason string
	Evidence      []assay.Evidence
	Others        []string
}

// A labText is a text, whose rest is folded if it is very long.
type labText struct{ Text, Rest, More string }

// A labPassage is a passage.
type labPassage struct {
	Title, Lang string
	Text        labText
}

func longText(r *request, s string) labText {
	if len(s) <= html.LongText {
		return labText{Text: s}
	}
	cut := html.LongText
	for cut > 0 && s[cut]&0xc0 == 0x80 {
		cut--
	}
	return labText{s[:cut], s[cut:], r.w.More(len([]rune(s[cut:])))}
}

// queueOf reads the order of the cases from an address.
func queueOf(v values) LabelQueue {
	q := LabelQueue{How: howRandom, Case: v.Get("case"), After: v.Get("after")}
	if v.Get("how") == howUnsure {
		q.How = howUnsure
	}
	if n, err := strconv.ParseUint(v.Get("seed"), 10, 64); err == nil {
		q.Seed = n
	}
	return q
}

// label is the page of a case to label.
func (p *Pages) label(r *request, one Run, m assay.MetricInfo) (view, error) {
	return p.labelPage(r, one.Header, m, nil, "")
}

// labelPage shows a case to label. After a conflict it shows the label that there is, and
// what it was to be.
func (p *Pages) labelPage(r *request, h assay.Header, m assay.MetricInfo, conflict *LabelConflict, yours string) (view, error) {
	n := r.w.Names().LabNames
	q := queueOf(r.values)
	task, err := p.cfg.Backend.LabelTask(r.Context(), h, m, q)
	if err != nil {
		return view{}, err
	}
	list := r.values.only("how", "seed", "blind")
	address := labAddress(h.ID, m.Name) + "/label"
	data := labelData{
		Metric: report.MetricTitle(m), Question: questionOf(r.w, m), Address: address, Outcome: labAddress(h.ID, m.Name),
		Progress: r.w.Say("LabelProgress", words.V{"done": task.Done, "left": task.Left}), Sighted: r.values.Get("blind") == "off",
		May:  p.cfg.Backend.MayLabel(r.Context()),
		Last: r.values.Get("last"), Why: n.RandomWhy,
	}
	if q.How == howUnsure {
		data.Why = n.UnsureWhy
	}
	data.Orders = []navigation{{n.Random, address + list.with("how", ""), q.How == howRandom},
		{n.MostUnsure, address + list.with("how", howUnsure), q.How == howUnsure}}
	if c := task.Corrected; c != nil && c.PPI != nil {
		data.Corrected = r.w.Say("CorrectedSoFar", words.V{"mean": correctedText(*c, true), "labels": task.Counted})
	} else if more := stats.MinLabels - task.Counted; more > 0 && task.Done+task.Left > stats.MinLabels {
		data.Corrected = r.w.Say("LabelsMissing", words.V{"n": more})
	}
	v := view{Template: "label", Title: data.Metric + " · " + n.Title, Place: placeLab, Data: &data}
	if task.Record == nil {
		return v, nil
	}
	rec := task.Record
	data.Case = rec.Case.ID
	own := list.with("case", data.Case)
	if task.Next != "" {
		data.Next = address + list.with("case", task.Next)
	}
	data.Blind = address + r.values.only("how", "seed").with("case", data.Case, "blind", map[bool]string{true: "", false: "off"}[data.Sighted])
	data.shown(r, rec)
	if task.Mine != nil {
		data.Version = task.Mine.Version
		if task.Mine.From == "" {
			data.API.ID = task.Mine.ID
		}
		if !task.Mine.Withdrawn {
			data.Mine, data.Note, data.API.Was = stateWord(n, m, *task.Mine), task.Mine.Comment, valueText(*task.Mine)
		}
		if task.Mine.From != "" {
			data.Version, data.From = 0, r.w.Say("LabelFrom", words.V{"run": task.Mine.From})
		}
		data.Reveal = address + list.with("case", data.Case, "reveal", "1")
		if r.values.Get("reveal") != "" && data.Mine != "" {
			data.Sighted, data.Reveal = true, ""
		}
	}
	if data.Sighted {
		data.Judge = p.judgeSays(r, m, task)
		data.CaseAddress = caseAddress(h.ID, data.Case, values{})
	}
	if conflict != nil {
		data.Conflict, v.Status = r.w.LabelConflict(stateWord(n, m, conflict.Is), yours), http.StatusPreconditionFailed
		data.Version = conflict.Is.Version
	}
	right := rightValue(m)
	data.API.Run, data.API.Case, data.API.Metric, data.API.How, data.API.Sighted = h.ID, data.Case, m.Name, q.How, data.Sighted
	data.API.Right, data.API.Wrong = fmt.Sprint(right), fmt.Sprint(1-right)
	data.Form = []option{{Text: "case", Value: data.Case}, {Text: "version", Value: itoa(data.Version)}}
	if data.Sighted {
		data.Form = append(data.Form, option{Text: "sighted", Value: "1"})
	}
	data.Address = address + own
	return v, nil
}

// shown fills in what people judge.
func (d *labelData) shown(r *request, rec *assay.Record) {
	d.Text, d.TextLang = longText(r, rec.Case.Question), languageOf(rec.Case.Question)
	if rec.Response != nil && !rec.Response.NoAnswer {
		answer := longText(r, rec.Response.Answer)
		d.Answer, d.AnswerLang = &answer, languageOf(rec.Response.Answer)
	}
	for _, a := range rec.Case.Want.Answers {
		d.Reference = append(d.Reference, longText(r, a))
	}
	if rec.Response == nil {
		return
	}
	for _, p := range rec.Response.Passages {
		d.Passages = append(d.Passages, labPassage{passageName(p), languageOf(p.Text), longText(r, p.Text)})
	}
}

// judgeSays is what the judge and other people say of a case.
func (p *Pages) judgeSays(r *request, m assay.MetricInfo, task LabelTask) *judgeSays {
	n := r.w.Names().LabNames
	score := task.Record.Scores[m.Name]
	out := &judgeSays{Score: "–", Reason: score.Reason, Evidence: score.Evidence}
	if score.State == assay.Scored {
		out.Score = labNumber(score.Value)
	}
	for _, l := range task.Others {
		text := l.Annotator + r.w.Names().Colon + stateWord(n, m, l)
		if l.From != "" {
			text += " · " + r.w.Say("LabelFrom", words.V{"run": l.From})
		}
		out.Others = append(out.Others, text)
	}
	return out
}

// valueText is a label as the script keeps it.
func valueText(l LabelState) string {
	if l.Value == nil {
		return howUnsure
	}
	return strconv.FormatFloat(*l.Value, 'g', -1, 64)
}

// saveLabel keeps the label of a form, or takes the last one back.
func (p *Pages) saveLabel(r *request, one Run, m assay.MetricInfo) (view, error) {
	h := one.Header
	address, list := labAddress(h.ID, m.Name)+"/label", r.values.only("how", "seed", "blind")
	id := r.PostFormValue("case")
	if r.PostFormValue("undo") != "" {
		if err := p.cfg.Backend.UndoLabel(r.Context(), h, m, id); err != nil {
			return view{}, err
		}
		return view{Redirect: address + list.with("case", id)}, nil
	}
	l := Label{Run: h.ID, Case: id, Metric: m.Name, How: queueOf(r.values).How, Comment: r.PostFormValue("note"),
		Sighted: r.PostFormValue("sighted") != ""}
	version, err := strconv.Atoi(r.PostFormValue("version"))
	if err != nil {
		return view{}, wrongForm("version")
	}
	word := ""
	switch label := r.PostFormValue("label"); label {
	case howUnsure:
		l.Unsure, word = true, r.w.Names().LabNames.Unsure
	case "1", "0":
		value := float64(label[0] - '0')
		l.Value, word = &value, labelWord(r.w.Names().LabNames, m, value)
	default:
		return view{}, wrongForm("label")
	}
	err = p.cfg.Backend.SaveLabel(r.Context(), l, version)
	var conflict *LabelConflict
	if errors.As(err, &conflict) {
		r.values.Set("case", id)
		return p.labelPage(r, h, m, conflict, word)
	}
	if err != nil {
		return view{}, err
	}
	return view{Redirect: address + list.with("after", id, "last", id)}, nil
}

// wrongForm is a form without a field that it must have.
type wrongForm string

// Error implements error.
func (e wrongForm) Error() string { return "the form has no " + string(e) + " that can be read" }

// GetStatus returns the HTTP status.
func (wrongForm) GetStatus() int { return http.StatusBadRequest }
