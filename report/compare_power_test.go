package report_test

import (
	"encoding/json"
	"fmt"
	"html"
	"math"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"github.com/assay-eval/assay"
	"github.com/assay-eval/assay/report"
	"github.com/assay-eval/assay/report/words"
	"github.com/assay-eval/assay/summary"
)

var (
	canDetect = regexp.MustCompile(`cases? can detect ([^;()]*?), or more`)
	tooFew    = regexp.MustCompile(`too few to detect any difference in ([^;(]*)`)
	inMetric  = regexp.MustCompile(`([0-9.]+) in ([a-z0-9@]+)`)
	orMore    = regexp.MustCompile(`can detect ([0-9.]+) or more`)
)

// pairedRuns draws two runs over the same cases with hits and a graded metric: how many cases
// change up and down is drawn for each metric, and some cases may have no score in one run.
func pairedRuns(t *rapid.T) []*report.Report {
	n := rapid.IntRange(3, 90).Draw(t, "cases")
	var infos []assay.MetricInfo
	values := [2]map[string][]float64{{}, {}}
	for k := range rapid.IntRange(1, 3).Draw(t, "metrics") {
		m := assay.MetricInfo{Name: fmt.Sprintf("hit@%d", k+1), Title: "m", Better: "higher", Range: ratio, Version: 1}
		graded := rapid.Bool().Draw(t, "graded")
		if rapid.Bool().Draw(t, "lower is better") {
			m.Better = "lower"
		}
		up := rapid.IntRange(0, n).Draw(t, "up")
		down := rapid.IntRange(0, n-up).Draw(t, "down")
		for i := range n {
			old, now := float64(i%2), float64(i%2)
			switch {
			case i < up:
				old, now = 0, 1
			case i < up+down:
				old, now = 1, 0
			}
			if graded && i < up+down {
				step := rapid.Float64Range(0.05, 0.5).Draw(t, "step")
				old, now = 0.5, 0.5+step*(now-old)
			}
			values[0][m.Name], values[1][m.Name] = append(values[0][m.Name], old), append(values[1][m.Name], now)
		}
		infos = append(infos, m)
	}
	var out []*report.Report
	missing := rapid.IntRange(0, 2).Draw(t, "missing")
	for r, name := range []string{"a", "b"} {
		var records []assay.Record
		for i := range n {
			rec := assay.Record{Seq: i, Case: assay.Case{ID: fmt.Sprint(i)}, Response: &assay.Response{}, Scores: map[string]assay.Score{}}
			for _, m := range infos {
				if rec.Scores[m.Name] = assay.Value(values[r][m.Name][i]); r == 1 && i > n-1-missing {
					rec.Scores[m.Name] = assay.None("no label")
				}
			}
			records = append(records, rec)
		}
		out = append(out, report.New(header(name, infos...), records))
	}
	return out
}

