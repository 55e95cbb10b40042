package columns_test

import (
	"errors"
	"math/rand/v2"
	"slices"
	"sync"
	"testing"

	"github.com/assay-eval/assay/columns"
)

func decoded(parts ...[]byte) (*columns.Table, error) {
	b := columns.NewBuilder()
	for _, p := range parts {
		if err := b.AddPart(p); err != nil {
			return nil, err
		}
	}
	return b.Table(), nil
}

// TestPartsWhileOthersRead: tables of one builder share their shapes, so a table that is encoded
// is read only. The race detector sees when it is not.
func TestPartsWhileOthersRead(t *testing.T) {
	t.Parallel()
	table := columns.Of(records(rand.New(rand.NewPCG(5, 2)), 20, 1))
	var wg sync.WaitGroup
	for range 2 {
		wg.Go(func() {
			if n := len(slices.Collect(table.Parts())); n != 1 || table.MaxGrade() < 1 {
				t.Errorf("%d parts, highest grade %d", n, table.MaxGrade())
			}
		})
	}
	wg.Wait()
}

// TestParts: a table of the encoded parts of another one is that table.
func TestParts(t *testing.T) {
	t.Parallel()
	for seed := range uint64(40) {
		rng := rand.New(rand.NewPCG(seed, 2))
		want := records(rng, 1+rng.IntN(20), 1+rng.IntN(3))
		half := len(want) / 2
		mixed := slices.Clone(want)
		rng.Shuffle(len(mixed), func(i, j int) { mixed[i], mixed[j] = mixed[j], mixed[i] })
		whole := slices.Collect(columns.Of(mixed).Parts())
		halves := append(slices.Collect(columns.Of(want[:half]).Parts()), slices.Collect(columns.Of(want[half:]).Parts())...)
		for _, parts := range [][][]byte{whole, halves} {
			table, err := decoded(parts...)
			if err != nil {
				t.Fatalf("seed %d: %v", seed, err)
			}
			same(t, table, want)
			again, err := decoded(slices.Collect(table.Parts())...)
			if err != nil {
				t.Fatalf("seed %d: %v", seed, err)
			}
			same(t, again, want)
		}
		if t.Failed() {
			t.Fatalf("seed %d", seed)
		}
	}
	many := records(rand.New(rand.NewPCG(1, 3)), columns.PartRows+1, 1)
	parts := slices.Collect(columns.Of(many).Parts())
	if len(parts) != 2 {
		t.Fatalf("%d parts of %d rows", len(parts), len(many))
	}
	table, err := decoded(parts...)
	if err != nil {
		t.Fatal(err)
	}
	same(t, table, many)
}

// FuzzAddPart: whatever a database holds, a part is read or is an error, and what was read
// is written and read again.
func FuzzAddPart(f *testing.F) {
	f.Add(slices.Collect(columns.Of(records(rand.New(rand.NewPCG(1, 4)), 5, 2)).Parts())[0])
	f.Add([]byte{})
	f.Fuzz(func(t *testing.T, part []byte) {
		got, err := decoded(part)
		if err != nil {
			if !errors.Is(err, columns.ErrEncoding) {
				t.Errorf("error %v", err)
			}
			return
		}
		again, err := decoded(slices.Collect(got.Parts())...)
		if err != nil || again.Len() != got.Len() {
			t.Errorf("%d rows, then %v", got.Len(), err)
		}
	})
}
