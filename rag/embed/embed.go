// Package embed computes vectors of texts. The model all-MiniLM-L6-v2 is embedded in
// the binary and needs neither network nor other files.
package embed

import (
	"fmt"

	"github.com/assay-eval/assay"
)

// New returns the embedder with a name: "minilm".
func New(name string) (assay.Embedder, error) {
	if name == "minilm" {
		return MiniLM()
	}
	return nil, fmt.Errorf("embedder %q: want \"minilm\"", name)
}
