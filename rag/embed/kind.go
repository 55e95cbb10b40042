package embed

import (
	"context"
	"fmt"
	"io"
	"maps"
	"slices"
	"strings"

	"github.com/assay-eval/assay/llm"
)

// Kinds lists the ways to embed beside the built-in model, in the order in which messages
// name them. A new one is one file with its definition, and one line here.
var Kinds = []*Kind{&openai, &ollama, &tei, &command}

// A Kind is one way to embed texts outside of this process. Settings, help texts and
// messages read the table of them.
type Kind struct {
	// Name is a kind of provider of models when Server is set, else what the setting
	// "embedder" is.
	Name string
	// Doc says in one line, without a full stop, what embeds. Example are the settings
	// that it needs, as flags.
	Doc, Example string
	// Server is set when a model of a provider embeds, which the setting names as
	// PROVIDER:MODEL: it needs the network, and nothing when all calls are replayed. Word
	// is set when the name alone is the setting.
	Server, Word bool
	// Free is set when a vector costs nothing, unless a price says otherwise.
	Free bool
	// Batch is the number of texts of a call, until the server refuses so many.
	Batch int
	// Open makes the source. It asks nothing.
	Open func(Setup) (Source, error)
}

// A Setup is what a source is opened with.
type Setup struct {
	// Options say how the provider of a Server kind is reached.
	llm.Options
	// Model is what follows the colon of the setting.
	Model string
	// Command is the command line of the settings, quoted as in a shell.
	Command string
	// Dir is the folder in which a command is started.
	Dir    string
	Stderr io.Writer
}

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

// Find returns the kind of a name, nil when there is none.
func Find(name string) *Kind {
	for _, k := range Kinds {
		if k.Name == name {
			return k
		}
	}
	return nil
}

// KindNames lists the names of the kinds that wanted accepts; nil accepts all.
func KindNames(wanted func(*Kind) bool) []string {
	var names []string
	for _, k := range Kinds {
		if wanted == nil || wanted(k) {
			names = append(names, k.Name)
		}
	}
	return names
}

// Identity names an embedder of a kind: the provider and the model, before it the kind if
// that is not the provider's name, and after it the extra fields of the requests, such as
// "dimensions". Vectors of different identities are not comparable.
func Identity(kind, provider, model string, extra map[string]any) string {
	name := provider
	if kind != provider {
		name = kind + "/" + provider
	}
	if model != "" {
		name += ":" + model
	}
	var fields []string
	for _, f := range slices.Sorted(maps.Keys(extra)) {
		fields = append(fields, fmt.Sprintf("%s=%v", f, extra[f]))
	}
	if fields != nil {
		name += "(" + strings.Join(fields, ",") + ")"
	}
	return name
}
