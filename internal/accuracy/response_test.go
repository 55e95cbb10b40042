package accuracy_test

import (
	"encoding/json"
	"slices"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"github.com/assay-eval/assay"
	"github.com/assay-eval/assay/internal/accuracy"
)

func marshal(t interface{ Fatal(...any) }, v any) json.RawMessage {
	raw, err := json.Marshal(v)
	if err != nil {
		t.Fatal(err)
	}
	return raw
}

func bare(ps ...assay.Passage) []assay.Passage {
	out := slices.Clone(ps)
	for i := range out {
		out[i].Text, out[i].Source, out[i].Title = "", "", ""
	}
	return out
}

// staged is a response of a pipeline with all stages, and two sub-questions.
func staged(t *testing.T) assay.Response {
	a, b, c := chunkOf("d1", 0, "the fee is 5"), chunkOf("d1", 1, "opens at nine"), chunkOf("d2", 3, "dropped by the filter")
	ms := time.Millisecond
	return assay.Response{
		Answer: "It opens at nine [1]. The fee is 5 [2].", Passages: []assay.Passage{scored(b, 9), scored(a, 7.5)}, Latency: 100 * ms,
		Trace: &assay.Trace{Stages: []assay.Stage{
			{
				Name: assay.StageTranscribe, Model: "whisper", Latency: 11 * ms, Input: marshal(t, "q.wav"),
				Output: marshal(t, "when does it open and what is the fee"),
			},
			{
				Name: assay.StageDecompose, Model: "m", Prompt: "split it", Latency: 12 * ms,
				Output: marshal(t, []string{"When does it open?", "What is the fee?"}),
			},
			{Name: "retrieve/sparse", SubQuestion: 1, Latency: ms, Output: marshal(t, []assay.Passage{a})},
			{Name: assay.StageRetrieve, SubQuestion: 1, Latency: 6 * ms, Output: marshal(t, append(bare(scored(b, 0.75)), scored(c, 0.5)))},
			{Name: assay.StageRetrieve, SubQuestion: 2, Latency: 7 * ms, Output: marshal(t, bare(scored(a, 0.25), scored(b, -0.5)))},
			{Name: assay.StageFilter, SubQuestion: 1, Model: "f", Prompt: "score 1", Latency: 8 * ms, Output: marshal(t, bare(scored(b, 9)))},
			{Name: assay.StageFilter, SubQuestion: 2, Model: "f", Prompt: "score 2", Latency: 9 * ms, Output: marshal(t, bare(scored(a, 7.5)))},
			{
				Name: assay.StageGenerate, SubQuestion: 1, Model: "g", Prompt: "answer 1", Latency: 10 * ms, Input: marshal(t, bare(b)),
				Output: marshal(t, "It opens at nine [1]."),
			},
			{
				Name: assay.StageGenerate, SubQuestion: 2, Model: "g", Prompt: "answer 2", Latency: 10 * ms, Input: marshal(t, bare(a)),
				Output: marshal(t, []string{"The fee is 5 [2]."}),
			},
		}},
	}
}

