package store

import (
	"context"
	"database/sql"
	"encoding/base32"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"strings"
	"time"

	"github.com/assay-eval/assay"
	"github.com/assay-eval/assay/internal/lazyregexp"
)

// Latest is the reference to the run that started last.
const Latest = "latest"

// NewID returns an id for a run that starts now, such as "20261121-133409123-k7q2mz4d":
// the time in UTC to the millisecond, so that ids sort by time, and 40 random bits. It
// is safe as a file name.
func NewID(now time.Time, random io.Reader) (string, error) {
	var b [5]byte
	if _, err := io.ReadFull(random, b[:]); err != nil {
		return "", fmt.Errorf("new run id: %w", err)
	}
	day, ms, _ := strings.Cut(now.UTC().Format("20060102-150405.000"), ".")
	return day + ms + "-" + crockford.EncodeToString(b[:]), nil
}

// crockford omits letters that look like digits.
var crockford = base32.NewEncoding("0123456789abcdefghjkmnpqrstvwxyz").WithPadding(base32.NoPadding)

var validID = lazyregexp.New(`^[0-9A-Za-z][0-9A-Za-z._-]{0,127}$`)

// CreateRun adds a run. Its id must be new, consist of letters, digits, ".", "_" and
// "-", and not be "latest". If it exists, the error is [ErrExists].
func (s *Store) CreateRun(ctx context.Context, h assay.Header) error {
	if err := checkID(h.ID); err != nil {
		return err
	}
	text, err := headerText(h)
	if err != nil {
		return err
	}
	err = s.try(ctx, func(ctx context.Context, again bool) error {
		_, err := s.write.ExecContext(ctx, insertRun, runValues(h, text)...)
		if again && s.db.unique(err) {
			// Did the previous attempt create this very run?
			var same int
			return s.read.QueryRowContext(ctx, `SELECT 1 FROM runs WHERE id = $1 AND head = $2`, h.ID, text).Scan(&same)
		}
		return err
	})
	if s.db.unique(err) || errors.Is(err, sql.ErrNoRows) {
		return fmt.Errorf("run %q: %w", h.ID, ErrExists)
	}
	return s.explain(err)
}

const insertRun = `INSERT INTO runs (id, name, state, started, dataset_hash, cases, head, checksum, tally) ` +
	`VALUES ($1, $2, $3, $4, $5, $6, $7, $8, 0)`

// runValues returns the values of runColumns, the checksum last.
func runValues(h assay.Header, text string) []any {
	r := runRow{id: h.ID, name: h.Name, state: h.State, started: stamp(h.Started), hash: h.Dataset.Hash, cases: int64(h.Dataset.Cases),
		head: []byte(text)}
	return []any{r.id, r.name, r.state, r.started, r.hash, r.cases, text, seal(r.sums())}
}

func checkID(id string) error {
	if !validID().MatchString(id) || id == Latest {
		return fmt.Errorf("run id %q: expected letters, digits, \".\", \"_\" and \"-\", at most 128, and not %q", id, Latest)
	}
	return nil
}

// headerText encodes a header, after checking that its columns can be stored.
func headerText(h assay.Header) (string, error) {
	err := errors.Join(storable("name", h.Name), storable("state", h.State), storable("hash", h.Dataset.Hash))
	if err != nil {
		return "", fmt.Errorf("run %q: %w", h.ID, err)
	}
	text, err := json.Marshal(h)
	if err != nil {
		return "", fmt.Errorf("run %q: %w", h.ID, err)
	}
	return string(text), nil
}

// UpdateRun replaces the header of the run with h's id: its state, its finish time, its
// warnings. If the run does not exist, the error is [ErrNotFound].
func (s *Store) UpdateRun(ctx context.Context, h assay.Header) error {
	text, err := headerText(h)
	if err != nil {
		return err
	}
	return s.transact(ctx, h.ID, func(ctx context.Context, tx *sql.Tx, _ bool) error {
		res, err := tx.ExecContext(ctx, `UPDATE runs SET name = $2, state = $3, started = $4, dataset_hash = $5, cases = $6, head = $7, `+
			`checksum = $8 WHERE id = $1`, runValues(h, text)...)
		if err != nil {
			return s.explain(err)
		}
		if n, err := res.RowsAffected(); err != nil || n == 0 {
			return errors.Join(err, notFound(h.ID))
		}
		return nil
	})
}

