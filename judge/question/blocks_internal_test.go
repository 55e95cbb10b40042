package question

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"github.com/assay-eval/assay"
	"github.com/assay-eval/assay/judge"
)

// A passages judge rules by a function, and keeps what it was asked.
type passagesJudge struct {
	judge.Answers
	mu    sync.Mutex
	asked []SupportInput
}

func (*passagesJudge) Info() assay.JudgeInfo {
	return assay.JudgeInfo{Provider: "p", Model: "m", Prompts: map[string]string{"support": "1", "claims": "2"}}
}

func newPassagesJudge(rule func(sources []string, claim string, within []int) judge.Finding) *passagesJudge {
	j := &passagesJudge{}
	j.Answers = judge.NewAnswers(Support.By(func(_ context.Context, _ judge.Subject, in SupportInput) ([]judge.Finding, error) {
		j.mu.Lock()
		defer j.mu.Unlock()
		j.asked = append(j.asked, in)
		var texts []string
		for _, s := range in.Sources {
			if s.Text == "broken" {
				return nil, &judge.Error{Operation: "support", Message: "no reply"}
			}
			texts = append(texts, s.Text)
		}
		var out []judge.Finding
		for _, c := range in.Claims {
			out = append(out, rule(texts, c.Text, textsWithin(in.Sources, c.Within)))
		}
		return out, nil
	}))
	return j
}

// independent rules on each passage by itself: "+A" says claim A, "-A" denies it, "?A" says a part.
func independent(sources []string, claim string, within []int) judge.Finding {
	var says, denies, parts []judge.Quote
	for _, i := range within {
		q := judge.Quote{Source: i, Text: sources[i]}
		switch {
		case strings.Contains(sources[i], "+"+claim):
			says = append(says, q)
		case strings.Contains(sources[i], "-"+claim):
			denies = append(denies, q)
		case strings.Contains(sources[i], "?"+claim):
			parts = append(parts, q)
		}
	}
	switch {
	case says != nil:
		return judge.Finding{Verdict: judge.Supported, Degree: 1, Quotes: says, Contrary: denies}
	case denies != nil:
		return judge.Finding{Verdict: judge.Contradicted, Quotes: denies}
	}
	return judge.Finding{Verdict: judge.NotFound, Parts: parts}
}

// For a judge that rules each passage independently, blocks of any size give the ruling of all
// passages at once, with the same quotes, and no block is larger than the limit.
func TestBlocksOfIndependentPassages(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		var in SupportInput
		for i := range rapid.IntRange(0, 12).Draw(t, "sources") {
			text := strings.Join(rapid.SliceOfN(rapid.SampledFrom([]string{"+A", "-A", "?A", "+B", "-B", "?B", "x"}), 0, 2).Draw(t, "text"), " ")
			in.Sources = append(in.Sources, judge.Source{Name: fmt.Sprint(i), Text: text})
		}
		for range rapid.IntRange(1, 4).Draw(t, "claims") {
			c := judge.Claim{Text: rapid.SampledFrom([]string{"A", "B"}).Draw(t, "claim")}
			if len(in.Sources) > 0 && rapid.Bool().Draw(t, "limited") {
				c.Within = rapid.SliceOfNDistinct(rapid.IntRange(0, len(in.Sources)-1), 1, len(in.Sources), rapid.ID[int]).Draw(t, "within")
			}
			in.Claims = append(in.Claims, c)
		}
		size := rapid.IntRange(1, 13).Draw(t, "size")
		whole, blocks := newPassagesJudge(independent), newPassagesJudge(independent)
		s := judge.Subject{Language: judge.English}
		want, err := Support.Ask(t.Context(), whole, s, in)
		if err != nil {
			t.Fatal(err)
		}
		got, err := Support.Ask(t.Context(), InBlocks(blocks, map[judge.Language]int{judge.English: size}), s, in)
		if err != nil {
			t.Fatal(err)
		}
		for _, list := range [][]judge.Finding{want, got} {
			for i := range list {
				list[i].Why = ""
			}
		}
		if d := cmp.Diff(want, got); d != "" {
			t.Errorf("blocks of %d differ (-at once +in blocks):\n%s", size, d)
		}
		for _, a := range blocks.asked {
			if n := len(textsWithin(a.Sources, nil)); n > max(2, size) {
				t.Errorf("%d passages at once, want at most %d", n, size)
			}
		}
	})
}

