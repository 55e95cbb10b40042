//go:build unix

package cli_test

import (
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"sync/atomic"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/assay-eval/assay/internal/cli"
)

// TestWorkersLearn: the report of a run over workers has what only asking shows, as that of one
// process has it: the version that a target reports, and that the judge's model does not support
// JSON schemas. The latter is told once, whoever asked first.
func TestWorkersLearn(t *testing.T) {
	t.Parallel()
	f := newFleet(t, 60, 0)
	var plain atomic.Int64
	judge := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		body, err := io.ReadAll(r.Body)
		if err != nil {
			t.Error(err)
		}
		if strings.Contains(string(body), "json_schema") {
			w.WriteHeader(http.StatusBadRequest)
			fmt.Fprint(w, `{"error": {"message": "response_format json_schema is not supported"}}`)
			return
		}
		plain.Add(1)
		fmt.Fprint(w, `{"model": "small", "choices": [{"message": {"content": "{\"quote\": \"\", \"why\": \"polite\", \"level\": 0}"}, "finish_reason": "stop"}],
			"usage": {"prompt_tokens": 10, "completion_tokens": 5}}`)
	}))
	t.Cleanup(judge.Close)
	f.write("eval-config.yaml", "providers:\n  local:\n    kind: openai\n    base_url: "+judge.URL+"\n")
	f.write("target.py", `import json, sys
print(json.dumps({"ready": True, "model": "7.1"}), flush=True)
for line in sys.stdin:
    print(json.dumps({"answer": "It is green.", "contexts": []}), flush=True)
`)
	f.worker()
	f.worker()
	args := []string{"--adapter=exec", "--command=python3 target.py", "--endpoint=", "--metrics=toxicity,token_f1", "--judge=local:small"}
	if code, said := f.run("whole", make(chan struct{}), nil, append(args, "--store=whole.db")...); code != cli.ExitOK {
		t.Fatalf("one process: exit code %d\n%s", code, said)
	}
	before := plain.Load()
	if code, said := f.run("shared", make(chan struct{}), nil, append(args, "--workers=queue")...); code != cli.ExitOK {
		t.Fatalf("exit code %d\n%s", code, said)
	}
	if plain.Load() == before {
		t.Error("the workers asked the judge nothing")
	}
	want, got := f.report("whole"), f.report("shared")
	if d := cmp.Diff(want, got); d != "" {
		t.Errorf("the report differs from that of one process (-want +got):\n%s", d)
	}
	text := fmt.Sprint(got)
	if n := strings.Count(text, "does not support JSON schemas"); n == 0 {
		t.Errorf("nothing of the model in %s", text)
	}
	if !slices.Contains(strings.Fields(strings.NewReplacer("map[", " ", "]", " ").Replace(text)), "model:7.1") {
		t.Errorf("no version of the target in %s", text)
	}
}
