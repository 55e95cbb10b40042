package llm_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/assay-eval/assay/internal/requiretest"
	"github.com/assay-eval/assay/llm"
)

func TestReadFakeScriptErrors(t *testing.T) {
	t.Parallel()
	for _, c := range []struct{ yaml, want string }{
		{"", "s.yaml: an empty script"},
		{"# only a remark\n", "s.yaml: an empty script"},
		{"rules: []\n---\nrules: []\n", "s.yaml:3: a second document: expected one"},
		{"rules:\n- text: a\n  txet: b\n", `s.yaml:3: unknown field "txet"`},
		{"faults:\n  rate: 0.1\n  rat: 1\n", `s.yaml:3: unknown field "rat"`},
		{"rules:\n- text: a\n  text: b\n", "s.yaml:3: mapping key"},
		{"rules: 5\n", "s.yaml:1: "},
		{"rules: [\n", "s.yaml:1: "},
		{"latency: 5\n", "s.yaml:1: "},
		{"rules:\n- text: &a b\n- text: *a\n", `s.yaml:2: "&": expected the value itself`},
		{"rules:\n- when: {operation: a}\n", "s.yaml:2: rules[0]: no outcome"},
		{"rules:\n- text: a\n- text: b\n  status: 500\n", "s.yaml:3: rules[1]: more than one outcome"},
		{"rules:\n- text: a\n  when:\n    matches: '('\n", "s.yaml:4: rules[0].when.matches: error parsing regexp"},
		{"rules:\n- text: a\n  when:\n    nth: -1\n", "s.yaml:4: rules[0].when.nth: -1: expected 1 or more"},
		{"rules:\n- status: 200\n", "s.yaml:2: rules[0].status: 200: expected 400 to 599"},
		{"rules:\n- text: a\n  retry_after: 1s\n", "s.yaml:3: rules[0].retry_after: only a status"},
		{"rules:\n- status: 429\n  retry_after: -1s\n", "s.yaml:3: rules[0].retry_after: -1s"},
		{"rules:\n- text: a\n  delay: -1s\n", "s.yaml:3: rules[0].delay: -1s"},
		{"rules:\n- text: a\n  fault: hang\n", `s.yaml:3: rules[0].fault: "hang": expected one of ["fence"`},
		{"rules:\n- hang: true\n  fault: fence\n", "s.yaml:3: rules[0].fault: a fault needs a reply"},
		{"rules:\n- reply: {a: .nan}\n", "s.yaml:2: rules[0].reply: "},
		{"rules:\n- text: a\n  usage: {input: -1}\n", "s.yaml:3: rules[0].usage: negative token count"},
		{"faults:\n  rate: 1.5\n", "s.yaml:2: faults.rate: 1.5: expected 0 to 1"},
		{"faults:\n  rate: .nan\n", "s.yaml:2: faults.rate: NaN"},
		{"faults:\n  kinds: [fence, fenc]\n", `s.yaml:2: faults.kinds[1]: "fenc": expected one of`},
		{"faults: {retry_after: -1s}\n", "s.yaml:1: faults.retry_after: -1s"},
		{"latency: -1s\n", "s.yaml:1: latency: -1s"},
		{"rules:\n- text: \xff\n", "s.yaml: expected UTF-8"},
		{"#" + strings.Repeat("x", 1<<20), "s.yaml: 1048577 bytes: expected at most 1048576"},
	} {
		_, err := llm.ReadFakeScript("s.yaml", []byte(c.yaml))
		if err == nil || !strings.HasPrefix(err.Error(), c.want) || strings.Contains(err.Error(), "\n") {
			t.Errorf("%q: %v, want %q", c.yaml[:min(len(c.yaml), 60)], err, c.want)
		}
	}
}

func TestReadFakeScript(t *testing.T) {
	t.Parallel()
	got, err := llm.ReadFakeScript("s", []byte("\ufeffsimulate: true\nlog: calls.jsonl\nfaults: {rate: 0.3, seed: 7, kinds: [fence, hang]}\n"))
	want := llm.FakeScript{
		Simulate: true,
		Log:      "calls.jsonl",
		Faults:   llm.FakeFaults{Rate: 0.3, Seed: 7, Kinds: []llm.FakeFault{llm.FaultFence, llm.FaultHang}},
	}
	if d := cmp.Diff(want, got); err != nil || d != "" {
		t.Errorf("%v (-want +got):\n%s", err, d)
	}
}

func TestNewFakeChecks(t *testing.T) {
	t.Parallel()
	_, err := llm.NewFake(llm.FakeScript{Rules: []llm.FakeRule{{Status: 7}}})
	if err == nil || !strings.HasPrefix(err.Error(), "fake: rules[0].status: 7") {
		t.Errorf("a status that is none: %v", err)
	}
}

// TestExampleScripts reads the scripts that the examples ship with.
func TestExampleScripts(t *testing.T) {
	t.Parallel()
	paths, err := filepath.Glob(filepath.Join(requiretest.Root(), "examples", "fake-judge", "*.yaml"))
	if err != nil || len(paths) == 0 {
		t.Fatalf("no example scripts: %v", err)
	}
	for _, path := range paths {
		data, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		if _, err := llm.ReadFakeScript(filepath.Base(path), data); err != nil {
			t.Error(err)
		}
	}
}

func FuzzReadFakeScript(f *testing.F) {
	for _, seed := range []string{
		"simulate: true\nfaults: {rate: 0.3, seed: 7, kinds: [fence]}\nlog: a\nlatency: 1s\n",
		"rules:\n- when: {operation: a, contains: b, matches: c, model: d, nth: 1}\n  reply: {nonce: '{{nonce}}', items: [1, null]}\n  thinking: t\n  delay: 1ms\n  usage: {input: 1}\n",
		"rules:\n- status: 429\n  retry_after: 1s\n- hang: true\n- closed: true\n- text: |\n    a\n", "a: &b [*b]\n", "---\n---\n", "? a\n: b\n",
	} {
		f.Add([]byte(seed))
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		s, err := llm.ReadFakeScript("s", data)
		if err != nil {
			return
		}
		s.Log = ""
		if _, err := llm.NewFake(s); err != nil {
			t.Errorf("a script that was read is refused: %v", err)
		}
	})
}
