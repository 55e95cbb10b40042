package certify_test

import (
	"bytes"
	"context"
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/assay-eval/assay"
	"github.com/assay-eval/assay/judge"
	"github.com/assay-eval/assay/judge/audit/certify"
	"github.com/assay-eval/assay/judge/question"
)

// manyClaims are claims with one passage each, of which half are true.
func manyClaims(n int) string {
	var b strings.Builder
	for i := range n {
		fmt.Fprintf(&b, `{"id":"%d","claim":"claim %d","context":"passage of %d, %s","label":"%s","group":"%d"}`+"\n", i, i, i/2,
			[]string{"no", "yes"}[i%2], []string{"not_supported", "supported"}[i%2], i/2)
	}
	return b.String()
}

// A reader finds a claim in its passage, unless there are more passages than it can read: then
// it loses some claims.
type reader struct {
	// limit is the number of passages that it reads, lost one in how many claims it then loses,
	// and unruled is set if it gives no ruling on those.
	limit, lost int
	unruled     bool
	lists       map[string][]string
}

func (r *reader) judge() judge.Judge {
	r.lists = map[string][]string{}
	return scripted{info: assay.JudgeInfo{Provider: "p"}, table: judge.NewAnswers(
		question.Support.By(func(_ context.Context, _ judge.Subject, in question.SupportInput) (out []judge.Finding, _ error) {
			for _, c := range in.Claims {
				f := judge.Finding{Verdict: judge.NotFound}
				var i int
				_, _ = fmt.Sscanf(c.Text, "claim %d", &i)
				var texts []string
				for k, s := range in.Sources {
					texts = append(texts, s.Text)
					if s.Text == fmt.Sprintf("passage of %d, yes", i/2) && i%2 == 1 {
						f = judge.Finding{Verdict: judge.Supported, Degree: 1, Quotes: []judge.Quote{{Source: k}}}
					}
				}
				if len(texts) > r.limit && i/2%r.lost == 0 {
					f = judge.Finding{Verdict: judge.NotFound}
					if r.unruled {
						f.Verdict = judge.Unknown
					}
				}
				r.lists[fmt.Sprint(len(texts), " ", c.Text)] = texts
				out = append(out, f)
			}
			return out, nil
		}))}
}

// A judge that loses claims among more than five passages is safe up to five, whether it then
// says that they are not found or gives no ruling; one that loses none is safe up to the most.
func TestSafeBlock(t *testing.T) {
	t.Parallel()
	text := manyClaims(400)
	for _, c := range []struct {
		name string
		reader
		want  int
		worst float64
	}{
		{"loses a fifth", reader{limit: 5, lost: 5}, 5, -0.1},
		{"no ruling on a tenth", reader{limit: 5, lost: 10, unruled: true}, 5, -0.1},
		{"loses none", reader{limit: 50, lost: 5}, 20, 0},
		{"loses a fifth from two on", reader{limit: 1, lost: 5}, 1, -0.1},
	} {
		got, r := certificates(t, c.reader.judge(), text, certify.Options{Questions: []string{"support"}, Blocks: []int{20, 1, 10, 5}})
		x := got["support"]
		if x.SafeBlock != c.want || len(x.Blocks) != 4 || len(r.Omitted) != 0 {
			t.Fatalf("%s: safe up to %d of %+v, omitted %v: want %d of four", c.name, x.SafeBlock, x.Blocks, r.Omitted, c.want)
		}
		last := x.Blocks[3]
		if last.Passages != 20 || last.Items != 400 || *last.Difference.Value < c.worst-1e-9 || *last.Difference.Value > c.worst+1e-9 {
			t.Errorf("%s: %+v, difference %v: want %v at 20 passages", c.name, last, *last.Difference.Value, c.worst)
		}
		if ci := last.Difference.CI; ci == nil || !(ci[0] < c.worst && c.worst < ci[1]) {
			t.Errorf("%s: interval %v: want one around %v", c.name, ci, c.worst)
		}
		if x.Blocks[0].Difference.Value != nil || *x.Blocks[0].BalancedAccuracy.Value != 1 {
			t.Errorf("%s: %+v: want no difference at one passage", c.name, x.Blocks[0])
		}
	}
}

// A loss that is small and certain is not safe either.
func TestSmallCertainLoss(t *testing.T) {
	t.Parallel()
	r := reader{limit: 1, lost: 25}
	got, _ := certificates(t, r.judge(), manyClaims(2000), certify.Options{Questions: []string{"support"}, Blocks: []int{1, 5}})
	d := got["support"].Blocks[1].Difference
	if ci := d.CI; ci == nil || ci[1] >= 0 || ci[0] <= -assay.BlockMargin || got["support"].SafeBlock != 1 {
		t.Errorf("difference %v in %v, safe up to %d: want a certain loss of 0.02, and 1", *d.Value, ci, got["support"].SafeBlock)
	}
}

