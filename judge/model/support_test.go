package model_test

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/assay-eval/assay"
	"github.com/assay-eval/assay/judge"
	"github.com/assay-eval/assay/judge/question"
	"github.com/assay-eval/assay/llm"
)

var sources = []judge.Source{
	{Name: "passage 1", Text: "Opened in 1889, the tower was the tallest structure in the world until 1930."},
	{Name: "passage 2", Text: "Height: 330 m with antennas. The tower opened on 31 March 1889."},
}

func claims(texts ...string) []judge.Claim {
	var out []judge.Claim
	for _, t := range texts {
		out = append(out, judge.Claim{Text: t})
	}
	return out
}

const (
	opened = `{"id":1,"quotes":[{"source":1,"quote":"Opened in 1889, the tower"},{"source":2,"quote":"The tower opened on 31 ` +
		`March 1889"}],"against":[],"why":"the year","verdict":"supported","confidence":60}`
	height = `{"id":2,"quotes":[{"source":2,"quote":"Height: 330 m"}],"against":[],"why":"330","verdict":"contradicted","confidence":60}`
	iron   = `{"id":3,"quotes":[],"against":[],"why":"no material","verdict":"not_found","confidence":60}`
)

var three = claims("The tower opened in 1889.", "The tower is 324 m tall.", "The tower is of iron.")

// opens is the finding of opened, and so on.
var (
	opens = judge.Finding{Verdict: judge.Supported, Degree: 1, Why: "the year", Quotes: []judge.Quote{
		{Source: 0, Text: "Opened in 1889, the tower"}, {Source: 1, Text: "The tower opened on 31 March 1889"},
	}}
	tall  = judge.Finding{Verdict: judge.Contradicted, Why: "330", Quotes: []judge.Quote{{Source: 1, Text: "Height: 330 m"}}}
	metal = judge.Finding{Verdict: judge.NotFound, Why: "no material"}
)

func unknown(reason string) judge.Finding { return judge.Finding{Why: "unknown: " + reason} }

