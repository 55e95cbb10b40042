package generate_test

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"sync/atomic"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/assay-eval/assay/dataset/generate"
	"github.com/assay-eval/assay/llm"
)

func open(t *testing.T, path, head string) (*generate.Journal, int) {
	t.Helper()
	j, kept, err := generate.OpenJournal(path, head)
	if err != nil {
		t.Fatal(err)
	}
	return j, len(kept)
}

func TestJournal(t *testing.T) {
	t.Parallel()
	path := filepath.Join(t.TempDir(), "new", "out.json.partial")
	j, n := open(t, path, "head")
	if n != 0 {
		t.Errorf("a new journal holds %d items", n)
	}
	for _, id := range []string{"a", "b", "c\n"} {
		if err := j.Put(id, map[string]string{"text": "of " + id}); err != nil {
			t.Fatal(err)
		}
	}
	if err := j.Close(); err != nil {
		t.Fatal(err)
	}
	// The process died while it wrote the last line.
	raw, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(path, raw[:len(raw)-5], 0o600); err != nil {
		t.Fatal(err)
	}
	j, n = open(t, path, "head")
	if n != 2 {
		t.Errorf("%d items after a torn line, want 2", n)
	}
	if err := j.Put("d", 1); err != nil {
		t.Fatal(err)
	}
	if err := j.Close(); err != nil {
		t.Fatal(err)
	}
	if j, n = open(t, path, "head"); n != 3 {
		t.Errorf("%d items, want 3: what was torn is gone, what came after is there", n)
	}
	if _, _, err := generate.OpenJournal(path, "another"); err == nil || !strings.Contains(err.Error(), "other work (head)") {
		t.Errorf("got %v, want that it is of other work", err)
	}
	if err := j.Remove(); err != nil {
		t.Error(err)
	}
	if _, err := os.Stat(path); !errors.Is(err, os.ErrNotExist) {
		t.Errorf("it is still there: %v", err)
	}
	if err := os.WriteFile(path, []byte("not JSON\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	if _, _, err := generate.OpenJournal(path, "head"); err == nil || !strings.Contains(err.Error(), ":1: ") {
		t.Errorf("got %v, want the line that cannot be read", err)
	}
}

func FuzzJournal(f *testing.F) {
	f.Add([]byte("{\"head\":\"h\"}\n{\"id\":\"a\",\"item\":1}\n{\"id\":\"b\""))
	f.Add([]byte("\n"))
	f.Fuzz(func(t *testing.T, content []byte) {
		path := filepath.Join(t.TempDir(), "j")
		if err := os.WriteFile(path, content, 0o600); err != nil {
			t.Fatal(err)
		}
		j, kept, err := generate.OpenJournal(path, "h")
		if err != nil {
			return
		}
		if err := j.Put("new", "x"); err != nil {
			t.Fatal(err)
		}
		if err := j.Close(); err != nil {
			t.Fatal(err)
		}
		j, again, err := generate.OpenJournal(path, "h")
		if err != nil {
			t.Fatalf("what was kept cannot be read again: %v", err)
		}
		defer j.Close()
		if _, ok := again["new"]; !ok || len(again) < len(kept) {
			t.Fatalf("%d items of %d, %q", len(again), len(kept), again)
		}
	})
}

func TestWork(t *testing.T) {
	t.Parallel()
	path := filepath.Join(t.TempDir(), "j")
	ids := []string{"a", "b", "c", "d"}
	broken := errors.New("broken")
	var asked atomic.Int64
	do := func(_ context.Context, i int) (string, error) {
		asked.Add(1)
		if ids[i] == "b" {
			return "", broken
		}
		return "of " + ids[i], nil
	}
	j, _ := open(t, path, "h")
	last := 0
	results, problems, err := generate.Work(t.Context(), ids, 2, j, nil, do, func(done, total int) { last = max(last, done) })
	if err != nil || len(problems) != 1 || !errors.Is(problems["b"], broken) || last != 4 {
		t.Errorf("problems %v, %v, told of %d", problems, err, last)
	}
	if d := cmp.Diff(map[string]string{"a": "of a", "c": "of c", "d": "of d"}, results); d != "" {
		t.Error(d)
	}
	if err := j.Close(); err != nil {
		t.Fatal(err)
	}
	j, kept, err := generate.OpenJournal(path, "h")
	if err != nil || len(kept) != 3 {
		t.Fatalf("%d kept, %v", len(kept), err)
	}
	defer j.Close()
	asked.Store(0)
	again, _, err := generate.Work(t.Context(), ids, 2, j, kept, do, nil)
	if d := cmp.Diff(results, again); err != nil || d != "" || asked.Load() != 1 {
		t.Errorf("%v, asked %d times, want once for the problem: %s", err, asked.Load(), d)
	}
}

func TestWorkEnds(t *testing.T) {
	t.Parallel()
	ids := []string{"a", "b", "c", "d", "e"}
	spent := &llm.Error{Kind: llm.KindBudget, Message: "spent"}
	results, _, err := generate.Work(t.Context(), ids, 1, nil, nil, func(_ context.Context, i int) (int, error) {
		if i == 2 {
			return 0, spent
		}
		return i, nil
	}, nil)
	if !errors.Is(err, spent) || len(results) != 2 {
		t.Errorf("%v, %d results; want the fatal error after 2", err, len(results))
	}
	ctx, cancel := context.WithCancel(t.Context())
	results, problems, err := generate.Work(ctx, ids, 1, nil, nil, func(_ context.Context, i int) (int, error) {
		if i == 1 {
			cancel()
		}
		return i, ctx.Err()
	}, nil)
	if !errors.Is(err, context.Canceled) || len(results) != 1 || len(problems) != 0 {
		t.Errorf("%v, %d results, problems %v; want it canceled after 1", err, len(results), problems)
	}
	// A journal that is closed cannot keep anything: the work ends.
	j, _ := open(t, filepath.Join(t.TempDir(), "j"), "h")
	if err := j.Close(); err != nil {
		t.Fatal(err)
	}
	if _, _, err := generate.Work(t.Context(), ids, 1, j, nil, func(context.Context, int) (int, error) { return 1, nil },
		nil); !errors.Is(err, os.ErrClosed) {
		t.Errorf("got %v, want that nothing can be kept", err)
	}
}
