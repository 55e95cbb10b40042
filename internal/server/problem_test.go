package server

import (
	"errors"
	"fmt"
	"io/fs"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"syscall"
	"testing"

	"github.com/danielgtaylor/huma/v2"
	"github.com/danielgtaylor/huma/v2/humatest"

	"github.com/assay-eval/assay/store"
)

// TestAFullDiskIsNoDefect: what the store cannot keep is a 503 with the reason.
func TestAFullDiskIsNoDefect(t *testing.T) {
	b := start(t)
	var said huma.StatusError
	if err := b.server.fail(t.Context(), fmt.Errorf("run: %w", store.ErrFull)); !errors.As(err, &said) ||
		said.GetStatus() != http.StatusServiceUnavailable || said.Error() != "the store cannot be written: the disk is full" {
		t.Errorf("%v: want a 503 with the reason", err)
	}
	// The folder for temporary files is another disk than that of the store.
	temp := &fs.PathError{Op: "write", Path: filepath.Join(os.TempDir(), "assay-upload-1", "x"), Err: syscall.ENOSPC}
	want := "the folder for temporary files (TMPDIR), " + os.TempDir() + ", cannot be written: the disk is full"
	if err := b.server.fail(t.Context(), fmt.Errorf("run: %w", temp)); !errors.As(err, &said) ||
		said.GetStatus() != http.StatusServiceUnavailable || said.Error() != want {
		t.Errorf("%v: want %q", err, want)
	}
	upload := &huma.ErrorModel{Status: http.StatusUnprocessableEntity, Detail: "validation failed",
		Errors: []*huma.ErrorDetail{{Location: "body", Message: "cannot read multipart form: " + temp.Error()}}}
	got, err := problemTransformer(humatest.NewContext(nil, httptest.NewRequest(http.MethodPost, "/", nil), nil), "", upload)
	if p, ok := got.(*huma.ErrorModel); err != nil || !ok || p.Status != http.StatusServiceUnavailable || p.Detail != want {
		t.Errorf("%+v, %v: want %q", got, err, want)
	}
}