func TestFromResponse(t *testing.T) {
	t.Parallel()
	page, said := 3, "when does it open, and what's the fee"
	got := accuracy.FromResponse(accuracy.About{
		ResultID: "r1", Profile: "B", ProfileHash: "sha256:1", Label: "l", Created: day, Strategy: "recursive",
		Audio:    &accuracy.Recording{Filename: "q.wav", Duration: 1500 * time.Millisecond, Language: "en", Reference: &said},
		Describe: func(p assay.Passage, m *accuracy.Metadata) { m.UploadDate, m.PageNumber = &day, &page },
	}, ptr(staged(t)))

	meta := func(doc string, index int, text string) accuracy.Metadata {
		return accuracy.Metadata{
			Filename: doc + ".md", UploadDate: &day, ContentSummary: text, ChunkIndex: index, PageNumber: &page, DocumentID: doc,
			StrategyType: "recursive", ChunkID: doc + "#" + string(rune('0'+index)),
		}
	}
	fee, open, gone := meta("d1", 0, "the fee is 5"), meta("d1", 1, "opens at nine"), meta("d2", 3, "dropped by the filter")
	chunk := func(i int, m accuracy.Metadata, distance float64) accuracy.Chunk {
		return accuracy.Chunk{ChunkIndex: i, Text: m.ContentSummary, Metadata: m, Distance: &distance}
	}
	relevance := func(m accuracy.Metadata, score float64) accuracy.Metadata { m.RelevanceScore = &score; return m }
	left := func(m accuracy.Metadata) accuracy.Chunk {
		return accuracy.Chunk{Text: m.ContentSummary, Metadata: m}
	}
	const first, second = "When does it open?", "What is the fee?"
	asr, seconds := int64(11), 1.5
	want := accuracy.Result{
		ResultID: "r1", InputType: "audio", Profile: "B", Label: "l", CreatedAt: day,
		Input: accuracy.Input{
			Text: "when does it open and what is the fee", ReferenceTranscript: &said, AudioFilename: "q.wav", AudioDurationSeconds: &seconds,
			ASRLanguage: "en",
		},
		ExtractedKeyQuestions: []string{first, second},
		// Scores are within −1…1, so that distances are 1 − score.
		Retrieval: accuracy.Retrieval{PerSubQuestion: []accuracy.SubQuestionChunks{
			{SubQuestionIndex: 0, SubQuestionText: first, Chunks: []accuracy.Chunk{chunk(0, open, 0.25), chunk(1, gone, 0.5)}},
			{SubQuestionIndex: 1, SubQuestionText: second, Chunks: []accuracy.Chunk{chunk(0, fee, 0.75), chunk(1, open, 1.5)}},
		}, TotalChunksRetrieved: 4, RetrieverTimeMS: 13},
		Filtered: accuracy.Filtered{PerSubQuestion: []accuracy.SubQuestionChunks{
			{SubQuestionIndex: 0, SubQuestionText: first, Chunks: []accuracy.Chunk{left(relevance(open, 9))}},
			{SubQuestionIndex: 1, SubQuestionText: second, Chunks: []accuracy.Chunk{left(relevance(fee, 7.5))}},
		}, TotalChunksFiltered: 2, FilterTimeMS: 17},
		Response: accuracy.Reply{FinalAnswer: "It opens at nine [1]. The fee is 5 [2].", SubQuestionSources: []accuracy.SubQuestionSources{
			{SubQuestionIndex: 0, SubQuestionText: first, Sources: []accuracy.Metadata{relevance(open, 9)}, Answer: "It opens at nine [1]."},
			{SubQuestionIndex: 1, SubQuestionText: second, Sources: []accuracy.Metadata{relevance(fee, 7.5)}, Answer: "The fee is 5 [2]."},
		}, GenerateTimeMS: 20},
		Timing: accuracy.Timing{
			ASRTimeMS: &asr, DecomposerTimeMS: 12, RetrieverTimeMS: 13, FilterTimeMS: 17, GeneratorTimeMS: 20, TotalTimeMS: 100,
		},
		Prompts: accuracy.Prompts{
			DecomposePrompt: "split it", FilterPrompt: "score 1\n\nscore 2", GeneratePrompt: "answer 1\n\nanswer 2", ProfileHash: "sha256:1",
			Models: accuracy.Models{Decompose: "m", Filter: "f", Generate: "g", ASR: "whisper"},
		},
	}
	if d := cmp.Diff(want, got); d != "" {
		t.Error(d)
	}
}

func ptr[T any](v T) *T { return &v }

