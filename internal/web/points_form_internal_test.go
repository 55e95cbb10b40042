package web

import (
	"net/http/httptest"
	"net/url"
	"slices"
	"strings"
	"testing"

	"github.com/assay-eval/assay"
	"github.com/assay-eval/assay/report/words"
)

// FuzzPointForm: whatever a form says, a button moves, merges or removes whole points, never changes how many there are but by
// what it says, and loses no text.
func FuzzPointForm(f *testing.F) {
	f.Add("text=a&vital=1&passage=&text=b&vital=0&passage=p&do=up-2")
	f.Add("text=a&vital=1&passage=&text=b&vital=0&passage=p&mark=2&mark=1&do=merge")
	f.Add("text=a&vital=1&passage=&do=delete-1")
	f.Add("text=a&vital=1&passage=&do=down-1")
	f.Add("do=add&mark=1")
	f.Add("text=%zz&do=up--1")
	f.Fuzz(func(t *testing.T, body string) {
		req := httptest.NewRequest("POST", "/", strings.NewReader(body))
		req.Header.Set("Content-Type", "application/x-www-form-urlencoded")
		form, err := pointFormOf(req)
		if err != nil {
			return
		}
		before := slices.Clone(form.points)
		do := req.PostFormValue("do")
		if err := form.do(&request{Request: req, w: words.English}, do); err != nil {
			return
		}
		change := len(form.points) - len(before)
		verb, _, _ := strings.Cut(do, "-")
		switch want := map[string]int{"add": 1, "delete": -1}[verb]; {
		case verb == "merge" && len(form.marked) > 1:
			if change != 1-len(form.marked) {
				t.Fatalf("merging %v of %d points left %d", form.marked, len(before), len(form.points))
			}
		case change != want:
			t.Fatalf("%s: %d points, then %d", do, len(before), len(form.points))
		}
		if verb == "up" || verb == "down" {
			for _, p := range before {
				if !slices.Contains(form.points, p) {
					t.Fatalf("%s loses %q", do, p.Text)
				}
			}
		}
	})
}

// TestPointFormMerges: the merged point stands where the first of the marked was, is vital if one is, and has the first passage.
func TestPointFormMerges(t *testing.T) {
	body := url.Values{"text": {"a", "b.", "丙。", "d"}, "vital": {"0", "0", "1", "0"}, "passage": {"", "", "p1", "p2"},
		"mark": {"4", "2", "3", "2"}}
	req := httptest.NewRequest("POST", "/", strings.NewReader(body.Encode()))
	req.Header.Set("Content-Type", "application/x-www-form-urlencoded")
	form, err := pointFormOf(req)
	if err != nil {
		t.Fatal(err)
	}
	if err := form.do(&request{Request: req, w: words.TraditionalChinese}, "merge"); err != nil {
		t.Fatal(err)
	}
	want := []assay.Point{{Text: "a"}, {Text: "b；丙；d", Vital: true, Passage: "p1"}}
	if !slices.Equal(form.points, want) || form.focus != "text-2" {
		t.Errorf("%+v, focus %s", form.points, form.focus)
	}
}
