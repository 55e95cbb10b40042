package storetest

import (
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"strings"
	"testing"
	"time"

	"github.com/assay-eval/assay"
)

// start is the time at which the sample runs begin.
var start = time.Date(2026, 11, 21, 13, 34, 9, 123456789, time.UTC)

// Header returns a header with every field set; n distinguishes headers, and a larger n
// started later.
func Header(n int) assay.Header {
	return assay.Header{
		ID: fmt.Sprintf("20261121-133409%03d-%08d", n, n), Name: fmt.Sprintf("name %d", n),
		Started: start.Add(time.Duration(n) * time.Millisecond), State: "running", Version: "v1 (abc)",
		Dataset: assay.DatasetInfo{Name: "gold", Path: "gold.jsonl", Format: "gold", Hash: "sha256:00", Cases: 3, Total: 4, Critical: 1,
			Created: start},
		Corpus:  &assay.CorpusInfo{Path: "docs", Hash: "sha256:01", Documents: 2, Passages: 9},
		Target:  assay.TargetInfo{Adapter: "builtin", Settings: map[string]string{"k": "1"}, Metered: true},
		Metrics: []assay.MetricInfo{{Name: "mrr", Title: "MRR", Better: "higher", Range: [2]float64{0, math.MaxFloat64}, Version: 1}},
		Seed:    math.MaxUint64, Config: map[string]string{"top-k": "10"}, Command: []string{"assay", "run"}, Warnings: []string{"old"},
	}
}

// Record returns a record with difficult values: nil and empty lists, control
// characters, the largest and smallest numbers, every state.
func Record(seq int) assay.Record {
	transcript, answerable := "", false
	return assay.Record{
		Seq: seq,
		Case: assay.Case{
			ID: fmt.Sprintf("case %d", seq), Question: "你好 \x00 \u2028 <b>&</b> \U0001F600?", Critical: seq%2 == 0,
			Want: assay.Want{
				Answers: []string{}, Documents: map[string]int{"d\n1": -1, "": 0, "é": 2}, Keywords: []string{"a|b"},
				Transcript: &transcript, Answerable: &answerable,
			},
			Metadata: map[string]any{"big": json.Number("12345678901234567890"), "f": json.Number("1.50"), "n": nil, "l": []any{true, "x"}},
			Origin:   assay.Origin{File: "gold.jsonl", Line: seq + 1},
		},
		Response: &assay.Response{
			Answer:   "line\r\n\ttab \x1b[31m",
			Passages: []assay.Passage{{ID: "p", Document: "d", Text: "t", Index: 3, Score: -math.MaxFloat64}, {}},
			Trace: &assay.Trace{Stages: []assay.Stage{{Name: "retrieve", Latency: 5, Input: json.RawMessage(`"q"`),
				Output: json.RawMessage(`[1,{"a":null}]`)}}},
			Usage: assay.Usage{InputTokens: 1, OutputTokens: 2, Cost: 3}, Latency: 1500 * time.Millisecond, Warnings: []string{"w"},
		},
		Attempts: 2,
		Scores: map[string]assay.Score{
			"ndcg@10": {State: assay.Scored, Value: 0.1 + 0.2, Num: 1, Den: 3, Lower: math.SmallestNonzeroFloat64, Upper: 1,
				Evidence: []assay.Evidence{{Kind: "missing", Text: "x", Where: "passage 1"}}},
			"none":        assay.None("why"),
			"abstained":   {State: assay.Abstained},
			"target":      {State: assay.TargetError},
			"judge error": {State: assay.JudgeError, Reason: "r"},
		},
		Started: start, Slow: true,
	}
}

// Records returns n records from seq on.
func Records(seq, n int) []assay.Record {
	var out []assay.Record
	for i := range n {
		out = append(out, Record(seq+i))
	}
	return out
}

// Call returns a call with difficult values; n distinguishes keys, which ascend with n.
func Call(n int) assay.Call {
	operation := []string{"support", "claims"}[n%2]
	return assay.Call{
		Key: fmt.Sprintf("%064x", n), Run: Header(1).ID, Operation: operation, Provider: "openai", Model: "m:1/é",
		Request: json.RawMessage(`{"big":12345678901234567890,"f":1.50,"messages":[{"text":"\u0000\u0002nonce\u0003 你好 <b>&"}],` +
			`"schema":{"type":"object","b":[1.0, "x"]},` +
			`"system":"` + strings.Repeat("Judge by \\u4f60\\u0000 the rules of "+operation+". ", 20) + `","z":0}`),
		Reply:   json.RawMessage(fmt.Sprintf(`{"text":"reply %d \u2028","nonce":"ab"}`, n)),
		Usage:   assay.Usage{InputTokens: 1000 + n, OutputTokens: 10, Cost: math.MaxInt32 + int64(n)},
		Latency: 1500*time.Millisecond + 1, Made: start.Add(time.Duration(n)),
	}
}

// failed returns a record without a response.
func failed(seq int) assay.Record {
	r := Record(seq)
	r.Response, r.Failure, r.Slow = nil, &assay.Failure{Kind: "timeout", Message: "no response within 30s"}, false
	return r
}

// silent returns a record whose target reports no passages.
func silent(seq int) assay.Record {
	r := Record(seq)
	r.Response = &assay.Response{Answer: "a"}
	return r
}

// empty returns a record whose target retrieved nothing.
func empty(seq int) assay.Record {
	r := Record(seq)
	r.Response = &assay.Response{Passages: []assay.Passage{}}
	return r
}

// all reads a run's records.
func all(t *testing.T, s Store, id string) []assay.Record {
	t.Helper()
	var out []assay.Record
	for r, err := range s.Records(t.Context(), id) {
		if err != nil {
			t.Fatal(err)
		}
		out = append(out, r)
	}
	return out
}

// seqs returns the Seq of a run's records.
func seqs(t *testing.T, s Store, id string) []int {
	t.Helper()
	var out []int
	for _, r := range all(t, s, id) {
		out = append(out, r.Seq)
	}
	return out
}

// create adds a run.
func create(t *testing.T, s Store, n int) string {
	t.Helper()
	h := Header(n)
	if err := s.CreateRun(t.Context(), h); err != nil {
		t.Fatal(err)
	}
	return h.ID
}

func put(t *testing.T, s Store, id string, recs ...assay.Record) {
	t.Helper()
	if err := s.Put(t.Context(), id, recs...); err != nil {
		t.Fatal(err)
	}
}

// wantError fails the test unless err is want and has a message.
func wantError(t *testing.T, err, want error) {
	t.Helper()
	if !errors.Is(err, want) {
		t.Errorf("got error %v, want %v", err, want)
	}
}
