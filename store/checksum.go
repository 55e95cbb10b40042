package store

import (
	"database/sql"
	"fmt"
	"hash/crc32"
	"strconv"

	"github.com/assay-eval/assay"
	"github.com/assay-eval/assay/internal/checksum"
)

// sumOf returns the CRC-32C of a text in the row with a key. No part of a key contains a
// NUL byte.
func sumOf[T string | []byte](text T, key ...string) uint32 {
	buffer := make([]byte, 0, 512)
	for _, part := range key {
		buffer = append(append(buffer, part...), 0)
	}
	sum := crc32.Checksum(buffer, checksum.Castagnoli)
	return crc32.Update(sum, checksum.Castagnoli, []byte(text))
}

// A number scans an integer; database/sql would format it and parse it again.
type number int64

// Scan implements [sql.Scanner].
func (n *number) Scan(from any) error {
	i, ok := from.(int64)
	if !ok {
		return fmt.Errorf("%w: expected an integer, not %v", ErrNotStore, from)
	}
	*n = number(i)
	return nil
}

// seal returns the checksum of a row.
//
// Every row has a checksum, which is verified whenever the row is read: the CRC-32C of
// its long text in the lower 32 bits, and that of its short columns in the upper 32, so
// that a list need not read the long text. Both include the key of the row, so that a
// text that was moved to another row is found, too.
//
// A CRC-32C finds every change of up to three bits and of up to 32 successive bits, and
// misses one in 2^32 of the others. It does not protect against somebody who changes a
// row together with its checksum, puts an earlier state of a row back, or deletes a row;
// missing records are found by their number in the run.
func seal(columns, text uint32) int64 { return int64(uint64(columns)<<32 | uint64(text)) }

// unseal returns the two halves of the checksum of a row.
func unseal(checksum int64) (columns, text uint32) {
	return uint32(uint64(checksum) >> 32), uint32(checksum)
}

// alteredError is an [assay.ErrAltered] and an [ErrNotStore].
type alteredError struct{ what, column, table, remedy string }

func (e *alteredError) Error() string {
	return fmt.Sprintf("%s: %s of the table %s: does not match its checksum, so it was altered after it was stored: "+
		"restore the database from a backup, or %s  (all faults: assay store check)", e.what, e.column, e.table, e.remedy)
}

// Is makes it an ErrAltered and an ErrNotStore.
func (e *alteredError) Is(target error) bool {
	return target == assay.ErrAltered || target == ErrNotStore
}

// columnList names columns in an error.
func columnList(names string) string { return "one of the columns " + names }

// A runRow is a row of the table runs.
type runRow struct {
	id, name, state, started, hash string
	cases                          int64
	checksum                       int64
	head                           []byte
}

// runColumns are the columns of a runRow. Their order is that of scan.
const runColumns = `id, name, state, started, dataset_hash, cases, checksum, head`

func (r *runRow) scan(rows *sql.Rows) error {
	return rows.Scan(&r.id, &r.name, &r.state, &r.started, &r.hash, &r.cases, &r.checksum, (*sql.RawBytes)(&r.head))
}

func (r *runRow) sums() (columns, text uint32) {
	return sumOf(strconv.FormatInt(r.cases, 10), "runs", r.id, r.name, r.state, r.started, r.hash), sumOf(r.head, "runs", r.id)
}

func (r *runRow) verify() error {
	columns, text := r.sums()
	wantColumns, wantText := unseal(r.checksum)
	const remedy = "delete the run and evaluate again"
	switch what := fmt.Sprintf("run %q", r.id); {
	case text != wantText:
		return &alteredError{what, "column head", "runs", remedy}
	case columns != wantColumns:
		return &alteredError{what, columnList("id, name, state, started, dataset_hash, cases"), "runs", remedy}
	}
	return nil
}

// tally returns the value of the column tally.
func tally(kept, failed int) int64 { return int64(kept)<<31 + int64(failed) }

func alteredCounts(runID string) error {
	return &alteredError{fmt.Sprintf("run %q", runID), columnList("kept, failed, tally"), "runs", "delete the run and evaluate again"}
}

// A recordRow identifies a row of the table records.
type recordRow struct {
	run             string
	seq, position   int64
	caseID, failure string
	checksum        int64
}

// recordColumns are the short columns of a row of records, without the run. Their order
// is that of recordRow.into.
const recordColumns = `seq, position, case_id, failure, checksum`

// into returns where to scan recordColumns.
func (r *recordRow) into(more ...any) []any {
	return append([]any{(*number)(&r.seq), (*number)(&r.position), &r.caseID, &r.failure, (*number)(&r.checksum)}, more...)
}

// recordKey are the columns that verify a record alone. Their order is that of
// recordRow.intoKey.
const recordKey = `seq, case_id, checksum`

