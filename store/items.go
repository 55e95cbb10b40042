package store

import (
	"context"
	"database/sql"
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"time"
	"unicode/utf8"
)

// Kinds of items.
const (
	KindResult     = "result"     // of an accuracy test: accuracy.Result
	KindEvaluation = "evaluation" // of a result: accuracy.Evaluation; its parent is the result
	KindProfile    = "profile"    // prompt templates: profile.Profile
	KindBaseline   = "baseline"
	KindDataset    = "dataset"
	KindVersion    = "dataset-version" // what a dataset was; its parent is the dataset, its id NAME@NUMBER, its name the hash
	KindDocument   = "document"        // of the built-in pipeline's corpus
	KindLabel      = "label"           // made by a person; its parent is the run, which it outlives
	KindToken      = "token"           // hashed
	KindSession    = "session"         // of a browser that is signed in; its id is a hash, its parent the token
	KindQuestion   = "question"        // asked of the built-in pipeline
	KindWorker     = "worker"          // a process that evaluates cases, until it ends; its id is the worker's
	KindTruth      = "truth"           // manual relevance labels; its id is the result's
	KindCanary     = "canary"          // frozen answers of a judge: canary.Set; its id is the hash of what they depend on
	KindRequest    = "request"         // that started a run on a server; its id is the run's, its name one of the following
	KindCanaryLast = "canary.last"     // what the last run found of a set, whose id it has: assay.Canary
)

// The names of a request. A run whose request is cancelled may have cases in flight.
const (
	RequestPending   = "pending"
	RequestCancelled = "cancelled"
	RequestEnded     = "ended"
)

// OfRun begins the kinds of items that belong to a run, their parent, and are deleted with
// it.
const OfRun = "run."

// kindAnswer is an answer that is not scored yet.
const kindAnswer = OfRun + "answer"

// An Item is a JSON text stored under its kind and id.
type Item struct {
	Kind, ID string
	// Name is a searchable label; it need not be unique.
	Name string
	// Parent is the id of the item's owner.
	Parent           string
	Created, Updated time.Time
	// Size is the length of Body in bytes; it is set when an item is read.
	Size int64
	// Body is nil in lists, unless they are asked for with bodies.
	Body json.RawMessage
}

// An ItemQuery selects items of a kind.
type ItemQuery struct {
	// Name and Parent are exact matches; "" matches all.
	Name, Parent string
	// Names are names of which an item has one; nil matches all.
	Names []string
	// Bodies reads the items with their bodies.
	Bodies bool
	// Limit below 1 means no limit.
	Limit, Offset int
}

const insertItem = `INSERT INTO items (kind, id, name, parent, created, updated, size, checksum, body) ` +
	`VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9)`

const upsertItem = insertItem + ` ON CONFLICT (kind, id) DO UPDATE SET name = excluded.name, parent = excluded.parent,
		updated = excluded.updated, size = excluded.size, checksum = excluded.checksum, body = excluded.body`

func (it Item) values() []any {
	it.Size = int64(len(it.Body))
	updated := stamp(it.Updated)
	return []any{it.Kind, it.ID, it.Name, it.Parent, stamp(it.Created), updated, it.Size, seal(it.sums(updated)), string(it.Body)}
}

// itemColumns are the columns of an item without its body. Their order is that of
// scanItem.
const itemColumns = `kind, id, name, parent, created, updated, size, checksum`

// scanItem reads and verifies an item, with its body if the query has the column body
// after itemColumns.
func scanItem(row interface{ Scan(...any) error }, body bool) (Item, error) {
	it, created, updated, checksum, err := readItem(row, body)
	if err != nil {
		return it, err
	}
	if err := it.verify(checksum, updated, body); err != nil {
		return it, err
	}
	it.Created, it.Updated, err = stamps(created, updated)
	return it, err
}

// readItem is scanItem without verification; created and updated are the times.
func readItem(row interface{ Scan(...any) error }, body bool) (it Item, created, updated string, checksum int64, _ error) {
	into := []any{&it.Kind, &it.ID, &it.Name, &it.Parent, &created, &updated, &it.Size, &checksum}
	if body {
		into = append(into, (*[]byte)(&it.Body))
	}
	err := row.Scan(into...)
	return it, created, updated, checksum, err
}

// check rejects an item that could not be read back.
func (it Item) check() error {
	if err := errors.Join(storable("id", it.ID), storable("name", it.Name), storable("parent", it.Parent)); err != nil {
		return fmt.Errorf("%s: %w", it.Kind, err)
	}
	if !json.Valid(it.Body) || !utf8.Valid(it.Body) {
		return fmt.Errorf("%s %q: body is not JSON", it.Kind, it.ID)
	}
	return nil
}

