package store

import (
	"bytes"
	"context"
	"database/sql"
	"encoding/json"
	"errors"
	"fmt"
	"iter"
	"slices"
	"strings"

	"github.com/assay-eval/assay"
)

// A RunQuery selects runs.
type RunQuery struct {
	// Name and State are exact matches; "" matches all.
	Name, State string
	// Text is a part of the id or the name of a run, the name of its dataset, or the adapter
	// or the endpoint of its target, ignoring the case of ASCII letters. "" matches all.
	Text string
	// Limit below 1 means no limit.
	Limit, Offset int
}

// RunPage returns the headers of the selected runs, latest first, and their total
// number.
func (s *Store) RunPage(ctx context.Context, q RunQuery) (_ []assay.Header, total int, err error) {
	where, args := "", []any{}
	for _, c := range []struct{ column, is string }{{"name", q.Name}, {"state", q.State}} {
		if c.is == "" {
			continue
		}
		args = append(args, c.is)
		where += fmt.Sprintf("%s %s = $%d", []string{" WHERE", " AND"}[len(args)-1], c.column, len(args))
	}
	if err := s.read.QueryRowContext(ctx, `SELECT count(*) FROM runs`+where, args...).Scan(&total); err != nil {
		return nil, 0, s.explain(err)
	}
	if q.Text != "" {
		return s.findRuns(ctx, q, where, args)
	}
	limit := q.Limit
	if limit < 1 {
		limit = total
	}
	page := fmt.Sprintf(` ORDER BY started DESC, id DESC LIMIT $%d OFFSET $%d`, len(args)+1, len(args)+2)
	out, err := s.headers(ctx, `SELECT `+runColumns+` FROM runs`+where+page, append(args, limit, max(0, q.Offset))...)
	return out, total, err
}

// findRuns returns those of the runs that a condition selects which have the text of the
// query. The headers that hold it anywhere are read.
func (s *Store) findRuns(ctx context.Context, q RunQuery, where string, args []any) ([]assay.Header, int, error) {
	text := lowerASCII(q.Text)
	inJSON, err := json.Marshal(text)
	if err != nil {
		return nil, 0, err
	}
	args = append(args, "%"+likePattern.Replace(string(inJSON[1:len(inJSON)-1]))+"%")
	where += fmt.Sprintf(`%s lower(head) LIKE $%d ESCAPE '!'`, []string{" WHERE", " AND"}[min(1, len(args)-1)], len(args))
	found, err := s.headers(ctx, `SELECT `+runColumns+` FROM runs`+where+` ORDER BY started DESC, id DESC`, args...)
	if err != nil {
		return nil, 0, err
	}
	found = slices.DeleteFunc(found, func(h assay.Header) bool {
		return !slices.ContainsFunc([]string{h.ID, h.Name, h.Dataset.Name, h.Target.Adapter, h.Target.Endpoint},
			func(part string) bool { return strings.Contains(lowerASCII(part), text) })
	})
	from := min(max(0, q.Offset), len(found))
	end := len(found)
	if q.Limit > 0 {
		end = min(end, from+q.Limit)
	}
	return found[from:end], len(found), nil
}

// lowerASCII returns a text in small letters as the databases do, which know those of ASCII.
func lowerASCII(s string) string {
	return strings.Map(func(r rune) rune {
		if 'A' <= r && r <= 'Z' {
			return r + 'a' - 'A'
		}
		return r
	}, s)
}

// likePattern escapes what has a meaning in a pattern of LIKE.
var likePattern = strings.NewReplacer("!", "!!", "%", "!%", "_", "!_")

// Record returns the record of a case. If the run or the case does not exist, the error
// is [ErrNotFound].
func (s *Store) Record(ctx context.Context, runID, caseID string) (assay.Record, error) {
	row := recordRow{run: runID}
	rec, err := row.readRecord(s.read.QueryRowContext(ctx, selectRecords+` WHERE run_id = $1 AND case_id = $2 ORDER BY seq LIMIT 1`,
		runID, caseID))
	if errors.Is(err, sql.ErrNoRows) {
		if _, err := s.Counts(ctx, runID); err != nil {
			return assay.Record{}, err
		}
		return assay.Record{}, missing(fmt.Sprintf("run %q: case %q: no record of it", runID, caseID))
	}
	return rec, s.explain(err)
}

