package wire_test

import (
	"bytes"
	"crypto/rand"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/assay-eval/assay"
	"github.com/assay-eval/assay/internal/config"
	"github.com/assay-eval/assay/internal/wire"
	"github.com/assay-eval/assay/judge/audit/certify"
)

// A judgedWorld is a folder with a dataset of recorded answers, and the settings of a run on it.
type judgedWorld struct {
	dir      string
	settings map[string]string
}

func newJudgedWorld(t *testing.T, settings map[string]string, cases ...string) *judgedWorld {
	t.Helper()
	w := &judgedWorld{dir: t.TempDir(), settings: map[string]string{"dataset": "q.jsonl", "adapter": "recorded", "responses": "a.jsonl", "metrics": "faithfulness",
		"judge": "ollama:judge"}}
	for k, v := range settings {
		w.settings[k] = v
	}
	var answers strings.Builder
	for i := range cases {
		answers.WriteString(`{"id": "` + string(rune('a'+i)) + `", "answer": "Ann.", "contexts": ["Ann was here."]}` + "\n")
	}
	w.write(t, "q.jsonl", strings.Join(cases, "\n"))
	w.write(t, "a.jsonl", answers.String())
	return w
}

func (w *judgedWorld) write(t *testing.T, name, text string) {
	t.Helper()
	if err := os.WriteFile(filepath.Join(w.dir, name), []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
}

func (w *judgedWorld) prepare(t *testing.T) (*wire.Prepared, error) {
	t.Helper()
	r := config.Default()
	r.Variables = config.Environ(func(string) string { return "" })
	for key, v := range w.settings {
		if err := r.Set(key, v, config.FromFlag, key); err != nil {
			t.Fatal(err)
		}
	}
	p, err := wire.Prepare(t.Context(), r, wire.World{
		Path: func(p string) string {
			if p == "" {
				return ""
			}
			return filepath.Join(w.dir, p)
		},
		Getenv: r.Variables.Get, Now: time.Now, Random: rand.Reader,
	})
	if err == nil {
		t.Cleanup(func() { p.Close() })
	}
	return p, err
}

func (w *judgedWorld) header(t *testing.T) assay.Header {
	t.Helper()
	p, err := w.prepare(t)
	if err != nil {
		t.Fatal(err)
	}
	return p.Header()
}

func (w *judgedWorld) certify(t *testing.T, all ...assay.Certificate) {
	t.Helper()
	var b bytes.Buffer
	if err := certify.Write(&b, all); err != nil {
		t.Fatal(err)
	}
	w.write(t, config.DefaultCertificates, b.String())
}

// Cases in either language.
const (
	inEnglish = `{"id": "a", "question": "Who was here?", "ground_truth": "Ann"}`
	inChinese = `{"id": "b", "question": "誰在這裡？", "ground_truth": "Ann"}`
)

func certificateOf(h assay.Header, question, language string, day int) assay.Certificate {
	value := 0.8
	return assay.Certificate{Question: question, Language: language, Judge: h.Judge.About([]string{question}), Level: 0.95, Items: 10, Usable: 10,
		Date: time.Date(2026, 11, day, 0, 0, 0, 0, time.UTC), BalancedAccuracy: assay.Figure{Value: &value, CI: &[2]float64{0.7, 0.9}}}
}

// The header keeps the certificates that fit the judge, of the questions of its metrics. Those
// of an earlier prompt are told as void, and those of others are not.
func TestCertificatesOfARun(t *testing.T) {
	t.Parallel()
	w := newJudgedWorld(t, nil, inEnglish, inChinese)
	h := w.header(t)
	if h.Certificates != nil || len(h.Warnings) > 0 && strings.Contains(strings.Join(h.Warnings, " "), "void") {
		t.Errorf("without a file: %+v, warnings %q", h.Certificates, h.Warnings)
	}
	fits := certificateOf(h, "support", "en", 20)
	old := certificateOf(h, "support", "zh", 19)
	old.Judge.Prompts = map[string]string{"support": "sha256:0"}
	older := certificateOf(h, "support", "zh", 18)
	older.Judge.Passes = 9
	superseded := old
	superseded.Language = "en"
	other := certificateOf(h, "support", "zh", 20)
	other.Judge.Model = "another"
	unasked := certificateOf(h, "equivalence", "en", 20)
	w.certify(t, fits, old, older, superseded, other, unasked)
	h = w.header(t)
	if len(h.Certificates) != 1 || h.Certificates[0].Question != "support" || h.Certificates[0].Language != "en" {
		t.Errorf("certificates %+v, want that of support in English", h.Certificates)
	}
	void := slices.DeleteFunc(slices.Clone(h.Warnings), func(s string) bool { return !strings.Contains(s, "void") })
	want := []string{"support, zh: the judge's certificate of 2026-11-19 is void: another prompt: assay judge certify measures it again"}
	if !slices.Equal(void, want) {
		t.Errorf("warnings %q, want %q", void, want)
	}
	w.settings["certificates"] = config.DefaultCertificates // as in the settings of a stored run
	if err := os.Remove(filepath.Join(w.dir, config.DefaultCertificates)); err != nil {
		t.Fatal(err)
	}
	if h = w.header(t); h.Certificates != nil {
		t.Errorf("certificates %+v of a file that is missing", h.Certificates)
	}
	w.certify(t, fits)
	w.settings["certificates"] = ""
	if h = w.header(t); h.Certificates != nil {
		t.Errorf("certificates %+v of no file", h.Certificates)
	}
}

// A run that goes on keeps the certificates with which it began.
func TestResumedRunKeepsItsCertificates(t *testing.T) {
	t.Parallel()
	w := newJudgedWorld(t, nil, inEnglish)
	h := w.header(t)
	w.certify(t, certificateOf(h, "support", "en", 20))
	was := w.header(t)
	if err := os.Remove(filepath.Join(w.dir, config.DefaultCertificates)); err != nil {
		t.Fatal(err)
	}
	p, err := w.prepare(t)
	if err != nil {
		t.Fatal(err)
	}
	if err := p.Resume(was); err != nil {
		t.Fatal(err)
	}
	if got := p.Header().Certificates; len(got) != 1 {
		t.Errorf("%d certificates, want the one of before", len(got))
	}
}

func TestFileOfCertificatesIsBroken(t *testing.T) {
	t.Parallel()
	w := newJudgedWorld(t, map[string]string{"certificates": "mine.json"}, inEnglish)
	if _, err := w.prepare(t); err == nil || !strings.Contains(err.Error(), "certificates mine.json: no such file or directory: expected a file that") {
		t.Errorf("a named file that is missing: %v", err)
	}
	w.write(t, "mine.json", "{\n\"schema\": \"assay.certificates/1\",\n\"certificates\": [{\"question\": 1}]}")
	if _, err := w.prepare(t); err == nil || !strings.Contains(err.Error(), "mine.json: file of certificates: line 3") {
		t.Errorf("a broken file: %v", err)
	}
	delete(w.settings, "judge")
	w.settings["metrics"] = "token_f1"
	if _, err := w.prepare(t); err != nil {
		t.Errorf("a run without a judge reads no certificates: %v", err)
	}
}

func TestJudgeThatIsRelated(t *testing.T) {
	t.Parallel()
	ideal := `{"id": "a", "question": "Who?", "ground_truth": "Ann", "metadata": {"written": {"answer": {"provider": "openai", "model": "gpt-4.1"}}}}`
	for name, test := range map[string]struct {
		settings map[string]string
		cases    []string
		want     []string
	}{
		"strangers": {map[string]string{"judge": "ollama:claude-sonnet-4-5"}, []string{ideal}, nil},
		"the writer": {map[string]string{"judge": "ollama:gpt-4.1"}, []string{ideal},
			[]string{"the judge gpt-4.1 wrote the question, the reference or the ideal answer of 1 of 1 cases"}},
		"a panel of one family": {map[string]string{"judge": "ollama:qwen3-32b,ollama:qwq-32b"}, []string{inEnglish},
			[]string{"all 2 judges of the panel are of one family of models, qwen"}},
		"a panel of two families": {map[string]string{"judge": "ollama:qwen3-32b,ollama:gpt-4.1"}, []string{inEnglish}, nil},
		"formulas":                {map[string]string{"judge": "offline", "metrics": "support"}, []string{ideal}, nil},
		"the generator": {map[string]string{"judge": "ollama:gpt-4.1", "responses": "", "adapter": "openai", "endpoint": "http://localhost:1/v1",
			"openai.model": "o3"}, []string{inEnglish}, []string{"the judge gpt-4.1 and the generator o3 are of one family of models, gpt"}},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			h := newJudgedWorld(t, test.settings, test.cases...).header(t)
			var got []string
			for _, s := range h.Warnings {
				if strings.HasPrefix(s, "the judge ") || strings.HasPrefix(s, "all ") {
					got = append(got, s)
				}
			}
			if !slices.EqualFunc(got, test.want, strings.HasPrefix) {
				t.Errorf("warnings %q, want %q", got, test.want)
			}
		})
	}
}