// What two findings give together, by the table of [merged].
func TestMerged(t *testing.T) {
	t.Parallel()
	says := judge.Finding{Verdict: judge.Supported, Degree: 1, Why: "says", Quotes: []judge.Quote{{Source: 0}}, Singly: true,
		Votes: judge.Votes{For: 3}}
	joint := judge.Finding{Verdict: judge.Supported, Degree: 1, Why: "joint", Quotes: []judge.Quote{{Source: 3}, {Source: 4}}}
	denies := judge.Finding{Verdict: judge.Contradicted, Why: "denies", Quotes: []judge.Quote{{Source: 5}},
		Votes: judge.Votes{For: 2, Against: 1}}
	more := judge.Finding{Verdict: judge.Supported, Degree: 1, Why: "more", Quotes: []judge.Quote{{Source: 2}}, Singly: true}
	silent := judge.Finding{Verdict: judge.NotFound, Degree: 0.2, Why: "silent", Votes: judge.Votes{For: 2, Against: 1}}
	certain := denies
	certain.Votes = judge.Votes{For: 3}
	mute := judge.Finding{Verdict: judge.NotFound, Degree: 0.1, Why: "mute", Votes: judge.Votes{For: 3}}
	part := judge.Finding{Verdict: judge.NotFound, Why: "part", Parts: []judge.Quote{{Source: 7}}, Votes: judge.Votes{For: 3}}
	none := judge.Finding{Why: "none"}
	votes := func(f, against int) judge.Votes { return judge.Votes{For: f, Against: against} }
	for _, c := range []struct {
		name                     string
		found                    []judge.Finding
		verdict                  judge.Verdict
		quotes, contrary, parted string
		votes                    judge.Votes
		why                      string
		degree                   float64
	}{
		{"nothing to look in", nil, judge.NotFound, "", "", "", votes(0, 0), "there is no text to find it in", 0},
		{"supported beside silence", []judge.Finding{silent, says}, judge.Supported, "0 each", "", "", votes(3, 0), "says", 1},
		{"supported without a ruling of the other", []judge.Finding{none, says}, judge.Supported, "0 each", "", "", votes(3, 0), "says", 1},
		{"supported and a part", []judge.Finding{part, says}, judge.Supported, "0 each", "", "", votes(3, 0), "says", 1},
		{"by one, and by two", []judge.Finding{joint, says}, judge.Supported, "0 3 4", "", "", votes(3, 0), "says", 1},
		{"by two, and by one", []judge.Finding{more, joint}, judge.Supported, "2 3 4", "", "", votes(0, 0), "more", 1},
		{"by one, twice", []judge.Finding{says, more}, judge.Supported, "0 2 each", "", "", votes(3, 0), "says", 1},
		{"conflict", []judge.Finding{says, denies}, judge.Supported, "0 each", "5", "", votes(2, 1), "says; against it: denies", 1},
		{"contradicted beside silence", []judge.Finding{mute, denies}, judge.Contradicted, "5", "", "", votes(2, 1), "denies", 0},
		{"contradicted beside doubt", []judge.Finding{silent, certain}, judge.Contradicted, "5", "", "", votes(2, 1), "denies", 0},
		{"contradicted without a ruling of the other", []judge.Finding{none, denies}, judge.Contradicted, "5", "", "", votes(2, 1), "denies", 0},
		{"unknown", []judge.Finding{silent, none, part}, judge.Unknown, "", "", "", votes(0, 0), "none", 0},
		{"a part", []judge.Finding{silent, part}, judge.NotFound, "", "", "7", votes(2, 1), "part", 0.2},
		{"silence", []judge.Finding{mute, silent}, judge.NotFound, "", "", "", votes(2, 1), "silent", 0.2},
	} {
		list := func(quotes []judge.Quote) string {
			var out []string
			for _, q := range quotes {
				out = append(out, fmt.Sprint(q.Source))
			}
			return strings.Join(out, " ")
		}
		got := merged(c.found)
		quotes := list(got.Quotes)
		if got.Singly {
			quotes += " each"
		}
		if got.Verdict != c.verdict || quotes != c.quotes || list(got.Contrary) != c.contrary || list(got.Parts) != c.parted ||
			got.Votes != c.votes || got.Why != c.why || got.Degree != c.degree {
			t.Errorf("%s: %+v, want verdict %d, quotes %q, contrary %q, parts %q, votes %+v, %q, degree %v", c.name, got, c.verdict, c.quotes,
				c.contrary, c.parted, c.votes, c.why, c.degree)
		}
	}
}

