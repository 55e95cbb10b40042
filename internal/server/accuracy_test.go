package server

import (
	"bytes"
	"context"
	"encoding/binary"
	"encoding/json"
	"fmt"
	"mime/multipart"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/assay-eval/assay/internal/accuracy"
	"github.com/assay-eval/assay/internal/config"
	"github.com/assay-eval/assay/llm"
)

// council is a corpus of 23 documents of one chunk each, in the order of their
// names. Of parking tell 03, 07 and 12, of libraries 05 and 22.
func council(t *testing.T) string {
	files := map[string]string{}
	for i := range 23 {
		text := fmt.Sprintf("Item %d of the minutes is about drains, trees and street lamps.", i)
		switch i {
		case 3, 7, 12:
			text = fmt.Sprintf("Item %d: the parking fee in the harbour street rises to %d dollars.", i, i)
		case 5, 22:
			text = fmt.Sprintf("Item %d: the public library opens at nine on %d days of the month.", i, i)
		}
		files[fmt.Sprintf("d%02d.md", i)] = text
	}
	return folder(t, files)
}

// stages plays the models of the pipeline: it decomposes every question into
// two, and does the rest by plain rules.
const stages = `
simulate: true
rules:
  - when: {operation: decompose}
    reply: '{"questions":["What is the parking fee?","When does the library open?"]}'
`

// The marks of two judges, whose means are 36, 22.5, 17.5 and 13.5: 89.5.
const (
	strict = `
rules:
  - when: {operation: evaluate_key_questions}
    reply: {dimension_1_準確性: 35, dimension_2_完整性: 22, dimension_3_清晰度: 18, dimension_4_簡潔性: 13, total_score: 100, comments: close to the original}
    thinking: I weighed every point.
` + rulings
	mild = `
rules:
  - when: {operation: evaluate_key_questions}
    reply: {dimension_1_準確性: 37, dimension_2_完整性: 23, dimension_3_清晰度: 17, dimension_4_簡潔性: 14, total_score: 0, comments: complete}
` + rulings
	// rulings are on batches of ten, in the order of the names.
	rulings = `
  - when: {operation: evaluate_chunk_relevance, matches: '(?s)parking fee\?.*"d00\.md"'}
    reply: {relevant_chunk_indices: [3, 7]}
  - when: {operation: evaluate_chunk_relevance, matches: '(?s)parking fee\?.*"d10\.md"'}
    reply: {relevant_chunk_indices: [2]}
  - when: {operation: evaluate_chunk_relevance, matches: '(?s)library open\?.*"d00\.md"'}
    reply: {relevant_chunk_indices: [5]}
  - when: {operation: evaluate_chunk_relevance, matches: '(?s)library open\?.*"d20\.md"'}
    reply: {relevant_chunk_indices: [2]}
  - when: {operation: evaluate_chunk_relevance}
    reply: {relevant_chunk_indices: []}
  - when: {operation: evaluate_ideal_response, contains: parking fee?}
    reply: The fee rises to 3, 7 and 12 dollars [d03.md].
  - when: {operation: evaluate_ideal_response}
    reply: It opens at nine [d05.md].
  - when: {operation: evaluate_response_comparison, contains: parking fee?}
    reply: {comments: one fee is missing, declines: false, completeness_level: 3, factual_accuracy_level: 4}
  - when: {operation: evaluate_response_comparison}
    reply: {comments: the days are missing, declines: false, completeness_level: 2, factual_accuracy_level: 3}
`
)

const asked = "What is the parking fee, and when does the library open?"

// A lab is a server for accuracy tests.
type lab struct {
	*bench
	dir string

	mu    sync.Mutex
	waits []time.Duration
}

// laboratory starts a server whose pipeline has all stages, with models that are
// scripted. Files replace the usual ones; settings come last.
func laboratory(t *testing.T, files map[string]string, settings ...string) *lab {
	t.Helper()
	all := map[string]string{
		"stages.yaml": stages, "strict.yaml": strict, "mild.yaml": mild,
		"said.yaml": "q.wav: " + asked + "\n夏.wav: 立法會今日討論議題\n",
	}
	for name, text := range files {
		all[name] = text
	}
	dir := folder(t, all)
	corpus := council(t)
	l := &lab{dir: dir}
	l.bench = start(t, func(c *Config) {
		file := func(name string) string { return "fake:" + filepath.Join(dir, name) }
		for _, kv := range append([]string{
			"corpus=" + corpus, "retriever=sparse", "top-k=3", "cache=off", "filter-threshold=1",
			"decomposer=" + file("stages.yaml"), "filter=" + file("stages.yaml"), "generator=" + file("stages.yaml"),
			"judge=" + file("strict.yaml") + "," + file("mild.yaml"), "transcriber=" + file("said.yaml"),
		}, settings...) {
			key, v, _ := strings.Cut(kv, "=")
			if err := c.Settings.Set(key, v, config.FromFlag, "test"); err != nil {
				t.Fatal(err)
			}
		}
	})
	l.server.sleep = l.sleeps
	return l
}

// sleeps notes a wait and lets no time pass.
func (l *lab) sleeps(ctx context.Context, d time.Duration) error {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.waits = append(l.waits, d)
	return ctx.Err()
}

