package judge_test

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"github.com/assay-eval/assay"
	"github.com/assay-eval/assay/judge"
	"github.com/assay-eval/assay/judge/question"
)

func TestOnePassIsTheJudgeItself(t *testing.T) {
	t.Parallel()
	j := &script{}
	if judge.Voting(judge.Passes{Most: 1, All: true}, func(int) judge.Judge { return j }) != judge.Judge(j) {
		t.Error("one pass is not the judge itself")
	}
}

func TestVotingInfo(t *testing.T) {
	t.Parallel()
	at := func(int) judge.Judge { return &script{info: assay.JudgeInfo{Provider: "p", Passes: 1}} }
	if got := judge.Voting(judge.Passes{Most: 4, All: true}, at).Info(); got.Passes != 5 || got.Provider != "p" {
		t.Errorf("got %+v, want 5 passes of p: an even number counts as the next odd one", got)
	}
}

// word gives the verdict that a letter stands for; x is a pass that failed on
// the item.
func word(c byte) judge.Verdict {
	switch c {
	case 's':
		return judge.Supported
	case 'c':
		return judge.Contradicted
	case 'n':
		return judge.NotFound
	}
	return judge.Unknown
}

// TestVotingItemByItem: the votes of each claim are the letters of its name, by
// draw. Only what is open is asked again.
func TestVotingItemByItem(t *testing.T) {
	t.Parallel()
	d := &draws{make: func(draw int) *script {
		return &script{support: func(claim string) judge.Finding {
			return finding(word(claim[draw]), fmt.Sprintf("draw %d", draw))
		}}
	}}
	j := judge.Voting(judge.Passes{Most: 3, All: true}, d.at)
	in := []string{"ssxxx", "scsxx", "nccxx", "scnss", "xxscs", "xsxxx", "xxxxx", "xssxx"}
	got, err := question.Support.Ask(t.Context(), j, judge.Subject{}, question.SupportInput{Claims: claims(in...), Sources: nil})
	if err != nil {
		t.Fatal(err)
	}
	var lines []string
	for i, f := range got {
		quote := ""
		if len(f.Quotes) > 0 {
			quote = f.Quotes[0].Text
		}
		lines = append(lines, fmt.Sprintf("%s %v %d:%d %v %s|%s", in[i], f.Verdict, f.For, f.Against, f.Split(), f.Why, quote))
	}
	want := []string{
		"ssxxx supported 2:0 false draw 0|draw 0",
		"scsxx supported 2:1 true draw 0|draw 0",
		// The reason comes from a vote for the winner: draw 1, not draw 0.
		"nccxx contradicted 2:1 true draw 1|",
		// Three votes for three verdicts: no majority of 3 passes is possible.
		"scnss unknown 0:3 true 3 passes disagree|",
		// Draws 0 and 1 failed; 2, 3 and 4 are s, c, s.
		"xxscs supported 2:1 true draw 2|draw 2",
		// A single vote in five draws is no majority.
		"xsxxx unknown 0:0 false only 1 of 3 passes gave a ruling: draw 4|",
		"xxxxx unknown 0:0 false no pass gave a ruling: draw 3|",
		"xssxx supported 2:0 false draw 1|draw 1",
	}
	if diff := cmp.Diff(want, lines); diff != "" {
		t.Error(diff)
	}
	// The seventh claim needs two votes more after draw 3, when one draw is
	// left: it is not asked in vain, and its reason is that of draw 3.
	asked := map[int][]string{
		0: in, 1: in,
		2: {"scsxx", "nccxx", "scnss", "xxscs", "xsxxx", "xxxxx", "xssxx"},
		3: {"xxscs", "xsxxx", "xxxxx"},
		4: {"xxscs", "xsxxx"},
	}
	for draw, items := range asked {
		if diff := cmp.Diff([][]string{items}, d.made[draw].asked); diff != "" {
			t.Errorf("draw %d: %s", draw, diff)
		}
	}
	if got := d.used(); !slices.Equal(got, []int{0, 1, 2, 3, 4}) {
		t.Errorf("draws %v were used: want 0 to 4", got)
	}
}