// What a reply to the question about three claims leads to, and after how many
// calls.
func TestSupport(t *testing.T) {
	t.Parallel()
	const (
		noQuote = `{"id":1,"quotes":[],"against":[],"why":"the year","verdict":"supported","confidence":60}`
		made    = `{"id":1,"quotes":[{"source":1,"quote":"It was opened in the year 1889"}],"against":[],"why":"the year",` +
			`"verdict":"supported","confidence":60}`
		foreign = `{"id":1,"quotes":[{"source":1,"quote":"The tower opened on 31 March 1889"}],"against":[],"why":"the year",` +
			`"verdict":"supported","confidence":60}`
		no3 = `{"id":1,"quotes":[{"source":3,"quote":"Opened in 1889, the tower"}],"against":[],"why":"the year",` +
			`"verdict":"supported","confidence":60}`
		letter = `{"id":1,"quotes":[{"source":1,"quote":"O"}],"against":[],"why":"the year","verdict":"supported","confidence":60}`
		one    = `{"id":1,"quotes":[{"source":1,"quote":"Opened in 1889, the tower"}],"against":[],"why":"the year",` +
			`"verdict":"supported","confidence":60}`
		mixed = `{"id":1,"quotes":[{"source":1,"quote":"made up"},{"source":2,"quote":"opened on 31 March 1889"` +
			`}],"against":[],"why":"the year","verdict":"supported","confidence":60}`
		against   = `{"id":2,"quotes":[{"source":2,"quote":"Height: 331 m"}],"against":[],"why":"331","verdict":"contradicted","confidence":60}`
		other     = `{"id":1,"quotes":[],"against":[],"why":"no","verdict":"not_found","confidence":60}`
		conflicts = `{"id":1,"quotes":[{"source":1,"quote":"Opened in 1889, the tower"},{"source":2,"quote":"The tower opened on 31 ` +
			`March 1889"}],"against":[2],"why":"two years","verdict":"conflict","confidence":60}`
		oneSide = `{"id":1,"quotes":[{"source":1,"quote":"Opened in 1889, the tower"}],"against":[],"why":"two years",` +
			`"verdict":"conflict","confidence":60}`
		part = `{"id":1,"quotes":[{"source":2,"quote":"on 31 March 1889"}],"against":[],"why":"the day","verdict":"partly","confidence":60}`
		torn = `{"id":1,"quotes":[{"source":1,"quote":"Opened in 1889, the tower"},{"source":2,"quote":"The tower opened on 31 ` +
			`March 1889"}],"against":[2],"why":"two years","verdict":"supported","confidence":60}`
		noPart  = `{"id":1,"quotes":[],"against":[],"why":"the day","verdict":"partly","confidence":60}`
		extra   = `{"id":4,"quotes":[],"against":[],"why":"no","verdict":"not_found","confidence":60}`
		perhaps = `{"id":3,"quotes":[],"against":[],"why":"?","verdict":"perhaps","confidence":60}`
	)
	missing, twice := "the reply left it out", "the reply ruled on it twice, and not alike"
	unproved := `it was ruled "supported", but no quote stands word for word in a source that the claim is held against`
	oneSided := `it was ruled "conflict": want a quote of a source that says the claim, and one of a source that says otherwise, whose ` +
		`number is in "against"`
	twoSided := `it was ruled "supported", but a source that is quoted is in "against": want "conflict", or "against": []`
	disagree := judge.Finding{Verdict: judge.Supported, Degree: 1, Why: "two years", Singly: true,
		Quotes:   []judge.Quote{{Source: 0, Text: "Opened in 1889, the tower", Alone: true}},
		Contrary: []judge.Quote{{Source: 1, Text: "The tower opened on 31 March 1889"}}}
	partly := judge.Finding{Verdict: judge.NotFound, Why: "the day", Parts: []judge.Quote{{Source: 1, Text: "on 31 March 1889"}}}
	first := judge.Finding{Verdict: judge.Supported, Degree: 1, Why: "the year", Singly: true,
		Quotes: []judge.Quote{{Source: 0, Text: "Opened in 1889, the tower", Alone: true}}}
	half := judge.Finding{Verdict: judge.Supported, Degree: 1, Why: "the year",
		Quotes: []judge.Quote{{Source: 1, Text: "opened on 31 March 1889"}}}
	for name, c := range map[string]struct {
		replies []string
		want    []judge.Finding
		calls   int
	}{
		"all":                  {[]string{items(opened, height, iron)}, []judge.Finding{opens, tall, metal}, 1},
		"in another order":     {[]string{items(iron, opened, height)}, []judge.Finding{opens, tall, metal}, 1},
		"in a fence":           {[]string{"```json\n" + items(opened, height, iron) + "\n```"}, []judge.Finding{opens, tall, metal}, 1},
		"with prose":           {[]string{"My rulings: " + items(opened, height, iron) + " Done."}, []judge.Finding{opens, tall, metal}, 1},
		"extra ids":            {[]string{items(opened, height, iron, extra)}, []judge.Finding{opens, tall, metal}, 1},
		"twice alike":          {[]string{items(opened, opened, height, iron)}, []judge.Finding{opens, tall, metal}, 1},
		"twice, other sources": {[]string{items(made, opened, height, iron), items(opened)}, []judge.Finding{opens, tall, metal}, 2},
		"of one source":        {[]string{items(one, height, iron)}, []judge.Finding{first, tall, metal}, 1},
		"one quote of two":     {[]string{items(mixed, height, iron)}, []judge.Finding{half, tall, metal}, 1},
		"missing, then there":  {[]string{items(opened, iron), items(height)}, []judge.Finding{opens, tall, metal}, 2},
		"missing for good":     {[]string{items(opened, iron), items(iron)}, []judge.Finding{opens, unknown(missing), metal}, 2},
		"nothing, then all":    {[]string{items(), items(opened, height, iron)}, []judge.Finding{opens, tall, metal}, 2},
		"twice, not alike":     {[]string{items(opened, other, height, iron), items(opened)}, []judge.Finding{opens, tall, metal}, 2},
		"twice, not alike, twice": {[]string{items(opened, other, height, iron), items(opened, other)},
			[]judge.Finding{unknown(twice), tall, metal}, 2},
		"no quote, then one": {[]string{items(noQuote, height, iron), items(opened)}, []judge.Finding{opens, tall, metal}, 2},
		"no quote for good": {[]string{items(noQuote, height, iron), items(noQuote)},
			[]judge.Finding{unknown(unproved), tall, metal}, 2},
		"a quote that is not there": {[]string{items(made, height, iron), items(made)}, []judge.Finding{unknown(unproved), tall, metal}, 2},
		"a quote of another source": {[]string{items(foreign, height, iron), items(foreign)},
			[]judge.Finding{unknown(unproved), tall, metal}, 2},
		"a quote of no source":     {[]string{items(no3, height, iron), items(no3)}, []judge.Finding{unknown(unproved), tall, metal}, 2},
		"a letter":                 {[]string{items(letter, height, iron), items(letter)}, []judge.Finding{unknown(unproved), tall, metal}, 2},
		"contradicted without one": {[]string{items(opened, against, iron), items(height)}, []judge.Finding{opens, tall, metal}, 2},
		"the sources conflict":     {[]string{items(conflicts, height, iron)}, []judge.Finding{disagree, tall, metal}, 1},
		"a conflict of one side":   {[]string{items(oneSide, height, iron), items(oneSide)}, []judge.Finding{unknown(oneSided), tall, metal}, 2},
		"supported, and one against": {[]string{items(torn, height, iron), items(torn)},
			[]judge.Finding{unknown(twoSided), tall, metal}, 2},
		"no word of against": {[]string{strings.ReplaceAll(items(opened, height, iron), `"against":[],`, "")},
			[]judge.Finding{opens, tall, metal}, 1},
		"a conflict with no word of against": {
			[]string{strings.ReplaceAll(items(conflicts, height, iron), `"against":[2],`, ""), items(conflicts)},
			[]judge.Finding{disagree, tall, metal}, 2},
		"a part": {[]string{items(part, height, iron)}, []judge.Finding{partly, tall, metal}, 1},
		"a part without a quote": {[]string{items(noPart, height, iron), items(noPart)},
			[]judge.Finding{unknown(strings.Replace(unproved, "supported", "partly", 1)), tall, metal}, 2},
		"second thoughts": {[]string{items(noQuote, height, iron), items(other)},
			[]judge.Finding{{Verdict: judge.NotFound, Why: "no"}, tall, metal}, 2},
		"a wrong word, then right": {[]string{items(opened, height, perhaps), items(opened, height, iron)},
			[]judge.Finding{opens, tall, metal}, 2},
		"a wrong word twice": {[]string{items(opened, height, perhaps), items(opened, height, perhaps), items(iron)},
			[]judge.Finding{opens, tall, metal}, 3},
		"a wrong word for good": {[]string{items(opened, height, perhaps), items(opened, height, perhaps), items(perhaps), items(perhaps)},
			[]judge.Finding{opens, tall, unknown(missing)}, 4},
		"wrong nonce, then right": {[]string{strings.ReplaceAll(items(opened, height, iron), "{{nonce}}", "ab"), items(opened, height, iron)},
			[]judge.Finding{opens, tall, metal}, 2},
		"cut off, then cut off": {[]string{"", items(opened, height, iron)[:len(items(opened, height))], items(iron)},
			[]judge.Finding{opens, tall, metal}, 3},
		"the second call unreadable": {[]string{items(opened, iron), "no", "no"}, []judge.Finding{opens, unknown(missing), metal}, 3},
	} {
		p := inTurn(c.replies...)
		ctx, total := metered()
		got, err := question.Support.Ask(ctx, newJudge(t, p), about, question.SupportInput{Claims: three, Sources: sources})
		if err != nil {
			t.Errorf("%s: %v", name, err)
			continue
		}
		if d := cmp.Diff(c.want, got); d != "" {
			t.Errorf("%s: -want +got\n%s", name, d)
		}
		failed := 0
		if strings.HasSuffix(name, "unreadable") || name == "a wrong word for good" {
			failed = 1
		}
		spent, _ := total()
		want := assay.Spending{Calls: c.calls, Failed: failed,
			Usage: assay.Usage{InputTokens: 10 * c.calls, OutputTokens: c.calls, Cost: int64(3 * c.calls)}}
		if d := cmp.Diff(want, spent); d != "" || p.calls() != c.calls {
			t.Errorf("%s: after %d calls: spending -want +got\n%s", name, p.calls(), d)
		}
	}
}