// At both ends of the interval of a threshold the findings there are merged, with the sources as
// in the whole.
func TestMergedAtBothEnds(t *testing.T) {
	t.Parallel()
	no := judge.Finding{Verdict: judge.NotFound, Why: "no"}
	says := judge.Finding{Verdict: judge.Supported, Degree: 1, Why: "says", Quotes: []judge.Quote{{Source: 0, Alone: true}}, Singly: true}
	open := no
	open.Ends = &[2]judge.Finding{says, no}
	got := merged([]judge.Finding{no, relocated(open, []int{4})})
	if got.Verdict != judge.NotFound || got.Ends == nil || got.Ends[1].Verdict != judge.NotFound || got.Ends[0].Verdict != judge.Supported ||
		got.Ends[0].Quotes[0].Source != 4 {
		t.Errorf("%+v with %+v: want supported by the fifth source at the lower end alone", got, got.Ends)
	}
	if got := merged([]judge.Finding{no, says}); got.Ends != nil {
		t.Errorf("ends %+v without a threshold", got.Ends)
	}
}

// The score of a judge by a threshold is the highest of any block.
func TestMergedScore(t *testing.T) {
	t.Parallel()
	low, high := 0.2, 0.4
	got := merged([]judge.Finding{{Verdict: judge.NotFound, Score: &low}, {Verdict: judge.NotFound, Score: &high}, {Verdict: judge.NotFound}})
	if got.Score == nil || *got.Score != high {
		t.Errorf("score %v, want %v", got.Score, high)
	}
}

// Parts in two blocks are read side by side once more, and only that reading decides.
func TestPartsOfTwoBlocks(t *testing.T) {
	t.Parallel()
	size := 2
	ask := func(verdict judge.Verdict, texts ...string) (judge.Finding, [][]string) {
		t.Helper()
		j := newPassagesJudge(func(sources []string, claim string, within []int) judge.Finding {
			f := independent(sources, claim, within)
			if len(f.Parts) > 1 {
				f.Verdict, f.Quotes, f.Parts = verdict, f.Parts, nil
			}
			return f
		})
		in := SupportInput{Claims: []judge.Claim{{Text: "A"}}}
		for i, x := range texts {
			in.Sources = append(in.Sources, judge.Source{Name: fmt.Sprint(i), Text: x})
		}
		got, err := Support.Ask(t.Context(), InBlocks(j, map[judge.Language]int{judge.English: size}), judge.Subject{Language: judge.English}, in)
		if err != nil {
			t.Fatal(err)
		}
		var asked [][]string
		for _, a := range j.asked {
			var names []string
			for _, s := range a.Sources {
				names = append(names, s.Name)
			}
			asked = append(asked, names)
		}
		slices.SortFunc(asked, slices.Compare)
		return got[0], asked
	}
	f, asked := ask(judge.Supported, "x", "?A first", "x", "?A second")
	want := []judge.Quote{{Source: 1, Text: "?A first"}, {Source: 3, Text: "?A second"}}
	if d := cmp.Diff(want, f.Quotes); f.Verdict != judge.Supported || d != "" || fmt.Sprint(asked) != "[[0 1] [1 3] [2 3]]" {
		t.Errorf("%+v after %v: want it supported by 1 and 3 together\n%s", f, asked, d)
	}
	if f, _ = ask(judge.Unknown, "x", "?A first", "x", "?A second"); !f.Partly() || len(f.Parts) != 2 {
		t.Errorf("%+v: want both parts, where the reading side by side gives no ruling", f)
	}
	if f, asked = ask(judge.Supported, "x", "?A first", "x", "x"); !f.Partly() || len(asked) != 2 {
		t.Errorf("%+v after %v: want a part, and no third call", f, asked)
	}
	if f, asked = ask(judge.Supported, "-A", "?A first", "x", "?A second"); f.Verdict != judge.Contradicted || len(asked) != 2 {
		t.Errorf("%+v after %v: want it contradicted, and no third call", f, asked)
	}
	if f, _ = ask(judge.Supported, "broken", "?A first", "+A", "x"); f.Verdict != judge.Supported {
		t.Errorf("%+v: want it supported by the block that was read", f)
	}
	size = 1
	f, asked = ask(judge.Supported, "?A first", "?A second", "?A third")
	if f.Verdict != judge.Supported || fmt.Sprint(asked) != "[[0] [0 1] [1] [2]]" {
		t.Errorf("%+v after %v: want two passages side by side, though one is the limit", f, asked)
	}
	size = 2
	if f, _ = ask(judge.Supported, "broken", "?A first", "x", "x"); f.Verdict != judge.Unknown || !strings.Contains(f.Why, "no reply") {
		t.Errorf("%+v: want it unknown, with the reason", f)
	}
}

