package store_test

import (
	"strings"
	"testing"

	"github.com/assay-eval/assay/store"
)

// TestDrivers checks which references are files and which are remote, and that an unknown
// scheme is an error that does not repeat a password.
func TestDrivers(t *testing.T) {
	t.Parallel()
	for _, test := range []struct {
		ref          string
		file, remote bool
	}{
		{"results/assay.db", true, false},
		{`C:\runs\assay.db`, true, false},
		{"postgres", true, false},
		{"postgres://user@localhost/db", false, false},
		{"postgresql://127.0.0.1/db", false, false},
		{"postgres://db.example.org/db", false, true},
		{"mysql://user:planted@db/x", false, false},
	} {
		if file, remote := store.IsFile(test.ref), store.IsRemote(test.ref); file != test.file || remote != test.remote {
			t.Errorf("%s: file %t, remote %t", test.ref, file, remote)
		}
	}
	_, err := store.Open(t.Context(), "mysql://user:planted@db/x")
	if err == nil || !strings.Contains(err.Error(), store.Forms()) || strings.Contains(err.Error(), "planted") {
		t.Errorf("unknown scheme: %v", err)
	}
}