// Only what is open is asked again, with the reason, and only with the sources
// that it needs.
func TestSupportAsksAgainForWhatIsOpen(t *testing.T) {
	t.Parallel()
	p := inTurn(items(iron), items(opened, height))
	some := slices.Clone(three)
	some[0].Within, some[1].Within = []int{1}, []int{1, 0, 7}
	got, err := question.Support.Ask(
		context.Background(), newJudge(t, p), about, question.SupportInput{
			Claims: some, Sources: append(slices.Clone(sources), judge.Source{Name: "blank", Text: " \n"}),
		},
	)
	if err != nil {
		t.Fatal(err)
	}
	// The claim is held against the second source alone: the quote of the first is none, and the
	// second suffices.
	if len(got[0].Quotes) != 1 || got[0].Quotes[0].Source != 1 || !got[0].Quotes[0].Alone || got[1].Verdict != judge.Contradicted || got[2].Verdict != judge.NotFound {
		t.Errorf("got %+v", got)
	}
	first, second := dataOf(p.requests[0]), dataOf(p.requests[1])
	if fmt.Sprint(idsOf(first, "claims"), idsOf(first, "sources")) != "[1 2 3] [1 2]" || strings.Contains(fmt.Sprint(first), "again") {
		t.Errorf("first: %v", first)
	}
	if fmt.Sprint(first["claims"].([]any)[0].(map[string]any)["sources"],
		first["claims"].([]any)[2].(map[string]any)["sources"]) != "[2] <nil>" {
		t.Errorf("the sources of the claims: %v", first["claims"])
	}
	if fmt.Sprint(idsOf(second, "claims")) != "[1 2]" || second["claims"].([]any)[0].(map[string]any)["again"] != "the reply left it out" {
		t.Errorf("second: %v", second)
	}
	p = inTurn(items(`{"id":1,"quotes":[{"source":1,"quote":"Opened in 1889, the tower"}],"against":[],"why":"","verdict":"supported",`+
		`"confidence":60}`),
		items(opened))
	if got, err = question.Support.Ask(
		context.Background(), newJudge(t, p), about, question.SupportInput{Claims: []judge.Claim{some[0]}, Sources: sources},
	); err != nil || len(got[0].Quotes) != 1 || p.calls() != 2 {
		t.Errorf("a quote from outside: %+v (%v) after %d calls", got, err, p.calls())
	}
	if d := dataOf(p.requests[0]); fmt.Sprint(idsOf(d, "sources")) != "[2]" {
		t.Errorf("sources that no claim needs are sent: %v", d)
	}
}

