// Package storetest is the conformance kit of a store: every database behind
// assay passes the same tests.
package storetest

import (
	"context"
	"encoding/json"
	"errors"
	"io"
	"iter"
	"testing"
	"time"

	"github.com/assay-eval/assay"
	"github.com/assay-eval/assay/store"
)

// A Store is the part of *store.Store that the product uses.
type Store interface {
	CreateRun(ctx context.Context, h assay.Header) error
	UpdateRun(ctx context.Context, h assay.Header) error
	Run(ctx context.Context, ref string) (assay.Header, error)
	Runs(ctx context.Context, limit int) ([]assay.Header, error)
	Put(ctx context.Context, runID string, recs ...assay.Record) error
	Records(ctx context.Context, runID string) iter.Seq2[assay.Record, error]
	PutAnswers(ctx context.Context, runID string, recs ...assay.Record) error
	Answers(ctx context.Context, runID string) iter.Seq2[assay.Record, error]
	AnswersTo(ctx context.Context, runID string, seqs []int) iter.Seq2[assay.Record, error]
	Counts(ctx context.Context, runID string) (store.Counts, error)
	Call(ctx context.Context, key string) (assay.Call, bool, error)
	PutCall(ctx context.Context, c assay.Call) error
	Calls(ctx context.Context, runIDs ...string) iter.Seq2[assay.Call, error]
	ImportCalls(ctx context.Context, calls iter.Seq2[assay.Call, error]) (store.Imported, error)
	Spent(ctx context.Context, runID string) (assay.Spending, error)
	SpentBy(ctx context.Context, runID string) (map[string]assay.Spending, error)
	Costs(ctx context.Context, runIDs []string) (map[string]int64, error)
	RunPage(ctx context.Context, q store.RunQuery) ([]assay.Header, int, error)
	RunSums(ctx context.Context, state string) ([]store.RunSum, error)
	RunsAt(ctx context.Context, ids []string) ([]assay.Header, error)
	Record(ctx context.Context, runID, caseID string) (assay.Record, error)
	RecordsSince(ctx context.Context, runID string, after int64, limit int) ([]store.Kept, error)
	Briefs(ctx context.Context, runID string, limit, offset int) iter.Seq2[assay.Record, error]
	BriefsAt(ctx context.Context, runID string, seqs []int) ([]assay.Record, error)
	RecordsAt(ctx context.Context, runID string, seqs []int) ([]assay.Record, error)
	PutColumns(ctx context.Context, runID, kind string, columns []store.Column) error
	Columns(ctx context.Context, runID, kind string) ([]store.Column, error)
	RunColumns(ctx context.Context, kind string, runIDs []string) (map[string]store.Column, error)
	DeleteRun(ctx context.Context, id string) error
	CreateItem(ctx context.Context, it store.Item) error
	PutItem(ctx context.Context, it store.Item) error
	Item(ctx context.Context, kind, id string) (store.Item, error)
	Items(ctx context.Context, kind string, q store.ItemQuery) ([]store.Item, int, error)
	DeleteItem(ctx context.Context, kind, id string) error
	PutSpans(ctx context.Context, id string, batch []byte, now time.Time) error
	Spans(ctx context.Context, after string, since time.Time, visit func(store.SpanBatch) error) error
	DropSpans(ctx context.Context, before time.Time) (int, error)
	Lock(ctx context.Context, runID string) (unlock func() error, err error)
	Claim(ctx context.Context, name string) (release func() error, err error)
	Claims(ctx context.Context, names []string) (map[string]bool, error)
	NameFile(ctx context.Context, runID, fingerprint string, about json.RawMessage, now time.Time) (stored bool, err error)
	RunFile(ctx context.Context, runID string) (fingerprint string, about json.RawMessage, err error)
	PutFile(ctx context.Context, fingerprint string, content io.Reader, now time.Time) error
	File(ctx context.Context, fingerprint string, to io.Writer) error
	DropFiles(ctx context.Context, before time.Time) (int, error)
	Stale(ctx context.Context, before time.Time) (store.Stale, error)
	DropCalls(ctx context.Context, before time.Time) (int, error)
	Vacuum(ctx context.Context) error
	Ping(ctx context.Context) error
	Check(ctx context.Context, fault func(error)) (store.Checked, error)
	Close() error
}

// A Place is an empty database for one test.
type Place struct {
	// Open opens it again.
	Open func() (Store, error)
	// Alter executes statements behind the store's back.
	Alter func(t *testing.T, statements ...string)
}

// Run tests a store. place creates a database for one test and removes it at its end.
func Run(t *testing.T, place func(t *testing.T) Place) {
	for _, test := range []struct {
		name string
		run  func(*testing.T, Place)
	}{
		{"round trip", roundTrip},
		{"order", order},
		{"twice", twice},
		{"all or none", allOrNone},
		{"find", find},
		{"update", update},
		{"missing run", missingRun},
		{"ids", ids},
		{"lock", lock},
		{"claims", claims},
		{"concurrent", concurrent},
		{"read while writing", readWhileWriting},
		{"cancelled", cancelled},
		{"columns", runColumns},
		{"columns about runs", columnsAboutRuns},
		{"calls", callsRoundTrip},
		{"calls replaced", callsReplaced},
		{"calls paid twice", callsPaidTwice},
		{"calls paid at once", callsPaidAtOnce},
		{"calls of runs", callsOfRuns},
		{"calls spent", callsSpent},
		{"calls imported", callsImported},
		{"calls refused", callsRefused},
		{"calls concurrent", callsConcurrent},
		{"calls cancelled", callsCancelled},
		{"run pages", runPages},
		{"one record", oneRecord},
		{"since", since},
		{"follow", follow},
		{"case pages", casePages},
		{"delete run", deleteRun},
		{"unwritable", unwritable},
		{"items", itemsRoundTrip},
		{"items listed", itemsListed},
		{"items concurrent", itemsConcurrent},
		{"answers", answers},
		{"answers concurrent", answersConcurrent},
		{"tidied", tidied},
		{"received spans", receivedSpans},
		{"files", files},
		{"altered", altered},
		{"deleted", deleted},
		{"former names", formerNames},
	} {
		t.Run(test.name, func(t *testing.T) {
			t.Parallel()
			test.run(t, place(t))
		})
	}
}

// Sound returns all faults of a store as one error, nil if there are none.
func Sound(ctx context.Context, s Store) error {
	var faults []error
	_, err := s.Check(ctx, func(fault error) { faults = append(faults, fault) })
	return errors.Join(append(faults, err)...)
}

// open opens the place for the duration of the test.
func open(t *testing.T, p Place) Store {
	t.Helper()
	s, err := p.Open()
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := Sound(context.Background(), s); err != nil {
			t.Errorf("after the test: %v", err)
		}
		if err := s.Close(); err != nil {
			t.Errorf("close: %v", err)
		}
	})
	return s
}
