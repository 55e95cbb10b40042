//go:build results

package pairwise_test

import (
	"bufio"
	"cmp"
	"crypto/rand"
	"encoding/json"
	"flag"
	"fmt"
	"os"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/assay-eval/assay"
	"github.com/assay-eval/assay/internal/requiretest"
	"github.com/assay-eval/assay/judge"
	"github.com/assay-eval/assay/judge/model"
	"github.com/assay-eval/assay/judge/pairwise"
	"github.com/assay-eval/assay/judge/question"
	"github.com/assay-eval/assay/llm"
	"github.com/assay-eval/assay/llm/llmtest"
	"github.com/assay-eval/assay/stats"
)

var ask = flag.Bool("record", false, "ask the small model again, and keep its rulings")

// smallFile has the rulings of a small model on a sample of the pairs.
const smallFile = "testdata/smollm2.jsonl"

// smallSample is the number of pairs that the small model is asked about, those with the fewest
// characters: it is slow, and has a small window.
const smallSample = 10

// A ragPair is a pair of answers that two people compared: RAGChecker's meta-evaluation. Labels
// are from −2, the first answer is much better, to 2.
type ragPair struct {
	ID, Dataset, Question, Reference string
	Answer1, Answer2                 string
	Model1, Model2                   string
	Labels                           map[string][]int
}

func ragPairs(t *testing.T) (out []ragPair) {
	f, err := os.Open(requiretest.Shared(t, "data/answers/ragchecker_pairs.jsonl"))
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	lines := bufio.NewScanner(f)
	lines.Buffer(nil, 1<<24)
	for lines.Scan() {
		var p ragPair
		if err := json.Unmarshal(lines.Bytes(), &p); err != nil {
			t.Fatal(err)
		}
		out = append(out, p)
	}
	if err := lines.Err(); err != nil {
		t.Fatal(err)
	}
	return out
}

// size is the number of bytes that a judge reads.
func (p ragPair) size() int {
	return len(p.Question) + len(p.Reference) + len(p.Answer1) + len(p.Answer2)
}

// duel makes of a pair what is judged.
func (p ragPair) duel() pairwise.Duel {
	c := assay.Case{ID: p.ID, Question: p.Question, Want: assay.Want{Answers: []string{p.Reference}}}
	return pairwise.Duel{Old: assay.Record{Case: c, Response: &assay.Response{Answer: p.Answer1}},
		New: assay.Record{Case: c, Response: &assay.Response{Answer: p.Answer2}}}
}

// recordSmall asks the small model about a sample, for some minutes, and keeps its rulings.
func recordSmall(t *testing.T) {
	base := llmtest.Ollama(t)
	provider, err := llm.Open("ollama", llm.Options{Name: "ollama", BaseURL: base, Getenv: os.Getenv})
	if err != nil {
		t.Fatal(err)
	}
	client, err := llm.NewClient(llm.ClientConfig{Provider: provider, Timeout: 10 * time.Minute, Retries: 1, Concurrency: 1,
		Now: time.Now, Random: rand.Reader})
	if err != nil {
		t.Fatal(err)
	}
	j, err := model.New(model.Config{Provider: client, Request: llm.Request{Model: llmtest.Small, MaxTokens: 200}})
	if err != nil {
		t.Fatal(err)
	}
	var kept strings.Builder
	pairs := ragPairs(t)
	slices.SortStableFunc(pairs, func(a, b ragPair) int { return cmp.Compare(a.size(), b.size()) })
	for _, p := range pairs[:smallSample] {
		got, err := pairwise.Judge(t.Context(), j, pairwise.Options{}, 1, func(int) (pairwise.Duel, error) { return p.duel(), nil })
		if err != nil {
			t.Fatal(err)
		}
		line, err := json.Marshal(got[0])
		if err != nil {
			t.Fatal(err)
		}
		fmt.Fprintf(&kept, "%s\n", line)
		t.Logf("%s", line)
		if err := os.WriteFile(smallFile, []byte(kept.String()), 0o644); err != nil {
			t.Fatal(err)
		}
	}
}

// person returns what a person prefers: 1 the second answer, −1 the first one.
func (p ragPair) person(i int) int { return sign(float64(p.Labels["overall"][i])) }

func sign(v float64) int {
	switch {
	case v > 0:
		return 1
	case v < 0:
		return -1
	}
	return 0
}

// A baseline prefers answers without a model.
type baseline struct {
	name string
	f    func(in question.PreferInput) int
}

func (b baseline) judge() judge.Judge {
	return &scripted{f: func(in question.PreferInput) (judge.Choice, error) { return judge.Choice{First: b.f(in)}, nil }}
}

var baselines = []baseline{
	{"the longer answer", func(in question.PreferInput) int { return sign(float64(len(in.First) - len(in.Second))) }},
	{"more words of the reference (the stand-in)", func(in question.PreferInput) int {
		material, _ := json.Marshal(map[string]any{"first": in.First, "second": in.Second, "references": in.References})
		said, _ := question.Prefer.Play(material)
		return map[any]int{"first": 1, "second": -1, "same": 0}[said.(map[string]any)["better"]]
	}},
	{"always the first answer", func(question.PreferInput) int { return 1 }},
}