func TestSupportWithoutACall(t *testing.T) {
	t.Parallel()
	p := inTurn(items(`{"id":2,"quotes":[],"against":[],"why":"no","verdict":"not_found","confidence":60}`))
	some := []judge.Claim{{Text: "a", Within: []int{}}, {Text: "b"}, {Text: "b"}, {Text: "c", Within: []int{9}}}
	got, err := question.Support.Ask(context.Background(), newJudge(t, p), about, question.SupportInput{Claims: some, Sources: sources})
	if err != nil || p.calls() != 1 {
		t.Fatalf("%v after %d calls", err, p.calls())
	}
	if ids := idsOf(dataOf(p.requests[0]), "claims"); fmt.Sprint(ids) != "[2]" {
		t.Errorf("asked about %v", ids)
	}
	no, none := judge.Finding{Verdict: judge.NotFound, Why: "no"},
		judge.Finding{Verdict: judge.NotFound, Why: "there is no text to find it in"}
	if d := cmp.Diff([]judge.Finding{none, no, no, none}, got); d != "" {
		t.Error(d)
	}
	if got, err := question.Support.Ask(
		context.Background(), newJudge(t, inTurn()), about, question.SupportInput{Claims: nil, Sources: sources},
	); err != nil || len(got) != 0 {
		t.Errorf("no claims: %v, %v", got, err)
	}
}

