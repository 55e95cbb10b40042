package store

import (
	"context"
	"database/sql"
	"encoding/base32"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"regexp"
	"strings"
	"time"

	"github.com/assay-eval/assay"
)

// Latest is the reference that finds the run that started last.
const Latest = "latest"

// NewID makes the id of a run that starts now, such as
// "20261121-133409123-k7q2mz4d": the time in UTC to the millisecond, so that
// ids sort by time, and 40 random bits. It is safe as a file's name.
func NewID(now time.Time, random io.Reader) (string, error) {
	var b [5]byte
	if _, err := io.ReadFull(random, b[:]); err != nil {
		return "", fmt.Errorf("new run id: %w", err)
	}
	day, ms, _ := strings.Cut(now.UTC().Format("20060102-150405.000"), ".")
	return day + ms + "-" + crockford.EncodeToString(b[:]), nil
}

// crockford has no letter that is taken for a digit.
var crockford = base32.NewEncoding("0123456789abcdefghjkmnpqrstvwxyz").WithPadding(base32.NoPadding)

var validID = regexp.MustCompile(`^[0-9A-Za-z][0-9A-Za-z._-]{0,127}$`)

// CreateRun adds a run. Its id must be new, made of letters, digits, ".", "_"
// and "-", and not "latest"; a run that is there already is [ErrExists].
func (s *Store) CreateRun(ctx context.Context, h assay.Header) error {
	if !validID.MatchString(h.ID) || h.ID == Latest {
		return fmt.Errorf("run id %q: want letters, digits, \".\", \"_\" and \"-\", at most 128, and not %q", h.ID, Latest)
	}
	text, err := json.Marshal(h)
	if err != nil {
		return fmt.Errorf("run %q: %w", h.ID, err)
	}
	_, err = s.write.ExecContext(ctx, `INSERT INTO runs (id, name, state, started, dataset_hash, cases, header) VALUES ($1, $2, $3, $4, $5, $6, $7)`,
		h.ID, h.Name, h.State, stamp(h.Started), h.Dataset.Hash, h.Dataset.Cases, string(text))
	if unique(err) {
		return fmt.Errorf("run %q: %w", h.ID, ErrExists)
	}
	return s.explain(err)
}

// UpdateRun replaces the header of the run with h's id: its state, the time it
// finished, its warnings. A run that is not there is [ErrNotFound].
func (s *Store) UpdateRun(ctx context.Context, h assay.Header) error {
	text, err := json.Marshal(h)
	if err != nil {
		return fmt.Errorf("run %q: %w", h.ID, err)
	}
	res, err := s.write.ExecContext(ctx, `UPDATE runs SET name = $1, state = $2, started = $3, dataset_hash = $4, cases = $5, header = $6 WHERE id = $7`,
		h.Name, h.State, stamp(h.Started), h.Dataset.Hash, h.Dataset.Cases, string(text), h.ID)
	if err != nil {
		return s.explain(err)
	}
	if n, err := res.RowsAffected(); err != nil || n == 0 {
		return errors.Join(err, notFound(h.ID))
	}
	return nil
}

// Run finds a run by its id; else the latest with that name; else the only one
// whose id begins with ref. [Latest] finds the run that started last. None is
// [ErrNotFound]; a beginning that several share is an error that names some.
func (s *Store) Run(ctx context.Context, ref string) (assay.Header, error) {
	if ref == Latest {
		hs, err := s.Runs(ctx, 1)
		if err != nil || len(hs) == 1 {
			return append(hs, assay.Header{})[0], err
		}
		return assay.Header{}, notFound(ref)
	}
	for _, q := range []string{
		`SELECT header FROM runs WHERE id = $1`,
		`SELECT header FROM runs WHERE name = $1 ORDER BY started DESC, id DESC LIMIT 1`,
		`SELECT header FROM runs WHERE substr(id, 1, length($1)) = $1 ORDER BY id LIMIT 4`,
	} {
		if ref == "" {
			break // every id begins with it
		}
		hs, err := s.headers(ctx, q, ref)
		switch {
		case err != nil:
			return assay.Header{}, err
		case len(hs) == 1:
			return hs[0], nil
		case len(hs) > 1:
			return assay.Header{}, fmt.Errorf("run %q: several ids begin so: %s: want one of them", ref, some(hs))
		}
	}
	return assay.Header{}, notFound(ref)
}

// Runs returns the headers of the runs that started last, the latest first; all
// of them when limit is below 1.
func (s *Store) Runs(ctx context.Context, limit int) ([]assay.Header, error) {
	const q = `SELECT header FROM runs ORDER BY started DESC, id DESC`
	if limit < 1 {
		return s.headers(ctx, q)
	}
	return s.headers(ctx, q+` LIMIT $1`, limit)
}

func (s *Store) headers(ctx context.Context, query string, args ...any) (_ []assay.Header, err error) {
	rows, err := s.read.QueryContext(ctx, query, args...)
	if err != nil {
		return nil, s.explain(err)
	}
	defer func() { err = errors.Join(err, rows.Close()) }()
	var out []assay.Header
	for rows.Next() {
		var text sql.RawBytes
		if err := rows.Scan(&text); err != nil {
			return nil, s.explain(err)
		}
		var h assay.Header
		if err := json.Unmarshal(text, &h); err != nil {
			return nil, s.explain(fmt.Errorf("%w: a run's header: %w", ErrNotStore, err))
		}
		out = append(out, h)
	}
	return out, s.explain(rows.Err())
}

func notFound(ref string) error {
	return fmt.Errorf("run %q: %w  (all: assay runs)", ref, ErrNotFound)
}

// some lists the first three ids.
func some(hs []assay.Header) string {
	var ids []string
	for _, h := range hs[:min(len(hs), 3)] {
		ids = append(ids, h.ID)
	}
	if len(hs) > 3 {
		ids = append(ids, "…")
	}
	return strings.Join(ids, ", ")
}

// stamp writes a time so that the order of texts is that of times.
func stamp(t time.Time) string { return t.UTC().Format("2006-01-02T15:04:05.000000000Z") }
