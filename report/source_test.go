package report_test

import (
	"errors"
	"io"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"github.com/assay-eval/assay"
	"github.com/assay-eval/assay/report"
)

// sameReport compares reports by what can be written of them.
var sameReport = cmp.Options{
	cmp.Comparer(sameJSON), cmp.Comparer(sameFinding),
	cmpopts.IgnoreFields(report.Report{}, "Cases"), cmpopts.IgnoreUnexported(report.Report{}),
}

// held returns the records of a report that is in memory, which a test may change.
func held(r *report.Report) []assay.Record { return r.Source.(report.Loaded) }

// shown returns a report of the records as r shows them.
func shown(t *testing.T, r *report.Report) *report.Report {
	t.Helper()
	out := *r
	var records report.Loaded
	for rec, err := range r.Records() {
		if err != nil {
			t.Fatal(err)
		}
		records = append(records, rec)
	}
	out.Source = records
	return &out
}

// An unreadable source has the records of another one, and cannot read single ones.
type unreadable struct{ report.Source }

var errUnreadable = errors.New("the database is gone")

func (unreadable) At([]int, []int) ([]assay.Record, error) { return nil, errUnreadable }

// TestSourceFails: a report whose records cannot be read is an error in every format that
// shows some.
func TestSourceFails(t *testing.T) {
	t.Parallel()
	whole := sample(t)
	r, err := report.Of(whole.Header, unreadable{whole.Source})
	if err != nil {
		t.Fatal(err)
	}
	for _, name := range []string{"terminal", "markdown", "html", "comment"} {
		if err := lookup(t, name).Write(io.Discard, r, report.Options{}); !errors.Is(err, errUnreadable) {
			t.Errorf("%s: %v", name, err)
		}
	}
	c, err := report.Compare([]*report.Report{r, whole}, 1)
	if err != nil {
		t.Fatal(err)
	}
	if err := report.HTML.Compare(io.Discard, c, report.Options{}); !errors.Is(err, errUnreadable) {
		t.Errorf("comparison: %v", err)
	}
}

// TestBuilder: a report that was built while its records came is that of the records.
func TestBuilder(t *testing.T) {
	t.Parallel()
	whole := sample(t)
	mixed := slices.Clone(held(whole))
	rand.New(rand.NewPCG(1, 2)).Shuffle(len(mixed), func(i, j int) { mixed[i], mixed[j] = mixed[j], mixed[i] })
	b := report.NewBuilder()
	for i := range mixed {
		b.Add(&mixed[i])
	}
	got, err := b.Report(whole.Header, whole.Source)
	if err != nil {
		t.Fatal(err)
	}
	for _, f := range report.Formats {
		if d := cmp.Diff(render(t, f, whole, report.Options{}), render(t, f, got, report.Options{})); d != "" {
			t.Errorf("%s (-at once +one by one):\n%s", f.Name, d)
		}
	}
}
