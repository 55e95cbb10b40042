package report_test

import (
	"encoding/json"
	"fmt"
	"html"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/assay-eval/assay"
	"github.com/assay-eval/assay/report"
	"github.com/assay-eval/assay/summary"
)

// preferring adds to a comparison the preferences of a planted judge, which likes the answers of
// some runs better and the first place a little.
func preferring(t testing.TB, c *report.Comparison, like ...float64) *report.Comparison {
	t.Helper()
	var found []summary.Preferred
	for _, d := range c.Duels() {
		f := summary.Preferred{Old: d.Old, New: d.New}
		for i := range d.Len() {
			old, young, err := d.At(i)
			if err != nil {
				t.Fatal(err)
			}
			if old.Case.ID != young.Case.ID {
				t.Fatalf("%s beside %s", old.Case.ID, young.Case.ID)
			}
			f.Cases = append(f.Cases, planned(old.Case.ID, like[d.Old], like[d.New]))
		}
		found = append(found, f)
	}
	c.Prefer(assay.JudgeInfo{Provider: "planted", Model: "judge"}, found, 1)
	return c
}

// planned is the preference of a case. It depends on the two runs alone, so that it is the
// other way round if they change places.
func planned(id string, old, young float64) assay.Preference {
	number := uint64(0)
	fmt.Sscanf(id, "q%d", &number)
	draw := func(liked float64) float64 {
		return liked + rand.New(rand.NewPCG(number, uint64(100*liked))).Float64()
	}
	switch number % 12 {
	case 3:
		return assay.Preference{Case: id, How: assay.PreferenceEqual}
	case 5:
		return assay.Preference{Case: id, How: assay.PreferenceUnjudged, Reasons: [2]string{"no JSON"}}
	}
	lean := func(first, second float64) int {
		switch d := first - second + 0.1; {
		case d > 0.15:
			return 1
		case d < -0.15:
			return -1
		}
		return 0
	}
	a, b := draw(old), draw(young)
	p := assay.Preference{Case: id, How: assay.PreferenceJudged, Orders: &[2]int{lean(a, b), lean(b, a)}}
	p.Value = float64(p.Orders[1]-p.Orders[0]) / 2
	return p
}

func TestPreferredGolden(t *testing.T) {
	t.Parallel()
	c := preferring(t, strategies(t), 0, 0.05, 0.4)
	golden(t, "preferred80.txt", renderComparison(t, lookup(t, "terminal"), c, report.Options{Width: 80, Short: true}))
	golden(t, "preferred.md", renderComparison(t, lookup(t, "markdown"), c, report.Options{Cases: -1}))
	page := renderComparison(t, lookup(t, "html"), c, report.Options{})
	for _, want := range []string{`id="preferred"`, "hybrid is better than sparse in ", "The judge prefers the first answer by ", `href="#`,
		"contradict each other in "} {
		if !strings.Contains(html.UnescapeString(page), want) {
			t.Errorf("the page lacks %q", want)
		}
	}
	var read struct {
		Pairwise *summary.Preferences
	}
	if err := json.Unmarshal([]byte(renderComparison(t, lookup(t, "json"), c, report.Options{})), &read); err != nil {
		t.Fatal(err)
	}
	if p := read.Pairwise; p == nil || len(p.Pairs) != 3 || len(p.Pairs[0].Cases) != 60 || p.Pairs[0].Old != "sparse" ||
		p.Judge.Model != "judge" {
		t.Errorf("%+v", p)
	}
	// A comparison without a judge has no such section.
	if plain := renderComparison(t, lookup(t, "json"), strategies(t), report.Options{}); strings.Contains(plain, `"pairwise"`) {
		t.Error("pairwise without a judge")
	}
}

