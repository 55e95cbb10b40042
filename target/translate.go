package target

import (
	"context"
	"io"

	"github.com/assay-eval/assay"
)

// A DocumentMap maps a target's document names, such as ids that a store assigned on
// upload, to those of the dataset.
type DocumentMap map[string]string

// Translated is a target whose passages carry the dataset's document names. A name that
// is not in the map is kept.
type Translated struct {
	assay.Target
	Map DocumentMap
}

// Ask asks the target and translates its reply.
func (t Translated) Ask(ctx context.Context, c *assay.Case) (assay.Response, error) {
	resp, err := t.Target.Ask(ctx, c)
	for i := range resp.Passages {
		p := &resp.Passages[i]
		for _, known := range []string{p.Document, p.ID, p.Source, p.Title} {
			if name, ok := t.Map[known]; ok && known != "" {
				p.Document = name
				break
			}
		}
	}
	return resp, err
}

// Close closes the target if it is an io.Closer.
func (t Translated) Close() error {
	if c, ok := t.Target.(io.Closer); ok {
		return c.Close()
	}
	return nil
}
