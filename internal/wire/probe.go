package wire

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/assay-eval/assay"
	"github.com/assay-eval/assay/llm"
	"github.com/assay-eval/assay/target"
)

// A Probe is one call of the target that counts for nothing: it shows what is
// sent and how the reply is read.
type Probe struct {
	Case assay.Case
	// Response is meaningful when Err is nil.
	Response assay.Response
	Exchange target.Exchange
	Latency  time.Duration
	// Err is why there is no response.
	Err error
}

// Probe asks the target the first case that a run would ask. Models that the
// target needs are asked too, and their replies kept nowhere.
func (j *Job) Probe(ctx context.Context) (Probe, error) {
	if err := j.models.Connect(&scratch{}, j.header.ID, 0); err != nil {
		return Probe{}, err
	}
	p := Probe{Case: j.cases[0]}
	for _, c := range j.cases {
		if c.Critical {
			p.Case = c
			break
		}
	}
	ctx, exchange := target.Watch(ctx)
	if p.Err = j.start(ctx); p.Err != nil {
		p.Exchange = *exchange
		return p, nil
	}
	ctx, cancel := context.WithTimeout(ctx, j.cfg.Timeout)
	defer cancel()
	start := j.world.Now()
	c := p.Case
	p.Response, p.Err = j.target.Ask(ctx, &c)
	p.Latency = j.world.Now().Sub(start)
	p.Exchange = *exchange
	// Starting and asking may note the same.
	p.Exchange.Notes = slices.Compact(p.Exchange.Notes)
	if p.Err != nil && errors.Is(ctx.Err(), context.DeadlineExceeded) {
		late := fmt.Sprintf("no response within %v", j.cfg.Timeout)
		var known *target.Error
		if over := context.DeadlineExceeded.Error(); errors.As(p.Err, &known) && known.Kind == target.Timeout && known.Error() != over {
			late += ": " + strings.ReplaceAll(known.Error(), ": "+over, "")
		}
		p.Err = errors.New(late)
	}
	return p, nil
}

// ProbeJudge asks every model that judges for a word, to see that it is there
// and that the key is right. It costs a few tokens, and nothing when formulas
// judge.
func (j *Job) ProbeJudge(ctx context.Context) error {
	if j.judge == nil || j.header.Judge.Estimate {
		return nil
	}
	if err := j.models.Connect(&scratch{}, j.header.ID, 0); err != nil {
		return err
	}
	var problems []error
	for _, spec := range j.cfg.Judges {
		m, err := j.models.Open(spec)
		if err != nil {
			problems = append(problems, err)
			continue
		}
		ask := m.Base
		ask.Operation, ask.MaxTokens, ask.Thinking = "probe", 256, 0
		ask.Messages = []llm.Message{{Role: "user", Text: "Reply with the word yes."}}
		if _, err := m.Provider.Complete(ctx, ask); err != nil {
			problems = append(problems, fmt.Errorf("judge %s: %w", spec, err))
		}
	}
	return errors.Join(problems...)
}

// scratch is a ledger that ends with the process.
type scratch struct {
	mu    sync.Mutex
	calls map[string]assay.Call
}

// Call looks a call up.
func (s *scratch) Call(_ context.Context, key string) (assay.Call, bool, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	c, ok := s.calls[key]
	return c, ok, nil
}

// PutCall keeps a call.
func (s *scratch) PutCall(_ context.Context, c assay.Call) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.calls == nil {
		s.calls = map[string]assay.Call{}
	}
	s.calls[c.Key] = c
	return nil
}
