package rerank

import (
	"context"
	"encoding/json"
	"fmt"

	"github.com/assay-eval/assay"
	"github.com/assay-eval/assay/llm"
	"github.com/assay-eval/assay/llm/reach"
)

// Operation is what calls for scores are named in the ledger.
const Operation = "rerank"

// Provider makes a source a provider of package llm, whose client then gives it limits,
// retries and the ledger. The first message of a request is the question, the others are
// the texts; the reply is a JSON object. See [Ledgered].
func Provider(name string, s Source) llm.Provider {
	return reach.Provider(name, func(ctx context.Context, messages []string) (any, int, error) {
		b, err := s.Scores(ctx, messages[0], messages[1:])
		return kept{b.Scores, b.Cut}, b.Tokens, err
	})
}

// kept is a list of scores as the ledger keeps it.
type kept struct {
	Scores []float64 `json:"scores"`
	Cut    bool      `json:"cut,omitempty"`
}

// StandIn returns a reply to a request of a [Ledgered] reranker, for estimates of what a
// run costs: each text scores half of the one before.
func StandIn(r llm.Request) string {
	k := kept{Scores: make([]float64, max(0, len(r.Messages)-1))}
	score := 1.0
	for i := range k.Scores {
		k.Scores[i] = score
		score /= 2
	}
	said, _ := json.Marshal(k) // finite numbers cannot fail
	return string(said)
}

// Ledgered is a reranker that asks through a client of package llm, so that the same
// question with the same texts, in the same order, is scored once. The list is the unit
// because models may compare the texts of a list with each other. It is safe for
// concurrent use.
type Ledgered struct {
	client   llm.Provider
	request  llm.Request
	identity string
	batch    *llm.Batch
}

// NewLedgered returns a reranker that asks client, which is around what [Provider] gave,
// for the scores of a model, at most batch texts in a call. identity names the reranker.
func NewLedgered(client llm.Provider, model, identity string, batch int) *Ledgered {
	return &Ledgered{client: client, identity: identity, batch: llm.NewBatch(batch), request: llm.Request{
		// The system prompt is not sent: it is what the key depends on besides.
		Operation: Operation, Model: model, System: "rerank " + identity, MaxTokens: 1,
	}}
}

// Identity changes whenever the scores might.
func (l *Ledgered) Identity() string { return l.identity }

// Score returns a score for each text, in the order of the texts, how many texts may have
// been cut to what the model reads, and what that used. Lists that the server refuses for their
// number are scored in parts. An empty question or text is sent as a space.
func (l *Ledgered) Score(ctx context.Context, question string, texts []string) (scores []float64, cut int, used assay.Usage, err error) {
	scores = make([]float64, len(texts))
	err = l.batch.Do(0, len(texts), func(first, last int) error {
		r := l.request
		r.Messages = []llm.Message{{Role: "user", Text: full(question)}}
		for _, t := range texts[first:last] {
			r.Messages = append(r.Messages, llm.Message{Role: "user", Text: full(t)})
		}
		reply, err := l.client.Complete(ctx, r)
		if err != nil {
			return err
		}
		total := reply.Total()
		used.InputTokens += total.InputTokens
		used.Cost += total.Cost
		var k kept
		if err = json.Unmarshal([]byte(reply.Text), &k); err == nil && len(k.Scores) != last-first {
			err = fmt.Errorf("%d scores for %d texts", len(k.Scores), last-first)
		}
		if err != nil {
			message := fmt.Sprintf("the ledger's scores cannot be read: %v", err)
			return &llm.Error{Kind: llm.KindLedger, Provider: l.client.Name(), Model: r.Model, Message: message, Err: err}
		}
		copy(scores[first:last], k.Scores)
		if k.Cut {
			cut += last - first
		}
		return nil
	})
	if err != nil {
		return nil, cut, used, err
	}
	return scores, cut, used, nil
}

func full(s string) string {
	if s == "" {
		return " "
	}
	return s
}
