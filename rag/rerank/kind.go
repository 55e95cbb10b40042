// Package rerank has servers score how well passages answer a question. A [Ledgered]
// reranker asks a [Source] through the client of package llm, so that the same list is not
// paid for twice.
//
// Errors are an *[llm.Error], or that of the context.
package rerank

import (
	"context"

	"github.com/assay-eval/assay/llm/reach"
)

// Kinds lists the kinds of servers that rerank, in the order in which messages name them.
// A new one is one file with its definition, and one line here.
var Kinds = reach.Kinds[Source]{&tei, &cohere, &jina}

// A Kind is one protocol of servers that rerank.
type Kind = reach.Kind[Source]

// A Setup is what a source is opened with.
type Setup = reach.Setup

// A Source scores passages. It is safe for concurrent use.
type Source interface {
	// Scores returns a score for each text, in the order of the texts, on a scale of the
	// model's own: more is better. It makes one call, and a second if a text is too long
	// for the model: that with the ends of such texts cut off. Neither the question nor a
	// text is empty.
	Scores(ctx context.Context, question string, texts []string) (Batch, error)
}

// A Batch is what a source returns for a call.
type Batch struct {
	Scores []float64
	// Tokens counts the input, 0 if the source does not say.
	Tokens int
	// Cut is set when one or more texts were cut to what the model reads: a server does not
	// say which.
	Cut bool
}
