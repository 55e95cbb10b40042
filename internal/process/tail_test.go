package process_test

import (
	"strings"
	"sync"
	"testing"

	"github.com/assay-eval/assay/internal/process"
	"github.com/assay-eval/assay/internal/secret"
)

// A line from elsewhere does not part one that is still coming: a secret would
// be in two pieces, and in neither be found.
func TestTailKeepsLinesApart(t *testing.T) {
	t.Parallel()
	var passed strings.Builder
	tl := process.Tail{To: &passed, Out: new(sync.Mutex), Secrets: secret.Set{secret.New("planted-secret-3")}}
	for _, step := range []func(){
		func() { tl.Write([]byte("key planted-sec")) },
		func() { tl.Add([]byte("noise planted-secret-3")) },
		func() { tl.Write([]byte("ret-3\nlast")) },
		tl.End,
	} {
		step()
	}
	if want := "noise [secret]\nkey [secret]\nlast"; tl.String() != want || passed.String() != want+"\n" {
		t.Errorf("kept %q, passed on %q: want %q", tl.String(), passed.String(), want)
	}
}
