package words_test

import (
	"strings"
	"testing"
	"unicode"

	"github.com/assay-eval/assay"
	"github.com/assay-eval/assay/internal/query"
	"github.com/assay-eval/assay/report/words"
)

// TestFilterErrorsInEveryLanguage: every mistake in a filter is told in the language of the
// reader, with the same place and the same names.
func TestFilterErrorsInEveryLanguage(t *testing.T) {
	run := query.Vocabulary{Metrics: []assay.MetricInfo{{Name: "mrr@10", Better: "higher", Range: [2]float64{0, 1}}}, Tags: []string{"easy"}}
	zh, _ := words.In("zh-Hant")
	for _, q := range []string{
		"\xff", ")", "a AND", "OR a", "()", "a ( ", "mrr@10<", "<5", `a"b"`, `"a"b`, "a(b", `""`, `"a`, "mrr<1", "nothing<1", "tag<a", "status:x", "question<x",
		"tag:x", "latency<x", "cost<x", "latency~x", "latency<1s,2s", "mrr@10<x", "mrr@10~x", "mrr@10:x", "delta(mrr@10)<0", "flaky:yes", "label:none",
		strings.Repeat("(", 102),
	} {
		parsed, err := query.Parse(q)
		if err == nil {
			_, err = parsed.Compile(run)
		}
		if err == nil {
			t.Errorf("%q: no error", q)
			continue
		}
		english, chinese := query.In(words.English, err), query.In(zh, err)
		if english != err.Error() {
			t.Errorf("%q: %q in English, %q as an error", q, english, err)
		}
		if !strings.ContainsFunc(chinese[len("第"):], func(c rune) bool { return unicode.Is(unicode.Han, c) }) || !strings.HasPrefix(chinese, "第 ") {
			t.Errorf("%q: %q", q, chinese)
		}
		for _, word := range strings.Fields(chinese) {
			switch strings.Trim(word, `".,：;；，。「」`) {
			case "want", "the", "no", "is", "this", "did", "has":
				t.Errorf("%q: %q is left in English", q, chinese)
			}
		}
	}
	_, err := query.ParseOrder("nothing", run)
	if got := query.In(zh, err); !strings.Contains(got, "順序") {
		t.Errorf("an order: %q", got)
	}
}