// asks is the result of the usual question.
func (l *lab) asks(profile string) accuracy.Result {
	l.t.Helper()
	return read[accuracy.Result](
		l.t,
		l.do(
			"POST", "/api/v1/test/generate/text", map[string]any{"question": asked, "profile": profile, "label": "run " + profile},
		).want(l.t, 200),
	)
}

// evaluates is the evaluation of a result.
func (l *lab) evaluates(id, query string) accuracy.Evaluation {
	l.t.Helper()
	return read[accuracy.Evaluation](l.t, l.do("POST", "/api/v1/test/evaluate"+query, map[string]any{"result_id": id}).want(l.t, 200))
}

// calls gives the calls that the log of a script has, by operation.
func calls(t *testing.T, log string) map[string]int {
	t.Helper()
	text, err := os.ReadFile(log)
	if err != nil {
		t.Fatal(err)
	}
	out := map[string]int{}
	for line := range strings.Lines(string(text)) {
		var c llm.FakeCall
		if err := json.Unmarshal([]byte(line), &c); err != nil {
			t.Fatal(err)
		}
		out[c.Operation]++
	}
	return out
}

// wave is a recording of silence, of so many seconds at 8000 samples.
func wave(seconds float64) []byte {
	n := uint32(seconds * 8000)
	var b bytes.Buffer
	b.WriteString("RIFF")
	_ = binary.Write(&b, binary.LittleEndian, 36+n)
	b.WriteString("WAVEfmt ")
	for _, v := range []any{uint32(16), uint16(1), uint16(1), uint32(8000), uint32(8000), uint16(1), uint16(8)} {
		_ = binary.Write(&b, binary.LittleEndian, v)
	}
	b.WriteString("data")
	_ = binary.Write(&b, binary.LittleEndian, n)
	b.Write(make([]byte, n))
	return b.Bytes()
}

// speaks posts a recording with the fields of a form.
func (l *lab) speaks(file string, data []byte, fields ...string) got {
	l.t.Helper()
	var b bytes.Buffer
	w := multipart.NewWriter(&b)
	if file != "" {
		part, err := w.CreateFormFile("audio_file", file)
		if err != nil {
			l.t.Fatal(err)
		}
		_, _ = part.Write(data)
	}
	for i := 0; i+1 < len(fields); i += 2 {
		if err := w.WriteField(fields[i], fields[i+1]); err != nil {
			l.t.Fatal(err)
		}
	}
	if err := w.Close(); err != nil {
		l.t.Fatal(err)
	}
	return l.do("POST", "/api/v1/test/generate/audio", &b, "Content-Type", w.FormDataContentType())
}

// inDocuments gives the documents of chunks.
func inDocuments(chunks []accuracy.Chunk) (out []string) {
	for _, c := range chunks {
		out = append(out, strings.TrimSuffix(c.Metadata.DocumentID, ".md"))
	}
	slices.Sort(out)
	return out
}

// TestAC01: POST generate/text with profile A returns a result with the input,
// the key questions, the retrieved chunks, the filtered chunks and the response.
func TestAC01GenerateText(t *testing.T) {
	t.Parallel()
	l := laboratory(t, nil)
	r := l.asks("A")
	if r.Input.Text != asked || r.InputType != "text" || r.Profile != "A" || r.Label != "run A" || !isID(r.ResultID) || r.CreatedAt.IsZero() {
		t.Errorf("the input: %+v", r)
	}
	if d := cmp.Diff([]string{"What is the parking fee?", "When does the library open?"}, r.ExtractedKeyQuestions); d != "" {
		t.Error(d)
	}
	if len(r.Retrieval.PerSubQuestion) != 2 || len(r.Filtered.PerSubQuestion) != 2 || len(r.Response.SubQuestionSources) != 2 {
		t.Fatalf("%+v", r)
	}
	found := r.Retrieval.PerSubQuestion[0]
	if d := cmp.Diff([]string{"d03", "d07", "d12"}, inDocuments(found.Chunks)); d != "" ||
		found.SubQuestionText != "What is the parking fee?" {
		t.Errorf("%s %+v", d, found)
	}
	c := found.Chunks[0]
	if c.Text == "" || c.Distance == nil || *c.Distance < 0 || c.Metadata.Filename == "" ||
		strings.Contains(c.Metadata.Filename, "/") || c.Metadata.ContentSummary == "" || c.Metadata.StrategyType == "" {
		t.Errorf("a chunk: %+v", c)
	}
	total := 0
	for _, q := range r.Filtered.PerSubQuestion {
		total += len(q.Chunks)
		for _, c := range q.Chunks {
			if s := c.Metadata.RelevanceScore; s == nil || *s < 1 || *s > 10 {
				t.Errorf("kept with the relevance %v", s)
			}
		}
	}
	if total == 0 || total != r.Filtered.TotalChunksFiltered ||
		r.Retrieval.TotalChunksRetrieved != len(found.Chunks)+len(r.Retrieval.PerSubQuestion[1].Chunks) {
		t.Errorf("%d kept of %d: %+v", r.Filtered.TotalChunksFiltered, r.Retrieval.TotalChunksRetrieved, r.Filtered)
	}
	if r.Response.FinalAnswer == "" || len(r.Response.SubQuestionSources[0].Sources) == 0 {
		t.Errorf("the response: %+v", r.Response)
	}
	if p := r.Prompts; !strings.Contains(p.DecomposePrompt, asked) || p.FilterPrompt == "" || p.GeneratePrompt == "" ||
		!strings.HasPrefix(p.ProfileHash, "sha256:") || p.Models.Decompose == "" || p.Models.Filter == "" || p.Models.Generate == "" {
		t.Errorf("the prompts: %+v", p)
	}
}