// TestNames pins the names of the fields, which are a contract.
func TestNames(t *testing.T) {
	t.Parallel()
	r := accuracy.FromResponse(accuracy.About{Audio: &accuracy.Recording{Filename: "q.wav", Reference: ptr("")}}, ptr(staged(t)))
	keys := func(v any) []string {
		var m map[string]json.RawMessage
		if err := json.Unmarshal(marshal(t, v), &m); err != nil {
			t.Fatal(err)
		}
		var out []string
		for k := range m {
			out = append(out, k)
		}
		slices.Sort(out)
		return out
	}
	for _, c := range []struct {
		v    any
		want []string
	}{
		{
			r,
			[]string{
				"created_at", "extracted_key_questions", "filtered", "input", "input_type", "label", "model_replies",
				"profile", "prompts", "response", "result_id",
				"retrieval", "timing",
			},
		},
		{r.Retrieval, []string{"per_sub_question", "retriever_time_ms", "total_chunks_retrieved"}},
		{r.Retrieval.PerSubQuestion[0], []string{"chunks", "sub_question_index", "sub_question_text"}},
		{r.Retrieval.PerSubQuestion[0].Chunks[0], []string{"chunk_index", "distance", "metadata", "text"}},
		{
			r.Retrieval.PerSubQuestion[0].Chunks[0].Metadata,
			[]string{"chunk_id", "chunk_index", "content_summary", "document_id", "filename", "page_number", "strategy_type", "upload_date"},
		},
		{r.Filtered, []string{"filter_time_ms", "per_sub_question", "total_chunks_filtered"}},
		{r.Response, []string{"final_answer", "generate_time_ms", "sub_question_sources"}},
		{r.Timing, []string{"asr_time_ms", "decomposer_time_ms", "filter_time_ms", "generator_time_ms", "retriever_time_ms", "total_time_ms"}},
		{r.Prompts, []string{"decompose_prompt", "filter_prompt", "generate_prompt", "models", "profile_hash"}},
		{r.Prompts.Models, []string{"asr", "decompose", "filter", "generate"}},
		{
			accuracy.Evaluation{},
			[]string{
				"attribution", "audio_evaluation", "chunk_evaluation", "created_at", "errors", "evaluation_id", "key_questions_evaluation",
				"model_replies", "provenance", "response_evaluation", "result_id", "status", "timing",
			},
		},
		{
			accuracy.AudioEvaluation{},
			[]string{
				"cer", "deletions", "folded", "hits", "insertions", "keyword_error_rate", "keywords_lost", "keywords_said", "mixer",
				"normalisation", "number_error_rate", "numbers_added", "numbers_lost", "reference_length", "status", "strict",
				"substitutions", "transcribed_length", "wer",
			},
		},
		{accuracy.Marks{}, []string{"comments", "max_score", "model_name", "scores", "thinking_trace", "time_ms", "total_score"}},
		{accuracy.Scores{}, []string{"dimension_1_準確性", "dimension_2_完整性", "dimension_3_清晰度", "dimension_4_簡潔性"}},
		{accuracy.ChunkAccuracy{}, []string{"f1", "pipeline_chunks", "precision", "recall", "relevant_in_pipeline"}},
		{
			accuracy.ResponseTruth{},
			[]string{
				"comments", "comparison_time_ms", "completeness_score", "factual_accuracy_score", "ground_truth_generation_time_ms",
				"ground_truth_response", "pipeline_response_section", "sub_question_index", "sub_question_text",
			},
		},
	} {
		if d := cmp.Diff(c.want, keys(c.v)); d != "" {
			t.Errorf("%T: %s", c.v, d)
		}
	}
}

