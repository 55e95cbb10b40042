package entail

import (
	"context"
	"encoding/json"
	"fmt"

	"github.com/assay-eval/assay/internal/text"
	"github.com/assay-eval/assay/judge"
	"github.com/assay-eval/assay/judge/standin"
	"github.com/assay-eval/assay/llm"
	"github.com/assay-eval/assay/llm/reach"
)

// Operation is what calls for scores are named in the ledger.
const Operation = "entailment"

// Provider makes a source a provider of package llm, whose client then gives it limits,
// retries and the ledger. Each message of a request is a pair as a JSON object, and the
// reply is a JSON list with a [Score] for each; see [NewLedgered].
func Provider(name string, s Source) llm.Provider {
	return reach.Provider(name, func(ctx context.Context, messages []string) (any, int, error) {
		pairs := make([]Pair, len(messages))
		for i, m := range messages {
			if err := json.Unmarshal([]byte(m), &pairs[i]); err != nil {
				return nil, 0, err
			}
		}
		b, err := s.Scores(ctx, pairs)
		if err != nil {
			return nil, 0, err
		}
		if len(b.Scores) != len(pairs) {
			return nil, 0, fmt.Errorf("%d scores for %d pairs: expected one for each", len(b.Scores), len(pairs))
		}
		out := make([]kept, len(pairs))
		for i, s := range b.Scores {
			if err := s.check(); err != nil {
				return nil, 0, fmt.Errorf("pair %d: %w", i+1, err)
			}
			out[i] = kept{s, b.Cut}
		}
		return out, b.Tokens, nil
	})
}

// kept is a score as the ledger keeps it.
type kept struct {
	Score
	// Cut is set if the model may have read the beginning of the pair alone.
	Cut bool `json:"cut,omitempty"`
}

// StandIn returns a reply to a request of a scorer, for estimates of what a run costs: a
// claim is as likely as the share of its words in the document.
func StandIn(r llm.Request) string {
	if r.TopLogprobs > 0 {
		return "Yes"
	}
	list := make([]kept, len(r.Messages))
	for i, m := range r.Messages {
		var p Pair
		if json.Unmarshal([]byte(m.Text), &p) == nil {
			list[i].Entailed = standin.Read(p.Document).Share(standin.Read(p.Claim))
		}
	}
	said, _ := json.Marshal(list) // finite numbers cannot fail
	return string(said)
}

type ledgered struct {
	list *llm.List
}

// NewLedgered returns a scorer that asks client, which implements [llm.Each] and is around
// what [Provider] gave, for scores by a model, at most batch pairs in a call. form is what a
// score depends on besides the model and the pair.
func NewLedgered(client llm.Provider, model, form string, batch int) Scorer {
	// The system prompt is not sent: it is what the key depends on besides.
	base := llm.Request{Operation: Operation, Model: model, System: "entailment " + form, MaxTokens: 1}
	return &ledgered{llm.NewList(client, base, batch, func(pair string) string {
		return "the pair is " + text.Shorten(text.Collapse(pair), 120)
	})}
}

// Score implements [Scorer].
func (l *ledgered) Score(ctx context.Context, pairs []Pair) ([]Score, error) {
	items := make([]string, len(pairs))
	for i, p := range pairs {
		said, err := json.Marshal(p)
		if err != nil {
			return nil, l.list.Fail(llm.KindRequest, err.Error())
		}
		items[i] = string(said)
	}
	out := make([]Score, len(pairs))
	err := l.list.Ask(ctx, items, func(first int, replies []llm.Reply) error {
		for i, r := range replies {
			k, err := llm.ReadOne[kept](r)
			if err == nil {
				err = k.check()
			}
			if err != nil {
				return l.list.Fail(llm.KindLedger, fmt.Sprintf("the ledger's score cannot be read: %v", err))
			}
			out[first+i] = k.Score
			count(ctx, r)
			if k.Cut {
				judge.Warn(ctx, "a window and a claim were longer than the entailment model reads: its beginning was scored (--set entailment-window="+
					"makes windows shorter)")
			}
		}
		return nil
	})
	if err != nil {
		return nil, err
	}
	return out, nil
}

// count tells the meter of a case of a reply.
func count(ctx context.Context, r llm.Reply) {
	judge.Count(ctx, r.Spending())
	if r.Key != "" {
		judge.Called(ctx, r.Key)
	}
	for _, w := range r.Warnings {
		judge.Warn(ctx, w)
	}
}
