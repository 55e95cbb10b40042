package web

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"net/http"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/assay-eval/assay"
	"github.com/assay-eval/assay/report/words"
)

// A PointBackend answers what the pages about points show, and keeps what people change.
type PointBackend interface {
	// PointCases returns the cases of a dataset with a text in their id or question, and how many there are.
	PointCases(ctx context.Context, name, q string, limit, offset int) ([]PointCase, int, error)
	// Points returns the points of a case.
	Points(ctx context.Context, name, caseID string) (CasePoints, error)
	// SavePoints replaces the points that had the tag, and returns the version of the dataset. The error is a
	// [*PointsConflict] if there are others now, and a [FormError] if they are wrong.
	SavePoints(ctx context.Context, name, caseID, tag string, points []assay.Point) (version int, err error)
	// MayEdit reports whether the reader may change datasets.
	MayEdit(ctx context.Context) bool
}

// A PointCase is a case in the list.
type PointCase struct {
	ID, Question          string
	Points, Vital, People int
}

// CasePoints are the points of a case.
type CasePoints struct {
	// Ideal has the points, the answer, the model and the passages; its points are empty if the case has none.
	assay.Ideal
	Question, Tag string
	// Version is that of the dataset, 0 for a file of the folder.
	Version int
	// By changed the points last, At then, by version ByVersion of the dataset; "" if nobody did.
	By        string
	At        time.Time
	ByVersion int
	// Locked says why the points cannot be changed, "" if they can.
	Locked string
}

// A PointsConflict is that another person changed the points meanwhile.
type PointsConflict struct{ Is CasePoints }

// Error implements error.
func (e *PointsConflict) Error() string { return "the points were changed meanwhile" }

func pointsAddress(name, caseID string) string {
	return datasetAddress(name) + "/points/" + caseSegment(caseID)
}

// points is the list of the cases of a dataset with the number of their points.
func (p *Pages) points(r *request) (view, error) {
	name := caseOf(r.PathValue("name"))
	page := r.values.number("page")
	q := strings.TrimSpace(r.values.Get("q"))
	cases, total, err := p.cfg.Backend.PointCases(r.Context(), name, q, runsShown, (page-1)*runsShown)
	if err != nil {
		return view{}, err
	}
	type row struct{ ID, Address, Question, Language, Points string }
	data := struct {
		Name, Address, Path, Q, Found string
		Rows                          []row
		Pager                         pager
	}{Name: name, Address: datasetAddress(name), Path: r.URL.Path, Q: q, Found: r.w.Cases(total), Pager: newPager(r, total, runsShown)}
	for _, c := range cases {
		text := "–"
		if c.Points > 0 {
			text = r.w.Say("PointsOf", words.V{"n": c.Points, "vital": c.Vital})
		}
		if c.People > 0 {
			text += " · " + itoa(c.People) + " " + r.w.Names().PointNames.ByPeople
		}
		data.Rows = append(data.Rows, row{c.ID, pointsAddress(name, c.ID), c.Question, languageOf(c.Question), text})
	}
	return view{Template: "points", Title: r.w.Names().PointNames.Points + " · " + name, Place: placeDatasets, Data: data}, nil
}

// pointsData are the points of a case to edit.
type pointsData struct {
	Dataset, DatasetAddress, Cases, Case, Question, Language string
	Answer, Version, Tag                                     string
	Rows                                                     []pointRow
	Passages                                                 []labPassage
	// Said says what was done, Conflict what another person did; Theirs are their points.
	Said, Conflict string
	Theirs         []pointRow
	Mistakes       []string
	// Dirty is set if there are changes that are not saved.
	May, Dirty bool
	Locked     string
	// Focus is the id of what gets the focus, "" for nothing.
	Focus string
}

// A pointRow is a point of the form.
type pointRow struct {
	N                                int
	Text, By                         string
	Vital, First, Last, Marked       bool
	Passages                         []option
	Name, Up, Down, Delete, MarkName string
	// Lang is the language of the text, Wrong is set if it is to blame for a mistake.
	Lang  string
	Wrong bool
}

// editPoints is the page where a person edits the points of a case.
func (p *Pages) editPoints(r *request) (view, error) {
	is, err := p.cfg.Backend.Points(r.Context(), caseOf(r.PathValue("name")), caseOf(r.PathValue("case")))
	if err != nil {
		return view{}, err
	}
	f := pointForm{points: is.Points, tag: is.Tag}
	if n, err := strconv.Atoi(r.values.Get("saved")); err == nil && n == is.Version {
		f.said = r.w.Say("PointsSaved", words.V{"version": n})
	}
	return p.pointsPage(r, is, f), nil
}