// TestAC02: POST generate/audio takes a recording and its reference, transcribes
// it, and returns a result of the type audio with the reference.
func TestAC02GenerateAudio(t *testing.T) {
	t.Parallel()
	l := laboratory(t, nil)
	said := "What is the parking fee and when does the library open"
	r := read[accuracy.Result](
		t, l.speaks("q.wav", wave(1.5), "profile", "B", "reference_transcript", said, "label", "clip", "language", "en").want(t, 200),
	)
	in := r.Input
	if r.InputType != "audio" || in.Text != asked || in.ReferenceTranscript == nil || *in.ReferenceTranscript != said ||
		in.AudioFilename != "q.wav" || in.ASRLanguage != "en" || in.AudioDurationSeconds == nil || *in.AudioDurationSeconds != 1.5 {
		t.Errorf("%+v", in)
	}
	if r.Timing.ASRTimeMS == nil || r.Prompts.Models.ASR == "" || len(r.ExtractedKeyQuestions) != 2 || r.Response.FinalAnswer == "" ||
		r.Label != "clip" || r.Profile != "B" {
		t.Errorf("%+v", r)
	}
	// A field that is misspelt is not passed over.
	g := l.speaks("q.wav", wave(1), "profile", "A", "reference_transcrpit", said, "x", "y").want(t, 400)
	if !strings.Contains(g.text, `did you mean \"reference_transcript\"?`) ||
		!strings.Contains(g.text, `"location":"form.x"`) {
		t.Errorf("%s", g.text)
	}
	// The language is Cantonese unless somebody says otherwise.
	r = read[accuracy.Result](t, l.speaks(`C:\x\..\夏.wav`, wave(1), "profile", "A", "reference_transcript", "").want(t, 200))
	if r.Input.ASRLanguage != "yue" || r.Input.AudioFilename != "夏.wav" || r.Input.ReferenceTranscript != nil {
		t.Errorf("%+v", r.Input)
	}
	for name, g := range map[string]got{
		"no recording":    l.speaks("", nil, "profile", "A"),
		"no profile":      l.speaks("q.wav", wave(1)),
		"another profile": l.speaks("q.wav", wave(1), "profile", "D"),
		"no language":     l.speaks("q.wav", wave(1), "profile", "A", "language", "fr"),
		"another format":  l.speaks("q.exe", wave(1), "profile", "A"),
		"no sound":        l.speaks("q.wav", []byte("not a recording"), "profile", "A"),
		"empty":           l.speaks("q.wav", nil, "profile", "A"),
	} {
		if g.StatusCode != 400 {
			t.Errorf("%s: %d %s", name, g.StatusCode, g.text)
		}
	}
}

// Without a transcriber a recording is a 503 that names the setting.
func TestAC02WithoutTranscriber(t *testing.T) {
	t.Parallel()
	l := laboratory(t, nil, "transcriber=none")
	if g := l.speaks("q.wav", wave(1), "profile", "A").want(t, 503); !strings.Contains(g.text, "transcriber") {
		t.Errorf("%s", g.text)
	}
}

// TestAC03: the profiles have different prompts.
func TestAC03Profiles(t *testing.T) {
	t.Parallel()
	l := laboratory(t, nil)
	seen := map[string]string{}
	for _, profile := range []string{"A", "B", "C"} {
		r := l.asks(profile)
		for name, prompt := range map[string]string{
			"decompose": r.Prompts.DecomposePrompt, "filter": r.Prompts.FilterPrompt,
			"generate": r.Prompts.GeneratePrompt, "hash": r.Prompts.ProfileHash,
		} {
			if prompt == "" || seen[name+prompt] != "" {
				t.Errorf("profile %s has the %s of profile %q: %s", profile, name, seen[name+prompt], prompt)
			}
			seen[name+prompt] = profile
		}
	}
}

// TestAC04: an unknown profile is a 400 that names the allowed ones, and so are
// an empty question and an unknown target.
func TestAC04Refused(t *testing.T) {
	t.Parallel()
	l := laboratory(t, nil)
	for name, c := range map[string]struct {
		body any
		want []string
	}{
		"profile":       {map[string]any{"question": "q?", "profile": "D"}, []string{"body.profile", "A, B, C", `"D"`}},
		"small profile": {map[string]any{"question": "q?", "profile": "a"}, []string{"body.profile"}},
		"no profile":    {map[string]any{"question": "q?"}, []string{"profile"}},
		"empty":         {map[string]any{"question": "", "profile": "A"}, []string{"body.question"}},
		"blank":         {map[string]any{"question": " \n", "profile": "A"}, []string{"body.question"}},
		"no question":   {map[string]any{"profile": "A"}, []string{"question"}},
		"number":        {map[string]any{"question": 7, "profile": "A"}, []string{"body.question"}},
		"target":        {map[string]any{"question": "q?", "profile": "A", "target": "nobody"}, []string{"body.target", "default"}},
		"no JSON":       {"{", []string{}},
	} {
		g := l.do("POST", "/api/v1/test/generate/text", c.body).want(t, 400)
		for _, w := range c.want {
			if !strings.Contains(g.text, strings.ReplaceAll(w, `"`, `"`)) {
				t.Errorf("%s: the problem lacks %s: %s", name, w, g.text)
			}
		}
	}
}

