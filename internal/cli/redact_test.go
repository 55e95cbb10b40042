package cli_test

import (
	"net/http"
	"os"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/assay-eval/assay/internal/redact/redacttest"
	"github.com/assay-eval/assay/internal/requiretest"
)

// TestImportRedacts imports golden traces with personal data in every text: with rules none of
// it is in what is written, and the cases are as many, with as many parts, as without.
func TestImportRedacts(t *testing.T) {
	t.Parallel()
	written := regexp.MustCompile(`\d+ cases? written to \w+: (.*)`)
	for name, lines := range redacttest.Golden(t, requiretest.Root()) {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			h := harness{t, t.TempDir()}
			h.write("traces.jsonl", string(redacttest.Plant(t, lines)))
			h.write("redact.yaml", redacttest.Rules)
			plain := h.assay(0, "import", "traces", "traces.jsonl", "--output", "plain")
			clean := h.assay(0, "import", "traces", "traces.jsonl", "--output", "clean", "--redact", "redact.yaml")
			plainFiles := h.read("plain/cases.jsonl") + h.read("plain/responses.jsonl")
			if found := redacttest.Reveals(plainFiles); len(found) < len(redacttest.Planted)-2 {
				t.Errorf("without rules only %q are there: the test does not plant", found)
			}
			files := h.read("clean/cases.jsonl") + h.read("clean/responses.jsonl")
			if found := redacttest.Reveals(files + clean); found != nil {
				t.Errorf("with rules %q are there", found)
			}
			if !strings.Contains(files, redacttest.Marks) {
				t.Error("the marks are missing")
			}
			if a, b := written.FindStringSubmatch(plain), written.FindStringSubmatch(clean); a == nil || b == nil || a[1] != b[1] {
				t.Errorf("without rules %q, with rules %q", a, b)
			}
			if !strings.Contains(clean, "assay: redacted by redact.yaml: drop *.planted_id ") {
				t.Errorf("what was redacted is not counted:\n%s", clean)
			}
			if left, err := os.ReadDir(h.dir); err != nil || len(left) != 4 {
				t.Errorf("the folder has %v, %v", left, err)
			}
		})
	}
}

// TestServeRedacts: assay serve says which rules apply, and an import of what it received has
// the marks.
func TestServeRedacts(t *testing.T) {
	t.Parallel()
	h := harness{t, t.TempDir()}
	h.write("redact.yaml", "recognise: [email]\ndrop: [user.*]\n")
	l := serveLive(t, h.dir, "--store", "assay.db", "--redact", "redact.yaml")
	if want := "assay: spans are redacted by redact.yaml before they are stored: drop user.*, email"; !slices.Contains(l.said, want) {
		t.Errorf("the server said %q, want %q", l.said, want)
	}
	l.ask(http.MethodPost, "/v1/traces", `{"resourceSpans":[{"scopeSpans":[{"spans":[{"traceId":"0102030405060708090a0b0c0d0e0f10",`+
		`"spanId":"0000000000000001","attributes":[{"key":"openinference.span.kind","value":{"stringValue":"CHAIN"}},`+
		`{"key":"user.id","value":{"stringValue":"jane"}},{"key":"input.value","value":{"stringValue":"Who is jane.roe@example.org?"}},`+
		`{"key":"output.value","value":{"stringValue":"Jane."}}]}]}]}]}`, "", http.StatusOK)
	l.end()
	h.assay(0, "import", "traces", "--received", "--store", "assay.db", "--output", "out")
	if got := h.read("out/cases.jsonl"); !strings.Contains(got, `"question":"Who is [email]?"`) {
		t.Errorf("the cases are %s", got)
	}
}
