package store

import (
	"bufio"
	"bytes"
	"context"
	"database/sql"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"iter"
	"slices"
	"time"

	"github.com/assay-eval/assay"
	"github.com/assay-eval/assay/internal/checksum"
)

// ArchiveFormat identifies the format in the first line of an archive.
const ArchiveFormat = "assay.store/1"

// longestLine bounds a line of an archive, which holds one record.
const longestLine = 256 << 20

// An archive is JSON lines: a head with the counts, then each run with its records,
// then the items. Each line after the head ends with a checksum; archives of earlier
// versions have none. Whatever follows does not belong to the store.
type (
	archiveHead struct {
		Format  string `json:"format"`
		Runs    int    `json:"runs"`
		Records int    `json:"records"`
		Items   int    `json:"items"`
	}
	archiveLine struct {
		Run    *assay.Header `json:"run,omitempty"`
		Record *assay.Record `json:"record,omitempty"`
		// Of is the run of a record.
		Of   string       `json:"of,omitempty"`
		Item *archiveItem `json:"item,omitempty"`
	}
	archiveItem struct {
		Kind    string          `json:"kind"`
		ID      string          `json:"id"`
		Name    string          `json:"name,omitempty"`
		Parent  string          `json:"parent,omitempty"`
		Created time.Time       `json:"created"`
		Updated time.Time       `json:"updated"`
		Body    json.RawMessage `json:"body"`
	}
)

// Archived counts what was written or read.
type Archived struct {
	Runs, Records, Items, Calls int
	// Present counts the runs, items and calls that already existed and were not
	// changed; a run counts with its records.
	Present int
}

// Export writes runs with their records in the order in which they were stored, and the
// items that belong to them. If no run is named, it writes all runs and all other items
// except tokens and sessions, which grant access to one installation. The ledger is not included;
// see [Store.Calls]. The same content gives the same bytes.
func (s *Store) Export(ctx context.Context, w io.Writer, runIDs ...string) (Archived, error) {
	var n Archived
	all := len(runIDs) == 0
	if all {
		var err error
		if runIDs, err = s.texts(ctx, `SELECT id FROM runs`); err != nil {
			return n, err
		}
	}
	slices.Sort(runIDs)
	runIDs = slices.Compact(runIDs)
	items, err := s.exported(ctx, all, runIDs)
	if err != nil {
		return n, err
	}
	head := archiveHead{Format: ArchiveFormat, Runs: len(runIDs), Items: len(items)}
	for _, id := range runIDs {
		c, err := s.Counts(ctx, id)
		if err != nil {
			return n, err
		}
		head.Records += c.Records
	}
	b := bufio.NewWriter(w)
	write := func(line archiveLine) error {
		text, err := checksum.Line(line)
		if err == nil {
			_, err = b.Write(text)
		}
		return err
	}
	if err := json.NewEncoder(b).Encode(head); err != nil {
		return n, err
	}
	for _, id := range runIDs {
		hs, err := s.headers(ctx, `SELECT `+runColumns+` FROM runs WHERE id = $1`, id)
		if err != nil || len(hs) == 0 {
			return n, errors.Join(err, notFound(id))
		}
		if err := write(archiveLine{Run: &hs[0]}); err != nil {
			return n, err
		}
		n.Runs++
		err = s.each(ctx, func(rows *sql.Rows) error {
			row := recordRow{run: id}
			r, err := row.readRecord(rows)
			if err != nil {
				return err
			}
			n.Records++
			return write(archiveLine{Record: &r, Of: id})
		}, selectRecords+` WHERE run_id = $1 ORDER BY position`, id)
		if err != nil {
			return n, err
		}
	}
	for _, it := range items {
		it, err := s.Item(ctx, it.Kind, it.ID)
		if err != nil {
			return n, err
		}
		line := archiveItem{it.Kind, it.ID, it.Name, it.Parent, it.Created, it.Updated, it.Body}
		if err := write(archiveLine{Item: &line}); err != nil {
			return n, err
		}
		n.Items++
	}
	if n.Runs != head.Runs || n.Records != head.Records || n.Items != head.Items {
		return n, fmt.Errorf("the store had %d records and now has %d: expected no writes during the export", head.Records, n.Records)
	}
	return n, b.Flush()
}

// exported lists the items of an export, without their bodies.
func (s *Store) exported(ctx context.Context, all bool, runIDs []string) (out []Item, _ error) {
	return out, s.each(ctx, func(rows *sql.Rows) error {
		var it Item
		if err := rows.Scan(&it.Kind, &it.ID, &it.Parent); err != nil {
			return err
		}
		if _, of := slices.BinarySearch(runIDs, it.Parent); all || of {
			out = append(out, it)
		}
		return nil
	}, `SELECT kind, id, parent FROM items WHERE kind NOT IN ('`+KindToken+`', '`+KindSession+`', '`+KindWorker+`', '`+kindFile+`', '`+kindFileOf+`') ORDER BY kind, id`)
}

// texts returns the only column of a query.
func (b *base) texts(ctx context.Context, query string, args ...any) (out []string, _ error) {
	return out, b.each(ctx, func(rows *sql.Rows) error {
		var text string
		err := rows.Scan(&text)
		out = append(out, text)
		return err
	}, query, args...)
}

// An ArchiveError is an error in an archive.
type ArchiveError struct {
	Name string
	Line int
	Err  error
}