// TestAC05: GET results lists what was generated, page by page, with sizes.
func TestAC05List(t *testing.T) {
	t.Parallel()
	l := laboratory(t, nil)
	var ids []string
	for _, p := range []string{"A", "B", "C"} {
		ids = append(ids, l.asks(p).ResultID)
	}
	first := read[page[resultView]](t, l.do("GET", "/api/v1/test/results?limit=2", nil).want(t, 200))
	rest := read[page[resultView]](t, l.do("GET", "/api/v1/test/results?limit=2&offset=2", nil).want(t, 200))
	if first.Total != 3 || first.Limit != 2 || first.Offset != 0 || len(first.Items) != 2 || len(rest.Items) != 1 || rest.Offset != 2 {
		t.Fatalf("%+v %+v", first, rest)
	}
	for i, v := range append(first.Items, rest.Items...) {
		// The latest is first.
		if j := 2 - i; v.ResultID != ids[j] || v.Profile != []string{"A", "B", "C"}[j] || v.Label != "run "+v.Profile ||
			v.InputType != "text" || v.Size < 1000 || v.CreatedAt.IsZero() {
			t.Errorf("%d: %+v, want %s", i, v, ids[j])
		}
	}
	l.do("GET", "/api/v1/test/results?limit=0", nil).want(t, 400)
	l.do("GET", "/api/v1/test/results?limit=501", nil).want(t, 400)
	l.do("GET", "/api/v1/test/results?offset=-1", nil).want(t, 400)
}

// TestAC06: GET results/{id} returns the result whole.
func TestAC06Get(t *testing.T) {
	t.Parallel()
	l := laboratory(t, nil)
	want := l.asks("A")
	if d := cmp.Diff(want, read[accuracy.Result](t, l.do("GET", "/api/v1/test/results/"+want.ResultID, nil).want(t, 200))); d != "" {
		t.Error(d)
	}
}

// TestAC07: DELETE results/{id} removes the result, with 200.
func TestAC07Delete(t *testing.T) {
	t.Parallel()
	l := laboratory(t, nil)
	at := "/api/v1/test/results/" + l.asks("A").ResultID
	truth := accuracy.Truth{PerSubQuestion: []accuracy.SubQuestionTruth{{RelevantChunks: []accuracy.ChunkRef{{DocumentID: "d00.md"}}}}}
	l.do("PUT", at+"/ground-truth", truth).want(t, 200)
	gone := l.evaluates(filepath.Base(at), "?dimensions=chunks").EvaluationID
	stays := l.evaluates(l.asks("B").ResultID, "?dimensions=audio")
	l.do("DELETE", at, nil).want(t, 200)
	l.do("GET", at, nil).want(t, 404)
	l.do("GET", at+"/ground-truth", nil).want(t, 404)
	// What was evaluated of it goes with it; that of another result stays.
	l.do("GET", "/api/v1/test/evaluations/"+gone, nil).want(t, 404)
	l.do("GET", "/api/v1/test/evaluations/"+stays.EvaluationID, nil).want(t, 200)
	l.do("DELETE", "/api/v1/test/results/"+stays.ResultID, nil).want(t, 200)
	l.do("DELETE", at, nil).want(t, 404)
	if got := read[page[resultView]](t, l.do("GET", "/api/v1/test/results", nil).want(t, 200)); got.Total != 0 {
		t.Errorf("%+v", got)
	}
}

// TestAC08: POST evaluate with a result's id evaluates all four dimensions.
func TestAC08Evaluate(t *testing.T) {
	t.Parallel()
	l := laboratory(t, nil)
	r := read[accuracy.Result](t, l.speaks("q.wav", wave(1), "profile", "A", "language", "en", "reference_transcript", asked).want(t, 200))
	e := l.evaluates(r.ResultID, "")
	if e.Status != "completed" || e.ResultID != r.ResultID || !isID(e.EvaluationID) || len(e.Errors) != 0 {
		t.Errorf("%+v", e)
	}
	if e.AudioEvaluation == nil || e.KeyQuestionsEvaluation == nil || e.ChunkEvaluation == nil || e.ResponseEvaluation == nil {
		t.Fatalf("%+v", e)
	}
	if e.AudioEvaluation.CER == nil || *e.AudioEvaluation.CER != 0 {
		t.Errorf("what was said was heard: %+v", e.AudioEvaluation)
	}
	// The result may also be sent whole, and says the same.
	inline := read[accuracy.Evaluation](t, l.do("POST", "/api/v1/test/evaluate", map[string]any{"results": r}).want(t, 200))
	sameScores(t, e, inline)
	// Some dimensions are evaluated when only those are asked for.
	one := l.evaluates(r.ResultID, "?dimensions=audio,chunks")
	if one.AudioEvaluation == nil || one.KeyQuestionsEvaluation != nil || one.ChunkEvaluation == nil ||
		one.ResponseEvaluation != nil || one.Status != "completed" {
		t.Errorf("%+v", one)
	}
	for _, path := range []string{"?dimensions=vibes", "?dimensions=response", "?dimensions=audio,vibes"} {
		l.do("POST", "/api/v1/test/evaluate"+path, map[string]any{"result_id": r.ResultID}).want(t, 400)
	}
}

