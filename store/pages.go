package store

import (
	"bytes"
	"cmp"
	"context"
	"database/sql"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/assay-eval/assay"
)

// ErrQuery means that a query is invalid.
var ErrQuery = errors.New("bad query")

// A RunQuery selects runs.
type RunQuery struct {
	// Name and State are exact matches; "" matches all.
	Name, State string
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
	limit := q.Limit
	if limit < 1 {
		limit = total
	}
	page := fmt.Sprintf(` ORDER BY started DESC, id DESC LIMIT $%d OFFSET $%d`, len(args)+1, len(args)+2)
	out, err := s.headers(ctx, `SELECT `+runColumns+` FROM runs`+where+page, append(args, limit, max(0, q.Offset))...)
	return out, total, err
}

// Record returns the record of a case. If the run or the case does not exist, the error
// is [ErrNotFound].
func (s *Store) Record(ctx context.Context, runID, caseID string) (assay.Record, error) {
	row, text := recordRow{run: runID}, []byte(nil)
	err := s.read.QueryRowContext(ctx, `SELECT `+recordKey+`, record FROM records WHERE run_id = $1 AND case_id = $2 ORDER BY seq LIMIT 1`,
		runID, caseID).Scan(row.intoKey(&text)...)
	if errors.Is(err, sql.ErrNoRows) {
		if _, err := s.Counts(ctx, runID); err != nil {
			return assay.Record{}, err
		}
		return assay.Record{}, missing(fmt.Sprintf("run %q: case %q: no record of it", runID, caseID))
	}
	if err != nil {
		return assay.Record{}, s.explain(err)
	}
	r, err := row.decode(text)
	return r, s.explain(err)
}

