package report_test

import (
	"bytes"
	"strings"
	"testing"

	"github.com/assay-eval/assay"
	"github.com/assay-eval/assay/report"
)

// The command under "to reproduce" is one that a shell takes as it was meant.
func TestCommandIsQuoted(t *testing.T) {
	t.Parallel()
	h := assay.Header{ID: "r1", Command: []string{"assay", "run", "--dataset=a/b.json", "--name=it's <b>", "--endpoint=http://x/?a=1&b=2",
		"--value=key=${KEY}", "--threshold=rbp(p=0.8)=0.5"}}
	var b bytes.Buffer
	if err := report.Markdown.Write(&b, report.New(h, nil), report.Options{}); err != nil {
		t.Fatal(err)
	}
	want := `assay run --dataset=a/b.json '--name=it'\''s <b>' '--endpoint=http://x/?a=1&b=2' '--value=key=${KEY}' '--threshold=rbp(p=0.8)=0.5'`
	if !strings.Contains(b.String(), want) {
		t.Errorf("want %s in:\n%s", want, b.String())
	}
}
