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
	PointCases(ctx context.Context, name, q string, limit, offset int) ([]CasePoints, int, error)
	// Points returns the points of a case.
	Points(ctx context.Context, name, caseID string) (PointsView, error)
	// SavePoints replaces the points that had the tag, and returns the version of the dataset. The error is a
	// [*PointsConflict] if there are others now, and a [FormError] if they are wrong.
	SavePoints(ctx context.Context, name, caseID, tag string, points []assay.Point) (version int, err error)
	// MayEdit reports whether the reader may change datasets.
	MayEdit(ctx context.Context) bool
}

// A PointsView is what is known of the points of a case.
type PointsView struct {
	Question string
	// Ideal is the ideal answer, empty if the case has none.
	Ideal assay.Ideal
	// Locked says why the points cannot be changed, "" if they can.
	Locked string
	// Tag changes when the points do.
	Tag string
	// Version is that of the dataset, 0 for a file of the folder. Changed is the one that made the points what they are.
	Version int
	Changed DatasetVersion
}

// CasePoints counts the points of a case.
type CasePoints struct {
	Case, Question string
	// Vital counts the vital points, People those that people wrote or changed on a server.
	Points, Vital, People int
}

// A DatasetVersion is a version of an uploaded dataset.
type DatasetVersion struct {
	Version int    `json:"version" doc:"number of the version, from 1" example:"2"`
	Hash    string `json:"hash" doc:"fingerprint of the cases" example:"sha256:9f86d081"`
	// By and Case are "" in the upload itself.
	By   string    `json:"by,omitempty" doc:"who made the version; absent for the upload itself" example:"wong"`
	Case string    `json:"case_id,omitempty" doc:"the case whose points differ from the version before; absent for the upload itself" example:"q-17"`
	At   time.Time `json:"at" doc:"time of the version" example:"2026-03-02T09:30:00Z"`
}

// A PointsConflict is that another person changed the points meanwhile.
type PointsConflict struct{ Is PointsView }

// Error implements error.
func (e *PointsConflict) Error() string {
	if v := e.Is.Changed; v.By != "" {
		return fmt.Sprintf("the points were changed meanwhile: by %s, version %d of the dataset", v.By, v.Version)
	}
	return "the points were changed meanwhile"
}

func pointsAddress(name, caseID string) string {
	return datasetAddress(name) + "/points/" + caseSegment(caseID)
}

// points is the list of the cases of a dataset with the number of their points.
func (p *Pages) points(r *request) (view, error) {
	name := CaseOf(r.PathValue("name"))
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
		data.Rows = append(data.Rows, row{c.Case, pointsAddress(name, c.Case), c.Question, languageOf(c.Question), text})
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
}

// A pointRow is a point of the form, without a text if it is free for a new point.
type pointRow struct {
	Name, Text, By string
	Vital          bool
	Passages       []option
	// Lang is the language of the text, Wrong is set if it is to blame for a mistake.
	Lang  string
	Wrong bool
}

// freeRows is how many new points the form has room for.
const freeRows = 3

// A pointForm is what a person has made of the points of a case.
type pointForm struct {
	points []assay.Point
	// tag is that of the points that are edited.
	tag string
	// mistakes are those in the points, wrong the indexes of the points, and conflict is set if another person was first.
	mistakes []string
	wrong    []int
	conflict bool
}

// pointFormOf reads a form: for each point a text, an importance and a passage. A point without a text is left out.
func pointFormOf(r *http.Request) (pointForm, error) {
	if err := r.ParseForm(); err != nil {
		return pointForm{}, wrongForm("points")
	}
	f := pointForm{tag: r.PostForm.Get("tag")}
	texts, vital, passages := r.PostForm["text"], r.PostForm["vital"], r.PostForm["passage"]
	if len(vital) != len(texts) || len(passages) != len(texts) {
		return f, wrongForm("importance or passage of each point")
	}
	for i, t := range texts {
		if text := strings.ReplaceAll(strings.TrimSpace(t), "\r\n", "\n"); text != "" {
			f.points = append(f.points, assay.Point{Text: text, Vital: vital[i] == "1", Passage: passages[i]})
		}
	}
	return f, nil
}

