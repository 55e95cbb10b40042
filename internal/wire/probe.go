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
	"github.com/assay-eval/assay/rag"
	"github.com/assay-eval/assay/rag/embed"
	"github.com/assay-eval/assay/target"
)

// A Probe is one call of the target that is not scored. It shows the request
// and how the reply is read.
type Probe struct {
	Case assay.Case
	// Response is valid if Err is nil.
	Response assay.Response
	Exchange target.Exchange
	Latency  time.Duration
	// Err is the reason why there is no response.
	Err error
}

// Probe asks the target the first case of the run. Models that the target needs
// are called too, and their replies are not stored.
func (p *Prepared) Probe(ctx context.Context) (Probe, error) {
	if err := p.models.Connect(&scratch{}, p.plan.Header.ID, 0); err != nil {
		return Probe{}, err
	}
	out := Probe{Case: p.cases.At(0)}
	for _, c := range p.cases.All() {
		if c.Critical {
			out.Case = c
			break
		}
	}
	ctx, exchange := target.Watch(ctx)
	asked, note, done, err := p.probed(ctx)
	if out.Err = err; err != nil {
		out.Exchange = *exchange
		return out, nil
	}
	defer done()
	ctx, cancel := context.WithTimeout(ctx, p.cfg.Timeout)
	defer cancel()
	start := p.world.Now()
	c := out.Case
	out.Response, out.Err = asked.Ask(ctx, &c)
	out.Latency = p.world.Now().Sub(start)
	out.Exchange = *exchange
	if err := errors.Join(p.secrets.Hide(&out.Response), p.secrets.Hide(&out.Exchange)); err != nil {
		return Probe{}, err
	}
	if note != "" {
		out.Exchange.Notes = append(out.Exchange.Notes, note)
	}
	// Starting and asking may produce the same note.
	out.Exchange.Notes = slices.Compact(out.Exchange.Notes)
	if out.Err != nil && errors.Is(ctx.Err(), context.DeadlineExceeded) {
		late := fmt.Sprintf("no response within %v", p.cfg.Timeout)
		var known *target.Error
		if over := context.DeadlineExceeded.Error(); errors.As(out.Err, &known) && known.Kind == target.Timeout && known.Error() != over {
			late += ": " + strings.ReplaceAll(known.Error(), ": "+over, "")
		}
		out.Err = errors.New(late)
	}
	return out, nil
}

// probedPassages is the number of passages that a probe embeds: a whole corpus may cost
// more than the run is worth.
const probedPassages = 32

// probed starts the target. If that has to embed its passages by an embedder outside of
// this process, it returns one over the first of them, and a note that says so. done must
// be called at the end.
func (p *Prepared) probed(ctx context.Context) (t assay.Target, note string, done func(), err error) {
	pipeline, ok := p.target.original().(*rag.Pipeline)
	if !ok || !pipeline.Unopened() {
		return p.target.Target, "", func() {}, p.start(ctx)
	}
	part, err := pipeline.Part(embed.Unkept(ctx), probedPassages, nil)
	if err != nil {
		return nil, "", nil, err
	}
	if all := pipeline.Corpus().Passages; all > probedPassages {
		note = fmt.Sprintf("only the first %d of %d passages were embedded and searched", probedPassages, all)
	}
	return part, note, func() { _ = part.Close() }, nil // it is in memory
}

// ProbeJudge makes a short call to every judge model, to check that it is
// available and the key is valid. It costs a few tokens, or nothing if formulas
// judge.
func (p *Prepared) ProbeJudge(ctx context.Context) error {
	if p.judge == nil || p.estimates() {
		return nil
	}
	if err := p.models.Connect(&scratch{}, p.plan.Header.ID, 0); err != nil {
		return err
	}
	var problems []error
	for _, spec := range p.cfg.Judges {
		m, err := p.models.OpenJudge(spec)
		if err != nil {
			problems = append(problems, err)
			continue
		}
		if l, ok := m.Provider.(*lazyProvider); ok && l.server == nil {
			continue // it calls nothing that could be away
		}
		ask := m.Base
		ask.Operation, ask.MaxTokens, ask.Thinking = "probe", 256, 0
		ask.Messages = []llm.Message{{Role: "user", Text: "Reply with the word yes."}}
		if _, err := m.Provider.Complete(ctx, ask); err != nil {
			problems = append(problems, fmt.Errorf("judge %s: %w", spec, err))
		}
	}
	if entails(p.cfg) {
		if err := p.models.tried(ctx); err != nil {
			problems = append(problems, fmt.Errorf("entailment %s: %w", entailmentOf(p.cfg), err))
		}
	}
	return errors.Join(problems...)
}

// scratch is a ledger in memory.
type scratch struct{ calls sync.Map }

// Call returns the call with the key, if there is one.
func (s *scratch) Call(_ context.Context, key string) (assay.Call, bool, error) {
	c, ok := s.calls.Load(key)
	if !ok {
		return assay.Call{}, false, nil
	}
	return c.(assay.Call), true, nil
}

// PutCall stores a call.
func (s *scratch) PutCall(_ context.Context, c assay.Call) error {
	s.calls.Store(c.Key, c)
	return nil
}
