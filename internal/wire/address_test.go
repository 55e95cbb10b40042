package wire_test

import (
	"context"
	"crypto/rand"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/assay-eval/assay/internal/config"
	"github.com/assay-eval/assay/internal/wire"
	"github.com/assay-eval/assay/judge"
	"github.com/assay-eval/assay/judge/question"
	"github.com/assay-eval/assay/llm"
)

// Texts of a role go to its own server, and to that of no other role. Where one provider would
// have two addresses, nothing is sent.
func TestRolesHaveTheirOwnAddresses(t *testing.T) {
	t.Parallel()
	server := func() (*httptest.Server, *atomic.Int32) {
		var calls atomic.Int32
		s := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
			calls.Add(1)
			_, _ = w.Write([]byte(`{"choices":[{"message":{"content":"Yes"}}],"message":{"content":"Yes"},"done":true}`))
		}))
		t.Cleanup(s.Close)
		return s, &calls
	}
	judges, asJudge := server()
	entails, asEntailment := server()
	own, asOther := server()
	for name, c := range map[string]struct {
		settings                  map[string]string
		other                     string
		judge, entailment, others int32
		problem                   string
	}{
		"each its own provider": {map[string]string{"judge": "openai:j", "judge-url": judges.URL}, "ollama:g", 1, 0, 1, ""},
		"one provider, two addresses": {map[string]string{"judge": "openai:j", "judge-url": judges.URL}, "openai:g", 0, 0, 0,
			`provider "openai" would have two addresses`},
		"the judge's model as another role": {map[string]string{"judge": "openai:j", "judge-url": judges.URL}, "openai:j", 0, 0, 0,
			"is never used for another"},
		"the judge's key": {map[string]string{"judge": "ollama:j", "judge-key-env": "K"}, "ollama:g", 0, 0, 0, "addresses or keys"},
		"entailment, its own address": {map[string]string{"judge": "ollama:j", "entailment": "openai:e", "entailment-url": entails.URL},
			"ollama:g", 1, 1, 1, ""},
		"entailment without an address": {map[string]string{"judge": "openai:j", "judge-url": judges.URL, "entailment": "openai:e"}, "", 0, 0, 0,
			"two addresses"},
		"entailment at the judge's": {map[string]string{"judge": "openai:j", "judge-url": judges.URL, "entailment": "openai:e",
			"entailment-url": judges.URL}, "", 2, 0, 0, ""},
	} {
		asJudge.Store(0)
		asEntailment.Store(0)
		asOther.Store(0)
		r := config.Default()
		for key, value := range c.settings {
			if err := r.Set(key, value, config.FromFlag, key); err != nil {
				t.Fatal(err)
			}
		}
		m, err := wire.OpenModels(r.Config, wire.World{
			Path: func(p string) string { return p }, Now: time.Now, Random: rand.Reader,
			Getenv: func(name string) string { return map[string]string{"OLLAMA_HOST": own.URL, "K": "key"}[name] },
		})
		if err != nil {
			t.Fatal(err)
		}
		var asked []func() error
		open := func(open func(string) (wire.Model, error), spec string) error {
			one, err := open(spec)
			asked = append(asked, func() error {
				one.Base.Messages = []llm.Message{{Role: "user", Text: "?"}}
				_, err := one.Provider.Complete(context.Background(), one.Base)
				return err
			})
			return err
		}
		err = open(m.OpenJudge, c.settings["judge"])
		if err == nil && c.other != "" {
			err = open(m.Open, c.other)
		}
		if err == nil && c.settings["entailment"] != "" {
			var j judge.Judge
			j, err = m.Entailment()
			asked = append(asked, func() error {
				_, err := question.Support.Ask(context.Background(), j, judge.Subject{Language: judge.English}, question.SupportInput{
					Claims: []judge.Claim{{Text: "The door is open."}}, Sources: []judge.Source{{Text: "The door is open."}},
				})
				return err
			})
		}
		if (err == nil) != (c.problem == "") || err != nil && !strings.Contains(err.Error(), c.problem) {
			t.Errorf("%s: %v: want %q", name, err, c.problem)
			continue
		}
		if err := m.Connect(openStore(t), "a", 0); err != nil {
			t.Fatal(err)
		}
		for _, ask := range asked {
			if c.problem != "" {
				break
			}
			if err := ask(); err != nil {
				t.Errorf("%s: %v", name, err)
			}
		}
		if j, e, o := asJudge.Load(), asEntailment.Load(), asOther.Load(); c.settings["judge"] == "ollama:j" && j+o != c.judge+c.others ||
			c.settings["judge"] != "ollama:j" && (j != c.judge || o != c.others) || e != c.entailment {
			t.Errorf("%s: %d calls as judge, %d as entailment model, %d as another: want %d, %d, %d", name, j, e, o, c.judge, c.entailment, c.others)
		}
	}
}
