// Package embed computes vectors of texts. The model all-MiniLM-L6-v2 is embedded in
// the binary and needs neither network nor other files.
package embed

import (
	"fmt"
	"strings"

	"github.com/assay-eval/assay"
)

// miniLM is the name of the built-in model.
const miniLM = "minilm"

// Names lists the embedders, the default first.
func Names() []string { return []string{miniLM} }

// New returns the embedder with one of [Names].
func New(name string) (assay.Embedder, error) {
	if name == miniLM {
		return MiniLM()
	}
	return nil, fmt.Errorf("embedder %q: want one of %s", name, strings.Join(Names(), ", "))
}