// pointsPage shows a form of points.
func (p *Pages) pointsPage(r *request, is CasePoints, f pointForm) view {
	name, id := caseOf(r.PathValue("name")), caseOf(r.PathValue("case"))
	data := &pointsData{Dataset: name, DatasetAddress: datasetAddress(name), Cases: datasetAddress(name) + "/points", Case: id,
		Question: is.Question, Language: languageOf(is.Question), Answer: is.Answer, Tag: f.tag, Said: f.said,
		Mistakes: f.mistakes, Locked: is.Locked,
		May: is.Locked == "" && p.cfg.Backend.MayEdit(r.Context()), Focus: f.focus}
	if is.Version > 0 {
		data.Version = r.w.Say("PointsVersion", words.V{"version": is.Version, "by": is.By, "at": moment(is.At)})
	}
	data.Rows = rowsOfPoints(r, is, f.points)
	for _, at := range f.wrong {
		if at < len(data.Rows) {
			data.Rows[at].Wrong = true
		}
	}
	data.Dirty = !slices.EqualFunc(f.points, is.Points, samePoint)
	for _, one := range is.Passages {
		data.Passages = append(data.Passages, labPassage{passageName(one), languageOf(one.Text), longText(r, one.Text)})
	}
	v := view{Template: "editpoints", Title: id + " · " + r.w.Names().PointNames.Points, Place: placeDatasets, Data: data}
	if f.conflict {
		v.Status = http.StatusPreconditionFailed
		data.Conflict, data.Theirs = r.w.Say("PointsConflict", words.V{"by": is.By, "version": is.ByVersion, "at": moment(is.At)}),
			rowsOfPoints(r, is, is.Points)
	}
	if f.mistakes != nil {
		v.Status = http.StatusBadRequest
	}
	return v
}

func passageName(p assay.Passage) string { return cmp.Or(p.Title, p.Source, p.Document, p.ID) }

// samePoint reports whether two points say the same.
func samePoint(a, b assay.Point) bool {
	return a.Text == b.Text && a.Vital == b.Vital && a.Passage == b.Passage
}

// rowsOfPoints are the rows of a form; a point that is not saved is the reader's.
func rowsOfPoints(r *request, is CasePoints, points []assay.Point) []pointRow {
	n := r.w.Names().PointNames
	var out []pointRow
	for i, one := range points {
		row := pointRow{N: i + 1, Text: one.Text, By: n.You, Vital: one.Vital, First: i == 0, Last: i == len(points)-1,
			Lang: languageOf(one.Text),
			Name: r.w.Say("PointRow", words.V{"n": i + 1}), Up: r.w.Say("PointUp", words.V{"n": i + 1}),
			Down: r.w.Say("PointDown", words.V{"n": i + 1}), Delete: r.w.Say("PointDelete", words.V{"n": i + 1}),
			MarkName: r.w.Say("PointMark", words.V{"n": i + 1})}
		if k := slices.IndexFunc(is.Points, func(o assay.Point) bool { return samePoint(o, one) }); k >= 0 {
			row.By = r.w.Say("PointBy", words.V{"by": is.Points[k].By, "model": is.Model})
		}
		if len(is.Passages) > 0 || one.Passage != "" {
			row.Passages = []option{{"", n.NoPassage, one.Passage == ""}}
			for _, x := range is.Passages {
				if x.ID != "" {
					row.Passages = append(row.Passages, option{x.ID, passageName(x), x.ID == one.Passage})
				}
			}
			if !slices.ContainsFunc(row.Passages, func(o option) bool { return o.Chosen }) {
				row.Passages = append(row.Passages, option{one.Passage, one.Passage, true})
			}
		}
		out = append(out, row)
	}
	return out
}

// savePoints does what a button of the form says, and shows the form again, or saves the points.
func (p *Pages) savePoints(r *request) (view, error) {
	name, id := caseOf(r.PathValue("name")), caseOf(r.PathValue("case"))
	f, err := pointFormOf(r.Request)
	if err != nil {
		return view{}, err
	}
	if do := r.PostFormValue("do"); do != "save" {
		if err := f.do(r, do); err != nil {
			return view{}, err
		}
		is, err := p.cfg.Backend.Points(r.Context(), name, id)
		if err != nil {
			return view{}, err
		}
		return p.pointsPage(r, is, f), nil
	}
	f.points = slices.DeleteFunc(f.points, func(p assay.Point) bool { return strings.TrimSpace(p.Text) == "" })
	version, err := p.cfg.Backend.SavePoints(r.Context(), name, id, f.tag, f.points)
	var conflict *PointsConflict
	var wrong FormError
	switch {
	case errors.As(err, &conflict):
		f.conflict, f.tag = true, conflict.Is.Tag
		return p.pointsPage(r, conflict.Is, f), nil
	case errors.As(err, &wrong):
		for _, one := range wrong {
			f.mistakes = append(f.mistakes, one.Message)
			var at int
			if _, err := fmt.Sscanf(one.Field, "points[%d]", &at); err == nil {
				f.wrong = append(f.wrong, at)
			}
		}
		is, err := p.cfg.Backend.Points(r.Context(), name, id)
		if err != nil {
			return view{}, err
		}
		return p.pointsPage(r, is, f), nil
	case err != nil:
		return view{}, err
	}
	return view{Redirect: pointsAddress(name, id) + values{}.with("saved", itoa(version))}, nil
}