// TestPreferredSwaps: with the two runs in the other order, the report says the opposite.
func TestPreferredSwaps(t *testing.T) {
	t.Parallel()
	all := strategies(t).Reports
	for _, like := range [][2]float64{{0, 0.05}, {0, 0.4}, {0.3, 0}} {
		there := preferring(t, comparison(t, []*report.Report{all[0], all[2]}), like[0], like[1])
		back := preferring(t, comparison(t, []*report.Report{all[2], all[0]}), like[1], like[0])
		p, q := there.Preferences.Pairs[0], back.Preferences.Pairs[0]
		if p.Better != q.Worse || p.Worse != q.Better || p.Same != q.Same || p.Shown() != q.Shown() || p.Bias.Bias != q.Bias.Bias ||
			p.Unjudged != q.Unjudged {
			t.Errorf("%v:\n%+v\n%+v", like, p, q)
		}
		for _, format := range []string{"terminal", "markdown", "html"} {
			a := renderComparison(t, lookup(t, format), there, report.Options{Width: 200})
			b := renderComparison(t, lookup(t, format), back, report.Options{Width: 200})
			const none = "no difference can be shown."
			if strings.Contains(a, none) != strings.Contains(b, none) || strings.Contains(a, none) == p.Shown() {
				t.Errorf("%v, %s: shown %v, but the reports say\n%s\n%s", like, format, p.Shown(), a, b)
			}
			for _, want := range []struct{ text, in string }{
				{fmt.Sprintf("hybrid is better than sparse in %s, worse in %s", part(p.Better, p.N), part(p.Worse, p.N)), a},
				{fmt.Sprintf("sparse is better than hybrid in %s, worse in %s", part(p.Worse, p.N), part(p.Better, p.N)), b},
			} {
				if !strings.Contains(strings.Join(strings.Fields(want.in), " "), want.text) {
					t.Errorf("%v, %s: no %q in\n%s", like, format, want.text, want.in)
				}
			}
		}
	}
}

func part(n, of int) string { return summary.Percent(float64(n) / float64(of)) }

// TestFailedSaid: a target that failed in one run loses the case, failures of both are ties.
func TestFailedSaid(t *testing.T) {
	t.Parallel()
	x := comparison(t, strategies(t).Reports[:2])
	var cases []assay.Preference
	for i, value := range []float64{1, 0, 0, 0, -1, -1} {
		cases = append(cases, assay.Preference{Case: fmt.Sprint(i), How: assay.PreferenceFailed, Value: value})
	}
	x.Prefer(assay.JudgeInfo{}, []summary.Preferred{{Old: 0, New: 1, Cases: cases}}, 1)
	said := strings.Join(strings.Fields(renderComparison(t, lookup(t, "terminal"), x, report.Options{Width: 200})), " ")
	for _, want := range []string{"1 case in which the target of " + x.Runs[0] + " alone failed, a loss; 2 cases in which the target of " +
		x.Runs[1] + " alone failed, losses; 3 cases in which the targets of both failed, ties."} {
		if !strings.Contains(said, want) {
			t.Errorf("no %q in\n%s", want, said)
		}
	}
}

// TestDuels: the pairs of runs, and the cases that both have.
func TestDuels(t *testing.T) {
	t.Parallel()
	all := strategies(t).Reports
	var six []*report.Report
	for i := range 6 {
		r := *all[i%3]
		r.Header.Name = fmt.Sprint("run", i)
		six = append(six, &r)
	}
	for n, want := range map[int]int{2: 1, 3: 3, 5: 10, 6: 5} {
		c := comparison(t, six[:n])
		duels := c.Duels()
		if len(duels) != want || report.DuelsOf(n) != want {
			t.Errorf("%d runs: %d pairs, foreseen %d, want %d", n, len(duels), report.DuelsOf(n), want)
		}
		for _, d := range duels {
			if n == 6 && d.Old != 0 {
				t.Errorf("six runs: %d and %d", d.Old, d.New)
			}
		}
	}
	// A run of which every case was asked twice is compared by the first draw; one that lacks
	// cases by those that it has.
	records := held(all[2])
	part := report.New(all[2].Header, records[10:40])
	d := comparison(t, []*report.Report{repeated(all[0]), part}).Duels()[0]
	if d.Len() != 30 {
		t.Fatalf("%d cases, want 30", d.Len())
	}
	for i := range d.Len() {
		old, young, err := d.At(i)
		if err != nil || old.Case.Draw != 0 || old.Case.Base() != young.Case.ID {
			t.Errorf("%d: %s, draw %d, beside %s: %v", i, old.Case.ID, old.Case.Draw, young.Case.ID, err)
		}
	}
}