// TestNoScreenContradictsItsPower: where a screen says that the cases can detect a difference, no
// difference as large is said not to be shown, and where they are too few to detect any, none is
// shown. In JSON the same holds of the numbers.
func TestNoScreenContradictsItsPower(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		plan := summary.Plan{Level: 0.95, Seed: 1}
		if rapid.Bool().Draw(t, "primary") {
			plan.Primary = "hit@1"
		}
		c, err := report.CompareAs(pairedRuns(t), plan)
		if err != nil {
			return // the runs share no case
		}
		shown, size := map[string]bool{}, map[string]float64{}
		for _, row := range c.Rows {
			d := row.Differences[0]
			shown[row.Name], size[row.Name] = summary.Shown(d), math.Abs(d.Diff)
			said := words.English.Difference(c.Computed.Comparison, row, 1)
			switch m := orMore.FindStringSubmatch(said); {
			case summary.Shown(d) == strings.HasPrefix(said, "No difference"):
				t.Fatalf("shown is %v: %s", summary.Shown(d), said)
			case m != nil && !summary.Shown(d) && printed(d.Diff) >= number(m[1]):
				t.Fatalf("%s: the difference is %s", said, strconv.FormatFloat(d.Diff, 'f', 3, 64))
			case d.CI != nil && (d.CI.Lo > 0 || d.CI.Hi < 0) != summary.Shown(d):
				t.Fatalf("%s: interval %v", said, d.CI)
			}
		}
		for _, format := range []string{"terminal", "markdown", "html"} {
			f, err := report.Lookup(format)
			if err != nil {
				t.Fatal(err)
			}
			var b strings.Builder
			if err := f.Compare(&b, c, report.Options{Width: 1000}); err != nil {
				t.Fatal(err)
			}
			text := strings.ReplaceAll(html.UnescapeString(tag.ReplaceAllString(b.String(), "")), `\`, "")
			text = strings.Join(strings.Fields(text), " ")
			for _, line := range canDetect.FindAllStringSubmatch(text, -1) {
				for _, m := range inMetric.FindAllStringSubmatch(line[1], -1) {
					if !shown[m[2]] && printed(size[m[2]]) >= number(m[1]) {
						t.Fatalf("%s: %q, but %.4f is not shown", format, line[0], size[m[2]])
					}
				}
			}
			for _, line := range tooFew.FindAllStringSubmatch(text, -1) {
				for name := range shown {
					if strings.Contains(line[1], name) && shown[name] {
						t.Fatalf("%s: %q, but a difference of %.4f is shown", format, line[0], size[name])
					}
				}
			}
		}
		f, _ := report.Lookup("json")
		var b strings.Builder
		if err := f.Compare(&b, c, report.Options{}); err != nil {
			t.Fatal(err)
		}
		var read struct {
			Summary map[string]struct {
				Differences map[string]struct {
					Diff  float64
					Shown bool
					MDE   *float64
				}
			}
		}
		if err := json.Unmarshal([]byte(b.String()), &read); err != nil || len(read.Summary) == 0 {
			t.Fatalf("%v, %d metrics", err, len(read.Summary))
		}
		for name, row := range read.Summary {
			for _, d := range row.Differences {
				if d.MDE != nil && !d.Shown && math.Abs(d.Diff) >= *d.MDE {
					t.Fatalf("JSON, %s: %+v detects %g", name, d, *d.MDE)
				}
			}
		}
	})
}

// printed is a difference as a screen shows it.
func printed(v float64) float64 { return math.Round(math.Abs(v)*1000) / 1000 }

func number(s string) float64 {
	v, _ := strconv.ParseFloat(strings.TrimSuffix(s, "."), 64)
	return v
}

// TestNotesStandWhereTheyAreTrue: "few cases differ" is not said where most do, "~" is explained
// where it is used, and the cases of the means are named where they are not those of the differences.
func TestNotesStandWhereTheyAreTrue(t *testing.T) {
	t.Parallel()
	m := assay.MetricInfo{Name: "hit@1", Title: "Hit@1", Better: "higher", Range: ratio, Version: 1}
	run := func(name string, n int, value func(i int) float64) *report.Report {
		var records []assay.Record
		for i := range n {
			records = append(records, assay.Record{Seq: i, Case: assay.Case{ID: fmt.Sprint(i)}, Response: &assay.Response{},
				Scores: map[string]assay.Score{m.Name: assay.Value(value(i))}})
		}
		return report.New(header(name, m), records)
	}
	low := func(i int) float64 { return 0.2 + float64(i%3)/50 }
	for _, test := range []struct {
		name             string
		b                *report.Report
		few, tilde, over bool
	}{
		{"all differ, and the difference is shown", run("b", 40, func(i int) float64 { return 0.3 + float64(i%7)/50 }), false, false, false},
		{"few differ, and it is not", run("b", 40, func(i int) float64 { return low(i) + float64(i/38)/10 }), true, true, false},
		{"a case is in one run alone", run("b", 39, func(i int) float64 { return 0.3 + float64(i%7)/50 }), false, false, true},
	} {
		c, err := report.CompareAs([]*report.Report{run("a", 40, low), test.b}, summary.Plan{Level: 0.95, Seed: 1})
		if err != nil {
			t.Fatal(err)
		}
		for _, format := range []string{"terminal", "markdown", "html"} {
			text := strings.Join(strings.Fields(renderComparison(t, lookup(t, format), c, report.Options{Width: 100})), " ")
			for said, want := range map[string]bool{"few cases differ": test.few, "~ no difference can be shown": test.tilde && format == "terminal",
				"are over the cases with a score in both runs": test.over} {
				if strings.Contains(text, said) != want {
					t.Errorf("%s, %s: %q is said: %v", test.name, format, said, !want)
				}
			}
		}
	}
}
