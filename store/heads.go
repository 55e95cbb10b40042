package store

import (
	"context"
	"database/sql"
	"fmt"
	"strings"

	"github.com/assay-eval/assay"
)

// A RunSum names a run, and has the checksum of its header, which changes with it.
type RunSum struct {
	ID  string
	Sum int64
}

// RunSums returns the checksums of the runs in a state, or of all if it is "", latest first.
// Headers that were read before need not be read again if their sums are the same.
func (s *Store) RunSums(ctx context.Context, state string) (out []RunSum, _ error) {
	return out, s.try(ctx, func(ctx context.Context, _ bool) error {
		out = nil
		return s.each(ctx, func(rows *sql.Rows) error {
			var r RunSum
			if err := rows.Scan(&r.ID, (*number)(&r.Sum)); err != nil {
				return err
			}
			out = append(out, r)
			return nil
		}, `SELECT id, checksum FROM runs WHERE $1 = '' OR state = $1 ORDER BY started DESC, id DESC`, state)
	})
}

// RunsAt returns the headers of runs by their ids, latest first. A run that does not exist
// is left out.
func (s *Store) RunsAt(ctx context.Context, ids []string) ([]assay.Header, error) {
	if len(ids) == 0 {
		return nil, nil
	}
	in, args := places(ids)
	return s.headers(ctx, `SELECT `+runColumns+` FROM runs WHERE id IN (`+in+`) ORDER BY started DESC, id DESC`, args...)
}

// places returns the placeholders of a list of texts, "$1, $2", and the texts as arguments.
func places(texts []string) (in string, args []any) {
	all := make([]string, len(texts))
	args = make([]any, len(texts))
	for i, text := range texts {
		all[i], args[i] = fmt.Sprintf("$%d", i+1), text
	}
	return strings.Join(all, ", "), args
}