// full is the decision of all k passes: the label that most passes, more than
// half, gave; ordered labels have their median.
func full(votes []float64, ordered bool) (float64, bool) {
	if ordered {
		s := slices.Clone(votes)
		slices.Sort(s)
		return s[len(s)/2], true
	}
	for _, v := range votes {
		n := 0
		for _, w := range votes {
			if v == w {
				n++
			}
		}
		if 2*n > len(votes) {
			return v, true
		}
	}
	return 0, false
}

// sequences lists all of length n over labels 0 to k−1.
func sequences(n, k int) [][]float64 {
	out := [][]float64{nil}
	for range n {
		var next [][]float64
		for _, s := range out {
			for label := range k {
				next = append(next, append(slices.Clone(s), float64(label)))
			}
		}
		out = next
	}
	return out
}

// TestCurtailedIsFull: for every sequence of votes the curtailed vote through
// the judge decides as all passes would have.
func TestCurtailedIsFull(t *testing.T) {
	t.Parallel()
	verdicts := []judge.Verdict{judge.Supported, judge.Contradicted, judge.NotFound}
	for _, k := range []int{3, 5} {
		for _, labels := range []int{2, 3} {
			all := sequences(k, labels)
			names := make([]string, len(all))
			sources := make([]judge.Source, len(all))
			index := map[string]int{}
			for i, s := range all {
				names[i] = fmt.Sprint(s)
				sources[i].Text = names[i]
				index[names[i]] = i
			}
			j := judge.Voting(judge.Passes{Most: k, All: true}, func(draw int) judge.Judge {
				return &script{
					support: func(c string) judge.Finding { return finding(verdicts[int(all[index[c]][draw])], "") },
					relevance: func(p string) judge.Grade {
						return judge.Grade{Known: true, Level: int(all[index[p]][draw])}
					},
				}
			})
			findings, err := question.Support.Ask(t.Context(), j, judge.Subject{}, question.SupportInput{Claims: claims(names...), Sources: nil})
			if err != nil {
				t.Fatal(err)
			}
			grades, err := question.Grade.Ask(t.Context(), j, judge.Subject{}, sources)
			if err != nil {
				t.Fatal(err)
			}
			for i, s := range all {
				want := judge.Unknown
				if label, ok := full(s, false); ok {
					want = verdicts[int(label)]
				}
				if findings[i].Verdict != want {
					t.Errorf("%v: %v, want %v", s, findings[i].Verdict, want)
				}
				level, _ := full(s, true)
				if !grades[i].Known || grades[i].Level != int(level) {
					t.Errorf("%v: grade %+v, want %v", s, grades[i], level)
				}
			}
		}
	}
}

func TestVotingEquivalent(t *testing.T) {
	t.Parallel()
	unread := &judge.Error{Operation: "equivalence", Message: "not JSON", Raw: "maybe"}
	for _, c := range []struct {
		votes string
		want  string
		draws int
	}{
		{"yy", "true 2:0", 2},
		{"yny", "true 2:1", 3},
		{"nyn", "false 2:1", 3},
		{"xyy", "true 2:0", 3},
		{"xxyny", "true 2:1", 5},
		{"xyxxx", "judge: equivalence: only 1 of 3 passes gave a ruling: not JSON; the reply: \"maybe\"", 5},
		{"xxxxx", "judge: equivalence: not JSON; the reply: \"maybe\"", 3},
	} {
		d := &draws{make: func(draw int) *script {
			return &script{equivalent: func() (judge.Ruling, error) {
				if c.votes[draw] == 'x' {
					return judge.Ruling{}, unread
				}
				return judge.Ruling{Holds: c.votes[draw] == 'y'}, nil
			}}
		}}
		r, err := question.Compare.Ask(
			t.Context(), judge.Voting(judge.Passes{Most: 3, All: true}, d.at), judge.Subject{}, question.CompareInput{Answer: "a", References: []string{"b"}},
		)
		got := fmt.Sprintf("%v %d:%d", r.Holds, r.For, r.Against)
		if err != nil {
			got = err.Error()
		}
		if got != c.want || len(d.used()) != c.draws {
			t.Errorf("%s: %s in draws %v, want %s in %d", c.votes, got, d.used(), c.want, c.draws)
		}
	}
}

