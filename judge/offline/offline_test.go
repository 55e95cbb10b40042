package offline_test

import (
	"context"
	"errors"
	"hash/fnv"
	"math"
	"math/rand/v2"
	"reflect"
	"strings"
	"sync"
	"testing"

	"github.com/assay-eval/assay"
	"github.com/assay-eval/assay/internal/requiretest"
	"github.com/assay-eval/assay/judge"
	"github.com/assay-eval/assay/judge/offline"
	"github.com/assay-eval/assay/judge/question"
	"github.com/assay-eval/assay/rag/embed"
)

// hashed embeds a text by its words: each adds a direction of its own.
type hashed struct{}

func (hashed) Dimensions() int  { return 16 }
func (hashed) Identity() string { return "hashed@1" }

func (hashed) Embed(ctx context.Context, texts []string) ([][]float32, error) {
	out := make([][]float32, len(texts))
	for i, t := range texts {
		v := make([]float32, 16)
		for _, w := range strings.Fields(strings.ToLower(t)) {
			h := fnv.New64a()
			h.Write([]byte(w))
			r := rand.New(rand.NewPCG(h.Sum64(), 1))
			for k := range v {
				v[k] += float32(r.NormFloat64())
			}
		}
		var sum float64
		for _, x := range v {
			sum += float64(x) * float64(x)
		}
		if sum == 0 {
			v[0], sum = 1, 1
		}
		for k := range v {
			v[k] /= float32(math.Sqrt(sum))
		}
		out[i] = v
	}
	return out, ctx.Err()
}

var odd = map[string]string{
	"empty": "", "blank": " \n\t ", "one letter": "a", "punctuation": "?!… — ***", "numbers": "1 2 3 4,000 5.5 %",
	"chinese": "退票須於開車前三十分鐘辦理，手續費為票價的百分之十。" +
		"列車誤點逾45分鐘，旅客可全額退費。",
	"cantonese": "我唔知道答案係咩。", "no space": strings.Repeat("x", 3000),
	"not UTF-8": "The fee is \xff\xfe 5 dollars\x80. \xc3(", "null": "a\x00b. c\x00.", "emoji": "👨‍👩‍👧 🇭🇰 🙂.",
	"list": "1. One\n2. Two\n- three\n# Four\n| a | b |",
	"code": "```go\nfunc main() {}\n```", "right to left": "\u202eevil\u202c שלום עולם. مرحبا بالعالم.",
	"english": "The fee is 5 dollars. It was raised in 2024, but nobody paid it. Is it high?",
	"thai":    "ค่าธรรมเนียมห้าดอลลาร์", "only marks": "\u0301\u0302",
	"quotes": `"He said: 'no'." (Really.)`,
}

// TestOdd asks everything of every odd text and holds it to the contract.
func TestOdd(t *testing.T) {
	t.Parallel()
	for name, e := range map[string]assay.Embedder{"no embedder": nil, "embedder": hashed{}} {
		j := offline.New(e)
		for what, s := range odd {
			for other, o := range odd {
				t.Run(name+"/"+what+"/"+other, func(t *testing.T) { t.Parallel(); contract(t, j, s, o) })
			}
		}
	}
}