// selectRecords selects what recordRow.readRecord reads.
const selectRecords = `SELECT ` + recordKey + `, ` + recordTexts + ` FROM records`

// readRecord reads, verifies and decodes a row of selectRecords.
func (r *recordRow) readRecord(row interface{ Scan(...any) error }) (assay.Record, error) {
	var texts recordText
	if err := row.Scan(r.intoKey(texts.into()...)...); err != nil {
		return assay.Record{}, err
	}
	return r.decode(&texts)
}

// decode unpacks, verifies and decodes a record.
func (r *recordRow) decode(texts *recordText) (assay.Record, error) {
	b := takeBuffer()
	defer b.free()
	text, err := r.text(b.bytes, texts)
	if err != nil {
		return assay.Record{}, err
	}
	if texts.packed != nil {
		b.bytes = text
	}
	rec, err := readRecord(text)
	return rec, r.damaged(err)
}

// readRecord decodes a record as Put wrote it, with the present names of metrics.
func readRecord(text []byte) (assay.Record, error) {
	var r assay.Record
	dec := json.NewDecoder(bytes.NewReader(text))
	dec.UseNumber()
	err := dec.Decode(&r)
	r.Rename()
	return r, err
}

func (r *recordRow) damaged(err error) error {
	if err == nil {
		return nil
	}
	return fmt.Errorf("%w: %s: %w", ErrNotStore, r.name(), err)
}

// A Kept is a record, in brief, with its position in the order in which the run's
// records were stored.
type Kept struct {
	// Position counts from 1, without gaps; it never changes.
	Position int64
	Record   assay.Record
}

// RecordsSince returns a run's records in [Brief], in the order in which they were
// stored, starting after position after (0 starts at the first). Later records always
// get higher positions, so that a reader who continues from the last position misses
// nothing. At most limit records are returned; below 1 means no limit. If the run does
// not exist, the error is [ErrNotFound].
func (s *Store) RecordsSince(ctx context.Context, runID string, after int64, limit int) (_ []Kept, err error) {
	if limit < 1 {
		limit = 1 << 31
	}
	rows, err := s.read.QueryContext(ctx, selectBriefs+` WHERE run_id = $1 AND position > $2 ORDER BY position LIMIT $3`, runID, after, limit)
	if err != nil {
		return nil, s.explain(err)
	}
	defer func() { err = errors.Join(err, rows.Close()) }()
	var out []Kept
	for rows.Next() {
		row := recordRow{run: runID}
		r, err := row.readBrief(rows)
		if err != nil {
			return nil, s.explain(err)
		}
		out = append(out, Kept{row.position, r})
	}
	if err := rows.Err(); err != nil {
		return nil, s.explain(err)
	}
	if len(out) == 0 {
		_, err = s.Counts(ctx, runID)
	}
	return out, err
}

// selectBriefs selects what readBrief reads: the whole record only where there is no
// brief.
const selectBriefs = `SELECT ` + recordColumns + `, brief, brief_packed,
	CASE WHEN brief = '' THEN record_plain ELSE '' END FROM records`

// readBrief reads, verifies and decodes a row of selectBriefs.
func (r *recordRow) readBrief(rows *sql.Rows) (assay.Record, error) {
	var plain, packed, whole sql.RawBytes
	if err := rows.Scan(r.into(&plain, &packed, &whole)...); err != nil {
		return assay.Record{}, err
	}
	b := takeBuffer()
	defer b.free()
	brief, err := r.briefText(b.bytes, plain, packed)
	if err != nil {
		return assay.Record{}, err
	}
	if packed != nil {
		b.bytes = brief
	}
	return r.decodeBrief(brief, whole)
}

// decodeBrief decodes a brief that was verified, or derives it from the whole record if
// there is none.
func (r *recordRow) decodeBrief(brief, whole []byte) (assay.Record, error) {
	if len(brief) > 0 {
		rec, err := readRecord(brief)
		return rec, r.damaged(err)
	}
	rec, err := r.decode(&recordText{plain: whole})
	return Brief(rec), err
}

