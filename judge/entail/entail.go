// Package entail is a judge that is made for entailment: a model that reads a document and
// a claim, and returns the probability that the document entails the claim. It answers the
// task support and no other; [judge.Delegating] puts it beside a judge that answers the rest.
//
// A [Scorer] asks the model. Cross-encoders behind a server, programs and Python objects are
// a [Kind], one file each; any model that chats is asked for yes or no by [NewYesNo].
package entail

import (
	"context"
	"fmt"

	"github.com/assay-eval/assay/llm/reach"
)

// A Pair is a document and a claim.
type Pair struct {
	Document string `json:"document"`
	Claim    string `json:"claim"`
}

// A Score is what a scorer says of a pair.
type Score struct {
	// Entailed is the probability that the document entails the claim, 0 to 1.
	Entailed float64 `json:"entailed"`
	// Contradicted is the probability that the document contradicts the claim; nil if the
	// scorer does not tell that from a claim that the document does not mention.
	Contradicted *float64 `json:"contradicted,omitempty"`
	// Why is why there is no score; "" if there is one.
	Why string `json:"why,omitempty"`
}

// check returns an error for a score that is no probability.
func (s Score) check() error {
	for _, p := range []*float64{&s.Entailed, s.Contradicted} {
		if p != nil && !(*p >= 0 && *p <= 1) {
			return fmt.Errorf("a score of %v: expected a probability from 0 to 1", *p)
		}
	}
	return nil
}

// A Scorer scores pairs. It is safe for concurrent use.
type Scorer interface {
	// Score returns a score for each pair, in the order of the pairs. The error is an
	// *[llm.Error], or that of ctx.
	Score(ctx context.Context, pairs []Pair) ([]Score, error)
}

// Kinds lists the ways to reach a model that scores pairs, beside models that chat, in the
// order in which messages name them. A new one is one file with its definition, and one line
// here.
var Kinds = reach.Kinds[Source]{&tei, &python, &command}

// A Kind is one way to reach a model that scores pairs.
type Kind = reach.Kind[Source]

// A Setup is what a source is opened with.
type Setup = reach.Setup

// A Source scores pairs. It is safe for concurrent use. One that is an [io.Closer] has
// programs to end.
type Source interface {
	// Scores returns a score for each pair, in their order. It makes one call, and a second
	// if a pair is too long for the model: that with the ends of such pairs cut off. Errors
	// are an *[llm.Error], or that of ctx.
	Scores(ctx context.Context, pairs []Pair) (Batch, error)
}

// A Batch is what a source returns for a call.
type Batch struct {
	Scores []Score
	// Tokens counts the input, 0 if the source does not say.
	Tokens int
	// Cut is set when one or more pairs were cut to what the model reads.
	Cut bool
}