// sameScores compares the scores of two evaluations.
func sameScores(t *testing.T, a, b accuracy.Evaluation) {
	t.Helper()
	for _, e := range []*accuracy.Evaluation{&a, &b} {
		e.EvaluationID, e.CreatedAt, e.Timing = "", time.Time{}, accuracy.EvaluationTiming{}
		e.ModelReplies = accuracy.ModelReplies{} // kept or not, the scores are the same
		if e.KeyQuestionsEvaluation != nil {
			for i := range e.KeyQuestionsEvaluation.Evaluations {
				e.KeyQuestionsEvaluation.Evaluations[i].TimeMS = 0
			}
		}
		if e.ChunkEvaluation != nil {
			for i := range e.ChunkEvaluation.PerSubQuestion {
				e.ChunkEvaluation.PerSubQuestion[i].GroundTruth.ChunkEvaluationTimeMS = 0
			}
		}
		if e.ResponseEvaluation != nil {
			for i := range e.ResponseEvaluation.PerSubQuestion {
				q := &e.ResponseEvaluation.PerSubQuestion[i]
				q.GroundTruthGenerationTimeMS, q.ComparisonTimeMS = 0, 0
			}
		}
	}
	if d := cmp.Diff(a, b); d != "" {
		t.Error(d)
	}
}

// TestAC09: the error rates are there when the reference is, and null, which is
// no error, when it is not.
func TestAC09Audio(t *testing.T) {
	t.Parallel()
	l := laboratory(t, nil)
	// 立法會今日討論議題 lacks the 咗 of 立法會今日討論咗議題: 1 of 10 characters.
	with := read[accuracy.Result](
		t, l.speaks("夏.wav", wave(1), "profile", "A", "reference_transcript", "立法會今日討論咗議題?").want(t, 200),
	)
	e := l.evaluates(with.ResultID, "?dimensions=audio")
	if a := e.AudioEvaluation; a == nil || a.CER == nil || *a.CER != 0.1 || a.WER == nil || a.ReferenceLength != 10 ||
		a.TranscribedLength != 9 || a.Deletions != 1 || a.Hits != 9 || e.Status != "completed" {
		t.Errorf("%+v %+v", e, a)
	}
	// 夏 is heard without its number, sign and name.
	spoken := read[accuracy.Result](t, l.speaks("夏.wav", wave(1), "profile", "A", "reference_transcript", "立法會今日討論5.3%議題",
		"keywords", "立法會|LegCo", "keywords", "政府|5.3%").want(t, 200))
	s := l.evaluates(spoken.ResultID, "?dimensions=audio").AudioEvaluation
	if s == nil || s.NumberErrorRate == nil || *s.NumberErrorRate != 1 || !slices.Equal(s.NumbersLost, []string{"5.3%"}) ||
		s.KeywordErrorRate == nil || *s.KeywordErrorRate != 0.5 || !slices.Equal(s.KeywordsLost, []string{"政府|5.3%"}) ||
		s.Folded.NumberErrorRate == nil || s.Folded.KeywordErrorRate == nil {
		t.Errorf("%+v", s)
	}
	again := read[accuracy.Evaluation](t, l.do("POST", "/api/v1/test/evaluate?dimensions=audio", map[string]any{
		"result_id": spoken.ResultID, "evaluation_config": map[string]any{"keywords": []string{"議題"}},
	}).want(t, 200)).AudioEvaluation
	if again == nil || again.KeywordErrorRate == nil || *again.KeywordErrorRate != 0 || again.Normalisation != "default 3" {
		t.Errorf("%+v", again)
	}
	without := read[accuracy.Result](t, l.speaks("夏.wav", wave(1), "profile", "A").want(t, 200))
	for _, id := range []string{without.ResultID, l.asks("A").ResultID} {
		g := l.do("POST", "/api/v1/test/evaluate?dimensions=audio", map[string]any{"result_id": id}).want(t, 200)
		if !strings.Contains(g.text, `"audio_evaluation":null`) || !strings.Contains(g.text, `"status":"completed"`) ||
			!strings.Contains(g.text, `"errors":[]`) {
			t.Errorf("%s", g.text)
		}
	}
}

// TestAC10: two judges mark the key questions in four dimensions, apart, and
// their means are right.
func TestAC10KeyQuestions(t *testing.T) {
	t.Parallel()
	l := laboratory(t, nil)
	k := l.evaluates(l.asks("A").ResultID, "?dimensions=key_questions").KeyQuestionsEvaluation
	if k == nil || len(k.Evaluations) != 2 {
		t.Fatalf("%+v", k)
	}
	for i, want := range []accuracy.Marks{
		{
			Scores: accuracy.Scores{Accuracy: 35, Completeness: 22, Clarity: 18, Conciseness: 13}, TotalScore: 88, MaxScore: 100,
			Comments: "close to the original", ThinkingTrace: "I weighed every point.",
		},
		{
			Scores: accuracy.Scores{Accuracy: 37, Completeness: 23, Clarity: 17, Conciseness: 14}, TotalScore: 91, MaxScore: 100,
			Comments: "complete",
		},
	} {
		got := k.Evaluations[i]
		want.ModelName, want.TimeMS = got.ModelName, got.TimeMS
		if d := cmp.Diff(want, got); d != "" || got.ModelName == "" {
			t.Errorf("judge %d: %s %q", i, d, got.ModelName)
		}
	}
	if d := cmp.Diff(accuracy.Scores{Accuracy: 36, Completeness: 22.5, Clarity: 17.5, Conciseness: 13.5}, k.AverageScores); d != "" ||
		k.AverageTotal != 89.5 {
		t.Errorf("%s, %v", d, k.AverageTotal)
	}
}