// Briefs yields a run's records in [Brief], in the order of Seq, from the one with the
// index offset on and at most limit of them; a limit below 1 is none. An error ends the
// sequence; if the run does not exist, it is [ErrNotFound].
func (s *Store) Briefs(ctx context.Context, runID string, limit, offset int) iter.Seq2[assay.Record, error] {
	return func(yield func(assay.Record, error) bool) {
		n, err := s.Counts(ctx, runID)
		if limit < 1 {
			limit = n.Records
		}
		if err == nil {
			err = s.briefs(ctx, runID, limit, max(0, offset), func(r assay.Record) bool { return yield(r, nil) })
		}
		if err != nil {
			yield(assay.Record{}, err)
		}
	}
}

// BriefsAt returns the records with these Seqs, in [Brief] and in this order. A record
// that does not exist is [ErrNotFound].
func (s *Store) BriefsAt(ctx context.Context, runID string, seqs []int) ([]assay.Record, error) {
	return s.recordsAt(ctx, selectBriefs, runID, seqs, func(rows *sql.Rows, row *recordRow) (assay.Record, error) {
		return row.readBrief(rows)
	})
}

// RecordsAt returns the records with these Seqs in this order. A record that does not
// exist is [ErrNotFound].
func (s *Store) RecordsAt(ctx context.Context, runID string, seqs []int) ([]assay.Record, error) {
	return s.recordsAt(ctx, selectRecords, runID, seqs, func(rows *sql.Rows, row *recordRow) (assay.Record, error) {
		return row.readRecord(rows)
	})
}

func (s *Store) recordsAt(ctx context.Context, columns, runID string, seqs []int,
	read func(*sql.Rows, *recordRow) (assay.Record, error)) (_ []assay.Record, err error) {
	if len(seqs) == 0 {
		return nil, nil
	}
	places, args := make(map[int]int, len(seqs)), []any{runID}
	var in strings.Builder
	for i, seq := range seqs {
		places[seq] = i
		args = append(args, seq)
		fmt.Fprintf(&in, ",$%d", len(args))
	}
	rows, err := s.read.QueryContext(ctx, columns+` WHERE run_id = $1 AND seq IN (`+in.String()[1:]+`)`, args...)
	if err != nil {
		return nil, s.explain(err)
	}
	defer func() { err = errors.Join(err, rows.Close()) }()
	out := make([]assay.Record, len(seqs))
	for rows.Next() {
		row := recordRow{run: runID}
		r, err := read(rows, &row)
		if err != nil {
			return nil, s.explain(err)
		}
		i := places[int(row.seq)]
		out[i] = r
		delete(places, int(row.seq))
	}
	for seq := range places {
		err = errors.Join(err, missing(fmt.Sprintf("run %q: case %d: no record of it", runID, seq)))
	}
	return out, errors.Join(s.explain(rows.Err()), err)
}

// briefs calls f with records until it returns false; see [Store.Briefs].
func (s *Store) briefs(ctx context.Context, runID string, limit, offset int, f func(assay.Record) bool) (err error) {
	const columns = selectBriefs + ` WHERE run_id = $1`
	query, args := columns+` ORDER BY seq LIMIT $2`, []any{runID, limit}
	if offset > 0 {
		// Skipped rows are not read: the index has their positions.
		query, args = columns+` AND seq IN (SELECT seq FROM records WHERE run_id = $1 ORDER BY seq LIMIT $2 OFFSET $3) ORDER BY seq`,
			append(args, offset)
	}
	rows, err := s.read.QueryContext(ctx, query, args...)
	if err != nil {
		return s.explain(err)
	}
	defer func() { err = errors.Join(err, rows.Close()) }()
	for rows.Next() {
		row := recordRow{run: runID}
		r, err := row.readBrief(rows)
		if err != nil {
			return s.explain(err)
		}
		if !f(r) {
			return nil
		}
	}
	return s.explain(rows.Err())
}
