package report_test

import (
	"encoding/json"
	"fmt"
	"math"
	"math/rand/v2"
	"strings"
	"testing"
	"time"

	"github.com/assay-eval/assay"
	"github.com/assay-eval/assay/report"
)

var ratio = [2]float64{0, 1}

var (
	ndcg    = assay.MetricInfo{Name: "ndcg@10", Title: "nDCG@10", Better: "higher", Range: ratio, Version: 1}
	recall  = assay.MetricInfo{Name: "recall@5", Title: "Recall@5", Better: "higher", Range: ratio, Version: 1}
	hit     = assay.MetricInfo{Name: "hit@1", Title: "Hit@1", Better: "higher", Range: ratio, Version: 1}
	f1      = assay.MetricInfo{Name: "token_f1", Title: "Token F1", Better: "higher", Range: ratio, Version: 2}
	support = assay.MetricInfo{Name: "support", Title: "Support", Better: "higher", Range: ratio, Estimate: true, Version: 1}
	chrf    = assay.MetricInfo{Name: "chrf", Title: "chrF", Better: "higher", Unit: "points", Range: [2]float64{0, 100}, Version: 1}
	wer     = assay.MetricInfo{Name: "wer", Title: "WER", Better: "lower", Range: [2]float64{0, math.MaxFloat64}, Pooled: true, Version: 1}
)

var start = time.Date(2026, 11, 21, 13, 34, 9, 123e6, time.UTC)

func header(name string, metrics ...assay.MetricInfo) assay.Header {
	return assay.Header{
		ID: "20261121-133409123-k7q2mz4d", Name: name, Started: start, Finished: start.Add(154 * time.Second), State: "finished",
		Version: "devel-1a18b70c0ffe",
		Dataset: assay.DatasetInfo{Name: "handbook", Path: "examples/handbook.json", Format: "assay",
			Hash: "sha256:9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08"},
		Corpus: &assay.CorpusInfo{Path: "examples/handbook/", Hash: "sha256:2c26b46b68ffc68ff99b453c1d30413413422d706483bfa0f98a5e886266e7ae",
			Documents: 6, Passages: 41},
		Target:  assay.TargetInfo{Adapter: "builtin", Settings: map[string]string{"retriever": name, "chunker": "recursive", "top_k": "10"}, Metered: true},
		Metrics: metrics, Embedder: "minilm@1f3c5a9e", Seed: 7,
		Config:   map[string]string{"level": "0.95", "retriever": name, "concurrency": "4"},
		Command:  []string{"assay", "run", "--dataset=examples/handbook.json", "--retriever=" + name},
		Warnings: []string{"the dataset is 41 days old: its answers may be out of date"},
	}
}

func raw(v any) json.RawMessage {
	b, err := json.Marshal(v)
	if err != nil {
		panic(err)
	}
	return b
}

// trace is that of the built-in pipeline.
func trace(question, answer string, passages []assay.Passage) *assay.Trace {
	return &assay.Trace{Stages: []assay.Stage{
		{Name: assay.StageRetrieve, Model: "hybrid rrf k=60", Latency: 4200 * time.Microsecond, Input: raw(question), Output: raw(passages)},
		{Name: assay.StageFilter, Model: "cosine ≥ 0.30", Latency: 900 * time.Microsecond, Input: raw(passages),
			Output: raw(passages[:min(2, len(passages))]), Note: "3 of 10 passages cut"},
		{Name: assay.StageGenerate, Model: "extractive", Prompt: "Answer from the passages only.\nCite each sentence.",
			Latency: 11 * time.Millisecond, Output: raw(answer)},
	}}
}

func passages(texts ...string) []assay.Passage {
	out := []assay.Passage{}
	for i := 0; i+1 < len(texts); i += 2 {
		doc := texts[i]
		out = append(out, assay.Passage{ID: fmt.Sprintf("%s#%d", doc, i/2), Document: doc, Source: "examples/handbook/" + doc, Text: texts[i+1],
			Index: i / 2, Score: 1 / float64(i+2)})
	}
	return out
}

func answered(answer string, latency time.Duration, p []assay.Passage) *assay.Response {
	return &assay.Response{Answer: answer, Passages: p, Latency: latency, Trace: trace("?", answer, p)}
}

// attack holds what must never act: markup, formulas, terminal escapes and
// reordering.
const attack = "<script>window.hacked=1</script>\"><img src=x onerror=\"window.hacked=2\"> </script>" +
	"<!-- `x` | [a](https://evil.example) ![i](https://evil.example/i.png) www.evil.example @someone #12 " +
	"\x1b[31mred\x1b]0;title\x07 \u202egnp.exe\u202c \u0085 {{.}} ${x}"

