// Package embed computes vectors of texts. The model all-MiniLM-L6-v2 is embedded in
// the binary and needs neither network nor other files.
package embed

import (
	"fmt"
	"strings"
	"sync"

	"github.com/assay-eval/assay"
)

// miniLM is the name of the built-in model.
const miniLM = "minilm"

// Names lists the embedders, the default first.
func Names() []string { return []string{miniLM} }

// shared is the built-in model of the process, with a bounded cache. Several runs of one
// command, and the runs of a server, embed many of the same texts.
var shared = sync.OnceValues(func() (assay.Embedder, error) {
	e, err := MiniLM()
	if err != nil {
		return nil, err
	}
	return Memo(e), nil
})

// New returns the embedder with one of [Names]. The process has one of each; it caches
// vectors as [Memo] does, and is safe for concurrent use.
func New(name string) (assay.Embedder, error) {
	if name == miniLM {
		return shared()
	}
	return nil, fmt.Errorf("embedder %q: want one of %s", name, strings.Join(Names(), ", "))
}
