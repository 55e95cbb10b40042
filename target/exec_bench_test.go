package target_test

import (
	"testing"

	"github.com/assay-eval/assay"
	"github.com/assay-eval/assay/internal/requiretest"
	"github.com/assay-eval/assay/target"
)

// What a question costs beside the work of the command.
func BenchmarkExec(b *testing.B) {
	many := func(b *testing.B, e *target.Exec) {
		if err := e.Open(b.Context()); err != nil {
			b.Fatal(err)
		}
		b.SetParallelism(8)
		b.RunParallel(func(pb *testing.PB) {
			for pb.Next() {
				if _, err := e.Ask(b.Context(), &assay.Case{ID: "1", Question: "one?"}); err != nil {
					b.Error(err)
					return
				}
			}
		})
	}
	b.Run("one at a time", func(b *testing.B) { many(b, helper(b, "", nil)) })
	b.Run("pipelined", func(b *testing.B) { many(b, helper(b, "", func(c *target.ExecConfig) { c.Pipelined = true })) })
	b.Run("python", func(b *testing.B) { many(b, python(b, requiretest.Command(b, "python3"), "shim/app.py:answer", nil)) })
}
