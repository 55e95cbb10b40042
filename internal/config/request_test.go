package config_test

import (
	"encoding/json"
	"slices"
	"strings"
	"testing"

	"github.com/assay-eval/assay/internal/config"
)

// FuzzRequest reads whatever a request may hold: no setting comes twice,
// nothing is expanded, every mistake says what it is, and what was read can be set
// or is refused.
func FuzzRequest(f *testing.F) {
	for _, seed := range []string{
		`{}`, `{"top_k":5,"metrics":["hit@3","mrr"],"chunk":{"size":80}}`, `{"chunk.size":80,"chunk":{"size":90}}`,
		`{"thresholds":{"recall@5":0.5}}`, `{"seed":18446744073709551615}`,
		`{"providers":{"evil":{"kind":"openai","base_url":"http://evil.example"}}}`, `{"name":"${HOME}"}`, `{"metrics":[["a"]]}`,
		`{"gate":{"rules":["a,b"]}}`, `{"a":{"b":{"c":{"d":{"e":{"f":1}}}}}}`,
		`{"timeout":"1s","limit":-1,"level":1e999}`, `{"filter-threshold":3,"filter":{"threshold":4}}`, `{"top_k":null}`, `{"tags":[]}`, `{"":1}`,
		`{"thresholds":{"":1}}`,
	} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, text string) {
		d := json.NewDecoder(strings.NewReader(text))
		d.UseNumber()
		var object map[string]any
		if d.Decode(&object) != nil {
			t.Skip()
		}
		settings, mistakes := config.Request(object)
		r := config.Default()
		r.Variables = config.Environ(func(string) string { return "planted" })
		var seen []string
		for _, s := range settings {
			if slices.Contains(seen, s.Key) {
				t.Errorf("%s is read twice", s.Key)
			}
			seen = append(seen, s.Key)
			if s.Key != s.Setting.Key && !strings.HasPrefix(s.Key, s.Setting.Key+".") {
				t.Errorf("%s is of the setting %s", s.Key, s.Setting.Key)
			}
			if strings.Contains(s.Value, "planted") && !strings.Contains(text, "planted") {
				t.Errorf("%s: %q was expanded", s.Key, s.Value)
			}
			// It may be refused, but must not break.
			if r.Set(s.Key, s.Value, config.FromFlag, "request") == nil && !strings.Contains(text, "planted") &&
				strings.Contains(r.Get(s.Key), "planted") {
				t.Errorf("%s: %q was expanded", s.Key, r.Get(s.Key))
			}
		}
		for at, err := range mistakes {
			if err == nil || err.Error() == "" {
				t.Errorf("%s: a mistake without a word", at)
			}
		}
	})
}