// contract holds the judge to its interface, with one text as question, point
// and reference and another as answer and passage.
func contract(t *testing.T, j judge.Judge, a, b string) {
	t.Helper()
	ctx := context.Background()
	s := judge.Subject{Question: a, Language: judge.English}
	reading, err := question.Read.Ask(ctx, j, s, b)
	must(t, err)
	if reading.Kind == judge.KindUnknown {
		t.Error("Read gives no kind")
	}
	if reading.Kind.Declines() != (len(reading.Claims) == 0) {
		t.Errorf("kind %v with %d claims", reading.Kind, len(reading.Claims))
	}
	claims := append(reading.Claims, judge.Claim{Text: a}, judge.Claim{Text: a, Within: []int{1}}, judge.Claim{Text: b, Within: []int{}},
		judge.Claim{Text: b, Within: []int{-1, 7, 0, 0}})
	sources := []judge.Source{{Name: "passage 1", Text: b}, {Name: "passage 2", Text: a}, {Text: a + "\n" + b}}
	findings, err := question.Support.Ask(ctx, j, s, question.SupportInput{Claims: claims, Sources: sources})
	must(t, err)
	if len(findings) != len(claims) {
		t.Fatalf("%d findings for %d claims", len(findings), len(claims))
	}
	for i, f := range findings {
		degree(t, f.Degree)
		if f.Verdict == judge.Unknown || f.Why == "" {
			t.Errorf("claim %d: verdict %v, why %q", i, f.Verdict, f.Why)
		}
		if (f.Verdict == judge.Supported) != (f.Degree >= 0.5) {
			t.Errorf("claim %d: %v at %v", i, f.Verdict, f.Degree)
		}
		if f.Verdict == judge.Supported && len(f.Quotes) == 0 {
			t.Errorf("claim %d: supported without a quote", i)
		}
		for _, q := range f.Quotes {
			if q.Text == "" || !strings.Contains(sources[q.Source].Text, q.Text) {
				t.Errorf("claim %d: quote %q is not in source %d", i, q.Text, q.Source)
			}
			if w := claims[i].Within; w != nil && q.Source != 0 && q.Source != 1 {
				t.Errorf("claim %d within %v quotes source %d", i, w, q.Source)
			}
		}
	}
	grades, err := question.Grade.Ask(ctx, j, s, sources)
	must(t, err)
	if len(grades) != len(sources) {
		t.Fatalf("%d grades for %d passages", len(grades), len(sources))
	}
	for i, g := range grades {
		degree(t, g.Degree)
		if !g.Known || g.Level < 0 || g.Level > 3 || !strings.Contains(sources[i].Text, g.Quote) {
			t.Errorf("passage %d: %+v", i, g)
		}
	}
	ruling, err := question.Compare.Ask(ctx, j, s, question.CompareInput{Answer: b, References: []string{a, "", b}})
	must(t, err)
	degree(t, ruling.Degree)
	questions, err := question.Reverse.Ask(ctx, j, s, question.ReverseInput{Answer: b, Count: 3})
	must(t, err)
	if len(questions) > 3 {
		t.Errorf("%d questions, wanted 3", len(questions))
	}
	points, err := question.Extract.Ask(ctx, j, s, sources)
	must(t, err)
	texts := []string{a, b}
	for _, p := range points {
		if p.Text == "" || p.Source < 0 || p.Source >= len(sources) {
			t.Errorf("point %+v", p)
		}
		texts = append(texts, p.Text)
	}
	assigned, err := question.Assign.Ask(ctx, j, s, question.AssignInput{Points: texts, Answer: b})
	must(t, err)
	if len(assigned) != len(texts) {
		t.Fatalf("%d assignments for %d points", len(assigned), len(texts))
	}
	for _, x := range assigned {
		degree(t, x.Credit)
		if !x.Known || !strings.Contains(b, x.Quote) {
			t.Errorf("assignment %+v", x)
		}
	}
	var refused *judge.Error
	if _, err := question.Mark.Ask(
		ctx, j, s, question.MarkInput{Rubric: judge.Rubric{}, Work: judge.Work{Answer: b}},
	); !errors.As(err, &refused) {
		t.Errorf("Mark: %v, want a *judge.Error", err)
	}
}