// Without a limit for the language, or with no more passages than it, base is asked as it is;
// where every block fails, the task does.
func TestBlocksOnlyAboveTheLimit(t *testing.T) {
	t.Parallel()
	in := SupportInput{Claims: []judge.Claim{{Text: "A", Within: []int{1, 0}}},
		Sources: []judge.Source{{Text: "+A"}, {Text: "x"}, {Text: " "}, {Text: "y"}}}
	for language, want := range map[judge.Language]int{judge.English: 4, judge.Chinese: 2} {
		j := newPassagesJudge(independent)
		sizes := map[judge.Language]int{judge.Chinese: 2}
		if _, err := Support.Ask(t.Context(), InBlocks(j, sizes), judge.Subject{Language: language}, in); err != nil {
			t.Fatal(err)
		}
		if len(j.asked) != 1 || len(j.asked[0].Sources) != want {
			t.Errorf("%s: asked %+v, want once with %d sources", language, j.asked, want)
		}
	}
	j := newPassagesJudge(independent)
	three := map[judge.Language]int{judge.English: 3}
	if _, err := Support.Ask(t.Context(), InBlocks(j, three), judge.Subject{Language: judge.English}, in); err != nil {
		t.Fatal(err)
	}
	if d := cmp.Diff([]SupportInput{in}, j.asked); d != "" {
		t.Errorf("asked otherwise than base (-want +got):\n%s", d)
	}
	broken := SupportInput{Claims: []judge.Claim{{Text: "A"}}, Sources: []judge.Source{{Text: "broken"}, {Text: "broken"}}}
	_, err := Support.Ask(t.Context(), InBlocks(j, map[judge.Language]int{judge.English: 1}), judge.Subject{Language: judge.English}, broken)
	if e := (*judge.Error)(nil); !errors.As(err, &e) {
		t.Errorf("error %v, want that of the judge", err)
	}
}

// The judge says of itself what limits it, for this task alone.
func TestBlocksAreInTheInfo(t *testing.T) {
	t.Parallel()
	base := newPassagesJudge(independent)
	if InBlocks(base, nil) != judge.Judge(base) {
		t.Error("without sizes it is another judge")
	}
	info := InBlocks(base, map[judge.Language]int{judge.English: 5, judge.Chinese: 1}).Info()
	of := info.For("support")
	if d := cmp.Diff(map[string]string{"block.en": "5", "block.zh": "1"}, of.Parameters); d != "" || of.Prompts["support"] != "1" {
		t.Errorf("%+v:\n%s", of, d)
	}
	if p := info.For("claims"); p.Parameters != nil || p.Prompts["claims"] != "2" || info.Delegates() != nil {
		t.Errorf("%+v delegates %v: want other questions as of base", p, info.Delegates())
	}
	basis := base.Info()
	c := assay.Certificate{Question: "support", Judge: basis.About([]string{"support"})}
	if !c.Fits(&info) || !c.Fits(&basis) {
		t.Error("the certificate does not fit the judge that follows it")
	}
}