// With few items nothing is shown, and the smallest number remains.
func TestFewItemsShowNothing(t *testing.T) {
	t.Parallel()
	r := reader{limit: 50, lost: 5}
	got, _ := certificates(t, r.judge(), manyClaims(60), certify.Options{Questions: []string{"support"}, Blocks: []int{1, 5}})
	if x := got["support"]; x.SafeBlock != 1 || *x.Blocks[1].Difference.Value != 0 {
		t.Errorf("safe up to %d of %+v: want 1, because 60 items show no loss below 0.05", x.SafeBlock, x.Blocks)
	}
}

// The passage of a claim stands among passages of other sources, at any place, and those of a
// larger number are those of a smaller one and more. The same seed gives the same lists.
func TestPassagesAmongOthers(t *testing.T) {
	t.Parallel()
	lists := func(seed uint64) map[string][]string {
		r := reader{limit: 50, lost: 5}
		certificates(t, r.judge(), manyClaims(60), certify.Options{Questions: []string{"support"}, Blocks: []int{1, 5, 10}, Seed: seed})
		return r.lists
	}
	got := lists(1)
	places := map[int]bool{}
	for i := range 60 {
		five, ten := got[fmt.Sprintf("5 claim %d", i)], got[fmt.Sprintf("10 claim %d", i)]
		own := fmt.Sprintf("passage of %d, %s", i/2, []string{"no", "yes"}[i%2])
		if len(five) != 5 || !slices.Contains(five, own) || !slices.Contains(ten, own) {
			t.Fatalf("claim %d among %q and %q: want its passage %q in both", i, five, ten, own)
		}
		places[slices.Index(ten, own)] = true
		seen := map[string]bool{}
		for _, text := range ten {
			if text != own && strings.HasPrefix(text, fmt.Sprintf("passage of %d,", i/2)) || seen[text] {
				t.Errorf("claim %d: %q is of its own source or stands twice", i, text)
			}
			seen[text] = true
		}
		for _, text := range five {
			if !seen[text] {
				t.Errorf("claim %d: %q is among five and not among ten", i, text)
			}
		}
	}
	if len(places) < 8 {
		t.Errorf("places %v: want nearly all of ten", places)
	}
	if again := lists(1); fmt.Sprint(again) != fmt.Sprint(got) {
		t.Error("the same seed gives other lists")
	}
	if other := lists(2); fmt.Sprint(other) == fmt.Sprint(got) {
		t.Error("another seed gives the same lists")
	}
}

// Numbers of passages that cannot be asked about are told, and so is an option that compares
// nothing.
func TestBlocksThatCannotBe(t *testing.T) {
	t.Parallel()
	r := reader{limit: 50, lost: 5}
	got, report := certificates(t, r.judge(), manyClaims(20), certify.Options{Questions: []string{"support"}, Blocks: []int{1, 5, 50}})
	if x := got["support"]; len(x.Blocks) != 2 || len(report.Omitted) != 1 || report.Omitted[0].Question != "support in blocks of 50" {
		t.Errorf("%d points, omitted %+v: want two, and 50 omitted", len(x.Blocks), report.Omitted)
	}
	two := `{"id":"1","claim":"claim 1","contexts":["a","b"],"label":"yes"}` + "\n"
	got, _ = certificates(t, r.judge(), two, certify.Options{Questions: []string{"support"}, Blocks: []int{1, 5}})
	if got["support"].Blocks != nil || got["support"].SafeBlock != 0 {
		t.Errorf("%+v: want no curve of claims with several passages", got["support"].Blocks)
	}
	for _, blocks := range [][]int{{0, 5}, {5}, {5, 5}} {
		_, err := certify.Run(t.Context(), r.judge(), &certify.Set{}, certify.Options{Blocks: blocks, Now: time.Now})
		if err == nil || !strings.Contains(err.Error(), "want") {
			t.Errorf("blocks %v: error %v, want one", blocks, err)
		}
	}
}

// A curve is kept, and shown as a table; one that is not complete is refused.
func TestCurveIsKept(t *testing.T) {
	t.Parallel()
	r := reader{limit: 5, lost: 5}
	got, _ := certificates(t, r.judge(), manyClaims(400), certify.Options{Questions: []string{"support"}, Blocks: []int{1, 5, 10}})
	var b bytes.Buffer
	if err := certify.Write(&b, []assay.Certificate{got["support"]}); err != nil {
		t.Fatal(err)
	}
	file := b.String()
	kept, err := certify.Read(strings.NewReader(file))
	if err != nil || kept[0].SafeBlock != 5 || len(kept[0].Blocks) != 3 {
		t.Fatalf("%+v, %v", kept, err)
	}
	b.Reset()
	if err := certify.Markdown(&b, kept); err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{"\n| 1 | 400 | 1.000 | ", " | – | the others are compared with it |\n", "\n| 10 | 400 | 0.900 | ",
		" | -0.100 | -0.",
		"\nA run asks about at most 5 at once.\n"} {
		if !strings.Contains(b.String(), want) {
			t.Errorf("no %q in:\n%s", want, b.String())
		}
	}
	for _, edit := range [][2]string{{`"passages": 5`, `"passages": 1`}, {`"safe_block": 5`, `"safe_block": 7`}} {
		if _, err := certify.Read(strings.NewReader(strings.Replace(file, edit[0], edit[1], 1))); err == nil {
			t.Errorf("%s is read", edit[1])
		}
	}
}
