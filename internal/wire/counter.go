package wire

import (
	"context"
	"slices"
	"sync"

	"github.com/assay-eval/assay"
	"github.com/assay-eval/assay/judge"
	"github.com/assay-eval/assay/judge/entail"
	"github.com/assay-eval/assay/judge/question"
	"github.com/assay-eval/assay/llm"
	"github.com/assay-eval/assay/rag/embed"
	"github.com/assay-eval/assay/rag/rerank"
)

// A counter stands in for every model and counts what it is asked.
type counter struct {
	models *Models
	passes int

	mu    sync.Mutex
	seen  map[string]bool
	total CallEstimate
	ahead int64 // see [llm.Prices.Add]
	most  int
}

// counting puts a counter in place of the models until its detach.
func (m *Models) counting(passes int) *counter {
	c := &counter{models: m, passes: passes, seen: map[string]bool{}, total: CallEstimate{Priced: true}}
	for _, l := range m.providers {
		l.client = standIn{c, l.Name()}
	}
	return c
}

func (c *counter) detach() {
	for _, l := range c.models.providers {
		l.client = nil
	}
}

// A standIn answers in place of one provider.
type standIn struct {
	*counter
	name string
}

// Name returns the name of the provider that it replaces.
func (s standIn) Name() string { return s.name }

// Complete answers by simple rules and counts each distinct question once.
func (s standIn) Complete(_ context.Context, r llm.Request) (llm.Reply, error) {
	text, err := play(r)
	if err != nil {
		return llm.Reply{}, &llm.Error{Kind: llm.KindReply, Provider: s.name, Model: r.Model, Message: err.Error(), Err: err}
	}
	key, _, err := llm.Key(s.name, r)
	if err != nil {
		return llm.Reply{}, &llm.Error{Kind: llm.KindRequest, Provider: s.name, Model: r.Model, Message: err.Error(), Err: err}
	}
	u := llm.Usage{Input: llm.EstimateTokens(r.System), Output: llm.EstimateTokens(text) + r.Thinking}
	if r.Operation == embed.Operation || r.Operation == rerank.Operation || r.Operation == entail.Operation && r.TopLogprobs == 0 {
		u = llm.Usage{} // numbers are no tokens, and the system prompt is not sent
	}
	for _, m := range r.Messages {
		u.Input += llm.EstimateTokens(m.Text)
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	if !s.seen[key] {
		s.seen[key] = true
		cost, ok := s.models.prices.Add(s.name, r.Model, u, &s.ahead)
		s.total.Add(assay.Spending{Calls: 1, Usage: assay.Usage{InputTokens: u.Input, OutputTokens: u.Output, Cost: cost}})
		s.total.Priced = s.total.Priced && ok
		s.most += s.worst(r)
	}
	reply := llm.Reply{Text: text, Nonce: llm.NonceMark, Usage: u}
	if r.TopLogprobs > 0 {
		reply.Tokens = []llm.Token{{Text: text, Top: []llm.Token{{Text: text}}}}
	}
	return reply, nil
}

// CompleteEach implements [llm.Each].
func (s standIn) CompleteEach(ctx context.Context, r llm.Request, _ llm.Divide) ([]llm.Reply, error) {
	out := make([]llm.Reply, len(r.Messages))
	for i := range r.Messages {
		one := r
		one.Messages = r.Messages[i : i+1]
		var err error
		if out[i], err = s.Complete(ctx, one); err != nil {
			return nil, err
		}
	}
	return out, nil
}

// worst returns the number of calls to add for this one if passes never agree: all passes
// for one of the first, none for one of the others.
func (c *counter) worst(r llm.Request) int {
	switch {
	case extracted(r.Operation), r.Operation == entail.Operation:
		return 1
	case r.Draw == 0:
		return max(1, c.passes)
	}
	return 0
}

// extracted reports whether a task is asked once regardless of the number of
// passes, because its result is not voted on.
func extracted(operation string) bool {
	return slices.ContainsFunc(question.Tasks(), func(t judge.AnyTask) bool { return t.Operation() == operation && t.Extracts() })
}
