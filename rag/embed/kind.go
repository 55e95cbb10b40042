package embed

import (
	"context"

	"github.com/assay-eval/assay/llm/reach"
)

// Kinds lists the ways to embed beside the built-in model, in the order in which messages
// name them. A new one is one file with its definition, and one line here.
var Kinds = reach.Kinds[Source]{&openai, &ollama, &tei, &command}

// A Kind is one way to embed texts outside of this process.
type Kind = reach.Kind[Source]

// A Setup is what a source is opened with.
type Setup = reach.Setup

// A Source computes vectors of texts. It is safe for concurrent use.
type Source interface {
	// Vectors returns a vector for each text, in order, as they come, of any length. It
	// makes one call, and a second if a text is too long for the model: that with the ends
	// of such texts cut off. No text is empty. Errors are an *[llm.Error], or
	// that of ctx.
	Vectors(ctx context.Context, texts []string) (Batch, error)
}

// A Batch is what a source returns for a call.
type Batch struct {
	Vectors [][]float32
	// Tokens counts the input, 0 if the source does not say.
	Tokens int
	// Cut is set when one or more texts were cut to what the model reads: a server does not
	// say which.
	Cut bool
}
