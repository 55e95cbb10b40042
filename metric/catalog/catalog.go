// Package catalog lists every metric there is.
package catalog

import (
	"slices"

	"github.com/assay-eval/assay/metric"
	"github.com/assay-eval/assay/metric/judged"
	"github.com/assay-eval/assay/metric/retrieval"
	"github.com/assay-eval/assay/metric/speech"
	"github.com/assay-eval/assay/metric/stage"
	"github.com/assay-eval/assay/metric/text"
)

// All returns the catalog of all metrics, by group.
func All() *metric.Catalog { return With() }

// With returns the catalog of all metrics and those of a configuration.
func With(more ...*metric.Def) *metric.Catalog {
	return metric.NewCatalog(slices.Concat(retrieval.Defs(), text.Defs(), judged.Defs(), speech.Defs(), stage.Defs(), more)...)
}