// sample is a run of a dozen cases with everything that can go wrong.
func sample(t testing.TB) *report.Report {
	t.Helper()
	metrics := []assay.MetricInfo{hit, recall, ndcg, f1, chrf, support}
	type scores map[string]assay.Score
	v, na := assay.Value, assay.None
	judge := assay.Score{State: assay.JudgeError,
		Reason: "judge local: ruling \"maybe\": expected one of \"supported\", \"contradicted\", \"not_found\""}
	gone := assay.Score{State: assay.TargetError, Reason: "the target gave no response"}
	down := scores{"hit@1": gone, "recall@5": gone, "ndcg@10": gone, "token_f1": gone, "chrf": gone, "support": gone}
	missing := assay.Value(0.5)
	missing.Num, missing.Den = 1, 2
	missing.Evidence = []assay.Evidence{{Kind: "missing", Text: "refunds.md"}}
	partly := assay.Value(0.67)
	partly.Lower, partly.Upper = 0.5, 0.83
	partly.Reason = "1 of 3 sentences could not be checked"
	partly.Evidence = []assay.Evidence{{Kind: "unsupported", Text: "Refunds take 14 days.", Where: "sentence 2"}}
	no, yes := false, true

	cases := []assay.Case{
		{ID: "tc_001", Question: "What is the refund policy?", Critical: true, Tags: []string{"billing", "policy"},
			Want: assay.Want{Answers: []string{"Full refund within 30 days of purchase."},
				Documents: map[string]int{"policy.md": 2, "refunds.md": 1, "returns.md": 0}, Keywords: []string{"30 days", "refund"}}},
		{ID: "tc_002", Question: "How do I reset my password?", Critical: true, Tags: []string{"account"},
			Want: assay.Want{Answers: []string{"Click 'Forgot password' on the login page."}, Documents: map[string]int{"login.md": 1}}},
		{ID: "tc_003", Question: "Which export formats are there?", Tags: []string{"technical"},
			Want: assay.Want{Answers: []string{"CSV, JSON and PDF."}, Documents: map[string]int{"export.md": 1}, Answerable: &yes}},
		{ID: "tc_004", Question: "如何更改帳單地址?", Tags: []string{"billing", "中文"},
			Want: assay.Want{Answers: []string{"在「設定」頁面的「帳單」分頁更改。"},
				Documents: map[string]int{"billing_zh.md": 1}}},
		{ID: "tc_005", Question: "Who won the match yesterday?", Tags: []string{"unanswerable"},
			Want: assay.Want{Documents: map[string]int{}, Answerable: &no}},
		{ID: "tc_006 " + attack, Question: attack, Tags: []string{"hostile", "=cmd|' /C calc'!A0"}, Want: assay.Want{Answers: []string{attack}}},
		{ID: "tc_007", Question: "How long are backups kept?", Tags: []string{"technical"},
			Want: assay.Want{Answers: []string{"90 days"}, Documents: map[string]int{"backup.md": 1}}},
		{ID: "tc_008", Question: "What does error E42 mean and what should an operator do first when it appears during " +
			"a nightly import of more than a million rows?", Critical: true, Tags: []string{"technical"},
			Want: assay.Want{Answers: []string{"The import queue is full."}, Documents: map[string]int{"errors.md": 2}}},
		{ID: "tc_009", Question: "Can I pay by invoice?", Tags: []string{"billing"}, Want: assay.Want{Answers: []string{"Yes, from 10 seats."}}},
		{ID: "tc_010", Question: "Summarise the whole handbook.", Tags: []string{"long"},
			Want: assay.Want{Passages: []string{"The handbook has six parts."}}},
		{ID: "tc_011", Question: "Is there a free plan?", Tags: []string{"billing", "policy"},
			Want: assay.Want{Answers: []string{"Yes, for up to three people."}, Documents: map[string]int{"plans.md": 1}}},
		{ID: "tc_012", Question: "Where are the servers?", Tags: []string{"technical", "policy"},
			Want: assay.Want{Answers: []string{"In Frankfurt and Zürich."}, Documents: map[string]int{"hosting.md": 1}}},
	}
	hundred := "The quick brown fox reads the handbook and finds nothing about foxes in it. "
	responses := []*assay.Response{
		answered("You can get a refund within 14 days by contacting support [1].", 21*time.Millisecond,
			passages("returns.md", "Returns are accepted within 14 days of delivery when the seal is unbroken.", "support.md",
				"Contact support for refund requests.", "policy.md", "A full refund is given within 30 days of purchase.")),
		answered("Click “Forgot password” on the login page [1].", 18*time.Millisecond,
			passages("login.md", "To reset a password, click “Forgot password” on the login page.")),
		answered("CSV, JSON and PDF [1].", 16*time.Millisecond,
			passages("export.md", "Reports can be exported as CSV, JSON and PDF.", "plans.md", "The free plan exports CSV only.")),
		answered("在「設定」頁面的「帳單」分頁可以更改帳單地址[1]。", 24*time.Millisecond,
			passages("billing_zh.md", "帳單地址可在「設定」頁面的「帳單」分頁更改。更改於下一期帳單生效。")),
		answered("The handbook does not say.", 12*time.Millisecond, []assay.Passage{}),
		answered(attack, 31*time.Millisecond, []assay.Passage{{ID: attack, Document: attack, Source: "javascript:alert(1)", Title: attack,
			Text: attack}}),
		nil,
		nil,
		{Answer: "Yes, invoices are possible from 10 seats.", Latency: 45 * time.Millisecond, Warnings: []string{"contexts: absent"}},
		answered(strings.Repeat(hundred, 400), 6200*time.Millisecond, passages("all.md", strings.Repeat(hundred, 60))),
		answered("Yes, for up to three people [1].", 19*time.Millisecond, passages("plans.md", "The free plan is for up to three people.")),
		answered("In Frankfurt [1].", 22*time.Millisecond,
			passages("hosting.md", "The servers are in Frankfurt and Zürich.", "backup.md", "Backups are kept in Zürich.")),
	}
	all := []scores{
		{"hit@1": v(0), "recall@5": missing, "ndcg@10": v(0.387), "token_f1": v(0.31), "chrf": v(28.4), "support": partly},
		{"hit@1": v(1), "recall@5": v(1), "ndcg@10": v(1), "token_f1": v(0.94), "chrf": v(88.1), "support": v(1)},
		{"hit@1": v(1), "recall@5": v(1), "ndcg@10": v(1), "token_f1": v(1), "chrf": v(100), "support": v(1)},
		{"hit@1": v(1), "recall@5": v(1), "ndcg@10": v(1), "token_f1": v(0.72), "chrf": v(61.9), "support": v(0.98)},
		{"hit@1": na("no document is relevant"), "recall@5": na("no document is relevant"), "ndcg@10": na("no document is relevant"),
			"token_f1": na("the case has no reference answer"), "chrf": na("the case has no reference answer"),
			"support": {State: assay.Abstained, Reason: "the answer declines"}},
		{"hit@1": na("the case has no expected documents"), "recall@5": na("the case has no expected documents"),
			"ndcg@10": na("the case has no expected documents"), "token_f1": v(1), "chrf": v(100),
			"support": {State: assay.JudgeError, Reason: attack}},
		down, down,
		{"hit@1": na("the target reports no passages"), "recall@5": na("the target reports no passages"),
			"ndcg@10": na("the target reports no passages"), "token_f1": v(0.55), "chrf": v(47.3), "support": na("the target reports no passages")},
		{"hit@1": na("the case has no expected documents"), "recall@5": na("the case has no expected documents"),
			"ndcg@10": na("the case has no expected documents"), "token_f1": na("the case has no reference answer"),
			"chrf": na("the case has no reference answer"), "support": judge},
		{"hit@1": v(1), "recall@5": v(1), "ndcg@10": v(1), "token_f1": v(0.97), "chrf": v(95.2), "support": v(1)},
		{"hit@1": v(1), "recall@5": v(1), "ndcg@10": v(1), "token_f1": v(0.5), "chrf": v(44.4), "support": v(1)},
	}
	failures := map[int]*assay.Failure{6: {Kind: "timeout", Message: "no response within 30s"},
		7: {Kind: "status", Message: "http 500: <b>internal</b> error \x1b[2J"}}
	ruled := map[int]assay.Correctness{0: assay.AnswerWrong, 5: assay.AnswerUnknown, 6: "", 7: "", 9: assay.AnswerUnknown,
		11: assay.AnswerUnknown}
	var records []assay.Record
	for i, c := range cases {
		answer, ok := ruled[i]
		if !ok {
			answer = assay.AnswerRight
		}
		r := assay.Record{Seq: i, Case: c, Response: responses[i], Failure: failures[i], Attempts: 1, Scores: all[i], Answer: answer,
			Started: start.Add(time.Duration(i) * time.Second)}
		if r.Failure != nil {
			r.Attempts = 4
		}
		if r.Response != nil {
			r.Slow = r.Response.Latency > 5*time.Second
			r.Response.Usage = assay.Usage{InputTokens: 900 + i, OutputTokens: 40 + i, Cost: int64(310 + 7*i)}
		}
		if i == 0 {
			r.Judging = &assay.Spending{Calls: 5, Cached: 1, Failed: 1, Usage: assay.Usage{InputTokens: 4210, OutputTokens: 388, Cost: 9120}}
			r.Warnings = []string{"passage 3: cut to fit the judge's window"}
		}
		records = append(records, r)
	}
	h := header("hybrid", metrics...)
	h.Judge = &assay.JudgeInfo{Provider: "local", Model: "qwen3-32b", PromptHash: "a91f03c2d4e5", Passes: 3,
		Parameters: map[string]string{"temperature": "0"}}
	h.Spending = &assay.Spending{Calls: 4, Usage: assay.Usage{InputTokens: 3400, OutputTokens: 310, Cost: 7300}}
	h.Dataset.Cases, h.Dataset.Total, h.Dataset.Critical = len(cases), 46, 3
	return report.New(h, records)
}