// TestAC11: every chunk of every document is judged, in batches of ten, and
// precision, recall and F1 are right before and after the filter.
func TestAC11Chunks(t *testing.T) {
	t.Parallel()
	log := filepath.Join(t.TempDir(), "calls.jsonl")
	l := laboratory(t, map[string]string{"strict.yaml": strict + "log: " + log + "\n"})
	r := l.asks("A")
	e := l.evaluates(r.ResultID, "?dimensions=chunks")
	// 23 chunks are three batches for each of two key questions.
	if n := calls(t, log); n["evaluate_chunk_relevance"] != 6 {
		t.Errorf("calls %v: want 6", n)
	}
	if len(e.ChunkEvaluation.PerSubQuestion) != 2 || e.ChunkEvaluation.Status != "completed" {
		t.Fatalf("%+v", e.ChunkEvaluation)
	}
	var precision, recall []float64
	for i, want := range [][]accuracy.ChunkRef{
		{{DocumentID: "d03.md"}, {DocumentID: "d07.md"}, {DocumentID: "d12.md"}},
		{{DocumentID: "d05.md"}, {DocumentID: "d22.md"}},
	} {
		q := e.ChunkEvaluation.PerSubQuestion[i]
		if d := cmp.Diff(want, q.GroundTruth.RelevantChunks); d != "" || q.GroundTruth.TotalRelevantChunks != len(want) ||
			q.GroundTruth.Judged != 23 || q.GroundTruth.Corpus != 23 || len(q.GroundTruth.Round2IncompleteBatches) != 0 ||
			q.GroundTruth.Suspicious != "" {
			t.Errorf("%s %+v", d, q.GroundTruth)
		}
		for what, c := range map[string]struct {
			got    accuracy.ChunkAccuracy
			chunks []accuracy.Chunk
		}{
			"unfiltered": {q.UnfilteredAccuracy, r.Retrieval.PerSubQuestion[i].Chunks},
			"filtered":   {q.FilteredAccuracy, r.Filtered.PerSubQuestion[i].Chunks},
		} {
			// What is relevant of a list is counted here once more, by the ids.
			hits := 0
			for _, k := range c.chunks {
				if slices.Contains(want, accuracy.ChunkRef{DocumentID: k.Metadata.DocumentID, ChunkIndex: k.Metadata.ChunkIndex}) {
					hits++
				}
			}
			p, rc := float64(hits)/float64(len(c.chunks)), float64(hits)/float64(len(want))
			if c.got.PipelineChunks != len(c.chunks) || c.got.RelevantInPipeline != hits || *c.got.Precision != p || *c.got.Recall != rc ||
				!near(*c.got.F1, 2*p*rc/(p+rc)) {
				t.Errorf("%d %s: %+v of %v", i, what, c.got, inDocuments(c.chunks))
			}
			if what == "unfiltered" {
				precision, recall = append(precision, p), append(recall, rc)
			}
		}
	}
	if o := e.ChunkEvaluation.OverallUnfiltered; !near(*o.AvgPrecision, (precision[0]+precision[1])/2) ||
		!near(*o.AvgRecall, (recall[0]+recall[1])/2) {
		t.Errorf("%+v of %v and %v", o, precision, recall)
	}
	// Of the three chunks that were found for the first question all are relevant.
	if u := e.ChunkEvaluation.PerSubQuestion[0].UnfilteredAccuracy; *u.Recall != 1 || *u.Precision != 1 {
		t.Errorf("%+v", u)
	}
	// What was judged is kept, and asked once.
	sameScores(t, e, l.evaluates(r.ResultID, "?dimensions=chunks"))
	if n := calls(t, log); n["evaluate_chunk_relevance"] != 6 {
		t.Errorf("calls %v: want no more", n)
	}
	// What a person says counts in the place of the judge.
	at := "/api/v1/test/results/" + r.ResultID + "/ground-truth"
	truth := accuracy.Truth{
		PerSubQuestion: []accuracy.SubQuestionTruth{{SubQuestionIndex: 0, RelevantChunks: []accuracy.ChunkRef{{DocumentID: "d00.md"}}}},
	}
	l.do("PUT", at, truth).want(t, 200)
	if d := cmp.Diff(truth, read[accuracy.Truth](t, l.do("GET", at, nil).want(t, 200))); d != "" {
		t.Error(d)
	}
	e = l.evaluates(r.ResultID, "?dimensions=chunks")
	if q := e.ChunkEvaluation.PerSubQuestion; q[0].GroundTruth.Source != "manual" || *q[0].UnfilteredAccuracy.Recall != 0 ||
		q[1].GroundTruth.Source != "judge" {
		t.Errorf("%+v", q)
	}
	for _, bad := range []accuracy.Truth{
		{}, {PerSubQuestion: []accuracy.SubQuestionTruth{{SubQuestionIndex: 2, RelevantChunks: []accuracy.ChunkRef{}}}},
		{PerSubQuestion: []accuracy.SubQuestionTruth{{RelevantChunks: []accuracy.ChunkRef{{}}}}},
	} {
		l.do("PUT", at, bad).want(t, 400)
	}
	for bad, want := range map[accuracy.ChunkRef]string{
		{DocumentID: "d99.md"}:                `document_id \"d99.md\": the corpus has no such document`,
		{DocumentID: "d00.md", ChunkIndex: 7}: "chunk_index 7: the corpus has no such chunk",
	} {
		truth.PerSubQuestion[0].RelevantChunks = []accuracy.ChunkRef{bad}
		if g := l.do("PUT", at, truth); g.StatusCode != 422 || !strings.Contains(g.text, want) {
			t.Errorf("%d %s: want 422 with %s", g.StatusCode, g.text, want)
		}
	}
}

