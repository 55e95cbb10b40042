package report_test

import (
	"encoding/json"
	"fmt"
	"html"
	"math/rand/v2"
	"regexp"
	"strings"
	"testing"

	"github.com/assay-eval/assay"
	"github.com/assay-eval/assay/report"
	"github.com/assay-eval/assay/summary"
)

// unlikeRuns returns runs over the same cases with metrics of several kinds: graded,
// hits, with ties, the same in all runs, and missing in some cases. seed also decides
// how many cases there are, whether they have groups, and how far the runs differ.
func unlikeRuns(seed uint64) []*report.Report {
	rng := rand.New(rand.NewPCG(seed, 9))
	n := []int{1, 3, 6, 9, 15, 40}[seed%6]
	grouped := rng.IntN(3) == 0
	var infos []assay.MetricInfo
	for _, name := range []string{"graded", "hit@1", "hit@2", "ties", "same", "missing"} {
		infos = append(infos, assay.MetricInfo{Name: name, Title: name, Better: "higher", Range: ratio, Version: 1})
	}
	better := []float64{0, 0.25 * rng.Float64(), -0.3 * rng.Float64()}[:2+rng.IntN(2)]
	var out []*report.Report
	records := make([][]assay.Record, len(better))
	clamp := func(v float64) float64 { return min(1, max(0, v)) }
	for i := range n {
		c := assay.Case{ID: fmt.Sprint(i), Tags: []string{fmt.Sprint("t", i%2)}}
		if grouped {
			c.Group = fmt.Sprint(i / 3)
		}
		base, same, left := rng.Float64(), rng.Float64(), rng.IntN(4) == 0
		for r, effect := range better {
			v := clamp(base + effect + 0.2*rng.NormFloat64())
			hit := func(bar float64) assay.Score {
				if v > bar {
					return assay.Value(1)
				}
				return assay.Value(0)
			}
			scores := map[string]assay.Score{"graded": assay.Value(v), "hit@1": hit(0.5), "hit@2": hit(0.3),
				"ties": assay.Value(float64(int(4*v)) / 4), "same": assay.Value(same), "missing": assay.Value(clamp(v + 0.1*rng.Float64()))}
			if left {
				scores["missing"] = assay.None("no label")
			}
			records[r] = append(records[r], assay.Record{Seq: i, Case: c, Response: &assay.Response{}, Scores: scores})
		}
	}
	for r := range better {
		out = append(out, report.New(header(string(rune('a'+r)), infos...), records[r]))
	}
	return out
}

// verdict is a sign and an interval beside each other, as they are printed.
var verdict = regexp.MustCompile(`([~▲▼]) ?([−+±]?[0-9.]+)[\s|*]+([<>]?[−+]?[0-9.]+)…([<>]?[−+]?[0-9.]+)`)

var tag = regexp.MustCompile(`<[^>]*>`)

// TestVerdictsAgreeWithIntervals: in every format, a difference is shown exactly if the
// printed interval leaves out 0.
func TestVerdictsAgreeWithIntervals(t *testing.T) {
	t.Parallel()
	shown, not := 0, 0
	agrees := func(where, sign string, excludes bool) {
		if sign != "~" {
			shown++
		} else {
			not++
		}
		if excludes != (sign != "~") {
			t.Errorf("%s: the interval excludes 0: %v", where, excludes)
		}
	}
	for seed := range uint64(15) {
		runs := unlikeRuns(seed)
		plan := summary.Plan{Level: 0.95, Seed: 1}
		if seed%3 == 0 {
			plan.Primary = "hit@1"
		}
		c, err := report.CompareAs(runs, plan)
		if err != nil {
			t.Fatal(err)
		}
		for _, format := range []string{"terminal", "markdown", "html"} {
			text := renderComparison(t, lookup(t, format), c, report.Options{Width: 120})
			if format == "html" {
				text = html.UnescapeString(tag.ReplaceAllString(text, " "))
			}
			text = strings.ReplaceAll(text, `\`, "")
			found := verdict.FindAllStringSubmatch(text, -1)
			if len(found) == 0 && c.Rows[0].Differences[0].CI != nil {
				t.Errorf("seed %d, %s: no difference found", seed, format)
			}
			for _, m := range found {
				lo, hi := m[3], m[4]
				above := strings.HasPrefix(lo, ">") || strings.HasPrefix(lo, "+")
				below := strings.HasPrefix(hi, "<") || strings.HasPrefix(hi, "−")
				agrees(fmt.Sprintf("seed %d, %s, %s", seed, format, m[0]), m[1], above || below)
			}
		}
		var read struct {
			Summary map[string]struct {
				Differences map[string]struct {
					Shown bool
					CI    *[2]float64
				}
			}
			ByTag map[string]struct {
				Summary map[string]struct {
					Differences map[string]struct {
						Shown bool
						CI    *[2]float64
					}
				}
			} `json:"by_tag"`
		}
		if err := json.Unmarshal([]byte(renderComparison(t, lookup(t, "json"), c, report.Options{})), &read); err != nil {
			t.Fatal(err)
		}
		all := read.ByTag
		if all == nil {
			t.Fatal("no tags")
		}
		tables := []map[string]struct {
			Differences map[string]struct {
				Shown bool
				CI    *[2]float64
			}
		}{read.Summary}
		for _, s := range all {
			tables = append(tables, s.Summary)
		}
		for _, table := range tables {
			for name, m := range table {
				for run, d := range m.Differences {
					if d.CI == nil {
						if d.Shown {
							t.Errorf("seed %d, JSON, %s of %s: shown without an interval", seed, name, run)
						}
						continue
					}
					sign := "~"
					if d.Shown {
						sign = "▲"
					}
					agrees(fmt.Sprintf("seed %d, JSON, %s of %s", seed, name, run), sign, d.CI[0] > 0 || d.CI[1] < 0)
				}
			}
		}
	}
	if shown < 30 || not < 30 {
		t.Errorf("%d shown, %d not: want many of both", shown, not)
	}
}
