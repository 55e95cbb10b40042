package wire

import (
	"github.com/assay-eval/assay"
	"github.com/assay-eval/assay/internal/config"
	"github.com/assay-eval/assay/internal/secret"
	"github.com/assay-eval/assay/metric"
)

// A wiring holds what all steps of preparing a run share: the settings, the
// world, and what is opened once.
type wiring struct {
	cfg     config.Config
	world   World
	secrets secret.Set
	models  *Models
	// known are the metrics that there are, with the checks of the configuration.
	known *metric.Catalog
	// embed is nil until it is opened.
	embed assay.Embedder
}

// newWiring reads the prices of models and opens nothing else.
func newWiring(r *config.Resolved, w World) (*wiring, error) {
	models, err := OpenModels(r.Config, w)
	if err != nil {
		return nil, err
	}
	return &wiring{cfg: r.Config, world: w, secrets: r.Secrets(), models: models, known: Metrics(r.Config, w.Path)}, nil
}

// embedder opens the embedder. It is called only if something is embedded, so
// other runs do not load the weights.
func (w *wiring) embedder() (_ assay.Embedder, err error) {
	w.embed, err = w.models.Embedder()
	return w.embed, config.About("embedder", err)
}