// TestAnotherCorpus adds a document that answers the question to the corpus of a
// result: the evaluation says that its recall is of another corpus.
func TestAnotherCorpus(t *testing.T) {
	t.Parallel()
	l := laboratory(t, nil)
	r := l.asks("A")
	before := l.evaluates(r.ResultID, "?dimensions=chunks")
	if before.Status != "completed" || r.Corpus == nil || *before.Provenance.Corpus != *r.Corpus {
		t.Fatalf("%+v of %+v", before, r.Corpus)
	}
	l.upload("d99.md", "# New\n\nA document that nobody could find before.\n").want(t, 202)
	l.indexed()
	after := l.evaluates(r.ResultID, "?dimensions=chunks")
	if after.Status != "partial" || len(after.Errors) != 1 || !strings.Contains(after.Errors[0].Message, "made with another corpus") {
		t.Errorf("%s %+v", after.Status, after.Errors)
	}
	if after.Provenance.Corpus == nil || *after.Provenance.Corpus == *r.Corpus {
		t.Errorf("the provenance names the corpus %+v", after.Provenance.Corpus)
	}
}

func near(a, b float64) bool { return a-b < 1e-12 && b-a < 1e-12 }

// TestAC12: the ideal answer is written from the chunks that were found to be
// relevant, and compared with the pipeline's.
func TestAC12Response(t *testing.T) {
	t.Parallel()
	l := laboratory(t, nil)
	r := l.asks("A")
	e := l.evaluates(r.ResultID, "?dimensions=chunks,response").ResponseEvaluation
	if e == nil || e.Status != "completed" || len(e.PerSubQuestion) != 2 {
		t.Fatalf("%+v", e)
	}
	for i, want := range []struct {
		ideal, comments        string
		completeness, accuracy float64
	}{
		{"The fee rises to 3, 7 and 12 dollars [d03.md].", "one fee is missing", 0.75, 1},
		{"It opens at nine [d05.md].", "the days are missing", 0.5, 0.75},
	} {
		q := e.PerSubQuestion[i]
		if q.GroundTruthResponse != want.ideal || q.Comments != want.comments || *q.CompletenessScore != want.completeness ||
			*q.FactualAccuracyScore != want.accuracy || q.PipelineResponseSection == "" {
			t.Errorf("%+v", q)
		}
	}
	if !near(*e.OverallCompleteness, 0.625) || !near(*e.OverallFactualAccuracy, 0.875) {
		t.Errorf("%v %v", *e.OverallCompleteness, *e.OverallFactualAccuracy)
	}
	// Where a person says that nothing is relevant, there is nothing to compare.
	l.do("PUT", "/api/v1/test/results/"+r.ResultID+"/ground-truth", accuracy.Truth{PerSubQuestion: []accuracy.SubQuestionTruth{
		{SubQuestionIndex: 0, RelevantChunks: []accuracy.ChunkRef{}}, {
			SubQuestionIndex: 1, RelevantChunks: []accuracy.ChunkRef{{DocumentID: "d05.md"}},
		},
	}}).want(t, 200)
	e = l.evaluates(r.ResultID, "?dimensions=response").ResponseEvaluation
	if q := e.PerSubQuestion; q[0].Skipped == "" || q[0].CompletenessScore != nil || q[1].CompletenessScore == nil ||
		!near(*e.OverallCompleteness, 0.5) {
		t.Errorf("%+v", e)
	}
}

