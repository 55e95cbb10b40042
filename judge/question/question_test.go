package question_test

import (
	"testing"

	"github.com/assay-eval/assay/judge/question"
)

// Every task and question has a name of its own, and every question puts tasks of
// the table.
func TestTable(t *testing.T) {
	t.Parallel()
	tasks, ids, titles := map[string]bool{}, map[string]bool{}, map[string]bool{}
	for _, task := range question.Tasks() {
		if name := task.Operation(); name == "" || tasks[name] {
			t.Errorf("task %q is there twice, or has no name", name)
		}
		tasks[task.Operation()] = true
	}
	for _, q := range question.All {
		if q.ID() == "" || q.String() == "" || ids[q.ID()] || titles[q.String()] {
			t.Errorf("question %q, %q: want a name and a title of its own", q.ID(), q)
		}
		ids[q.ID()], titles[q.String()] = true, true
		if len(q.Puts()) == 0 {
			t.Errorf("question %s puts no task", q.ID())
		}
		for _, task := range q.Puts() {
			if !tasks[task.Operation()] {
				t.Errorf("question %s puts %q, which is not in the table", q.ID(), task.Operation())
			}
		}
	}
}
