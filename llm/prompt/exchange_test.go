package prompt_test

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/assay-eval/assay/llm"
	"github.com/assay-eval/assay/llm/prompt"
)

// stepping is a provider that gives one step of a script a call: "!" is a failed
// call, "auth" a refused key, "slow" a call that never ends, "(" a reply from the
// ledger, anything else a reply.
type stepping struct {
	script []string
	asked  []llm.Request
}

func (s *stepping) Name() string { return "scripted" }

func (s *stepping) Complete(ctx context.Context, r llm.Request) (llm.Reply, error) {
	step := s.script[len(s.asked)]
	s.asked = append(s.asked, r)
	switch step {
	case "!":
		return llm.Reply{}, &llm.Error{Kind: llm.KindServer, Provider: "scripted", Message: "broken"}
	case "auth":
		return llm.Reply{}, &llm.Error{Kind: llm.KindAuth, Provider: "scripted", Message: "no key"}
	case "slow":
		<-ctx.Done()
		return llm.Reply{}, ctx.Err()
	case "refusal":
		return llm.Reply{Stop: "refusal"}, nil
	}
	text, cached := strings.CutPrefix(step, "(")
	return llm.Reply{Text: text, Cached: cached}, nil
}

func TestExchange(t *testing.T) {
	t.Parallel()
	waits := []time.Duration{2 * time.Second, 4 * time.Second}
	for name, c := range map[string]struct {
		script string
		waits  []time.Duration
		slept  []time.Duration
		fails  string
		draws  []int
	}{
		"good":                                   {"good", nil, nil, "", []int{0}},
		"repaired once":                          {"bad good", nil, nil, "", []int{0, 0}},
		"not repaired twice":                     {"bad bad", nil, nil, "the reply cannot be used: it is bad", []int{0, 0}},
		"a failed call is not repeated":          {"!", nil, nil, "scripted: broken", []int{0}},
		"waits":                                  {"! bad good", waits, waits, "", []int{0, 0, 0}},
		"another draw from the second repair on": {"bad bad good", waits, waits, "", []int{0, 0, 1000}},
		"no wait after the ledger":               {"(bad (bad good", waits, nil, "", []int{0, 0, 1000}},
		"used up":                                {"! ! !", waits, waits, "scripted: broken", []int{0, 0, 0}},
		"fatal":                                  {"auth", waits, nil, "scripted: no key", []int{0}},
		"too slow":                               {"slow good", waits, waits[:1], "", []int{0, 0}},
		"refused":                                {"refusal", nil, nil, "scripted m: the model declined", []int{0}},
	} {
		// The clock is the bubble's: a call that is not slow takes no time of it,
		// however busy the machine is.
		synctest.Test(t, func(t *testing.T) {
			p := &stepping{script: strings.Fields(c.script)}
			var slept []time.Duration
			e := prompt.Exchange{
				Provider: p, Request: llm.Request{Model: "m", Messages: []llm.Message{{Role: "user", Text: "q"}}},
				Retry: prompt.Retry{Waits: c.waits, Timeout: time.Second, Sleep: func(_ context.Context, d time.Duration) error {
					slept = append(slept, d)
					return nil
				}},
				Read: func(r llm.Reply) error {
					if r.Text != "good" {
						return errors.New("it is bad")
					}
					return nil
				},
			}
			did, err := e.Do(t.Context())
			if got := fmt.Sprint(err); got != c.fails && !(err == nil && c.fails == "") {
				t.Errorf("%s: got %v, want %q", name, err, c.fails)
			}
			var draws []int
			for i, r := range p.asked {
				draws = append(draws, r.Draw)
				if i > 0 && p.script[i-1] == "bad" && !strings.Contains(r.Messages[len(r.Messages)-1].Text, "it is bad") {
					t.Errorf("%s: try %d does not say what was wrong: %+v", name, i, r.Messages)
				}
			}
			if d := cmp.Diff(c.draws, draws); d != "" || did.Tries != len(draws) {
				t.Errorf("%s: %d tries, draws %s", name, did.Tries, d)
			}
			if d := cmp.Diff(c.slept, slept); d != "" {
				t.Errorf("%s: %s", name, d)
			}
		})
	}
}
