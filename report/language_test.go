package report_test

import (
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"unicode"

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

// TestTraditionalChinese compares what a person reviews by eye; of the pages it
// holds the headings to be Chinese. -pages writes them.
func TestTraditionalChinese(t *testing.T) {
	t.Parallel()
	o := report.Options{Width: 90, Cases: 1, Language: "zh-Hant", Page: "results/eval_report.html"}
	two := comparison(t, family(40, 0.2, "dense", "hybrid"))
	for _, f := range report.Formats {
		if !f.Prose {
			continue
		}
		texts := map[string]string{
			"gated": render(t, f, gated(t), o), "lost": render(t, f, lost(t, 60, "library", 0), o),
		}
		if f.Compare != nil {
			texts["compare"] = renderComparison(t, f, two, o)
		}
		for name, text := range texts {
			if f.Name == "comment" || f.Name != "html" && name == "gated" {
				continue
			}
			if f.Name != "html" {
				golden(t, name+".zh"+f.Ext, text)
				continue
			}
			holdPage(t, name, text)
			if *pages != "" {
				if err := os.WriteFile(filepath.Join(*pages, name+".zh.html"), []byte(text), 0o644); err != nil {
					t.Fatal(err)
				}
			}
		}
	}
}

var pageHeading = regexp.MustCompile(`(?s)<h[123][^>]*>(.*?)</h[123]>`)

func holdPage(t *testing.T, name, page string) {
	t.Helper()
	if !strings.Contains(page, `<html lang="zh-Hant">`) || !strings.Contains(page, "Noto Sans CJK TC") {
		t.Errorf("%s: want the language and its fonts in the page", name)
	}
	all := pageHeading.FindAllStringSubmatch(page, -1)
	if len(all) < 5 {
		t.Errorf("%s: %d headings", name, len(all))
	}
	for _, h := range all {
		if h[1] != "" && h[1] != "hybrid" && !strings.ContainsFunc(h[1], func(r rune) bool { return unicode.Is(unicode.Han, r) }) {
			t.Errorf("%s: heading %q is not in Chinese", name, h[1])
		}
	}
}