// CreateItem adds an item. If its kind and id exist, the error is [ErrExists].
func (s *Store) CreateItem(ctx context.Context, it Item) error {
	if err := it.check(); err != nil {
		return err
	}
	_, err := s.write.ExecContext(ctx, insertItem, it.values()...)
	if s.db.unique(err) {
		return fmt.Errorf("%s %q: %w", it.Kind, it.ID, ErrExists)
	}
	return s.explain(err)
}

// PutItem adds an item, or replaces everything except its creation time.
func (s *Store) PutItem(ctx context.Context, it Item) error {
	if err := it.check(); err != nil {
		return err
	}
	_, err := s.write.ExecContext(ctx, upsertItem, it.values()...)
	return s.explain(err)
}

// Item returns an item. If it does not exist, the error is [ErrNotFound].
func (s *Store) Item(ctx context.Context, kind, id string) (Item, error) {
	it, err := scanItem(s.read.QueryRowContext(ctx, `SELECT `+itemColumns+`, body FROM items WHERE kind = $1 AND id = $2`, kind, id), true)
	if errors.Is(err, sql.ErrNoRows) {
		return Item{}, missingItem(kind, id)
	}
	if err != nil {
		return Item{}, s.explain(err)
	}
	return it, nil
}

// mostNames is the number of names that one query looks for.
const mostNames = 500

// where returns the condition of a query, and its arguments.
func (q ItemQuery) where(kind string) (condition string, args []any) {
	args = []any{kind}
	put := func(v string) string {
		args = append(args, v)
		return fmt.Sprint("$", len(args))
	}
	condition = ` FROM items WHERE kind = $1`
	if q.Parent != "" {
		condition += ` AND parent = ` + put(q.Parent)
	}
	if q.Name != "" {
		condition += ` AND name = ` + put(q.Name)
	}
	if q.Names != nil {
		var places []string
		for _, name := range q.Names {
			places = append(places, put(name))
		}
		condition += ` AND name IN (` + strings.Join(places, ", ") + `)`
	}
	return condition, args
}

// Items lists the selected items of a kind, latest first, and returns their total number. It
// is an error to ask for more than 500 names.
func (s *Store) Items(ctx context.Context, kind string, q ItemQuery) (_ []Item, total int, err error) {
	if q.Names != nil && len(q.Names) == 0 {
		return nil, 0, nil
	}
	if len(q.Names) > mostNames {
		return nil, 0, fmt.Errorf("%d names of items: expected at most %d", len(q.Names), mostNames)
	}
	where, args := q.where(kind)
	if err := s.read.QueryRowContext(ctx, `SELECT count(*)`+where, args...).Scan(&total); err != nil {
		return nil, 0, s.explain(err)
	}
	limit := q.Limit
	if limit < 1 {
		limit = total
	}
	what := itemColumns
	if q.Bodies {
		what += ", body"
	}
	rows, err := s.read.QueryContext(ctx, fmt.Sprint(`SELECT `, what, where, ` ORDER BY created DESC, id DESC LIMIT $`, len(args)+1,
		` OFFSET $`, len(args)+2), append(args, limit, max(0, q.Offset))...)
	if err != nil {
		return nil, 0, s.explain(err)
	}
	defer func() { err = errors.Join(err, rows.Close()) }()
	var out []Item
	for rows.Next() {
		it, err := scanItem(rows, q.Bodies)
		if err != nil {
			return nil, 0, s.explain(err)
		}
		out = append(out, it)
	}
	return out, total, s.explain(rows.Err())
}

// DeleteItem removes an item. If it does not exist, the error is [ErrNotFound].
func (s *Store) DeleteItem(ctx context.Context, kind, id string) error {
	res, err := s.write.ExecContext(ctx, `DELETE FROM items WHERE kind = $1 AND id = $2`, kind, id)
	if err != nil {
		return s.explain(err)
	}
	if n, err := res.RowsAffected(); err != nil || n == 0 {
		return errors.Join(err, missingItem(kind, id))
	}
	return nil
}

func missingItem(kind, id string) error {
	return missing(fmt.Sprintf("%s %q: no such %s", kind, id, kind))
}

// stamps parses times that stamp formatted.
func stamps(created, updated string) (a, b time.Time, err error) {
	if a, err = time.Parse(time.RFC3339Nano, created); err == nil {
		b, err = time.Parse(time.RFC3339Nano, updated)
	}
	if err != nil {
		err = fmt.Errorf("%w: a time: %w", ErrNotStore, err)
	}
	return a, b, err
}
