package cli_test

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"sync"
	"testing"

	"github.com/assay-eval/assay/internal/requiretest"
)

// buildProgram gives the path of the program.
func buildProgram(t *testing.T) string {
	t.Helper()
	bin, err := built.program()
	if err != nil {
		t.Fatal(err)
	}
	return bin
}

// A building is the program as it is installed: made once, when the first test
// wants it, for linking it takes seconds.
type building struct {
	once sync.Once
	dir  string
	err  error
}

var built building

func (b *building) program() (string, error) {
	b.once.Do(func() {
		if b.dir, b.err = os.MkdirTemp("", "assay-program-"); b.err != nil {
			return
		}
		build := exec.Command("go", "build", "-o", b.dir, "./cmd/assay")
		build.Dir = requiretest.Root()
		if out, err := build.CombinedOutput(); err != nil {
			b.err = fmt.Errorf("go build: %w\n%s", err, out)
		}
	})
	return filepath.Join(b.dir, "assay"), b.err
}

// remove takes the program away; nothing when it was not made.
func (b *building) remove() error { return os.RemoveAll(b.dir) }
