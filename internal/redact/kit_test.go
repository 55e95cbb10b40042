package redact

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// rulesOf loads rules from the text of a file.
func rulesOf(t testing.TB, text string) *Rules {
	t.Helper()
	dir := t.TempDir()
	write(t, dir, "redact.yaml", text)
	r, err := Load(filepath.Join(dir, "redact.yaml"), "redact.yaml")
	if err != nil {
		t.Fatal(err)
	}
	return r
}

// all returns rules with every recogniser.
func all(t testing.TB) *Rules {
	t.Helper()
	return rulesOf(t, "recognise: ["+strings.Join(recogniserNames(), ", ")+"]\n")
}

// alone redacts a text that stands alone.
func (r *Rules) alone(text string) string { return (&pass{r, Counts{}}).text("", text) }

// write writes a file.
func write(t testing.TB, dir, name, text string) {
	t.Helper()
	if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
}
