package cli_test

import (
	"bytes"
	"encoding/binary"
	"encoding/json"
	"fmt"
	"mime/multipart"
	"net/http"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/assay-eval/assay"
	"github.com/assay-eval/assay/internal/accuracy"
)

const (
	fee      = "What is the parking fee in the harbour street?"
	misheard = "What is the parking fee in a harbour street?"
)

// TestOneCase evaluates the same spoken question by assay run and by the accuracy
// tests of the API. Every quantity that both have is the same number.
func TestOneCase(t *testing.T) {
	h := harness{t, t.TempDir()}
	var relevant []string
	for i := range 12 {
		text := fmt.Sprintf("Item %d of the minutes is about drains, trees and street lamps.", i)
		switch i {
		case 3:
			text = "Item 3: the parking fee in the harbour street rises to eight dollars."
		case 11:
			text = "Item 11: on market days a parking fee doubles, what the harbour committee approves."
		case 7: // retrieved and not relevant
			text = "Item 7: trees in the harbour street were cut for a parking garage."
		case 9: // relevant and not retrieved
			text = "Item 9: motorists pay nothing on Sundays."
		}
		if i == 3 || i == 9 || i == 11 {
			relevant = append(relevant, text)
		}
		h.write(fmt.Sprintf("docs/d%02d.md", i), text)
	}
	wave := silence()
	h.write("q.wav", string(wave))
	h.write("said.yaml", "q.wav: "+misheard+"\n")
	h.write("filter.yaml", `
rules:
  - when: {operation: filter}
    reply: {scores: [{chunk: 1, score: 9}, {chunk: 2, score: 1}, {chunk: 3, score: 8}, {chunk: 4, score: 0}]}
`)
	// The judges give 86 and 79 points.
	h.write("mild.yaml", `
rules:
  - when: {operation: evaluate_key_questions}
    reply: {dimension_1_準確性: 31, dimension_2_完整性: 22, dimension_3_清晰度: 15.5, dimension_4_簡潔性: 10.5, comments: wordy}
`)
	h.write("judge.yaml", `
rules:
  - when: {operation: evaluate_key_questions}
    reply: {dimension_1_準確性: 36, dimension_2_完整性: 20, dimension_3_清晰度: 17, dimension_4_簡潔性: 13, comments: fine}
  - when: {operation: evaluate_chunk_relevance, matches: '"d00\.md"'}
    reply: {relevant_chunk_indices: [3, 9]}
  - when: {operation: evaluate_chunk_relevance}
    reply: {relevant_chunk_indices: [1]}
`)
	gold, err := json.Marshal(map[string]any{
		"id": "fee", "question": fee, "audio": "q.wav", "reference_transcript": fee, "reference_contexts": relevant,
	})
	if err != nil {
		t.Fatal(err)
	}
	h.write("gold.jsonl", string(gold)+"\n")
	settings := []string{
		"--corpus", "docs", "--retriever", "sparse", "--top-k", "4", "--decomposer", "rule",
		"--filter", "fake:filter.yaml", "--set", "filter-threshold=5", "--transcriber", "fake:said.yaml",
	}
	shared := map[string]func(e accuracy.Evaluation) *float64{
		"key_questions": func(e accuracy.Evaluation) *float64 {
			share := e.KeyQuestionsEvaluation.AverageTotal / 100
			return &share
		},
		"cer":                 func(e accuracy.Evaluation) *float64 { return e.AudioEvaluation.Strict.CER },
		"cer(script=folded)":  func(e accuracy.Evaluation) *float64 { return e.AudioEvaluation.Folded.CER },
		"wer":                 func(e accuracy.Evaluation) *float64 { return e.AudioEvaluation.WER },
		"mixer":               func(e accuracy.Evaluation) *float64 { return e.AudioEvaluation.Mixer },
		"chunk_precision":     func(e accuracy.Evaluation) *float64 { return e.ChunkEvaluation.OverallUnfiltered.AvgPrecision },
		"chunk_recall":        func(e accuracy.Evaluation) *float64 { return e.ChunkEvaluation.OverallUnfiltered.AvgRecall },
		"chunk_f1":            func(e accuracy.Evaluation) *float64 { return e.ChunkEvaluation.OverallUnfiltered.AvgF1 },
		filtered("precision"): func(e accuracy.Evaluation) *float64 { return e.ChunkEvaluation.OverallFiltered.AvgPrecision },
		filtered("recall"):    func(e accuracy.Evaluation) *float64 { return e.ChunkEvaluation.OverallFiltered.AvgRecall },
		filtered("f1"):        func(e accuracy.Evaluation) *float64 { return e.ChunkEvaluation.OverallFiltered.AvgF1 },
	}
	var names []string
	for name := range shared {
		names = append(names, name)
	}
	judges := []string{"--judge", "fake:judge.yaml,fake:mild.yaml", "--passes", "1"}
	settings = append(settings, judges...)
	h.assay(0, append([]string{"run", "--dataset", "gold.jsonl", "--metrics", strings.Join(names, ","), "--set", "keep-texts=0"}, settings...)...)
	var report struct {
		Cases []struct {
			Scores map[string]struct {
				Value    *float64
				Evidence []assay.Evidence
			}
			Attribution *assay.Attribution
		}
	}
	if err := json.Unmarshal([]byte(h.read(filepath.Join("results", "eval_report.json"))), &report); err != nil || len(report.Cases) != 1 {
		t.Fatalf("%v: %d cases", err, len(report.Cases))
	}

	l := serveLive(t, h.dir, settings...)
	id := l.record(wave, "reference_transcript", fee, "profile", "A", "language", "en")
	body, err := json.Marshal(l.ask("POST", "/api/v1/test/evaluate?dimensions=audio,key_questions,chunks", `{"result_id":"`+id+`"}`, "", 200))
	if err != nil {
		t.Fatal(err)
	}
	var e accuracy.Evaluation
	if err := json.Unmarshal(body, &e); err != nil || e.Status != accuracy.Completed || e.AudioEvaluation == nil {
		t.Fatalf("%v: %s", err, body)
	}
	for name, of := range shared {
		byRun, byAPI := report.Cases[0].Scores[name].Value, of(e)
		if byRun == nil || byAPI == nil || *byRun != *byAPI || *byRun == 0 {
			t.Errorf("%s: by run %v, by API %v", name, numeral(byRun), numeral(byAPI))
		}
	}
	// The labels of the case are what the judge finds relevant, so both lose the
	// same chunks at the same stages.
	verdicts := e.ChunkEvaluation.PerSubQuestion[0].GroundTruth.RelevantDocuments
	if got := fmt.Sprint(verdicts); got != "[d03.md d09.md d11.md]" {
		t.Fatalf("relevant are %s", got)
	}
	var lostByRun, lostByAPI []string
	for i, f := range report.Cases[0].Attribution.Facts {
		if f.Lost != "" {
			lostByRun = append(lostByRun, f.Lost+" "+verdicts[i])
		}
	}
	for _, l := range e.Attribution {
		_, chunk, _ := strings.Cut(l.Evidence, ": ")
		lostByAPI = append(lostByAPI, l.Stage+" "+strings.TrimSuffix(chunk, "#0"))
	}
	slices.Sort(lostByAPI)
	if got := fmt.Sprint(lostByRun); got != fmt.Sprint(lostByAPI) || got != "[filter d03.md retrieve d09.md]" {
		t.Errorf("lost by run %v, by API %v", lostByRun, lostByAPI)
	}
	points := e.KeyQuestionsEvaluation.AverageScores
	for i, of := range []float64{points.Accuracy, points.Completeness, points.Clarity, points.Conciseness} {
		if byRun := report.Cases[0].Scores["key_questions"].Evidence[i].Text; !strings.Contains(byRun, fmt.Sprintf(": %v of ", of)) {
			t.Errorf("dimension %d: by run %q, by API %v", i, byRun, of)
		}
	}
}

