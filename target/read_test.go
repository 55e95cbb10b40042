package target_test

import (
	"context"
	"strings"
	"testing"

	"github.com/assay-eval/assay"
	"github.com/assay-eval/assay/target"
)

func TestReadTellsTheKind(t *testing.T) {
	for _, c := range []struct {
		name, in           string
		answers            bool
		document, question string
	}{
		{"JSON lines", "\ufeff\n {\"id\": \"q1\", \"answer\": \"yes\", \"contexts\": [{\"document\": \"d1\"}]}\n", true, "d1", "?"},
		{"results in JSON", "\ufeff{\"q0\": {}, \"q1\": {\"d1\": 1.5, \"d2\": 3.5}}", false, "d2", "?"},
		{"usage first", "{\"usage\": {\"input_tokens\": 3}, \"id\": \"q1\", \"answer\": \"yes\", \"contexts\": [{\"document\": \"d1\"}]}\n", true, "d1", "?"},
		{"TREC run", "q1 Q0 d2 1 3.5 tag\nq1 Q0 d1 2 1.5 tag\n", false, "d2", "?"},
	} {
		r, err := target.Read(strings.NewReader(c.in), "f")
		if err != nil {
			t.Fatalf("%s: %v", c.name, err)
		}
		if r.ReportsAnswers() != c.answers {
			t.Errorf("%s: reports answers: %v, want %v", c.name, r.ReportsAnswers(), c.answers)
		}
		resp, err := r.Ask(context.Background(), &assay.Case{ID: "q1", Question: c.question})
		if err != nil || len(resp.Passages) == 0 || resp.Passages[0].Document != c.document {
			t.Errorf("%s: got %+v, %v; want the passage %q first", c.name, resp, err, c.document)
		}
	}
}

func TestReadOfNothing(t *testing.T) {
	if _, err := target.Read(strings.NewReader(""), "empty.jsonl"); err == nil || !strings.Contains(err.Error(), "empty.jsonl") {
		t.Errorf("got %v, want an error that names the file", err)
	}
}
