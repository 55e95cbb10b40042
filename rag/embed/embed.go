// Package embed computes vectors of texts. The model all-MiniLM-L6-v2 is embedded in
// the binary and needs neither network nor other files. Models of servers, and programs,
// are asked by a [Source]; a [Ledgered] embedder asks it through the client of package
// llm, so that no text is paid for twice.
package embed

import (
	"fmt"
	"sync"

	"github.com/assay-eval/assay"
)

// BuiltIn is the name of the built-in model.
const BuiltIn = "minilm"

// Words lists the embedders that a word alone names, the default first.
func Words() []string {
	return append([]string{BuiltIn}, Kinds.Words()...)
}

// shared is the built-in model of the process, with a bounded cache. Several runs of one
// command, and the runs of a server, embed many of the same texts.
var shared = sync.OnceValues(func() (assay.Embedder, error) {
	e, err := MiniLM()
	if err != nil {
		return nil, err
	}
	return Memo(e), nil
})

// New returns the embedder of this process that has a name: [BuiltIn]. The process has one
// of each; it caches vectors as [Memo] does, and is safe for concurrent use.
func New(name string) (assay.Embedder, error) {
	if name == BuiltIn {
		return shared()
	}
	return nil, fmt.Errorf("embedder %q: expected one of %s", name, BuiltIn)
}
