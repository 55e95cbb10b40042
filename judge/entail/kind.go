package entail

import (
	"context"
	"io"

	"github.com/assay-eval/assay/llm"
)

// Kinds lists the ways to reach a model that scores pairs, beside models that chat, in the
// order in which messages name them. A new one is one file with its definition, and one line
// here.
var Kinds = []*Kind{&tei, &python, &command}

// A Kind is one way to reach a model that scores pairs. Settings, help texts and messages
// read the table of them.
type Kind struct {
	// Name is one of [llm.ServiceKinds] when Server is set, else what stands before the
	// colon of the setting "entailment", or is all of it.
	Name string
	// Doc says in one line, without a full stop, what scores. Example are the settings that
	// it needs, as flags.
	Doc, Example string
	// Server is set when a server scores: it needs the network, and nothing when all calls
	// are replayed.
	Server bool
	// Wants is what follows the colon of the setting, for messages; "" if nothing does.
	Wants string
	// Free is set when a score costs nothing, unless a price says otherwise.
	Free bool
	// Batch is the number of pairs of a call, until it is refused.
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
	// Label is the label of a classifier that means entailment; "" looks for a usual one.
	Label string
	// Command is the command line of the settings, quoted as in a shell, Python the
	// interpreter; "" is python3.
	Command, Python string
	// Dir is the folder in which programs are started.
	Dir    string
	Stderr io.Writer
}

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

// Find returns the kind of a name, nil when there is none.
func Find(name string) *Kind {
	for _, k := range Kinds {
		if k.Name == name {
			return k
		}
	}
	return nil
}

// Names lists the names of the kinds.
func Names() []string {
	names := make([]string, len(Kinds))
	for i, k := range Kinds {
		names[i] = k.Name
	}
	return names
}

// Words lists the names of the kinds that are no servers, which no provider of a
// configuration may have.
func Words() []string {
	var names []string
	for _, k := range Kinds {
		if !k.Server {
			names = append(names, k.Name)
		}
	}
	return names
}