// small is a run of three cases, small enough for golden files.
func small(t testing.TB) *report.Report {
	t.Helper()
	full := sample(t)
	records := append([]assay.Record{}, held(full)[0], held(full)[3], held(full)[7])
	h := full.Header
	h.Metrics = []assay.MetricInfo{recall, ndcg, f1, support}
	h.Dataset.Cases, h.Dataset.Critical = 3, 2
	for i := range records {
		kept := map[string]assay.Score{}
		for _, m := range h.Metrics {
			kept[m.Name] = records[i].Scores[m.Name]
		}
		records[i].Scores, records[i].Seq = kept, i
	}
	return report.New(h, records)
}

// family makes runs of n cases whose scores differ by gain from one run to the
// next, for comparisons and for the size of pages.
func family(n int, gain float64, names ...string) []*report.Report {
	var out []*report.Report
	for k, name := range names {
		rng := rand.New(rand.NewPCG(11, uint64(k)))
		base := rand.New(rand.NewPCG(5, 5))
		h := header(name, hit, recall, ndcg, f1, wer)
		h.ID = fmt.Sprintf("%s-%d", h.ID, k)
		h.Dataset.Cases, h.Dataset.Total = n, n
		var records []assay.Record
		for i := range n {
			level := base.Float64()
			value := func(amount float64) float64 {
				return math.Round(100*min(1, max(0, level+amount*float64(k)+0.1*rng.NormFloat64()))) / 100
			}
			h1 := 0.0
			if value(gain) > 0.5 {
				h1 = 1
			}
			doc := fmt.Sprintf("doc%d.md", i%97)
			p := passages(doc, fmt.Sprintf("Document %d says that item %d lies in rack %d of hall %d.", i%97, i, i%13, i%7), "other.md",
				"Nothing of use is said here, at some length, to fill the passage as real ones do.")
			records = append(records, assay.Record{
				Seq: i, Attempts: 1, Started: start,
				Case: assay.Case{ID: fmt.Sprintf("q%04d", i+1), Question: fmt.Sprintf("Where does item %d lie?", i),
					Tags: []string{[]string{"facts", "numbers", "multi-document"}[i%3]},
					Want: assay.Want{Answers: []string{fmt.Sprintf("In rack %d of hall %d.", i%13, i%7)}, Documents: map[string]int{doc: 1}}},
				Response: answered(fmt.Sprintf("Item %d lies in rack %d of hall %d [1].", i, i%13, i%7),
					time.Duration(8+rng.ExpFloat64()*20)*time.Millisecond, p),
				Scores: map[string]assay.Score{
					"hit@1": assay.Value(h1), "recall@5": assay.Value(value(gain)), "ndcg@10": assay.Value(value(0)),
					"token_f1": assay.Value(value(-gain / 2)),
					"wer":      assay.Ratio(float64(rng.IntN(4)), 10),
				},
			})
		}
		out = append(out, report.New(h, records))
	}
	return out
}

func comparison(t testing.TB, reports []*report.Report) *report.Comparison {
	t.Helper()
	c, err := report.Compare(reports, 1)
	if err != nil {
		t.Fatal(err)
	}
	return c
}
