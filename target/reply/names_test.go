package reply

import (
	"encoding/json"
	"strings"
	"testing"

	"github.com/assay-eval/assay"
)

// The names of stages are understood by what they have in common.
func TestStageNamesAreUnderstood(t *testing.T) {
	t.Parallel()
	for want, names := range map[string]string{
		assay.StageRetrieve: "search bm25 vector knn lookup fetch rrf hybrid dense sparse bm25_search document_retrieval vector-store-lookup " +
			"RetrieverNode fetch_documents hybrid_search",
		assay.StageFilter:     "rerank cross_encoder reranker relevance_filter grade_documents dedup bge_reranker",
		assay.StageDecompose:  "query_rewriting sub_questions query_decomposition search_query_rewriting",
		assay.StageTranscribe: "asr transcription",
		assay.StageGenerate:   "llm answer",
		"":                    "prompt embed_query vector_embedding guardrail prompt_builder",
	} {
		for n := range strings.FieldsSeq(names) {
			if got := stageName(n); got != want && (want != "" || got != n) {
				t.Errorf("%s is %s, want %s", n, got, want)
			}
		}
	}
}

// What fuses the lists of retrievers keeps some of their passages; a stage that is not
// understood is named in a warning if it puts out passages.
func TestNameStages(t *testing.T) {
	t.Parallel()
	r := assay.Response{Trace: &assay.Trace{Stages: []assay.Stage{{Name: "bm25"}, {Name: "vector"}, {Name: "rrf"},
		{Name: "pick", Output: json.RawMessage(`[{"id":"a","text":"b"}]`)}, {Name: "guard", Output: json.RawMessage(`"fine"`)}}}}
	NameStages(&r)
	var got []string
	for _, s := range r.Trace.Stages {
		got = append(got, s.Name)
	}
	if s := strings.Join(got, " "); s != "retrieve retrieve filter pick guard" {
		t.Error(s)
	}
	if len(r.Warnings) != 1 || !strings.Contains(r.Warnings[0], `"pick"`) {
		t.Errorf("%q", r.Warnings)
	}
}