// DeleteRun removes a run with its records and its items [OfRun]. Its calls are kept: they are
// paid for, and other runs may use them; and its labels: they are people's work, and hold for
// other runs with the same answers. If the run does not exist, the error is
// [ErrNotFound]; if a process works on it, [ErrLocked].
func (s *Store) DeleteRun(ctx context.Context, id string) (err error) {
	unlock, err := s.Lock(ctx, id)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, unlock()) }()
	return s.transact(ctx, id, func(ctx context.Context, tx *sql.Tx, _ bool) error {
		// The records are deleted with their run.
		for _, q := range []string{
			`DELETE FROM items WHERE parent = $1 AND substr(kind, 1, 4) = '` + OfRun + `'`,
			`DELETE FROM runs WHERE id = $1`,
		} {
			if _, err := tx.ExecContext(ctx, q, id); err != nil {
				return s.explain(err)
			}
		}
		return nil
	})
}

// Run finds a run by its id; else the latest with that name; else the only one whose id
// begins with ref. [Latest] finds the run that started last. If there is none, the
// error is [ErrNotFound]; an ambiguous prefix is an error that names some of the ids.
func (s *Store) Run(ctx context.Context, ref string) (assay.Header, error) {
	if ref == Latest {
		hs, err := s.Runs(ctx, 1)
		if err != nil || len(hs) == 1 {
			return append(hs, assay.Header{})[0], err
		}
		return assay.Header{}, notFound(ref)
	}
	for _, q := range []string{
		`SELECT ` + runColumns + ` FROM runs WHERE id = $1`,
		`SELECT ` + runColumns + ` FROM runs WHERE name = $1 ORDER BY started DESC, id DESC LIMIT 1`,
		`SELECT ` + runColumns + ` FROM runs WHERE substr(id, 1, length($1)) = $1 ORDER BY id LIMIT 4`,
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
			return assay.Header{}, fmt.Errorf("run %q: several ids begin with it: %s; give more of the id", ref, some(hs))
		}
	}
	return assay.Header{}, notFound(ref)
}

// Runs returns the headers of the latest runs, latest first; all of them if limit is
// below 1.
func (s *Store) Runs(ctx context.Context, limit int) ([]assay.Header, error) {
	const q = `SELECT ` + runColumns + ` FROM runs ORDER BY started DESC, id DESC`
	if limit < 1 {
		return s.headers(ctx, q)
	}
	return s.headers(ctx, q+` LIMIT $1`, limit)
}

// headers returns the headers of a query of runColumns.
func (s *Store) headers(ctx context.Context, query string, args ...any) (out []assay.Header, _ error) {
	return out, s.try(ctx, func(ctx context.Context, _ bool) error {
		out = nil
		return s.each(ctx, func(rows *sql.Rows) error {
			var r runRow
			if err := r.scan(rows); err != nil {
				return err
			}
			if err := r.verify(); err != nil {
				return err
			}
			var h assay.Header
			if err := json.Unmarshal(r.head, &h); err != nil {
				return fmt.Errorf("%w: the header of run %q: %w", ErrNotStore, r.id, err)
			}
			h.Rename()
			out = append(out, h)
			return nil
		}, query, args...)
	})
}

// each calls f for every row of a query.
func (b *base) each(ctx context.Context, f func(*sql.Rows) error, query string, args ...any) (err error) {
	rows, err := b.read.QueryContext(ctx, query, args...)
	if err != nil {
		return b.explain(err)
	}
	defer func() { err = errors.Join(err, b.explain(rows.Close())) }()
	for rows.Next() {
		if err := f(rows); err != nil {
			return b.explain(err)
		}
	}
	return b.explain(rows.Err())
}

func notFound(ref string) error {
	return missing(fmt.Sprintf("run %q: no such run", ref))
}

// missing is an [ErrNotFound] with a message.
type missing string

func (m missing) Error() string { return string(m) }

// Is makes it an ErrNotFound.
func (m missing) Is(target error) bool { return target == ErrNotFound }

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

// stamp formats a time so that texts sort by time.
func stamp(t time.Time) string { return t.UTC().Format("2006-01-02T15:04:05.000000000Z") }
