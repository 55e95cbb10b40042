package text_test

import (
	"testing"

	"github.com/assay-eval/assay/internal/text"
)

func TestOtherKnowsFilesByTheirBeginning(t *testing.T) {
	t.Parallel()
	for in, want := range map[string]string{
		"BZh91AY&SY\x97":                           "compressed with bzip2",
		"\xfd7zXZ\x00\x00":                         "compressed with xz",
		"\x80\x05\x95\x04":                         "a pickle of Python",
		"(lp0\n(dp1":                               "a pickle of Python",
		"# cases\n\n[[cases]]\nid = 1\n":           "TOML",
		"title = \"x\"\n[owner]\n\"a b\" = 1\n":    "TOML",
		"PK\x03\x04":                               "a zip archive",
		"":                                         "",
		"BZh is short for it":                      "",
		"[1] first note\n[2] second = other":       "",
		"[\n[\"a\"]\n]":                            "",
		"question = answer\nb = c\n":               "",
		"id,question\nq1,a":                        "",
		"ORCA and Obj are words. ARROW is another": "",
	} {
		if got := text.Other([]byte(in)); got != want {
			t.Errorf("%q: %q, want %q", in, got, want)
		}
	}
	if problem, _ := text.NotText([]byte("BZh91AY&SY\x97\xee")); problem != "compressed with bzip2" {
		t.Errorf("not text: %q", problem)
	}
}