// TestPlainResponse is of a target that tells nothing of its stages.
func TestPlainResponse(t *testing.T) {
	t.Parallel()
	a := chunkOf("d1", 0, "one")
	for name, c := range map[string]struct {
		give                 assay.Response
		retrieved, distances []float64
	}{
		"cosines": {assay.Response{Passages: []assay.Passage{scored(a, 1), scored(chunkOf("d", 1, "x"), 0.2)}}, nil, []float64{0, 0.8}},
		"bm25": {
			assay.Response{Passages: []assay.Passage{scored(a, 4), scored(chunkOf("d", 1, "x"), 0), scored(chunkOf("d", 2, "x"), -3)}}, nil,
			[]float64{0.2, 1, 1},
		},
		"distances": {
			assay.Response{Passages: []assay.Passage{{ID: "a", Details: &assay.Details{Distance: ptr(0.1245)}}, {ID: "b", Details: &assay.Details{
				Distance: ptr(0.5)}}}}, nil, []float64{0.1245, 0.5},
		},
		"no scores": {assay.Response{Passages: []assay.Passage{{Text: "a"}}}, nil, []float64{-1}},
		"none":      {assay.Response{Passages: []assay.Passage{}}, nil, nil},
		"not told":  {assay.Response{}, nil, nil},
	} {
		r := accuracy.FromResponse(accuracy.About{Question: "q?"}, &c.give)
		if len(r.ExtractedKeyQuestions) != 1 || r.ExtractedKeyQuestions[0] != "q?" || r.InputType != "text" ||
			len(r.Retrieval.PerSubQuestion) != 1 || r.Retrieval.PerSubQuestion[0].SubQuestionText != "q?" {
			t.Errorf("%s: %+v", name, r)
		}
		var got []float64
		for _, k := range r.Retrieval.PerSubQuestion[0].Chunks {
			if k.Distance == nil {
				k.Distance = ptr(-1.0)
			}
			got = append(got, *k.Distance)
		}
		if d := cmp.Diff(c.distances, got); d != "" {
			t.Errorf("%s: %s", name, d)
		}
		for _, k := range r.Filtered.PerSubQuestion[0].Chunks {
			if k.Distance != nil || k.Metadata.RelevanceScore != nil {
				t.Errorf("%s: without a filter nothing has its score: %+v", name, k)
			}
		}
		if r.Filtered.TotalChunksFiltered != len(got) {
			t.Errorf("%s: %d kept of %d without a filter", name, r.Filtered.TotalChunksFiltered, len(got))
		}
	}
}

// TestChunksWithoutIndex: chunks of one document are not one chunk if the target does not
// report their places.
func TestChunksWithoutIndex(t *testing.T) {
	t.Parallel()
	for name, passages := range map[string][]assay.Passage{
		"texts alone": {{Text: "a"}, {Text: "b"}, {Text: "a"}},
		"documents":   {{Document: "d", Text: "a"}, {Document: "d", Text: "b"}, {Document: "d", Text: "a"}},
		"files":       {{Source: "f", Text: "a"}, {Source: "f", Text: "b"}, {Source: "f", Text: "a"}},
	} {
		r := accuracy.FromResponse(accuracy.About{Question: "q?"}, &assay.Response{Passages: passages})
		k := r.Retrieval.PerSubQuestion[0].Chunks
		if a := k[0].Metadata.DocumentID; a == "" || a == k[1].Metadata.DocumentID || a != k[2].Metadata.DocumentID ||
			r.Filtered.PerSubQuestion[0].Chunks[1].Metadata.DocumentID != k[1].Metadata.DocumentID {
			t.Errorf("%s: %+v", name, k)
		}
	}
}