func TestVotingAssignsTheMedian(t *testing.T) {
	t.Parallel()
	credit := map[byte]float64{'0': 0, '5': 0.5, '1': 1}
	j := judge.Voting(judge.Passes{Most: 3, All: true}, func(draw int) judge.Judge {
		return &script{assign: func(p string) judge.Assignment {
			c, known := credit[p[draw]]
			return judge.Assignment{Known: known, Credit: c, Quote: p[draw : draw+1]}
		}}
	})
	got, err := question.Assign.Ask(
		t.Context(), j, judge.Subject{}, question.AssignInput{Points: []string{"051xx", "115xx", "0x1xx"}, Answer: "answer"},
	)
	if err != nil {
		t.Fatal(err)
	}
	want := []judge.Assignment{
		{Known: true, Credit: 0.5, Quote: "5", Votes: judge.Votes{For: 1, Against: 2}},
		{Known: true, Credit: 1, Quote: "1", Votes: judge.Votes{For: 2}},
		{Why: "2 passes disagree", Votes: judge.Votes{Against: 2}},
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
}

func TestVotingMarks(t *testing.T) {
	t.Parallel()
	levels := [][]float64{{4, 1}, {2, 1}, {3, 0}}
	rubric := judge.Rubric{Dimensions: make([]judge.Dimension, 2)}
	d := &draws{make: func(draw int) *script {
		return &script{mark: func() ([]judge.Mark, error) {
			if draw == 0 {
				return []judge.Mark{{Level: 9}}, nil // a dimension is missing: no vote
			}
			var out []judge.Mark
			for _, l := range levels[draw-1] {
				out = append(out, judge.Mark{Level: l})
			}
			return out, nil
		}}
	}}
	got, err := question.Mark.Ask(t.Context(), judge.Voting(judge.Passes{Most: 3, All: true}, d.at), judge.Subject{}, question.MarkInput{Rubric: rubric, Work: judge.Work{}})
	if err != nil {
		t.Fatal(err)
	}
	// The second dimension was settled by two passes and is not counted again.
	want := []judge.Mark{{Level: 3, Votes: judge.Votes{For: 1, Against: 2}}, {Level: 1, Votes: judge.Votes{For: 2}}}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
}

func TestVotingReadsOnce(t *testing.T) {
	t.Parallel()
	var used []int
	at := func(draw int) judge.Judge {
		return judgeFunc(func(context.Context) (any, error) {
			used = append(used, draw)
			return []judge.Reversed{{Question: fmt.Sprint(draw)}}, nil
		})
	}
	got, err := question.Reverse.Ask(t.Context(), judge.Voting(judge.Passes{Most: 5, All: true}, at), judge.Subject{}, question.ReverseInput{})
	if err != nil || len(got) != 1 || got[0].Question != "0" || !slices.Equal(used, []int{0}) {
		t.Errorf("got %+v (%v) from draws %v, want the questions of draw 0", got, err, used)
	}
}

func TestVotingErrors(t *testing.T) {
	t.Parallel()
	fatal := &judge.FatalError{Err: errors.New("the budget is spent")}
	fails := func(err error) func(int) judge.Judge {
		return func(int) judge.Judge {
			return &script{fail: err, support: func(string) judge.Finding { return judge.Finding{} }}
		}
	}
	_, err := question.Support.Ask(
		t.Context(), judge.Voting(judge.Passes{Most: 3, All: true}, fails(fatal)), judge.Subject{}, question.SupportInput{Claims: claims("a"), Sources: nil},
	)
	if !errors.Is(err, fatal) {
		t.Errorf("got %v, want the fatal error", err)
	}
	// One fatal draw is enough, whatever the others say.
	mixed := func(draw int) judge.Judge {
		j := &script{support: func(string) judge.Finding { return finding(judge.Supported, "") }}
		if draw == 1 {
			j.fail = fatal
		}
		return j
	}
	if _, err = question.Support.Ask(
		t.Context(), judge.Voting(judge.Passes{Most: 5, All: true}, mixed), judge.Subject{}, question.SupportInput{Claims: claims("a"), Sources: nil},
	); !errors.Is(err, fatal) {
		t.Errorf("got %v, want the fatal error of one draw", err)
	}
	_, err = question.Support.Ask(
		t.Context(), judge.Voting(judge.Passes{Most: 3, All: true}, fails(errors.New("no reply"))), judge.Subject{}, question.SupportInput{Claims: claims("a"), Sources: nil},
	)
	if err == nil || err.Error() != "no reply" {
		t.Errorf("got %v, want the error of the passes", err)
	}
	for _, all := range []bool{false, true} {
		var asked atomic.Int64
		_, err = question.Support.Ask(t.Context(), judge.Voting(judge.Passes{Most: 3, All: all}, func(draw int) judge.Judge {
			asked.Add(1)
			return fails(errors.New("no reply"))(draw)
		}), judge.Subject{}, question.SupportInput{Claims: claims("a"), Sources: nil})
		if err == nil || asked.Load() > 3 {
			t.Errorf("all %v: %v after %d passes, want at most 3", all, err, asked.Load())
		}
	}
	short := func(int) judge.Judge {
		return &script{wrongLength: true, support: func(string) judge.Finding { return finding(judge.Supported, "") }}
	}
	_, err = question.Support.Ask(
		t.Context(), judge.Voting(judge.Passes{Most: 3, All: true}, short), judge.Subject{}, question.SupportInput{Claims: claims("a", "b"), Sources: nil},
	)
	if err == nil || !strings.Contains(err.Error(), "1 rulings for 2 items") {
		t.Errorf("got %v, want an error for a list of another length", err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	_, err = question.Support.Ask(ctx, judge.Voting(judge.Passes{Most: 3, All: true}, fails(nil)), judge.Subject{}, question.SupportInput{Claims: claims("a"), Sources: nil})
	if !errors.Is(err, context.Canceled) {
		t.Errorf("got %v, want the context's error", err)
	}
	if got, err := question.Support.Ask(
		t.Context(), judge.Voting(judge.Passes{Most: 3, All: true}, fails(fatal)), judge.Subject{}, question.SupportInput{Claims: nil, Sources: nil},
	); err != nil || len(got) != 0 {
		t.Errorf("no claims: got %v, %v, want nothing asked", got, err)
	}
}

// Whatever fails, a vote never makes more than two draws beyond its passes,
// decides by the first votes in order of the draws, and needs no more of them
// than asking one by one would.
func TestVotingSpendsNoMoreThanNeeded(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		k := rapid.SampledFrom([]int{3, 5, 7}).Draw(t, "k")
		votes := rapid.StringMatching(fmt.Sprintf("[snx]{%d}", k+2)).Draw(t, "votes")
		d := &draws{make: func(draw int) *script {
			return &script{support: func(c string) judge.Finding { return finding(word(c[draw]), "") }}
		}}
		got, err := question.Support.Ask(
			context.Background(), judge.Voting(judge.Passes{Most: k, All: true}, d.at), judge.Subject{}, question.SupportInput{Claims: claims(votes), Sources: nil},
		)
		if err != nil {
			t.Fatal(err)
		}
		count := map[byte]int{}
		want, calls := judge.Unknown, len(votes)
		for i := range len(votes) {
			count[votes[i]]++
			if votes[i] != 'x' && count[votes[i]] == k/2+1 {
				want, calls = word(votes[i]), i+1
				break
			}
		}
		if got[0].Verdict != want {
			t.Fatalf("%s: %v, want %v", votes, got[0].Verdict, want)
		}
		if used := len(d.used()); used > calls || used < k/2+1 {
			t.Fatalf("%s: %d draws, want at most %d", votes, used, calls)
		}
	})
}

// A vote that never agrees, with passes that fail, takes no more draws than
// Draws says; one that agrees takes fewer.
func TestDrawsIsTheMost(t *testing.T) {
	t.Parallel()
	for _, test := range []struct{ passes, want int }{{0, 1}, {1, 1}, {2, 5}, {3, 5}, {4, 7}, {5, 7}} {
		if got := judge.Draws(test.passes); got != test.want {
			t.Errorf("%d passes take up to %d draws, want %d", test.passes, got, test.want)
		}
		most := 0
		var mu sync.Mutex
		j := judge.Voting(judge.Passes{Most: test.passes, All: true}, func(draw int) judge.Judge {
			mu.Lock()
			defer mu.Unlock()
			most = max(most, draw+1)
			return &script{support: func(string) judge.Finding {
				// The first two fail on the item, the others differ as long as
				// they can.
				return finding([]judge.Verdict{judge.Unknown, judge.Unknown, judge.Supported, judge.NotFound, judge.Contradicted, judge.Supported,
					judge.NotFound}[draw], "")
			}}
		})
		if _, err := question.Support.Ask(t.Context(), j, judge.Subject{}, question.SupportInput{Claims: claims("x"), Sources: nil}); err != nil {
			t.Fatal(err)
		}
		if most > test.want {
			t.Errorf("%d passes took %d draws, want at most %d", test.passes, most, test.want)
		}
	}
}

// sure makes the draws of a judge whose verdicts on a claim are the letters of its name, by
// draw; a capital letter is a ruling that is sure.
func sure(draw int) *script {
	return &script{support: func(claim string) judge.Finding {
		letter := claim[draw]
		f := finding(word(letter|0x20), fmt.Sprintf("draw %d", draw))
		f.Sure = letter < 'a'
		return f
	}}
}

// A sure first ruling decides, alone; the others are voted on. The question is chosen so that
// the list is none of those that are rechecked.
func TestVotingSparesSureRulings(t *testing.T) {
	t.Parallel()
	d := &draws{make: sure}
	meter := &judge.Meter{}
	in := []string{"Snnxx", "ssxxx", "Cssxx", "sNnxx", "xSsxx"}
	got, err := question.Support.Ask(judge.WithMeter(t.Context(), meter), judge.Voting(judge.Passes{Most: 3}, d.at),
		judge.Subject{Question: notRechecked(t, in)}, question.SupportInput{Claims: claims(in...)})
	if err != nil {
		t.Fatal(err)
	}
	var lines []string
	for i, f := range got {
		lines = append(lines, fmt.Sprintf("%s %v %d:%d %v", in[i], f.Verdict, f.For, f.Against, f.Sure))
	}
	want := []string{
		"Snnxx supported 1:0 false", "ssxxx supported 2:0 false", "Cssxx contradicted 1:0 false", "sNnxx not_found 2:1 false",
		// A later ruling that is sure does not decide alone.
		"xSsxx supported 2:0 false",
	}
	if diff := cmp.Diff(want, lines); diff != "" {
		t.Error(diff)
	}
	for draw, items := range map[int][]string{0: in, 1: {"ssxxx", "sNnxx", "xSsxx"}, 2: {"sNnxx", "xSsxx"}} {
		if diff := cmp.Diff([][]string{items}, d.made[draw].asked); diff != "" {
			t.Errorf("draw %d: %s", draw, diff)
		}
	}
	if spent, _ := meter.Total(); spent.Rechecked != 0 || spent.Overturned != 0 {
		t.Errorf("%+v: want nothing rechecked", spent)
	}
}

// notRechecked returns a question about claims that is not one of those that are put to a vote
// in full, as the draws of a probe show.
func notRechecked(t *testing.T, in []string) string { return asked(t, in, false) }

func asked(t *testing.T, in []string, rechecked bool) string {
	t.Helper()
	for i := range 1000 {
		q := fmt.Sprint("question ", i)
		d := &draws{make: func(int) *script {
			return &script{support: func(string) judge.Finding {
				f := finding(judge.Supported, "")
				f.Sure = true
				return f
			}}
		}}
		if _, err := question.Support.Ask(t.Context(), judge.Voting(judge.Passes{Most: 3}, d.at), judge.Subject{Question: q},
			question.SupportInput{Claims: claims(in...)}); err != nil {
			t.Fatal(err)
		}
		if (len(d.used()) > 1) == rechecked {
			return q
		}
	}
	t.Fatal("no such question of a thousand")
	return ""
}

// In a list that is rechecked, sure rulings are voted on like the others, and it is counted
// how many the vote does not confirm: those that it decides otherwise or leaves undecided.
func TestVotingRechecksSureRulings(t *testing.T) {
	t.Parallel()
	in := []string{"Snnxx", "Snsxx", "Ssxxx", "snsxx", "Sncxx", "Sxxxx"}
	for _, all := range []bool{false, true} {
		d := &draws{make: sure}
		meter := &judge.Meter{}
		got, err := question.Support.Ask(judge.WithMeter(t.Context(), meter), judge.Voting(judge.Passes{Most: 3, All: all}, d.at),
			judge.Subject{Question: asked(t, in, true)}, question.SupportInput{Claims: claims(in...)})
		if err != nil {
			t.Fatal(err)
		}
		if v := got[0].Verdict; v != judge.NotFound {
			t.Errorf("all %v: %v, want the decision of the vote", all, v)
		}
		// Of the five that were sure, the last has a single vote: nothing was compared.
		if spent, _ := meter.Total(); spent.Rechecked != 4 || spent.Overturned != 2 {
			t.Errorf("all %v: %d of %d were overturned, want 2 of 4", all, spent.Overturned, spent.Rechecked)
		}
	}
}

// One list in ten is rechecked, the same ones always.
func TestRecheckedShare(t *testing.T) {
	t.Parallel()
	count := func() (n int) {
		for i := range 2000 {
			d := &draws{make: func(int) *script {
				return &script{equivalent: func() (judge.Ruling, error) { return judge.Ruling{Holds: true, Votes: judge.Votes{Sure: true}}, nil }}
			}}
			if _, err := question.Compare.Ask(t.Context(), judge.Voting(judge.Passes{Most: 3}, d.at), judge.Subject{},
				question.CompareInput{Answer: fmt.Sprint(i), References: []string{"b"}}); err != nil {
				t.Fatal(err)
			}
			n += len(d.used()) - 1
		}
		return n
	}
	// 200 ± 4 standard deviations.
	if n := count(); n < 146 || n > 254 || n != count() {
		t.Errorf("%d of 2000 were rechecked, then %d: want the same tenth", n, count())
	}
}

// The judge says which rulings it puts to a vote: a run that voted on all is not comparable.
func TestVotingInfoTellsWhatIsRechecked(t *testing.T) {
	t.Parallel()
	parameters := map[string]string{"seed": "1"}
	at := func(int) judge.Judge { return &script{info: assay.JudgeInfo{Parameters: parameters}} }
	if got := judge.Voting(judge.Passes{Most: 3}, at).Info().Parameters; got["recheck"] != "doubtful" || got["seed"] != "1" {
		t.Errorf("got %v", got)
	}
	if got := judge.Voting(judge.Passes{Most: 3, All: true}, at).Info().Parameters; got["recheck"] != "" || len(parameters) != 1 {
		t.Errorf("got %v of %v", got, parameters)
	}
}

// A task whose rulings do not say whether they are sure has nothing to wait for after the
// first: its majority is asked for at once.
func TestVotingAsksAtOnceWhatIsNeverSure(t *testing.T) {
	t.Parallel()
	ctx, cancel := context.WithTimeout(t.Context(), 10*time.Second)
	defer cancel()
	for answer := range 5 { // of which few are voted on in full in any case
		var calls atomic.Int32
		two := make(chan struct{})
		at := func(int) judge.Judge {
			return judgeFunc(func(ctx context.Context) (any, error) {
				if calls.Add(1) == 2 {
					close(two)
				}
				select {
				case <-two:
					return judge.Ruling{Holds: true}, nil
				case <-ctx.Done():
					return nil, ctx.Err()
				}
			})
		}
		if _, err := question.RuleTrueFalse.Ask(ctx, judge.Voting(judge.Passes{Most: 3}, at), judge.Subject{},
			question.CompareInput{Answer: fmt.Sprint(answer), References: []string{"b"}}); err != nil {
			t.Fatalf("%v: the first call waits for a second", err)
		}
	}
}

type judgeFunc func(ctx context.Context) (any, error)

func (judgeFunc) Info() assay.JudgeInfo { return assay.JudgeInfo{} }

func (f judgeFunc) Ask(ctx context.Context, _ judge.AnyTask, _ judge.Subject, _ any) (any, error) {
	return f(ctx)
}

// The kind of a text is voted on where the first reading is in doubt, and the claims are those
// of the reading that agrees best with the others of its kind.
func TestVotingOnReadings(t *testing.T) {
	t.Parallel()
	reading := func(kind judge.AnswerKind, sure bool, claims ...string) judge.Reading {
		r := judge.Reading{Kind: kind, Votes: judge.Votes{Sure: sure}}
		for _, c := range claims {
			r.Claims = append(r.Claims, judge.Claim{Text: c})
		}
		return r
	}
	doubtful := func(kind judge.AnswerKind, claims ...string) judge.Reading { return reading(kind, false, claims...) }
	for name, c := range map[string]struct {
		draws []judge.Reading
		all   bool
		kind  judge.AnswerKind
		claim string
		calls int32
		votes judge.Votes
	}{
		"sure":     {[]judge.Reading{reading(judge.Answered, true, "a")}, false, judge.Answered, "a", 1, judge.Votes{For: 1}},
		"doubtful": {[]judge.Reading{doubtful(judge.Answered, "a"), doubtful(judge.Answered, "b")}, false, judge.Answered, "a", 2, judge.Votes{For: 2}},
		"the kind that most give": {[]judge.Reading{doubtful(judge.Abstained), doubtful(judge.Answered, "b"), doubtful(judge.Answered, "c")},
			false, judge.Answered, "b", 3, judge.Votes{For: 2, Against: 1}},
		"the claims that agree best": {
			[]judge.Reading{doubtful(judge.Answered, "a", "b"), doubtful(judge.Partial, "c", "a", "b"), doubtful(judge.Answered, "c")},
			false, judge.Answered, "a", 3, judge.Votes{For: 2, Against: 1}},
		"no majority": {
			[]judge.Reading{doubtful(judge.Answered, "x"), doubtful(judge.Partial, "a"), doubtful(judge.Abstained, "a")},
			false, judge.KindUnknown, "a", 3, judge.Votes{Against: 3}},
		"all are voted on": {[]judge.Reading{reading(judge.Answered, true, "a"), doubtful(judge.Answered, "b")}, true, judge.Answered, "a", 2,
			judge.Votes{For: 2}},
	} {
		var calls atomic.Int32
		at := func(draw int) judge.Judge {
			return judgeFunc(func(context.Context) (any, error) {
				calls.Add(1)
				return c.draws[draw], nil
			})
		}
		// A text that is not one of those that are voted on in any case.
		got, err := question.Read.Ask(t.Context(), judge.Voting(judge.Passes{Most: 3, All: c.all}, at), judge.Subject{Question: "q"}, "text 1")
		if err != nil || got.Kind != c.kind || got.Claims[0].Text != c.claim || got.Votes != c.votes || calls.Load() != c.calls {
			t.Errorf("%s: %+v, %v after %d calls", name, got, err, calls.Load())
		}
	}
	// A draw that fails is replaced; the error of the first is told if all fail.
	failing := func(int) judge.Judge {
		return judgeFunc(func(context.Context) (any, error) {
			return nil, &judge.Error{Operation: "claims", Message: "unreadable"}
		})
	}
	if _, err := question.Read.Ask(t.Context(), judge.Voting(judge.Passes{Most: 3}, failing), judge.Subject{}, "text"); err == nil ||
		!strings.Contains(err.Error(), "unreadable") {
		t.Errorf("all draws fail: %v", err)
	}
}