// The offline judge rules by the threshold of a certificate that fits, and by no other; the
// header says which.
func TestThresholdOfARun(t *testing.T) {
	t.Parallel()
	w := newJudgedWorld(t, map[string]string{"judge": "offline", "metrics": "faithfulness,answer_correctness"}, inEnglish, inChinese)
	h := w.header(t)
	low, high := 0.41, 0.9
	support := certificateOf(h, "support", "en", 20)
	support.Threshold = &low
	older := certificateOf(h, "equivalence", "en", 19)
	older.Threshold = &high
	older.Judge.PromptHash = "sha256:0"
	chinese := certificateOf(h, "equivalence", "zh", 20)
	chinese.Threshold = &high
	w.certify(t, support, older, chinese)
	ruled := w.header(t)
	p := ruled.Judge.For("support").Parameters
	if p["threshold"] != "0.41" || p["threshold.zh"] != "0.5" || len(p) != 2 {
		t.Errorf("support %v: want the threshold in English alone", p)
	}
	if p := ruled.Judge.For("equivalence").Parameters; p["threshold"] != "0.5" || p["threshold.zh"] != "0.9" || len(p) != 2 {
		t.Errorf("equivalence %v: want the threshold in Chinese alone, and not that of another version", p)
	}
	if _, ok := ruled.Certificate("support", "en"); !ok || !ruled.Judge.Estimate {
		t.Errorf("judge %+v with %d certificates: want the certified estimate", ruled.Judge, len(ruled.Certificates))
	}
}
