package server

import (
	"errors"
	"fmt"
	"net/http"
	"testing"

	"github.com/danielgtaylor/huma/v2"

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
}