// echo rules not_found on whatever it is asked about.
func echo(field string, item func(id int) string) *scripted {
	return &scripted{reply: func(_ string, data map[string]any, _ bool) (string, error) {
		var out []string
		for _, id := range idsOf(data, field) {
			out = append(out, item(id))
		}
		return items(out...), nil
	}}
}

func many(n int) []judge.Claim {
	out := make([]judge.Claim, n)
	for i := range out {
		out[i].Text = fmt.Sprintf("claim %d", i+1)
	}
	return out
}

func TestSupportInBatches(t *testing.T) {
	t.Parallel()
	rule := func(id int) string {
		return fmt.Sprintf(`{"id":%d,"quotes":[],"against":[],"why":"claim %d","verdict":"not_found","confidence":60}`, id, id)
	}
	p := echo("claims", rule)
	got, err := question.Support.Ask(context.Background(), newJudge(t, p), about, question.SupportInput{Claims: many(45), Sources: sources})
	if err != nil || p.calls() != 3 {
		t.Fatalf("%v after %d calls, want 3", err, p.calls())
	}
	for i, f := range got {
		if f.Verdict != judge.NotFound || f.Why != fmt.Sprintf("claim %d", i+1) {
			t.Errorf("claim %d: %+v", i+1, f)
		}
	}
	// One batch without a reply leaves its claims unknown, the others stand.
	broken := echo("claims", rule)
	whole := broken.reply
	broken.reply = func(task string, data map[string]any, repair bool) (string, error) {
		if ids := idsOf(data, "claims"); ids[0] == 21 {
			return "nothing", nil
		}
		return whole(task, data, repair)
	}
	ctx, total := metered()
	got, err = question.Support.Ask(ctx, newJudge(t, broken), about, question.SupportInput{Claims: many(45), Sources: sources})
	if err != nil {
		t.Fatal(err)
	}
	for i, f := range got {
		if (f.Verdict == judge.Unknown) != (i >= 20 && i < 40) {
			t.Errorf("claim %d: %+v", i+1, f)
		}
	}
	if spent, _ := total(); spent.Calls != 4 || spent.Failed != 1 {
		t.Errorf("spent %+v", spent)
	}
}

func TestSupportErrors(t *testing.T) {
	t.Parallel()
	// Nothing that can be read: an error with the reply, not a list of unknowns.
	ctx, total := metered()
	_, err := question.Support.Ask(
		ctx, newJudge(t, inTurn("what?", "I cannot say.")), about, question.SupportInput{Claims: three, Sources: sources},
	)
	if rawOf(err) != "I cannot say." || judge.Fatal(err) {
		t.Errorf("got %v", err)
	}
	if spent, _ := total(); spent.Calls != 2 || spent.Failed != 1 {
		t.Errorf("spent %+v", spent)
	}
	for kind, fatal := range map[llm.Kind]bool{
		llm.KindAuth: true, llm.KindModel: true, llm.KindBudget: true, llm.KindReplay: true, llm.KindLedger: true,
		llm.KindServer: false, llm.KindTimeout: false, llm.KindRequest: false, llm.KindRefused: false,
	} {
		for at := range 2 {
			p := &scripted{}
			p.reply = func(string, map[string]any, bool) (string, error) {
				if p.calls() <= at {
					return items(opened, height), nil
				}
				return "", &llm.Error{Kind: kind, Provider: "scripted", Message: "broken"}
			}
			ctx, total := metered()
			got, err := question.Support.Ask(ctx, newJudge(t, p), about, question.SupportInput{Claims: three, Sources: sources})
			var e *llm.Error
			switch {
			case fatal && (!judge.Fatal(err) || !errors.As(err, &e)):
				t.Errorf("%s at call %d: got %v, want a fatal error", kind, at+1, err)
			case !fatal && at == 0 && (judge.Fatal(err) || rawOf(err) != "" || !errors.As(err, &e)):
				t.Errorf("%s: got %v, want a *judge.Error", kind, err)
			case !fatal && at == 1 && (err != nil || got[0].Verdict != judge.Supported || got[2].Verdict != judge.Unknown):
				t.Errorf("%s: %v, %+v: what was read before has to stand", kind, err, got)
			}
			if spent, _ := total(); spent.Failed != map[bool]int{true: 0, false: 1}[fatal] || spent.Calls != at {
				t.Errorf("%s at call %d: spent %+v", kind, at+1, spent)
			}
		}
	}
	stopped, cancel := context.WithCancel(context.Background())
	p := &scripted{reply: func(string, map[string]any, bool) (string, error) {
		cancel()
		return "", context.Canceled
	}}
	if _, err := question.Support.Ask(
		stopped, newJudge(t, p), about, question.SupportInput{Claims: three, Sources: sources},
	); !errors.Is(err, context.Canceled) {
		t.Errorf("got %v, want the error of the context", err)
	}
	// The end of a run that comes with the last reply does not undo the reply.
	stopped, cancel = context.WithCancel(context.Background())
	p = &scripted{reply: func(string, map[string]any, bool) (string, error) {
		cancel()
		return items(opened, height, iron), nil
	}}
	if got, err := question.Support.Ask(
		stopped, newJudge(t, p), about, question.SupportInput{Claims: three, Sources: sources},
	); err != nil || got[0].Verdict != judge.Supported {
		t.Errorf("got %v, %v", got, err)
	}
}

