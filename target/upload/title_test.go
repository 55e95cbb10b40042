package upload

import (
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/google/go-cmp/cmp"
	"golang.org/x/text/unicode/norm"
	"pgregory.net/rapid"

	"github.com/assay-eval/assay"
)

func TestFileName(t *testing.T) {
	t.Parallel()
	for in, want := range map[string]string{
		"MED-1 A title":                "MED-1 A title",
		"a/b\\c:d*e|f\"g<h>i?j":        "a b c d e f g h i j",
		" .. .hidden\n\tname . . ":     "hidden name",
		"e\u0301te\u0301":              "\u00e9t\u00e9", // composed
		"smile \U0001F600 here":        "smile here",
		"zero\u200bwidth \u202eRTL":    "zero width RTL",
		"bad \xff bytes":               "bad bytes",
		"...":                          "",
		strings.Repeat("a", 91):        strings.Repeat("a", 90),
		strings.Repeat("é", 91):        strings.Repeat("é", 90),
		strings.Repeat("長", 90):        strings.Repeat("長", 76), // 228 of 230 bytes
		strings.Repeat("a ", 45) + "b": strings.TrimSpace(strings.Repeat("a ", 45)),
	} {
		if got := fileName(in, maxNameRunes, maxNameBytes); got != want {
			t.Errorf("fileName(%q) = %q: want %q", in, got, want)
		}
	}
}

func TestNames(t *testing.T) {
	t.Parallel()
	docs := []assay.Document{
		{ID: "1", Title: "One"}, {ID: "2"}, {ID: "a/b", Title: "x"}, {ID: "a:b", Title: "x"}, {ID: "A b", Title: "X"}, {ID: "0"}, {ID: "///"},
	}
	got, err := names(docs, "{{id}} {{title}}", true)
	if err != nil {
		t.Fatal(err)
	}
	// The marks are the first 4 bytes of the SHA-256 of the ids (sha256sum).
	want := []string{"1 One", "2", "a b x ~c14cddc0", "a b x ~6783a31e", "A b X ~a760b0e1", "0 ~5feceb66", "~732c4e97"}
	if d := cmp.Diff(want, got); d != "" {
		t.Errorf("names (-want +got):\n%s", d)
	}
	if got, err := names(docs[2:3], "{{title}}: {{metadata.lang|en}}", false); err != nil || got[0] != "x: en" {
		t.Errorf("%q, %v", got, err)
	}
}

// TestNamesAreFiles: whatever documents are called, every name is one of its
// own, Notes would change nothing in it, and its number still fits.
func TestNamesAreFiles(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		part := rapid.StringMatching(`[a-cA-C .:/?*0長é\x{1F600}\n\t]{0,120}`)
		var docs []assay.Document
		for _, id := range rapid.SliceOfNDistinct(part.Filter(func(s string) bool { return s != "" }), 1, 12, rapid.ID[string]).Draw(t, "ids") {
			docs = append(docs, assay.Document{ID: id, Title: part.Draw(t, "title")})
		}
		got, err := names(docs, "{{id}} {{title}}", true)
		if err != nil {
			t.Fatal(err)
		}
		seen := map[string]bool{}
		for i, n := range got {
			folded := strings.ToLower(n)
			switch {
			case n == "" || n == "0" || seen[folded]:
				t.Fatalf("%q is named %q, which is no name of its own", docs[i].ID, n)
			case strings.ContainsAny(n, illegal) || strings.Trim(n, ". \n\t") != n || strings.Contains(n, "  ") || !norm.NFC.IsNormalString(n):
				t.Fatalf("%q is named %q, which a server would change", docs[i].ID, n)
			case utf8.RuneCountInString(n) > 100-len(" (2)") || len(n) > 250-len(".txt")-len(" (2)"):
				t.Fatalf("%q is too long: %d characters, %d bytes", n, utf8.RuneCountInString(n), len(n))
			}
			seen[folded] = true
		}
	})
}
