// Package reach has what the models that do not chat have in common: those that embed texts,
// rerank passages or score entailment. A table says in which ways such a model is reached,
// and a [Provider] asks it through the client of package llm.
package reach

import (
	"fmt"
	"io"
	"maps"
	"slices"
	"strings"

	"github.com/assay-eval/assay/llm"
)

// A Kind is one way to reach a model. Settings, help texts and messages read the table of
// them. Source is what asks the model.
type Kind[Source any] struct {
	// Name is one of [llm.ServiceKinds] when Server is set, else what stands before the
	// colon of the setting, or is all of it.
	Name string
	// Doc says in one line, without a full stop, what answers. Example are the settings that
	// it needs, as flags.
	Doc, Example string
	// Server is set when a server answers: it needs the network, and nothing when all calls
	// are replayed.
	Server bool
	// Wants is what follows the colon of the setting, for messages; "" if nothing does.
	Wants string
	// Free is set when a call costs nothing, unless a price says otherwise.
	Free bool
	// Batch is the number of items of a call, until it is refused.
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

// Kinds is a table of kinds, in the order in which messages name them.
type Kinds[Source any] []*Kind[Source]

// Find returns the kind of a name, nil when there is none.
func (all Kinds[Source]) Find(name string) *Kind[Source] {
	for _, k := range all {
		if k.Name == name {
			return k
		}
	}
	return nil
}

// Names lists the names of the kinds.
func (all Kinds[Source]) Names() []string { return append(all.Words(), all.Servers()...) }

// Servers lists the names of the kinds that are servers.
func (all Kinds[Source]) Servers() []string { return all.names(true) }

// Words lists the names of the kinds that are no servers, which no provider of a
// configuration may have.
func (all Kinds[Source]) Words() []string { return all.names(false) }

func (all Kinds[Source]) names(server bool) (names []string) {
	for _, k := range all {
		if k.Server == server {
			names = append(names, k.Name)
		}
	}
	return names
}

// Identity names a model of a kind: the provider and the model, before it the kind if that is
// not the provider's name, and after it the extra fields of the requests, such as
// "dimensions". What models of different identities return is not comparable.
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