// editPoints is the page where a person edits the points of a case.
func (p *Pages) editPoints(r *request) (view, error) {
	is, err := p.cfg.Backend.Points(r.Context(), CaseOf(r.PathValue("name")), CaseOf(r.PathValue("case")))
	if err != nil {
		return view{}, err
	}
	return p.pointsPage(r, is, pointForm{points: is.Ideal.Points, tag: is.Tag}), nil
}

// pointsPage shows a form of points.
func (p *Pages) pointsPage(r *request, is PointsView, f pointForm) view {
	name, id := CaseOf(r.PathValue("name")), CaseOf(r.PathValue("case"))
	data := &pointsData{Dataset: name, DatasetAddress: datasetAddress(name), Cases: datasetAddress(name) + "/points", Case: id,
		Question: is.Question, Language: languageOf(is.Question), Answer: is.Ideal.Answer, Tag: f.tag, Mistakes: f.mistakes, Locked: is.Locked,
		May: is.Locked == "" && p.cfg.Backend.MayEdit(r.Context()), Dirty: f.conflict || f.mistakes != nil}
	if is.Version > 0 {
		data.Version = r.w.Say("PointsVersion", words.V{"version": is.Version, "by": is.Changed.By, "at": moment(is.Changed.At)})
	}
	if n, err := strconv.Atoi(r.values.Get("saved")); err == nil && n == is.Version && !data.Dirty {
		data.Said = r.w.Say("PointsSaved", words.V{"version": n})
	}
	points := f.points
	if data.May {
		points = append(slices.Clone(points), make([]assay.Point, freeRows)...)
	}
	data.Rows = rowsOfPoints(r, is, points)
	for _, at := range f.wrong {
		data.Rows[at].Wrong = true
	}
	for _, one := range is.Ideal.Passages {
		data.Passages = append(data.Passages, labPassage{passageName(one), languageOf(one.Text), longText(r, one.Text)})
	}
	v := view{Template: "editpoints", Title: id + " · " + r.w.Names().PointNames.Points, Place: placeDatasets, Data: data}
	if f.conflict {
		v.Status = http.StatusPreconditionFailed
		data.Conflict, data.Theirs = r.w.Say("PointsConflict", words.V{"by": is.Changed.By, "version": is.Changed.Version, "at": moment(is.Changed.At)}),
			rowsOfPoints(r, is, is.Ideal.Points)
	}
	if f.mistakes != nil {
		v.Status = http.StatusBadRequest
	}
	return v
}

func passageName(p assay.Passage) string { return cmp.Or(p.Title, p.Source, p.Document, p.ID) }

// rowsOfPoints are the rows of a form; a point that is not saved is the reader's.
func rowsOfPoints(r *request, is PointsView, points []assay.Point) []pointRow {
	n := r.w.Names().PointNames
	var out []pointRow
	for i, one := range points {
		row := pointRow{Name: r.w.Say("PointRow", words.V{"n": i + 1}), Text: one.Text, Vital: one.Vital, Lang: languageOf(one.Text)}
		k := slices.IndexFunc(is.Ideal.Points, func(o assay.Point) bool {
			return o.Text == one.Text && o.Vital == one.Vital && o.Passage == one.Passage
		})
		switch {
		case k >= 0:
			row.By = r.w.Say("PointBy", words.V{"by": is.Ideal.Points[k].By, "model": is.Ideal.Model})
		case one.Text != "":
			row.By = n.You
		}
		if len(is.Ideal.Passages) > 0 || one.Passage != "" {
			row.Passages = []option{{"", n.NoPassage, one.Passage == ""}}
			for _, x := range is.Ideal.Passages {
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

// savePoints saves the points of the form, or shows it again with what is wrong.
func (p *Pages) savePoints(r *request) (view, error) {
	name, id := CaseOf(r.PathValue("name")), CaseOf(r.PathValue("case"))
	f, err := pointFormOf(r.Request)
	if err != nil {
		return view{}, err
	}
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
			if _, err := fmt.Sscanf(one.Field, "points[%d]", &at); err == nil && at < len(f.points) {
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