func (e *ArchiveError) Error() string { return fmt.Sprintf("%s:%d: %v", e.Name, e.Line, e.Err) }

// Unwrap returns the cause.
func (e *ArchiveError) Unwrap() error { return e.Err }

// Import adds the content of an archive that does not exist yet; name identifies the
// archive in errors. calls yields the calls that follow the runs and items in the same
// stream. An error leaves the store unchanged.
func (s *Store) Import(ctx context.Context, in *bufio.Reader, name string, calls iter.Seq2[assay.Call, error]) (Archived, error) {
	var n Archived
	err := s.transact(ctx, "", func(ctx context.Context, tx *sql.Tx, _ bool) error {
		r := &archiveReader{in: in, store: s, tx: tx, n: &n}
		if err := r.read(ctx); err != nil {
			return &ArchiveError{name, r.line, err}
		}
		c, err := importCalls(ctx, calls, s.inserter(tx))
		n.Calls, n.Present = c.Added, n.Present+c.Present
		return err
	})
	if err != nil {
		return Archived{}, err
	}
	return n, nil
}

type archiveReader struct {
	in    *bufio.Reader
	line  int
	store *Store
	tx    *sql.Tx
	n     *Archived
	// run is the current run, rows its records; skip is set if the run already exists.
	run  string
	skip bool
	kept int
}

func (r *archiveReader) read(ctx context.Context) error {
	var head archiveHead
	if err := r.next(&head); err != nil {
		return err
	}
	if head.Format != ArchiveFormat {
		return fmt.Errorf("format %q: expected %q", head.Format, ArchiveFormat)
	}
	if head.Runs < 0 || head.Records < 0 || head.Items < 0 {
		return errors.New("a count is below 0")
	}
	var runs, records, items int
	for runs+records+items < head.Runs+head.Records+head.Items {
		var line archiveLine
		if err := r.next(&line); err != nil {
			return err
		}
		var err error
		switch {
		case line.Run != nil:
			runs++
			err = r.addRun(ctx, *line.Run)
		case line.Record != nil:
			records++
			err = r.addRecord(ctx, line.Of, *line.Record)
		case line.Item != nil:
			items++
			err = r.addItem(ctx, *line.Item)
		default:
			err = errors.New("not a run, record or item")
		}
		if err != nil {
			return err
		}
	}
	if runs != head.Runs || records != head.Records {
		return fmt.Errorf("%d runs, %d records and %d items: expected the %d, %d and %d declared in the first line", runs, records, items, head.Runs,
			head.Records, head.Items)
	}
	return nil
}

// next decodes a line.
func (r *archiveReader) next(v any) error {
	var text []byte
	for {
		part, err := r.in.ReadSlice('\n')
		text = append(text, part...)
		if len(text) > longestLine {
			return fmt.Errorf("the line is longer than %d bytes", longestLine)
		}
		if err == nil {
			break
		}
		if errors.Is(err, bufio.ErrBufferFull) {
			continue
		}
		if errors.Is(err, io.EOF) {
			err = errors.New("the file is truncated")
		}
		return err
	}
	r.line++
	text, err := checksum.Cut(text)
	if err != nil {
		return err
	}
	dec := json.NewDecoder(bytes.NewReader(text))
	dec.UseNumber()
	dec.DisallowUnknownFields()
	return dec.Decode(v)
}

// added reports whether a statement inserted a row.
func (r *archiveReader) added(ctx context.Context, query string, args ...any) (bool, error) {
	res, err := r.tx.ExecContext(ctx, query+` ON CONFLICT DO NOTHING`, args...)
	if err != nil {
		return false, r.store.explain(err)
	}
	n, err := res.RowsAffected()
	if n == 0 {
		r.n.Present++
	}
	return n > 0, r.store.explain(err)
}

func (r *archiveReader) addRun(ctx context.Context, h assay.Header) error {
	if err := checkID(h.ID); err != nil {
		return err
	}
	text, err := headerText(h)
	if err != nil {
		return err
	}
	added, err := r.added(ctx, insertRun, runValues(h, text)...)
	if added {
		r.n.Runs++
	}
	r.run, r.skip, r.kept = h.ID, !added, 0
	return err
}

func (r *archiveReader) addRecord(ctx context.Context, of string, rec assay.Record) error {
	if of == "" || of != r.run {
		return fmt.Errorf("a record of run %q: it must come after its run", of)
	}
	if r.skip {
		return nil
	}
	row, err := newRow(rec)
	if err != nil {
		return fmt.Errorf("case %q: %w", rec.Case.ID, err)
	}
	r.n.Records++
	return r.store.putRows(ctx, r.tx, of, []dbRow{row}, false)
}

func (r *archiveReader) addItem(ctx context.Context, a archiveItem) error {
	it := Item{Kind: a.Kind, ID: a.ID, Name: a.Name, Parent: a.Parent, Created: a.Created, Updated: a.Updated, Body: a.Body}
	if it.Kind == KindToken || it.Kind == KindSession {
		return fmt.Errorf("an archive may not have a %s: it grants access to the server that created it", it.Kind)
	}
	if err := it.check(); err != nil {
		return err
	}
	added, err := r.added(ctx, insertItem, it.values()...)
	if added {
		r.n.Items++
	}
	return err
}
