package columns_test

import (
	"errors"
	"fmt"
	"testing"

	"github.com/assay-eval/assay"
	"github.com/assay-eval/assay/columns"
)

// TestTexts: texts are in lower case, and those that were stored in parts are the same.
func TestTexts(t *testing.T) {
	t.Parallel()
	texts := &columns.Texts{}
	const n = columns.PartRows + 5
	for i := range n {
		r := assay.Record{Case: assay.Case{Question: fmt.Sprintf("Question %d?", i)}}
		if i%2 == 0 {
			r.Response = &assay.Response{Answer: "Über 維港"}
		} else {
			r.Failure = &assay.Failure{Kind: "timeout", Message: "After 3 s"}
		}
		texts.Add(&r)
	}
	again := &columns.Texts{}
	parts := 0
	for body := range texts.Parts() {
		if err := again.AddPart(body); err != nil {
			t.Fatal(err)
		}
		parts++
	}
	if again.Len() != n || parts != 2 {
		t.Fatalf("%d rows of %d parts", again.Len(), parts)
	}
	for _, texts := range []*columns.Texts{texts, again} {
		for _, row := range []int{0, 1, n - 1} {
			answer, failure := "über 維港", ""
			if row%2 == 1 {
				answer, failure = "", "timeout\nafter 3 s"
			}
			want := [3]string{fmt.Sprintf("question %d?", row), answer, failure}
			if got := [3]string{texts.Question(row), texts.Answer(row), texts.Failure(row)}; got != want {
				t.Errorf("row %d: %q, want %q", row, got, want)
			}
		}
	}
}

// FuzzTexts: no stored part panics, and what can be read is stored again as it was.
func FuzzTexts(f *testing.F) {
	texts := &columns.Texts{}
	texts.Add(&assay.Record{Case: assay.Case{Question: "q"}, Response: &assay.Response{Answer: "a"}})
	for body := range texts.Parts() {
		f.Add(body)
	}
	f.Add([]byte{2, 1, 'q', 0, 0})
	f.Fuzz(func(t *testing.T, body []byte) {
		texts := &columns.Texts{}
		if err := texts.AddPart(body); err != nil {
			if !errors.Is(err, columns.ErrEncoding) {
				t.Fatal(err)
			}
			return
		}
		n := 0
		for again := range texts.Parts() {
			other := &columns.Texts{}
			if err := other.AddPart(again); err != nil || other.Len() != texts.Len() {
				t.Fatalf("%d rows, %v: want %d", other.Len(), err, texts.Len())
			}
			n++
		}
		if n != min(texts.Len(), 1) {
			t.Fatalf("%d parts of %d rows", n, texts.Len())
		}
	})
}
