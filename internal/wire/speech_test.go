package wire_test

import (
	"crypto/rand"
	"maps"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/assay-eval/assay/internal/config"
	"github.com/assay-eval/assay/internal/wire"
	"github.com/assay-eval/assay/rag/transcribe/transcribetest"
)

// A run whose prompts or whose transcriber changed is not the same run.
func TestResumeOfAnotherProfile(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	for name, text := range map[string]string{
		"eval/q.jsonl":   `{"id": "q", "question": "Who?", "ground_truth": "Ann", "audio": "q.wav"}`,
		"eval/q.wav":     string(transcribetest.WAV(1, "x")),
		"docs/a.txt":     "Ann was here.",
		"one/said.yaml":  "q.wav: who\n",
		"two/heard.yaml": "q.wav: who\n",
	} {
		path := filepath.Join(dir, name)
		if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	prepare := func(transcriber string) *wire.Prepared {
		r := config.Default()
		r.Variables = config.Environ(func(string) string { return "" })
		for key, v := range map[string]string{
			"dataset": "eval/q.jsonl", "corpus": "docs", "retriever": "sparse", "generator": "fake", "metrics": "token_f1",
			"transcriber": transcriber,
		} {
			if err := r.Set(key, v, config.FromFlag, key); err != nil {
				t.Fatal(err)
			}
		}
		j, err := wire.Prepare(t.Context(), r, wire.World{
			Path: func(p string) string {
				if filepath.IsAbs(p) {
					return p
				}
				return filepath.Join(dir, p)
			},
			Getenv: r.Variables.Get, Now: time.Now, Random: rand.Reader,
		})
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() { j.Close() })
		return j
	}
	was := prepare("fake:one/said.yaml").Header()
	if err := prepare("fake:one/said.yaml").Resume(was); err != nil {
		t.Error(err)
	}
	if err := prepare("fake:two/heard.yaml").Resume(was); err == nil ||
		!strings.Contains(err.Error(), "the transcriber changed since it started") {
		t.Error(err)
	}
	was.Target.Settings = maps.Clone(was.Target.Settings)
	if was.Target.Settings["profile_hash"] == "" {
		t.Fatalf("no hash of the profile: %v", was.Target.Settings)
	}
	was.Target.Settings["profile_hash"] = "sha256:other"
	if err := prepare("fake:one/said.yaml").Resume(was); err == nil ||
		!strings.Contains(err.Error(), "the prompt profile changed since it started") {
		t.Error(err)
	}
}
