package query

import (
	"encoding/json"
	"errors"
	"testing"

	"pgregory.net/rapid"

	"github.com/assay-eval/assay"
)

// FuzzParse: no text panics; what parses has one canonical form, which selects the same
// cases; and the sieve lets every selected case through.
func FuzzParse(f *testing.F) {
	for _, q := range []string{
		`support<0.5 stage:generate tag:easy -status:error "refund policy" reason~"cites"`, "a OR (b -c) NOT d", `tag:"none",none`, "--a -- -",
		`"\"" "\\"`, "wer!=0.3 OR mrr@10:error", "退款 OR -(a b)", `tag:"<a"`, `"tag":"~a"`, "OR<5", "a,b:c",
	} {
		f.Add(q)
	}
	f.Fuzz(func(t *testing.T, text string) { holdsFor(t, text) })
}

// TestGeneratedQueries is FuzzParse over queries that are mostly right.
func TestGeneratedQueries(t *testing.T) {
	piece := rapid.SampledFrom([]string{
		"support<0.5", "wer:none", "mrr@10!=1", "tag:easy,hard", "-", "NOT ", "(", ")", "OR ", "AND ",
		`"who wrote"`, `"a\"b"`, "等於", "status:ok", "u003c",
		"stage!=generate", " ", " ", " ", "latency>2s", "reason~cites", `"<of> it"`, "answer:none", "tag:none",
		`tag:"none"`, "É", "k", "<", ":", ",",
	})
	rapid.Check(t, func(t *rapid.T) {
		text := ""
		for _, p := range rapid.SliceOfN(piece, 0, 12).Draw(t, "pieces") {
			text += p
		}
		holdsFor(t, text)
	})
}

func holdsFor(t interface{ Fatalf(string, ...any) }, text string) {
	q, err := Parse(text)
	var e *Error
	switch {
	case errors.As(err, &e):
		if e.Offset < 0 || e.Length < 0 || e.Offset+e.Length > len(text) {
			t.Fatalf("%q: %+v is not in the text", text, e)
		}
		return
	case err != nil:
		t.Fatalf("%q: %v has no place", text, err)
	}
	again, err := Parse(q.String())
	if err != nil || again.String() != q.String() {
		t.Fatalf("%q: %q becomes %q, %v", text, q, again, err)
	}
	run := vocabulary
	run.Tags = nil
	first, err1 := q.Compile(run)
	second, err2 := again.Compile(run)
	if (err1 == nil) != (err2 == nil) {
		t.Fatalf("%q: %v, but %q: %v", text, err1, again, err2)
	}
	if err1 != nil {
		return
	}
	rows := cases()
	for row := range rows.Len() {
		is := first.Match(rows, row)
		if is != second.Match(rows, row) {
			t.Fatalf("%q and %q disagree on case %d", text, again, row)
		}
		encoded, err := json.Marshal(rows.List[row])
		if err != nil {
			t.Fatalf("%v", err)
		}
		if is && !first.Sieve(encoded) {
			t.Fatalf("%q selects case %d, and the sieve keeps it back", text, row)
		}
	}
}

// TestSieve: most records that are not selected need not be decoded.
func TestSieve(t *testing.T) {
	rows := cases()
	for in, kept := range map[string]int{
		"harbour": 0, "tag:easy": 2, "support<0.5": 2, "support<0.5 tag:hard": 1, "émile OR 等於": 2, "-tag:easy": 5, "status:ok": 5,
		"status:ok tag:fr": 1,
	} {
		q, err := Parse(in)
		if err != nil {
			t.Fatal(err)
		}
		f, err := q.Compile(vocabulary)
		if err != nil {
			t.Fatal(err)
		}
		n := 0
		for _, r := range rows.List {
			encoded, err := json.Marshal(r)
			if err != nil {
				t.Fatal(err)
			}
			if f.Sieve(encoded) {
				n++
			}
		}
		if n != kept {
			t.Errorf("%q: %d records are decoded, want %d", in, n, kept)
		}
	}
	// A record can have a metric under an earlier name.
	q, err := Parse("support<0.5")
	if err != nil {
		t.Fatal(err)
	}
	f, err := q.Compile(vocabulary)
	if err != nil {
		t.Fatal(err)
	}
	encoded, err := json.Marshal(assay.Record{Scores: map[string]assay.Score{"earlier": assay.Value(1)}})
	if err != nil || !f.Sieve(encoded) {
		t.Errorf("%v: the record is kept back", err)
	}
}
