package report_test

import (
	"testing"

	"github.com/assay-eval/assay/report"
)

func TestAccept(t *testing.T) {
	t.Parallel()
	for header, want := range map[string]string{
		"zh-TW,zh;q=0.9,en;q=0.8": "zh-Hant",
		"zh-Hant":                 "zh-Hant",
		"zh-HK":                   "zh-Hant",
		"en-GB, zh-TW;q=0.5":      "en",
		"fr, zh-TW;q=0.5, en;q=0": "zh-Hant",
		"zh-CN":                   "other",
		"fr":                      "other",
		"":                        "other",
		"*":                       "other",
		";;;q=x":                  "other",
	} {
		if got := report.Accept(header, "other"); got != want {
			t.Errorf("Accept-Language: %s: %q, want %q", header, got, want)
		}
	}
}