// intoKey returns where to scan recordKey.
func (r *recordRow) intoKey(more ...any) []any {
	return append([]any{(*number)(&r.seq), &r.caseID, (*number)(&r.checksum)}, more...)
}

func briefSum[T string | []byte](r *recordRow, brief T) uint32 {
	return sumOf(brief, "records", r.run, strconv.FormatInt(r.seq, 10), strconv.FormatInt(r.position, 10), r.caseID, r.failure)
}

func recordSum[T string | []byte](r *recordRow, record T) uint32 {
	return sumOf(record, "records", r.run, strconv.FormatInt(r.seq, 10))
}

func (r *recordRow) altered(column string) error {
	return &alteredError{r.name(), column, "records", "evaluate again: replies of models in the ledger are not paid for again"}
}

func (r *recordRow) name() string {
	return fmt.Sprintf("run %q: record %d, case %q", r.run, r.seq, r.caseID)
}

// recordTexts are the columns of a record itself. Their order is that of
// recordText.into.
const recordTexts = `record_plain, brief_packed, record_packed`

// recordText is a record as its row holds it: packed, or plain.
type recordText struct{ plain, brief, packed []byte }

// into returns where to scan recordTexts.
func (t *recordText) into() []any { return []any{&t.plain, &t.brief, &t.packed} }

// text unpacks, into a buffer, and verifies the record itself.
func (r *recordRow) text(into []byte, t *recordText) ([]byte, error) {
	text, column, err := t.plain, "column record_plain", error(nil)
	if t.packed != nil {
		column = columnList("brief_packed, record_packed")
		text, err = unpackLong(into, t.brief, t.packed)
	}
	if _, want := unseal(r.checksum); err != nil || recordSum(r, text) != want {
		return nil, r.altered(column)
	}
	return text, nil
}

// briefText unpacks the brief, into a buffer, and verifies it with the other columns.
func (r *recordRow) briefText(into, plain, packed []byte) ([]byte, error) {
	text, column, err := plain, "brief", error(nil)
	if packed != nil {
		column = "brief_packed"
		text, err = unpackShort(into, packed)
	}
	if want, _ := unseal(r.checksum); err != nil || briefSum(r, text) != want {
		return nil, r.altered(columnList("position, case_id, failure, " + column))
	}
	return text, nil
}

// sums returns the checksums of an item. Created is not part of them: replacing an item
// leaves it as it is.
func (it *Item) sums(updated string) (columns, text uint32) {
	return sumOf(strconv.FormatInt(it.Size, 10), "items", it.Kind, it.ID, it.Name, it.Parent, updated),
		sumOf([]byte(it.Body), "items", it.Kind, it.ID)
}

func (it *Item) altered(column string) error {
	what, remedy := fmt.Sprintf("%s %q", it.Kind, it.ID), "delete it and store it again"
	if it.Kind == kindAnswer {
		what = fmt.Sprintf("run %q: the kept answer to the case at %s", it.Parent, it.ID)
		remedy = "evaluate again: replies of models in the ledger are not paid for again"
	}
	return &alteredError{what, column, "items", remedy}
}

// verify verifies an item that was read with its body, or without.
func (it *Item) verify(checksum int64, updated string, body bool) error {
	columns, text := it.sums(updated)
	wantColumns, wantText := unseal(checksum)
	switch {
	case body && text != wantText:
		return it.altered("column body")
	case columns != wantColumns:
		return it.altered(columnList("name, parent, updated, size"))
	}
	return nil
}

func callSums(c *assay.Call, made string) (columns, text uint32) {
	n := func(i int64) string { return strconv.FormatInt(i, 10) }
	columns = sumOf(n(int64(c.Latency)), "calls", c.Key, c.Run, c.Operation, c.Provider, c.Model, made,
		n(int64(c.Usage.InputTokens)), n(int64(c.Usage.OutputTokens)), n(c.Usage.Cost))
	return columns, sumOf([]byte(c.Reply), "calls", c.Key, string(c.Request))
}

func alteredCall(c *assay.Call, column string) error {
	return &alteredError{fmt.Sprintf("call %q of run %q", c.Key, c.Run), column, "calls", "ask for the reply again with --refresh"}
}

// verify unpacks and verifies a call that was read with its texts, or without.
func (r *callRow) verify(texts bool) (err error) {
	c := &r.Call
	if texts && r.packed != nil {
		c.Request, c.Reply, err = unpackCall(r.packed, r.text)
	}
	columns, text := callSums(c, r.made)
	wantColumns, wantText := unseal(r.checksum)
	switch {
	case err != nil || texts && text != wantText:
		return alteredCall(c, columnList("request_plain, reply_plain, packed, text_id"))
	case columns != wantColumns:
		return alteredCall(c, columnList("run_id, operation, provider, model, made, input_tokens, output_tokens, cost, latency"))
	}
	return nil
}
