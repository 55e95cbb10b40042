package transcribe

import (
	"io"

	"github.com/assay-eval/assay"
	"github.com/assay-eval/assay/llm"
)

// Kinds lists the ways to transcribe, in the order in which messages name them.
// A new one is one file with its definition, and one line here.
var Kinds = []*Kind{&openai, &command, &fake}

// A Kind is one way to transcribe. Settings, help texts and messages read the
// table of them.
type Kind struct {
	// Name is a kind of provider of models when Server is set, else what the
	// setting "transcriber" begins with.
	Name string
	// Doc says in one line, without a full stop, what transcribes. Example are the
	// settings that it needs, as flags.
	Doc, Example string
	// Server is set when a model of a provider transcribes, which the setting
	// names as PROVIDER:MODEL: it needs the network, and nothing when all calls
	// are replayed. Word is set when the name alone is the setting.
	Server, Word bool
	// Free is set when a transcript costs nothing, unless a price says
	// otherwise.
	Free bool
	// Open makes the transcriber and names its model for the ledger. It asks
	// nothing.
	Open func(Setup) (t assay.Transcriber, model string, err error)
}

// A Setup is what a transcriber is opened with.
type Setup struct {
	// Options say how the provider of a Server kind is reached.
	llm.Options
	// Model is what follows the colon of the setting.
	Model string
	// Command is the command line of the settings, quoted as in a shell.
	Command string
	// Path resolves a path that the user gave.
	Path   func(string) string
	Stderr io.Writer
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

// Names lists the names of the kinds that wanted accepts; nil accepts all.
func Names(wanted func(*Kind) bool) []string {
	var names []string
	for _, k := range Kinds {
		if wanted == nil || wanted(k) {
			names = append(names, k.Name)
		}
	}
	return names
}

// Words lists the kinds whose name alone is the setting.
func Words() []string { return Names(func(k *Kind) bool { return k.Word }) }
