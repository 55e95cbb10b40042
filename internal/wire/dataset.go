package wire

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"strings"

	"github.com/assay-eval/assay/dataset"
	"github.com/assay-eval/assay/internal/config"
)

// LoadDataset reads the dataset that a configuration names.
func LoadDataset(ctx context.Context, cfg config.Config, w World) (*dataset.Dataset, error) {
	columns, err := columnMap(cfg.Columns)
	if err != nil {
		return nil, config.About("map", err)
	}
	data, err := dataset.Load(ctx, w.read(cfg.Dataset), dataset.Options{
		Name: cfg.Dataset, Format: cfg.Format, Split: cfg.Split, Queries: cfg.Queries, MinRelevance: cfg.MinGrade,
		KeepOwnIDs: cfg.KeepOwnIDs, Strict: cfg.Strict, SkipInvalid: cfg.SkipInvalid, Columns: columns, Qrels: w.read(cfg.Qrels), Now: w.Now(),
	})
	if errors.Is(err, fs.ErrNotExist) {
		err = config.About("dataset", err)
	}
	return data, err
}

// columnMap reads a map of columns such as "question=Query".
func columnMap(pairs []string) (map[string]string, error) {
	out := map[string]string{}
	for _, p := range pairs {
		field, column, ok := strings.Cut(p, "=")
		if !ok || field == "" || column == "" {
			return nil, fmt.Errorf("map %q: expected field=column, as in question=Query", p)
		}
		out[field] = column
	}
	return out, nil
}

func warnings(d *dataset.Dataset) []string {
	var out []string
	for _, w := range d.Warnings {
		out = append(out, w.String())
	}
	return out
}