// TestAC13: evaluations are kept, and can be listed, fetched and deleted.
func TestAC13Kept(t *testing.T) {
	t.Parallel()
	l := laboratory(t, nil)
	r := l.asks("A")
	first := l.evaluates(r.ResultID, "?dimensions=key_questions")
	second := l.evaluates(l.asks("B").ResultID, "?dimensions=audio")
	all := read[page[evaluationView]](t, l.do("GET", "/api/v1/test/evaluations?limit=1", nil).want(t, 200))
	if all.Total != 2 || len(all.Items) != 1 || all.Items[0].EvaluationID != second.EvaluationID ||
		all.Items[0].Status != "completed" || all.Items[0].Size < 100 {
		t.Errorf("%+v", all)
	}
	own := read[page[evaluationView]](t, l.do("GET", "/api/v1/test/evaluations?result_id="+r.ResultID, nil).want(t, 200))
	if own.Total != 1 || own.Items[0].EvaluationID != first.EvaluationID || own.Items[0].ResultID != r.ResultID {
		t.Errorf("%+v", own)
	}
	at := "/api/v1/test/evaluations/" + first.EvaluationID
	if d := cmp.Diff(first, read[accuracy.Evaluation](t, l.do("GET", at, nil).want(t, 200))); d != "" {
		t.Error(d)
	}
	l.do("DELETE", at, nil).want(t, 200)
	l.do("GET", at, nil).want(t, 404)
	l.do("DELETE", at, nil).want(t, 404)
	// They outlive the server.
	again := startOn(t, l.store)
	again.do("GET", "/api/v1/test/evaluations/"+second.EvaluationID, nil).want(t, 200)
	again.do("GET", "/api/v1/test/results/"+r.ResultID, nil).want(t, 200)
}

// TestAC14: an id that is missing, unknown or none is a 404, and never a path.
func TestAC14Unknown(t *testing.T) {
	t.Parallel()
	l := laboratory(t, nil)
	for _, id := range []string{"019aa000-0000-7000-8000-000000000000", "x", "..%2F..%2Fetc%2Fpasswd", "%2e%2e", strings.Repeat("a", 100)} {
		for _, at := range []string{"results/", "evaluations/"} {
			l.do("GET", "/api/v1/test/"+at+id, nil).want(t, 404)
			l.do("DELETE", "/api/v1/test/"+at+id, nil).want(t, 404)
		}
		l.do("GET", "/api/v1/test/results/"+id+"/ground-truth", nil).want(t, 404)
		l.do("PUT", "/api/v1/test/results/"+id+"/ground-truth", map[string]any{"per_sub_question": []any{}}).want(t, 404)
		l.do("POST", "/api/v1/test/evaluate", map[string]any{"result_id": strings.ReplaceAll(id, "%2F", "/")}).want(t, 404)
	}
	for _, body := range []map[string]any{
		{}, {"result_id": ""}, {"result_id": "x", "results": map[string]any{}},
		{"results": map[string]any{}}, {"results": map[string]any{"input": 7}},
	} {
		l.do("POST", "/api/v1/test/evaluate", body).want(t, 400)
	}
}

// TestAC15: when one of the judges fails after its tries, there are no marks at
// all, the status is failed, and the other dimensions are there.
func TestAC15JudgeFails(t *testing.T) {
	t.Parallel()
	log := filepath.Join(t.TempDir(), "calls.jsonl")
	for name, rule := range map[string]string{
		"down":      "status: 500",
		"malformed": `reply: {dimension_1_準確性: 41}`,
		"closed":    "closed: true",
	} {
		l := laboratory(
			t,
			map[string]string{
				"mild.yaml": "log: " + log + "." + name + "\nrules:\n  - when: {operation: evaluate_key_questions}\n    " + rule + "\n" + rulings,
			},
		)
		r := l.asks("A")
		g := l.do("POST", "/api/v1/test/evaluate", map[string]any{"result_id": r.ResultID}).want(t, 200)
		e := read[accuracy.Evaluation](t, g)
		if !strings.Contains(g.text, `"key_questions_evaluation":null`) || e.Status != "failed" || len(e.Errors) != 1 ||
			e.Errors[0].Dimension != "key_questions" || !strings.Contains(e.Errors[0].Message, "after 4 tries") {
			t.Errorf("%s: %s", name, g.text)
		}
		if e.ChunkEvaluation == nil || e.ResponseEvaluation == nil || e.ResponseEvaluation.OverallCompleteness == nil {
			t.Errorf("%s: %+v", name, e)
		}
		if d := cmp.Diff([]time.Duration{2 * time.Second, 4 * time.Second, 8 * time.Second}, l.waits); d != "" {
			t.Errorf("%s: %s", name, d)
		}
		if n := calls(t, log+"."+name)["evaluate_key_questions"]; n != 4 {
			t.Errorf("%s: %d calls: want one and three more", name, n)
		}
	}
}

// A batch that fails leaves the others, and the evaluation is partial.
func TestAC15BatchFails(t *testing.T) {
	t.Parallel()
	l := laboratory(
		t,
		map[string]string{
			"strict.yaml": strings.Replace(
				strict, "\nrules:\n",
				"\nrules:\n  - when: {operation: evaluate_chunk_relevance, matches: '(?s)parking fee\\?.*\"d10\\.md\"'}\n    status: 503\n", 1,
			),
		},
	)
	e := l.evaluates(l.asks("A").ResultID, "?dimensions=chunks,response")
	g := e.ChunkEvaluation.PerSubQuestion[0].GroundTruth
	if d := cmp.Diff([]int{1}, g.Round2IncompleteBatches); d != "" || g.TotalRelevantChunks != 2 || e.Status != "partial" ||
		e.ChunkEvaluation.Status != "partial" {
		t.Errorf("%s %+v", d, e)
	}
	if d := cmp.Diff([]time.Duration{2 * time.Second, 2 * time.Second}, l.waits); d != "" {
		t.Error(d)
	}
}
