package target_test

import (
	"bytes"
	"compress/gzip"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"golang.org/x/text/encoding/unicode"

	"github.com/assay-eval/assay"
	"github.com/assay-eval/assay/target"
)

// zipped returns a text as gzip packs it.
func zipped(t *testing.T, text string) string {
	t.Helper()
	var b bytes.Buffer
	z := gzip.NewWriter(&b)
	if _, err := z.Write([]byte(text)); err != nil {
		t.Fatal(err)
	}
	if err := z.Close(); err != nil {
		t.Fatal(err)
	}
	return b.String()
}

// utf16 returns a text in UTF-16 with a byte order mark.
func utf16(t *testing.T, text string) string {
	t.Helper()
	s, err := unicode.UTF16(unicode.LittleEndian, unicode.UseBOM).NewEncoder().String(text)
	if err != nil {
		t.Fatal(err)
	}
	return s
}

// Each response of a file is found again, however the file is written.
func TestOpen(t *testing.T) {
	const cases = 700
	var lines, ranked strings.Builder
	passage := strings.Repeat("a long passage 長文 ", 1000)
	for i := range cases {
		fmt.Fprintf(&lines, "\t{\"id\": \"q%d\", \"answer\": \"%d\", \"contexts\": [%q]} \r\n\n", i, i*i, passage)
		fmt.Fprintf(&ranked, "# comment\nq%d Q0 a%d 1 1 t\nq%d Q0 b%d 2 2 t\n\n", i, i, i, i)
	}
	json, trec := strings.TrimSpace(lines.String()), strings.TrimSpace(ranked.String())
	var ungrouped strings.Builder
	for _, best := range []string{"a", "b"} {
		for i := range cases {
			fmt.Fprintf(&ungrouped, "q%d Q0 %s%d 1 %d t\n", i, best, i, best[0])
		}
	}
	temporary := t.TempDir()
	t.Setenv("TMPDIR", temporary)
	for name, text := range map[string]string{
		"json": json, "json with a mark": "\ufeff" + json + "\n", "json.gz": zipped(t, json), "json in UTF-16": utf16(t, json),
		"trec": trec, "trec with a mark": "\ufeff" + trec + "\n", "trec.gz": zipped(t, trec), "trec ungrouped": ungrouped.String(),
	} {
		t.Run(name, func(t *testing.T) {
			path := filepath.Join(t.TempDir(), "responses")
			if err := os.WriteFile(path, []byte(text), 0o666); err != nil {
				t.Fatal(err)
			}
			r, err := target.Open(path, "r")
			if err != nil {
				t.Fatal(err)
			}
			copies, err := filepath.Glob(filepath.Join(temporary, "assay-responses-*"))
			if err != nil || len(copies) > 1 || len(copies) == 1 != strings.ContainsAny(name, ".U") {
				t.Errorf("temporary files %v, %v", copies, err)
			}
			for _, i := range []int{cases - 1, 0, cases / 2} {
				got, err := r.Ask(t.Context(), &assay.Case{ID: fmt.Sprint("q", i)})
				switch {
				case err != nil:
					t.Errorf("q%d: %v", i, err)
				case strings.HasPrefix(name, "json") && (got.Answer != fmt.Sprint(i*i) || len(got.Passages) != 1 || got.Passages[0].Text != passage):
					t.Errorf("q%d: answer %q, %d passages", i, got.Answer, len(got.Passages))
				case strings.HasPrefix(name, "trec") && (len(got.Passages) != 2 || got.Passages[0].Document != fmt.Sprint("b", i)):
					t.Errorf("q%d: %+v", i, got.Passages)
				}
			}
			if r.Len() != cases {
				t.Errorf("%d responses: want %d", r.Len(), cases)
			}
			if err := r.Close(); err != nil {
				t.Error(err)
			}
			if copies, err := filepath.Glob(filepath.Join(temporary, "assay-responses-*")); err != nil || len(copies) > 0 {
				t.Errorf("temporary files %v are left, %v", copies, err)
			}
		})
	}
}

// Responses of a pipe cannot be read again, so they are copied.
func TestReadPipe(t *testing.T) {
	t.Parallel()
	from, to, err := os.Pipe()
	if err != nil {
		t.Fatal(err)
	}
	defer from.Close()
	go func() {
		fmt.Fprint(to, `{"id": "q1", "answer": "x"}`, "\n", `{"id": "q2", "answer": "y"}`, "\n")
		to.Close()
	}()
	r, err := target.Read(from, "r")
	if err != nil {
		t.Fatal(err)
	}
	if got, err := r.Ask(t.Context(), &assay.Case{ID: "q2"}); err != nil || got.Answer != "y" {
		t.Errorf("%+v, %v", got, err)
	}
}

// A file of responses that changes ends the run: the change is not a failure of the
// target.
func TestChangedResponses(t *testing.T) {
	t.Parallel()
	path := filepath.Join(t.TempDir(), "r.jsonl")
	if err := os.WriteFile(path, []byte(`{"id": "q1", "answer": "x"}`), 0o666); err != nil {
		t.Fatal(err)
	}
	r, err := target.Open(path, "r.jsonl")
	if err != nil {
		t.Fatal(err)
	}
	defer r.Close()
	for _, change := range []func() error{
		func() error { return os.Chtimes(path, time.Time{}, time.Unix(1, 0)) },
		func() error { return os.Truncate(path, 3) },
	} {
		if err := change(); err != nil {
			t.Fatal(err)
		}
		_, err := r.Ask(t.Context(), &assay.Case{ID: "q1"})
		fatal, ok := err.(interface{ Fatal() bool })
		if !ok || !fatal.Fatal() || err.Error() != "r.jsonl:1: the file changed while the run read it: start a new run" {
			t.Errorf("%v: want an error that ends the run", err)
		}
	}
}
