package report_test

import (
	"testing"
	"time"

	"github.com/assay-eval/assay"
	"github.com/assay-eval/assay/report"
)

// gatedMetrics are those of a run with weights and thresholds.
func gatedMetrics() []assay.MetricInfo {
	at := func(v float64) *float64 { return &v }
	judged := func(name, title, better string, weight float64, threshold *float64) assay.MetricInfo {
		return assay.MetricInfo{Name: name, Title: title, Better: better, Range: ratio, Judged: true, Version: 1, Weight: weight,
			Threshold: threshold}
	}
	return []assay.MetricInfo{
		judged("faithfulness", "Faithfulness", "higher", 0.4, at(0.85)),
		judged("answer_relevance", "Answer relevance", "higher", 0.2, at(0.7)),
		judged("context_precision", "Context precision", "higher", 0.2, nil),
		judged("context_recall", "Context recall", "higher", 0.2, at(0.5)),
		judged("hallucination", "Hallucination", "lower", 0, at(0.25)),
		judged("composite", "Composite", "higher", 0, at(0.8)),
	}
}

// gated is a run with a composite, thresholds, failed attempts and a budget. Of
// its five cases one failed, one is an error and one answered at the second
// attempt. Worked out by hand (the error counts 0 where more is better):
//
//	                   tc_001  tc_004  tc_008  tc_010  tc_012   mean
//	faithfulness         0.5       1       0      1       1     0.7        misses 0.85
//	answer_relevance     0.8     0.9       0     0.9     0.95   0.71       reaches 0.7
//	context_recall         1       1       0      ?       1     3/4; 3/5…4/5 reaches 0.5
//	hallucination        0.5       0       –      0       0     0.125; 0.1…0.3 unsure of 0.25
//	composite           0.72    0.98       0      ?    0.99     0.6725; at best 0.734
func gated(t testing.TB) *report.Report {
	t.Helper()
	full := sample(t)
	v := assay.Value
	gone := assay.Score{State: assay.TargetError, Reason: "the target gave no response"}
	unread := assay.Score{State: assay.JudgeError, Reason: "the judge gave no ruling on 3 of 4: at most a fifth may be missing", Upper: 1}
	claims := []assay.Evidence{
		{Kind: "contradicted", Text: "You can get a refund within 14 days. — the policy gives 30 days", Where: "sentence 1, against passage 3"},
		{Kind: "unsupported", Text: "Support handles refunds. — no passage says who handles them", Where: "sentence 1, split vote 2 to 1"},
	}
	half, made := v(0.5), v(0.5)
	half.Evidence = append(claims[:2:2], assay.Evidence{Kind: "split", Text: "Refunds exist. — passages 1 and 3 say so",
		Where: "split vote 2 to 1"})
	made.Evidence = claims[1:]
	relevant := v(0.8)
	relevant.Reason = "the answer adds what was not asked"
	precise := v(0.8)
	precise.Evidence = []assay.Evidence{{Kind: "not useful", Text: "Contact support for refund requests.", Where: "passage 2"}}
	low := v(0.72)
	low.Evidence = []assay.Evidence{
		{Kind: "part", Text: "faithfulness 0.500, weight 40 %"}, {Kind: "part", Text: "answer_relevance 0.800, weight 20 %"},
		{Kind: "part", Text: "context_precision 0.800, weight 20 %"}, {Kind: "part", Text: "context_recall 1.000, weight 20 %"},
	}
	partly := assay.Score{State: assay.JudgeError, Reason: "context_recall could not be scored", Lower: 0.78, Upper: 0.98}
	scores := map[int][6]assay.Score{
		0:  {half, relevant, precise, v(1), made, low},
		3:  {v(1), v(0.9), v(1), v(1), v(0), v(0.98)},
		7:  {gone, gone, gone, gone, gone, gone},
		9:  {v(1), v(0.9), v(1), unread, v(0), partly},
		11: {v(1), v(0.95), v(1), v(1), v(0), v(0.99)},
	}
	timeout := assay.Failure{Kind: "timeout", Message: "no response within 30s"}
	status := *held(full)[7].Failure
	tries := map[int][]assay.Try{
		7: {
			{Failure: timeout, Latency: 30 * time.Second, Wait: 1100 * time.Millisecond},
			{Failure: status, Latency: 85 * time.Millisecond, Wait: 2300 * time.Millisecond},
			{Failure: status, Latency: 80 * time.Millisecond, Wait: 4200 * time.Millisecond},
			{Failure: status, Latency: 91 * time.Millisecond},
		},
		11: {{Failure: assay.Failure{Kind: "refused", Message: "connect: connection refused"}, Latency: 2 * time.Millisecond,
			Wait: 900 * time.Millisecond}},
	}
	h := full.Header
	h.Metrics = gatedMetrics()
	h.Target = assay.TargetInfo{Adapter: "http", Endpoint: "http://127.0.0.1:8000/query"}
	h.Config = map[string]string{"slow-threshold": "5s", "level": "0.95"}
	h.Estimated = &assay.Spending{Calls: 25, Usage: assay.Usage{Cost: 42000}}
	h.Spending = &assay.Spending{Calls: 22, Usage: assay.Usage{Cost: 38100}}
	h.Dataset.Cases = 5
	var records []assay.Record
	for _, i := range []int{0, 3, 7, 9, 11} {
		r := held(full)[i]
		r.Seq, r.Tries, r.Scores = len(records), tries[i], map[string]assay.Score{}
		for k, m := range h.Metrics {
			r.Scores[m.Name] = scores[i][k]
		}
		if i == 11 {
			r.Attempts = 2
		}
		if r.Response != nil {
			answer := *r.Response
			answer.Trace = nil
			if len(answer.Answer) > 300 {
				answer.Answer, answer.Passages = "The handbook has six parts.", passages("all.md", "Part one of six.")
			}
			r.Response = &answer
		}
		records = append(records, r)
	}
	return report.New(h, records)
}
