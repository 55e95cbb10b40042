package extract_test

import (
	"bytes"
	"context"
	"strings"
	"testing"

	"github.com/assay-eval/assay/internal/require"
	"github.com/assay-eval/assay/rag/extract"
)

// TestPDFFallback reads a file that points to its table of objects wrongly: the
// library cannot open it, pdftotext rebuilds the table.
func TestPDFFallback(t *testing.T) {
	t.Parallel()
	require.Command(t, "pdftotext")
	whole := pagePDF("", noFont, "", "BT /F1 10 Tf 72 700 Td (The ferry leaves at eight in the morning.) Tj ET")
	at := bytes.LastIndex(whole, []byte("startxref\n")) + len("startxref\n")
	astray := append(bytes.Clone(whole[:at]), "7\n%%EOF\n"...)
	doc, err := extract.Parse(context.Background(), "astray.pdf", astray)
	if err != nil {
		t.Fatal(err)
	}
	if want := "The ferry leaves at eight in the morning."; strings.TrimSpace(doc.Text) != want {
		t.Errorf("got %q, want %q", doc.Text, want)
	}
}
