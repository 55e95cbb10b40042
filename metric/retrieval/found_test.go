package retrieval_test

import (
	"reflect"
	"slices"
	"testing"

	"github.com/assay-eval/assay"
	"github.com/assay-eval/assay/metric"
	"github.com/assay-eval/assay/metric/retrieval"
)

// TestFound: the expected evidence is counted the same whatever metrics a run has; these
// say only how far to look.
func TestFound(t *testing.T) {
	t.Parallel()
	const policy, other = "A full refund is paid within 30 days of purchase.", "Shipping takes three to five working days in Europe."
	passages := []assay.Passage{{ID: "1", Document: "d9", Text: "Nothing to see here at all."}, {ID: "2", Document: "d1", Text: policy}}
	chunks := []assay.Passage{{ID: "d9#1", Document: "d9"}, {ID: "d9#2", Document: "d9"}, {ID: "d1#1", Document: "d1"}}
	documents := func(grades map[string]int) assay.Want { return assay.Want{Documents: grades} }
	for _, test := range []struct {
		name     string
		metrics  []string
		want     assay.Want
		passages []assay.Passage
		found    *assay.Retrieved
	}{
		{"no metric of retrieval", []string{"keyword_recall"}, documents(map[string]int{"d1": 1}), passages, &assay.Retrieved{Found: 1, Of: 1}},
		{"hit", []string{"hit@1"}, documents(map[string]int{"d1": 1}), passages, &assay.Retrieved{K: 1, Of: 1, Missed: 1}},
		{"precision", []string{"precision@1"}, documents(map[string]int{"d1": 1}), passages, &assay.Retrieved{K: 1, Of: 1, Missed: 1}},
		{"the largest cutoff", []string{"precision@1", "err@2"}, documents(map[string]int{"d1": 1}), passages,
			&assay.Retrieved{K: 2, Found: 1, Of: 1}},
		{"no cutoff", []string{"hit@1", "bpref"}, documents(map[string]int{"d1": 1, "d2": 1, "d3": 0}), passages,
			&assay.Retrieved{Found: 1, Of: 2, Missed: 1}},
		{"more documents than ranks, one of them nowhere", []string{"hit@1"}, documents(map[string]int{"d9": 1, "d1": 1, "d2": 1}), passages,
			&assay.Retrieved{K: 3, Found: 2, Of: 3, Missed: 1}},
		{"more documents than ranks, all at the top", []string{"hit@1"}, documents(map[string]int{"d9": 1, "d1": 1}), passages,
			&assay.Retrieved{K: 2, Found: 2, Of: 2}},
		{"k counts documents", []string{"hit@2"}, documents(map[string]int{"d1": 1}), chunks, &assay.Retrieved{K: 2, Found: 1, Of: 1}},
		{"k counts passages", []string{"src_recall@2"}, documents(map[string]int{"d1": 1}), chunks, &assay.Retrieved{K: 2, Of: 1, Missed: 1}},
		{"k counts both", []string{"src_recall@2", "hit@1"}, documents(map[string]int{"d1": 1}), chunks, &assay.Retrieved{K: 2, Of: 1, Missed: 1}},
		{"k counts passages, and the document is among more of them", []string{"hit@2", "src_recall@3"}, documents(map[string]int{"d1": 1}),
			append(slices.Clone(chunks[:2]), chunks[0], chunks[2]), &assay.Retrieved{K: 3, Of: 1, Missed: 1}},
		{"two metrics with one cutoff", []string{"src_recall@2", "hit@2"}, documents(map[string]int{"d1": 1}), chunks,
			&assay.Retrieved{K: 2, Found: 1, Of: 1}},
		{"k counts both, documents reach further", []string{"src_recall@1", "hit@2"}, documents(map[string]int{"d1": 1}), chunks,
			&assay.Retrieved{K: 2, Found: 1, Of: 1}},
		{"k counts passages, and more documents", []string{"src_hit@1"}, documents(map[string]int{"d9": 1, "d1": 1, "d2": 1}), chunks,
			&assay.Retrieved{K: 3, Found: 2, Of: 3, Missed: 1}},
		{"a level", []string{"recall@2(level=2)"}, documents(map[string]int{"d1": 1, "d9": 2}), passages,
			&assay.Retrieved{K: 2, Found: 1, Of: 1}},
		{"passages", []string{"rbp"}, assay.Want{Passages: []string{policy, other, "short"}}, passages, &assay.Retrieved{Found: 1, Of: 2}},
		{"documents and passages", nil, assay.Want{Documents: map[string]int{"d1": 1}, Passages: []string{policy}}, passages,
			&assay.Retrieved{Found: 2, Of: 2}},
		{"nothing retrieved", nil, documents(map[string]int{"d1": 1}), []assay.Passage{}, &assay.Retrieved{Of: 1, Missed: 1}},
		{"passages without a text", nil, assay.Want{Passages: []string{policy}}, []assay.Passage{{ID: "1"}}, nil},
		{"passages without a name", nil, documents(map[string]int{"d1": 1}), []assay.Passage{{Text: policy}}, nil},
		{"no passages reported", nil, documents(map[string]int{"d1": 1}), nil, nil},
		{"nothing expected", nil, assay.Want{Answers: []string{"30 days"}}, passages, nil},
	} {
		var metrics []metric.Metric
		for _, name := range test.metrics {
			m, err := catalog.Parse(name)
			if err != nil {
				t.Fatal(err)
			}
			metrics = append(metrics, m)
		}
		got := retrieval.Found(&assay.Case{Want: test.want}, &assay.Response{Passages: test.passages}, retrieval.ReachOf(metrics))
		if !reflect.DeepEqual(got, test.found) {
			t.Errorf("%s: %+v, want %+v", test.name, got, test.found)
		}
	}
}
