package web

import (
	"cmp"
	"net/http"
	"slices"
	"strconv"
	"strings"

	"github.com/assay-eval/assay"
	"github.com/assay-eval/assay/report/words"
)

// A pointForm is what a person has made of the points of a case.
type pointForm struct {
	points []assay.Point
	// marked are the indexes of the points that are marked.
	marked []int
	// tag is that of the points that are edited.
	tag string
	// said says what was done, focus is the id of what gets the focus.
	said, focus string
	// mistakes are those in the points, wrong the indexes of the points, and conflict is set if another person was first.
	mistakes []string
	wrong    []int
	conflict bool
}

// pointFormOf reads a form: for each point a text, an importance and a passage.
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
		text := strings.ReplaceAll(strings.TrimSpace(t), "\r\n", "\n")
		f.points = append(f.points, assay.Point{Text: text, Vital: vital[i] == "1", Passage: passages[i]})
	}
	for _, m := range r.PostForm["mark"] {
		n, err := strconv.Atoi(m)
		if err != nil || n < 1 || n > len(texts) {
			return f, wrongForm("mark")
		}
		f.marked = append(f.marked, n-1)
	}
	slices.Sort(f.marked)
	f.marked = slices.Compact(f.marked)
	return f, nil
}

// do does what a button says: add, merge, or up, down or delete with the number of a point.
func (f *pointForm) do(r *request, what string) error {
	n := r.w.Names().PointNames
	switch what {
	case "add":
		f.points = append(f.points, assay.Point{})
		f.said, f.focus = n.Added, "text-"+itoa(len(f.points))
		return nil
	case "merge":
		if len(f.marked) < 2 {
			f.said, f.focus = n.MarkTwo, "merge"
			return nil
		}
		f.merge(r)
		return nil
	}
	verb, number, _ := strings.Cut(what, "-")
	at, err := strconv.Atoi(number)
	if err != nil || at < 1 || at > len(f.points) {
		return wrongForm("button")
	}
	var to int
	switch verb {
	case "up":
		to = max(at-1, 1)
	case "down":
		to = min(at+1, len(f.points))
	case "delete":
		f.points = slices.Delete(f.points, at-1, at)
		f.said, f.focus = r.w.Say("PointDeleted", words.V{"n": at}), "add"
		if len(f.points) > 0 {
			f.focus = "delete-" + itoa(min(at, len(f.points)))
		}
		return nil
	default:
		return wrongForm("button")
	}
	f.points[at-1], f.points[to-1] = f.points[to-1], f.points[at-1]
	f.said, f.focus = r.w.Say("PointMoved", words.V{"from": at, "to": to}), verb+"-"+itoa(to)
	// The button is disabled at the end of the list.
	if to == 1 || to == len(f.points) {
		f.focus = "text-" + itoa(to)
	}
	return nil
}

// merge joins the marked points into the first of them: it is vital if one of them is, and has the passage of the first that
// has one.
func (f *pointForm) merge(r *request) {
	into := f.marked[0]
	one := f.points[into]
	var texts []string
	for _, at := range f.marked {
		p := f.points[at]
		if p.Text != "" {
			texts = append(texts, p.Text)
		}
		one.Vital = one.Vital || p.Vital
		one.Passage = cmp.Or(one.Passage, p.Passage)
	}
	one.Text = joinedPoints(texts)
	f.points[into] = one
	for _, at := range slices.Backward(f.marked[1:]) {
		f.points = slices.Delete(f.points, at, at+1)
	}
	f.said, f.focus = r.w.Say("PointsMerged", words.V{"n": len(f.marked), "into": into + 1}), "text-"+itoa(into+1)
}

// joinedPoints joins the texts of points by a semicolon, that of Chinese if one of them is Chinese, in place of the marks at their ends.
func joinedPoints(texts []string) string {
	mark := "; "
	if languageOf(strings.Join(texts, "")) != "" {
		mark = "；"
	}
	out := slices.Clone(texts)
	for i := range len(out) - 1 {
		out[i] = strings.TrimRight(out[i], ".;。；")
	}
	return strings.Join(out, mark)
}
