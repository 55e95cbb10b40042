package target_test

import (
	"testing"

	"github.com/assay-eval/assay/internal/requiretest"
	"github.com/assay-eval/assay/target"
	"github.com/assay-eval/assay/target/reply"
)

// A program whose reply holds nothing where the user's paths point has given
// none, and the message says what would be right.
func TestExecPathsThatFindNothing(t *testing.T) {
	t.Parallel()
	requiretest.Command(t, "sh")
	read, err := reply.NewMapping(map[string]string{"answer": "data.text"})
	if err != nil {
		t.Fatal(err)
	}
	e, err := target.NewExec(target.ExecConfig{Command: []string{"sh", "-c", `while read line; do echo '{"data": {"message": "Within 30 ` +
		`days of purchase, in full."}}'; done`}, Read: read})
	if err != nil {
		t.Fatal(err)
	}
	defer e.Close()
	execFails(t, e, "q", target.Reply, "neither an answer nor passages", "read.answer: data.message (--read answer=data.message)")
}