// people compares with the rulings of people.
func (p *page) people() {
	pairs := ragPairs(p.t)
	p.say("## Beside people\n\nRAGChecker's pairs: %d pairs of answers of eight systems to questions of ten domains, each "+
		"compared by two people, from much "+
		"worse (−2) to much better (2) overall (Ru et al., NeurIPS 2024). *Agreement* is the share of pairs with the same "+
		"verdict, better, the same "+
		"or worse, with an interval; κ has linear weights. Judges are held against both people; the position bias is that of "+
		"the rulings in both orders. A pair is left out where the ruling is another one without words that seem to address the judge.\n\n",
		len(pairs))
	p.say("| judge | pairs | agreement | κ | κ where people agree | position bias | cases that the order decides " +
		"|\n|---|---|---|---|---|---|---|\n")
	var one, two []int
	var same []stats.Sample
	for _, x := range pairs {
		one, two = append(one, x.person(0)), append(two, x.person(1))
		same = append(same, stats.Sample{Value: float64(yes(x.person(0) == x.person(1)))})
	}
	p.row("one person beside the other", len(pairs), same, kappa(one, two), "–", "–", "–")
	for _, b := range baselines {
		at := func(i int) (pairwise.Duel, error) { return pairs[i].duel(), nil }
		got, err := pairwise.Judge(p.t.Context(), b.judge(), pairwise.Options{}, len(pairs), at)
		if err != nil {
			p.t.Fatal(err)
		}
		p.beside(b.name, pairs, got)
	}
	p.small(pairs)
	p.levels(pairs)
}

func kappa(a, b []int) string {
	k, ok := stats.WeightedKappa(a, b, -1, 1, stats.Linear)
	if !ok {
		return "–"
	}
	return fmt.Sprintf("%.2f", k)
}

func (p *page) row(name string, n int, same []stats.Sample, kappa, agreed, bias, opposed string) {
	e := stats.Mean(same, 0.95)
	p.say("| %s | %d | %.1f %% (%.0f…%.0f %%) | %s | %s | %s | %s |\n",
		name, n, 100*e.Mean, 100*e.CI.Lo, 100*e.CI.Hi, kappa, agreed, bias, opposed)
}

// beside is the row of a judge.
func (p *page) beside(name string, pairs []ragPair, got []assay.Preference) {
	var judged, person, clear, agreed []int
	var same []stats.Sample
	var places []stats.Outcome
	opposed := 0
	for i, x := range pairs {
		if !got[i].Counts() {
			continue
		}
		v := sign(got[i].Value)
		for k := range 2 {
			judged, person = append(judged, v), append(person, x.person(k))
			same = append(same, stats.Sample{Value: float64(yes(v == x.person(k))), Cluster: x.ID})
		}
		if x.person(0) == x.person(1) {
			clear, agreed = append(clear, v), append(agreed, x.person(0))
		}
		if o := got[i].Orders; o != nil {
			places = append(places, stats.Outcome{Value: float64(o[0]+o[1]) / 2, Case: x.ID})
			opposed += yes(o[0] == o[1] && o[0] != 0)
		}
	}
	bias := stats.WinRates([][]stats.Outcome{places}, 0.95, 1)[0]
	p.row(name, len(same)/2, same, kappa(judged, person), kappa(clear, agreed), fmt.Sprintf("%+.0f points", 100*(2*bias.Rate-1)),
		fmt.Sprintf("%d of %d", opposed, len(places)))
}

// small tells of the small model.
func (p *page) small(pairs []ragPair) {
	raw, err := os.ReadFile(smallFile)
	if err != nil {
		p.t.Fatal(err)
	}
	of := map[string]ragPair{}
	for _, x := range pairs {
		of[x.ID] = x
	}
	var asked []ragPair
	var got []assay.Preference
	usable, put := 0, 0
	for line := range strings.Lines(string(raw)) {
		var one assay.Preference
		if err := json.Unmarshal([]byte(line), &one); err != nil {
			p.t.Fatal(err)
		}
		asked, got = append(asked, of[one.Case]), append(got, one)
		usable += yes(one.How == assay.PreferenceJudged)
		put += yes(one.How != assay.PreferenceEqual)
	}
	if usable > 0 {
		p.beside("SmolLM2, the shortest pairs", asked, got)
	}
	p.say("\nWhat goes by length or by place alone is no judge, and κ tells: a judge worth its price comes near the κ of "+
		"one person beside the other. "+
		"SmolLM2, the small model that runs here, was asked about %d of the shortest pairs, in both orders, and gave a ruling "+
		"that could be used on %d: "+
		"its replies do not repeat the number of the call, or are no JSON. Such a model is unfit to judge, and its position "+
		"bias cannot be measured. No larger "+
		"model runs here, so that no figure on this page is that of a good judge.\n\n", put, usable)
}

// levels is why there are three levels and not five.
func (p *page) levels(pairs []ragPair) {
	same5, same3, winner, much := 0, 0, 0, 0
	for _, x := range pairs {
		l := x.Labels["overall"]
		same5 += yes(l[0] == l[1])
		same3 += yes(x.person(0) == x.person(1))
		if x.person(0) == x.person(1) && x.person(0) != 0 {
			winner++
			much += yes(l[0] == l[1])
		}
	}
	p.say("## Why three levels\n\nPeople had five. Two of them give the same of five levels to %d of %d pairs (%.1f %%) "+
		"and the same of three to %d (%.1f %%). Where they "+
		"name the same winner, they agree in %.1f %% on whether it is much better, and \"better\" alone is what the win rate "+
		"counts. More levels would ask of a "+
		"judge what people do not agree on.\n\n",
		same5, len(pairs), 100*float64(same5)/float64(len(pairs)), same3, 100*float64(same3)/float64(len(pairs)),
		100*float64(much)/float64(winner))
}
