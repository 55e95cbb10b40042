package report_test

import (
	"bytes"
	"strings"
	"testing"
	"time"

	"github.com/assay-eval/assay"
	"github.com/assay-eval/assay/report"
)

// The time of a run is that for which the user waited, with its parts where the
// evaluation is not nearly all of it.
func TestWaited(t *testing.T) {
	t.Parallel()
	start := time.Date(2026, 1, 1, 0, 0, 0, 0, time.UTC)
	for name, test := range map[string]struct {
		took          *assay.Took
		reported      time.Duration
		english, zhTW string
	}{
		"unknown":         {nil, 0, " in 8.88 s\n", "耗時 8.88 s\n"},
		"evaluation only": {&assay.Took{Evaluated: 8880 * time.Millisecond}, 0, " in 8.88 s\n", "耗時 8.88 s\n"},
		"below a tenth": {&assay.Took{Prepared: time.Second, Evaluated: 18 * time.Second}, 500 * time.Millisecond, " in 19.50 s\n",
			"耗時 19.50 s\n"},
		"below a second": {&assay.Took{Prepared: 500 * time.Millisecond, Evaluated: time.Second}, 0, " in 1.50 s\n", "耗時 1.50 s\n"},
		"all": {&assay.Took{Prepared: 3100 * time.Millisecond, Evaluated: 8880 * time.Millisecond}, 17620 * time.Millisecond,
			" in 29.60 s (prepared 3.10 s, evaluated 8.88 s, reported 17.62 s)\n",
			"耗時 29.60 s（準備 3.10 s，評估 8.88 s，報告 17.62 s）\n"},
		"no reports": {&assay.Took{Prepared: 3 * time.Second, Evaluated: 8 * time.Second}, 0, " in 11.00 s (prepared 3.00 s, evaluated 8.00 s)\n",
			"耗時 11.00 s（準備 3.00 s，評估 8.00 s）\n"},
		"no preparation": {&assay.Took{Evaluated: 8 * time.Second}, 2 * time.Second, " in 10.00 s (evaluated 8.00 s, reported 2.00 s)\n",
			"耗時 10.00 s（評估 8.00 s，報告 2.00 s）\n"},
	} {
		h := assay.Header{ID: "r", State: "finished", Started: start, Finished: start.Add(8880 * time.Millisecond), Took: test.took}
		r := report.New(h, nil)
		r.Reported = test.reported
		for language, want := range map[string]string{"en": test.english, "zh-Hant": test.zhTW} {
			var out bytes.Buffer
			if err := report.Terminal.Write(&out, r, report.Options{Language: language, Width: 120}); err != nil {
				t.Fatal(err)
			}
			if !strings.Contains(out.String(), want) {
				t.Errorf("%s: want %q in\n%s", name, want, out.String())
			}
		}
		out := bytes.Buffer{}
		if err := report.Terminal.Write(&out, r, report.Options{Short: true, Width: 120}); err != nil {
			t.Fatal(err)
		}
		if told := strings.Contains(out.String(), "(prepared"); told != (name == "all") {
			t.Errorf("%s, short: parts told: %v", name, told)
		}
	}
}