// Draws are questions of their own, and show lists in an order of their own.
func TestDraws(t *testing.T) {
	t.Parallel()
	p := echo("claims", func(id int) string {
		return fmt.Sprintf(`{"id":%d,"quotes":[],"against":[],"why":"claim %d","verdict":"not_found","confidence":60}`, id, id)
	})
	j := newJudge(t, p)
	var orders []string
	for draw := range 3 {
		got, err := question.Support.Ask(context.Background(), j.At(draw), about, question.SupportInput{Claims: three, Sources: sources})
		if err != nil || got[2].Why != "claim 3" {
			t.Fatalf("%v, %+v", err, got)
		}
		r := p.requests[draw]
		if r.Draw != draw {
			t.Errorf("draw %d: request has draw %d", draw, r.Draw)
		}
		d := dataOf(r)
		orders = append(orders, fmt.Sprint(idsOf(d, "claims"), idsOf(d, "sources")))
	}
	if want := []string{"[1 2 3] [1 2]", "[2 3 1] [2 1]", "[3 1 2] [1 2]"}; !slices.Equal(orders, want) {
		t.Errorf("got %v, want %v", orders, want)
	}
	if d := cmp.Diff(j.Info(), j.At(2).Info()); d != "" {
		t.Errorf("a draw is no other judge: %s", d)
	}
}

// A ruling is sure if the judge is confident, the quote was found at the first try, and the
// numbers fit.
func TestSureRulings(t *testing.T) {
	t.Parallel()
	year := func(quote string, confidence int) string {
		return fmt.Sprintf(`{"id":1,"quotes":[{"source":1,"quote":%q}],"against":[],"why":"","verdict":"supported","confidence":%d}`,
			quote, confidence)
	}
	for name, c := range map[string]struct {
		replies []string
		want    bool
	}{
		"confident":                    {[]string{year("Opened in 1889, the tower", 95)}, true},
		"not confident":                {[]string{year("Opened in 1889, the tower", 89)}, false},
		"a quote without the number":   {[]string{year("the tower", 95)}, false},
		"no confidence":                {[]string{strings.Replace(year("Opened in 1889, the tower", 95), `,"confidence":95`, "", 1)}, false},
		"a quote found at the 2nd try": {[]string{year("It opened in 1889", 95), year("Opened in 1889, the tower", 95)}, false},
	} {
		var turns []string
		for _, r := range c.replies {
			turns = append(turns, items(r))
		}
		got, err := question.Support.Ask(t.Context(), newJudge(t, inTurn(turns...)), judge.Subject{Question: "When?"}, question.SupportInput{
			Claims:  []judge.Claim{{Text: "The tower opened in 1889."}},
			Sources: []judge.Source{{Text: "Opened in 1889, the tower was the tallest."}},
		})
		if err != nil || got[0].Verdict != judge.Supported || got[0].Sure != c.want {
			t.Errorf("%s: %+v (%v): want sure %v", name, got, err, c.want)
		}
	}
}