// decode verifies and decodes a record.
func (r *recordRow) decode(text []byte) (assay.Record, error) {
	if err := r.verify(text); err != nil {
		return assay.Record{}, err
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
	rows, err := s.read.QueryContext(ctx, `SELECT `+recordColumns+`, brief, CASE WHEN brief = '' THEN record ELSE '' END
		FROM records WHERE run_id = $1 AND position > $2 ORDER BY position LIMIT $3`, runID, after, limit)
	if err != nil {
		return nil, s.explain(err)
	}
	defer func() { err = errors.Join(err, rows.Close()) }()
	var out []Kept
	for rows.Next() {
		row := recordRow{run: runID}
		var brief, whole sql.RawBytes
		if err := rows.Scan(row.into(&brief, &whole)...); err != nil {
			return nil, s.explain(err)
		}
		if err := row.verifyBrief(brief); err != nil {
			return nil, s.explain(err)
		}
		r, err := row.decodeBrief(brief, whole)
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

// decodeBrief decodes a brief that was verified, or derives it from the whole record if
// there is none.
func (r *recordRow) decodeBrief(brief, whole []byte) (assay.Record, error) {
	if len(brief) > 0 {
		rec, err := readRecord(brief)
		return rec, r.damaged(err)
	}
	rec, err := r.decode(whole)
	return Brief(rec), err
}

// A CaseQuery selects cases of a run.
type CaseQuery struct {
	// Status is the status according to StatusOf; "" matches all.
	Status assay.Status
	// StatusOf returns the status of a case. It is called with records in brief, and
	// required if Status is set or the sort is by status.
	StatusOf func(assay.Record) assay.Status
	// Tag is a tag of the case; "" matches all.
	Tag string
	// Metric with Below selects the cases whose score is less than *Below; Metric alone
	// those with a value. Cases without a value are omitted; cases in which the target
	// failed count as 0.
	Metric string
	Below  *float64
	// Q must be part of the id, the question or the answer, in brief, ignoring case.
	Q string
	// Sort is "seq", "id", "status", "latency", or the name of a metric, with the
	// prefix "-" for descending; "" is "seq". Ties are in the order of seq, and cases
	// without a value last.
	Sort string
	// Limit below 1 is no limit.
	Limit, Offset int
}

// plain reports whether a query selects all cases in their order.
func (q CaseQuery) plain() bool {
	return q.Status == "" && q.Tag == "" && q.Metric == "" && q.Q == "" && (q.Sort == "" || q.Sort == "seq")
}

// CasePage returns the selected records, in [Brief], and their total number. If the run
// does not exist, the error is [ErrNotFound]; an invalid query is [ErrQuery].
func (s *Store) CasePage(ctx context.Context, runID string, q CaseQuery) ([]assay.Record, int, error) {
	order, err := q.order()
	if err != nil {
		return nil, 0, err
	}
	n, err := s.Counts(ctx, runID)
	if err != nil {
		return nil, 0, err
	}
	q.Offset = max(0, q.Offset)
	if q.Limit < 1 {
		q.Limit = n.Records
	}
	if q.plain() {
		var page []assay.Record
		err := s.briefs(ctx, runID, q.Limit, q.Offset, nil, func(r assay.Record) { page = append(page, r) })
		return page, n.Records, err
	}
	var chosen []assay.Record
	q.Q = strings.ToLower(q.Q)
	err = s.briefs(ctx, runID, n.Records, 0, q.sieve(), func(r assay.Record) {
		if q.chooses(r) {
			chosen = append(chosen, r)
		}
	})
	if err != nil {
		return nil, 0, err
	}
	if order != nil {
		slices.SortStableFunc(chosen, order)
	}
	total := len(chosen)
	from := min(q.Offset, total)
	return chosen[from:min(from+q.Limit, total)], total, nil
}

// sieve returns a filter that detects, from the encoded brief, records that cannot be
// selected: decoding takes ten times as long as scanning. Q is in lower case.
func (q CaseQuery) sieve() func(brief []byte) bool {
	tag, part := quoted(q.Tag), quoted(q.Q)
	if q.Q != "" {
		part = part[1 : len(part)-1]
	}
	score := fmt.Appendf(nil, `%s:{"state":"`, quoted(q.Metric))
	return func(brief []byte) bool {
		return q.Tag != "" && !bytes.Contains(brief, tag) ||
			q.Metric != "" && q.above(brief, score) ||
			q.Q != "" && !bytes.Contains(bytes.ToLower(brief), part)
	}
}

// above reports whether a brief cannot have a value of the metric below the bound.
// score is the beginning of the metric's encoded score, which nothing else in a brief
// can look like, since quotes within texts are escaped.
func (q CaseQuery) above(brief, score []byte) bool {
	_, rest, ok := bytes.Cut(brief, score)
	if !ok {
		return true
	}
	state, rest, _ := bytes.Cut(rest, []byte(`","value":`))
	if string(state) != assay.Scored.String() && string(state) != assay.TargetError.String() {
		return true
	}
	if q.Below == nil {
		return false
	}
	digits, _, _ := bytes.Cut(rest, []byte(","))
	v, err := strconv.ParseFloat(string(digits), 64)
	return err == nil && v >= *q.Below
}

// quoted returns a text in its encoded form, in which escapes have no capitals.
func quoted(text string) []byte {
	b, _ := json.Marshal(text) // a string can always be encoded
	return b
}

// briefs calls f with a run's records, in brief, in the order of seq, except those that
// out, if not nil, rejects.
func (s *Store) briefs(ctx context.Context, runID string, limit, offset int, out func(brief []byte) bool,
	f func(assay.Record)) (err error) {
	const columns = `SELECT ` + recordColumns + `, brief, CASE WHEN brief = '' THEN record ELSE '' END FROM records WHERE run_id = $1`
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
		var brief, whole sql.RawBytes
		if err := rows.Scan(row.into(&brief, &whole)...); err != nil {
			return s.explain(err)
		}
		if err := row.verifyBrief(brief); err != nil {
			return s.explain(err)
		}
		if out != nil && len(brief) > 0 && out(brief) {
			continue
		}
		r, err := row.decodeBrief(brief, whole)
		if err != nil {
			return s.explain(err)
		}
		f(r)
	}
	return s.explain(rows.Err())
}

// chooses reports whether a record is selected. Q is in lower case.
func (q CaseQuery) chooses(r assay.Record) bool {
	if q.Tag != "" && !slices.Contains(r.Case.Tags, q.Tag) {
		return false
	}
	if q.Metric != "" {
		v, ok := valueOf(r, q.Metric)
		if !ok || q.Below != nil && v >= *q.Below {
			return false
		}
	}
	if q.Q != "" && !slices.ContainsFunc(searched(r), func(text string) bool { return strings.Contains(strings.ToLower(text), q.Q) }) {
		return false
	}
	return q.Status == "" || q.StatusOf(r) == q.Status
}

func searched(r assay.Record) []string {
	texts := []string{r.Case.ID, r.Case.Question}
	if r.Response != nil {
		texts = append(texts, r.Response.Answer)
	}
	return texts
}

// valueOf returns a metric's value for a case, if it has one.
func valueOf(r assay.Record, metric string) (float64, bool) {
	s := r.Scores[metric]
	return s.Value, s.State == assay.Scored || s.State == assay.TargetError
}

// order returns the comparison for Sort; nil for the order of seq.
func (q CaseQuery) order() (func(a, b assay.Record) int, error) {
	if q.Status != "" && q.StatusOf == nil {
		return nil, fmt.Errorf("%w: status %q: StatusOf is not set", ErrQuery, q.Status)
	}
	if q.Below != nil && q.Metric == "" {
		return nil, fmt.Errorf("%w: below %v: want a metric to compare", ErrQuery, *q.Below)
	}
	key, descending := strings.CutPrefix(q.Sort, "-")
	sign := 1
	if descending {
		sign = -1
	}
	switch key {
	case "", "seq":
		if !descending {
			return nil, nil
		}
		return func(a, b assay.Record) int { return sign * cmp.Compare(a.Seq, b.Seq) }, nil
	case "id":
		return func(a, b assay.Record) int { return sign * cmp.Compare(a.Case.ID, b.Case.ID) }, nil
	case "status":
		if q.StatusOf == nil {
			return nil, fmt.Errorf("%w: sort %q: StatusOf is not set", ErrQuery, q.Sort)
		}
		return func(a, b assay.Record) int { return sign * cmp.Compare(q.StatusOf(a), q.StatusOf(b)) }, nil
	case "latency":
		return byValue(sign, func(r assay.Record) (float64, bool) {
			if r.Response == nil {
				return 0, false
			}
			return float64(r.Response.Latency), true
		}), nil
	}
	return byValue(sign, func(r assay.Record) (float64, bool) { return valueOf(r, key) }), nil
}

// byValue compares by a value; records without one come last.
func byValue(sign int, value func(assay.Record) (float64, bool)) func(a, b assay.Record) int {
	return func(a, b assay.Record) int {
		x, okX := value(a)
		y, okY := value(b)
		switch {
		case okX && okY:
			return sign * cmp.Compare(x, y)
		case okX:
			return -1
		case okY:
			return 1
		}
		return 0
	}
}