func must(t *testing.T, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

func degree(t *testing.T, x float64) {
	t.Helper()
	if math.IsNaN(x) || x < 0 || x > 1 {
		t.Errorf("degree %v: want 0 to 1", x)
	}
}

// TestHuge holds long texts against each other: the time must not grow with the
// product of their lengths. The test's own time limit is the bound. Under the
// race detector, which tells nothing of that, the texts are a tenth as long.
func TestHuge(t *testing.T) {
	t.Parallel()
	length := 50_000
	if requiretest.Race {
		length = 5_000
	}
	j := offline.New(hashed{})
	for _, s := range []string{"The fee of 5 dollars was raised in 2024. ", "a ", "費", "word", "no information. ",
		"the document i do not "} {
		s = strings.Repeat(s, length/len(s))
		contract(t, j, s[:min(len(s), 900)/3*3], s)
	}
}

// TestConcurrent asks the same from many goroutines: what is said does not
// depend on it.
func TestConcurrent(t *testing.T) {
	t.Parallel()
	m, err := embed.New("minilm")
	must(t, err)
	j := offline.New(embed.Memo(m))
	s := judge.Subject{Question: "What is the fee?", Language: judge.English}
	claims := []judge.Claim{{Text: "The fee is 5 dollars."}, {Text: "Nobody pays it."}}
	sources := []judge.Source{{Text: "A fee of 5 dollars is due. Children pay nothing."}, {Text: "Trains run daily."}}
	want, err := question.Support.Ask(context.Background(), j, s, question.SupportInput{Claims: claims, Sources: sources})
	must(t, err)
	var wg sync.WaitGroup
	for range 8 {
		wg.Go(func() {
			got, err := question.Support.Ask(context.Background(), j, s, question.SupportInput{Claims: claims, Sources: sources})
			if err != nil || !reflect.DeepEqual(got, want) {
				t.Errorf("got %+v, %v; want %+v", got, err, want)
			}
		})
	}
	wg.Wait()
}

// TestCancelled wants the error of the context, whatever is asked.
func TestCancelled(t *testing.T) {
	t.Parallel()
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	j := offline.New(hashed{})
	s := judge.Subject{Question: "q"}
	one := []judge.Source{{Text: "a source"}}
	for name, err := range map[string]error{
		"read":       second(question.Read.Ask(ctx, j, s, "An answer.")),
		"support":    second(question.Support.Ask(ctx, j, s, question.SupportInput{Claims: []judge.Claim{{Text: "A claim."}}, Sources: one})),
		"relevance":  second(question.Grade.Ask(ctx, j, s, one)),
		"equivalent": second(question.Compare.Ask(ctx, j, s, question.CompareInput{Answer: "a", References: []string{"b"}})),
		"questions":  second(question.Reverse.Ask(ctx, j, s, question.ReverseInput{Answer: "An answer.", Count: 3})),
		"points":     second(question.Extract.Ask(ctx, j, s, one)),
		"assign":     second(question.Assign.Ask(ctx, j, s, question.AssignInput{Points: []string{"a"}, Answer: "b"})),
		"mark":       second(question.Mark.Ask(ctx, j, s, question.MarkInput{Rubric: judge.Rubric{}, Work: judge.Work{}})),
	} {
		if !errors.Is(err, context.Canceled) {
			t.Errorf("%s: %v, want context.Canceled", name, err)
		}
	}
}

func second[T any](_ T, err error) error { return err }

func TestInfo(t *testing.T) {
	t.Parallel()
	a, b := offline.New(nil).Info(), offline.New(hashed{}).Info()
	if a.Provider != "offline" || !a.Estimate || !strings.HasPrefix(a.Model, "offline-") || !strings.HasPrefix(a.PromptHash, "sha256:") {
		t.Errorf("info %+v", a)
	}
	if a.Model == b.Model || !strings.Contains(b.Model, "hashed@1") {
		t.Errorf("models %q and %q: want the embedder's identity in them", a.Model, b.Model)
	}
}

// FuzzContract holds every answer to the contract of the interface.
func FuzzContract(f *testing.F) {
	for _, s := range odd {
		f.Add(s, odd["english"])
		f.Add(odd["chinese"], s)
	}
	j := offline.New(hashed{})
	f.Fuzz(func(t *testing.T, a, b string) { contract(t, j, a, b) })
}
