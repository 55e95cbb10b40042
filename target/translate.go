package target

import (
	"context"
	"io"

	"github.com/assay-eval/assay"
)

// A DocumentMap maps the names that a target knows documents by, such as the ids
// that a store gave them on upload, to those of the data set.
type DocumentMap map[string]string

// Translated is a target whose passages are named as the data set names them.
// What the map does not hold keeps its name.
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

// Close closes the target, if it can be.
func (t Translated) Close() error {
	if c, ok := t.Target.(io.Closer); ok {
		return c.Close()
	}
	return nil
}