// filtered names a metric of the filter's output.
func filtered(of string) string { return "chunk_" + of + "(stage=filter)" }

func numeral(v *float64) string {
	if v == nil {
		return "none"
	}
	return fmt.Sprint(*v)
}

// record posts a recording with the fields of a form, and gives the id of the
// result.
func (l *live) record(data []byte, fields ...string) string {
	l.t.Helper()
	var b bytes.Buffer
	w := multipart.NewWriter(&b)
	part, err := w.CreateFormFile("audio_file", "q.wav")
	if err != nil {
		l.t.Fatal(err)
	}
	_, _ = part.Write(data)
	for i := 0; i+1 < len(fields); i += 2 {
		_ = w.WriteField(fields[i], fields[i+1])
	}
	_ = w.Close()
	r, err := http.NewRequestWithContext(l.t.Context(), http.MethodPost, l.url+"/api/v1/test/generate/audio", &b)
	if err != nil {
		l.t.Fatal(err)
	}
	r.Header.Set("Content-Type", w.FormDataContentType())
	res, err := http.DefaultClient.Do(r)
	if err != nil {
		l.t.Fatal(err)
	}
	defer res.Body.Close()
	var result accuracy.Result
	if err := json.NewDecoder(res.Body).Decode(&result); err != nil || res.StatusCode != http.StatusOK {
		l.t.Fatalf("status %d: %v", res.StatusCode, err)
	}
	return result.ResultID
}

// silence is a recording of a second.
func silence() []byte {
	const rate = 8000
	var b bytes.Buffer
	b.WriteString("RIFF")
	_ = binary.Write(&b, binary.LittleEndian, uint32(36+rate))
	b.WriteString("WAVEfmt ")
	for _, v := range []any{uint32(16), uint16(1), uint16(1), uint32(rate), uint32(rate), uint16(1), uint16(8)} {
		_ = binary.Write(&b, binary.LittleEndian, v)
	}
	b.WriteString("data")
	_ = binary.Write(&b, binary.LittleEndian, uint32(rate))
	b.Write(make([]byte, rate))
	return b.Bytes()
}