// TestResultIsWhole: a result is the same after it was kept, whatever the stages
// were, and its totals are those of its lists.
func TestResultIsWhole(t *testing.T) {
	t.Parallel()
	again := func(t interface {
		Fatal(...any)
		Errorf(string, ...any)
	}, want accuracy.Result) {
		// What is kept is JSON.
		var kept accuracy.Result
		if err := json.Unmarshal(marshal(t, want), &kept); err != nil {
			t.Fatal(err)
		}
		if d := cmp.Diff(want, kept); d != "" {
			t.Errorf("%s", d)
		}
		retrieved, filtered := 0, 0
		for i, q := range want.Retrieval.PerSubQuestion {
			retrieved += len(q.Chunks)
			filtered += len(want.Filtered.PerSubQuestion[i].Chunks)
			if q.SubQuestionText != want.Filtered.PerSubQuestion[i].SubQuestionText {
				t.Errorf("sub-question %d is %q and %q", i, q.SubQuestionText, want.Filtered.PerSubQuestion[i].SubQuestionText)
			}
		}
		if retrieved != want.Retrieval.TotalChunksRetrieved || filtered != want.Filtered.TotalChunksFiltered {
			t.Errorf("totals %d and %d, want %d and %d", want.Retrieval.TotalChunksRetrieved, want.Filtered.TotalChunksFiltered, retrieved, filtered)
		}
	}
	again(
		t,
		accuracy.FromResponse(
			accuracy.About{ResultID: "r1", Profile: "A", Created: day, Audio: &accuracy.Recording{Filename: "q.wav"}}, ptr(staged(t)),
		),
	)

	rapid.Check(t, func(t *rapid.T) {
		all := corpus(6, 2)
		list := func(name string, from []assay.Passage, low, high int) []assay.Passage {
			out := []assay.Passage{}
			seen := map[int]bool{}
			for _, i := range rapid.SliceOfN(rapid.IntRange(0, 5), 0, 4).Draw(t, name) {
				if i < len(from) && !seen[i] {
					out = append(out, scored(from[i], float64(rapid.IntRange(low, high).Draw(t, "score"))/4))
					seen[i] = true
				}
			}
			return out
		}
		n := rapid.IntRange(0, 3).Draw(t, "sub-questions")
		var r assay.Response
		r.Trace = &assay.Trace{}
		add := func(s assay.Stage) { r.Trace.Stages = append(r.Trace.Stages, s) }
		if n > 0 {
			add(assay.Stage{Name: assay.StageDecompose, Model: "m", Output: marshal(t, []string{"a?", "b?", "c?"}[:n])})
		}
		filter := rapid.Bool().Draw(t, "filter")
		var kept [][]assay.Passage
		for i := range max(n, 1) {
			found := list("found", all, -4, 4)
			add(assay.Stage{Name: assay.StageRetrieve, SubQuestion: min(n, i+1), Output: marshal(t, found)})
			if filter {
				found = list("kept", found, 0, 40)
				add(assay.Stage{Name: assay.StageFilter, Model: "f", SubQuestion: min(n, i+1), Output: marshal(t, found)})
			}
			kept = append(kept, found)
		}
		r.Passages = assay.Interleave(kept)
		r.Answer = "answer"
		if rapid.Bool().Draw(t, "sections") && n > 0 {
			for i := range n {
				add(assay.Stage{Name: assay.StageGenerate, SubQuestion: i + 1, Model: "g", Input: marshal(t, kept[i]), Output: marshal(t, "section")})
			}
		} else {
			add(assay.Stage{Name: assay.StageGenerate, Model: "g", Input: marshal(t, r.Passages), Output: marshal(t, "answer")})
		}
		again(t, accuracy.FromResponse(accuracy.About{Profile: "A", Created: day, Question: "q?"}, &r))
	})
}

// Stages that ran at the same time count once, those of unknown start one after the other.
func TestTimeOfParallelStages(t *testing.T) {
	t.Parallel()
	at := func(ms int) *time.Duration {
		d := time.Duration(ms) * time.Millisecond
		return &d
	}
	stage := func(name string, start *time.Duration, ms int) assay.Stage {
		return assay.Stage{Name: name, Start: start, Latency: time.Duration(ms) * time.Millisecond}
	}
	r := accuracy.FromResponse(accuracy.About{Question: "q"}, &assay.Response{Latency: 200 * time.Millisecond, Trace: &assay.Trace{
		Stages: []assay.Stage{
			stage(assay.StageRetrieve, nil, 5), stage(assay.StageRetrieve, nil, 6),
			stage(assay.StageFilter, at(60), 10), stage(assay.StageFilter, at(11), 30), stage(assay.StageFilter, at(12), 20),
			stage(assay.StageFilter, at(31), 20),
		},
	}})
	if r.Timing.RetrieverTimeMS != 11 || r.Timing.FilterTimeMS != 50 || r.Filtered.FilterTimeMS != 50 {
		t.Errorf("%+v", r.Timing)
	}
}
