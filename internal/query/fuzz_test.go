package query

import (
	"errors"
	"testing"

	"pgregory.net/rapid"
)

// FuzzParse: no text panics; what parses has one canonical form, which selects the same
// cases.
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
		"stage!=generate", " ", " ", " ", "latency>2s", "reason~cites", `"<of> it"`, "answer:unknown", "tag:none",
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
	}
}
