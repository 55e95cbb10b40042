package cli_test

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/assay-eval/assay/internal/requiretest"
)

// The example of questions that are spoken: a name that was misheard twice is
// among the keywords, and what differs by script alone is folded away.
func TestSpeechExample(t *testing.T) {
	t.Parallel()
	h := harness{t, t.TempDir()}
	if err := os.CopyFS(h.dir, os.DirFS(filepath.Join(requiretest.Root(), "examples", "speech"))); err != nil {
		t.Fatal(err)
	}
	// Characters: 3 wrong of 38, 2 of 19, 12 of 18 and 3 of 8, the last three by
	// script alone: 20/83 and 17/83. Keywords: both of the first case, the name in
	// the third and 打風 in the last: 4/7. The only number, 30, was heard as 13.
	h.wants(h.assay(0, "run", "-v", "--adapter", "recorded", "--dataset", "spoken.jsonl", "--responses", "responses.jsonl",
		"--metrics", "cer,cer(folded),keyword_error_rate,number_error_rate"),
		`^ cer ↓ +0\.241 `, `^ cer\(script=folded\) ↓ +0\.205 `, `^ keyword_error_rate ↓ +0\.571 `, `^ number_error_rate ↓ +1\.000 `,
		`, 1 was lost at transcribe\.$`, `^ transcribe +█+░+ +3 +1 +25 % `)
	h.wants(h.assay(0, "measure", "transcript", "ref.tsv", "hyp.tsv", "--keyword", "Cedar Pier"),
		`^\* mixed +0\.371 `, `^script mismatch 0\.036: characters 0\.241 strict, 0\.205 folded$`, `lost 30, heard and not said 13$`)
}
