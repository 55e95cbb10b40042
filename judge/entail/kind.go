package entail

import (
	"context"

	"github.com/assay-eval/assay/llm/reach"
)

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
