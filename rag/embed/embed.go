// Package embed turns texts into vectors. The model all-MiniLM-L6-v2 is inside
// the binary and needs neither network nor any other file.
package embed

import (
	"fmt"

	"github.com/assay-eval/assay"
)

// New gives the embedder of that name: "minilm".
func New(name string) (assay.Embedder, error) {
	if name == "minilm" {
		return MiniLM()
	}
	return nil, fmt.Errorf("embedder %q: want \"minilm\"", name)
}
