package wire

import (
	"os"
	"path/filepath"
	"slices"
	"testing"

	"github.com/assay-eval/assay"
	"github.com/assay-eval/assay/internal/config"
	"github.com/assay-eval/assay/metric"
	"github.com/assay-eval/assay/metric/catalog"
	"github.com/assay-eval/assay/target/adapter"
)

// A definition and the programs that it names are the scheme of the metric.
func TestSchemeOf(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	path := func(name string) string { return filepath.Join(dir, name) }
	write := func(s string) {
		if err := os.WriteFile(path("check.py"), []byte(s), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	program := assay.Check{Kind: assay.CheckSet, Checks: []assay.Check{{Kind: assay.CheckExec, Value: "python3 -u check.py"}}}
	write("pass")
	first := schemeOf(program, path)
	if first != schemeOf(program, path) {
		t.Error("the same program has two schemes")
	}
	write("fail")
	if first == schemeOf(program, path) {
		t.Error("a program that changed has the same scheme")
	}
	nine, ten := 9.0, 10.0
	if schemeOf(assay.Check{Kind: assay.CheckLength, Max: &nine}, path) == schemeOf(assay.Check{Kind: assay.CheckLength, Max: &ten}, path) {
		t.Error("two definitions have the same scheme")
	}
}

// All checks are measured that the target has something for, unless some are chosen by name.
func TestAddChecks(t *testing.T) {
	t.Parallel()
	one := 1.0
	cfg := config.Config{Checks: map[string]assay.Check{
		"words": {Kind: assay.CheckContains, Value: "x"}, "fast": {Kind: assay.CheckLatency, Threshold: &one},
	}}
	w := &wiring{cfg: cfg, known: Metrics(cfg, nil)}
	chosen, err := catalog.All().ParseAll([]string{"recall@5"})
	if err != nil {
		t.Fatal(err)
	}
	names := func(metrics []metric.Metric) (out []string) {
		for _, m := range metrics {
			out = append(out, m.Name)
		}
		return out
	}
	out, left, err := w.addChecks(chosen, adapter.Anything)
	if got := names(out); err != nil || left != nil || !slices.Equal(got, []string{"recall@5", "check.fast", "check.words"}) {
		t.Errorf("%q, %q, %v: want both checks", got, left, err)
	}
	out, left, err = w.addChecks(chosen, metric.ReadPassages)
	if got := names(out); err != nil || !slices.Equal(got, []string{"recall@5", "check.fast"}) ||
		!slices.Equal(left, []string{"check.words left out: the target does not report the answer"}) {
		t.Errorf("%q, %q, %v: want the one that needs no answer", got, left, err)
	}
	if chosen, err = w.known.ParseAll([]string{"check.words"}); err != nil {
		t.Fatal(err)
	}
	if out, _, err := w.addChecks(chosen, adapter.Anything); err != nil || len(out) != 1 {
		t.Errorf("%q, %v: want the one that was named", names(out), err)
	}
}

// checks_passed asks a judge only if there is one, and a case with a statement.
func TestAskChecks(t *testing.T) {
	t.Parallel()
	metrics, err := catalog.All().ParseAll([]string{"checks_passed"})
	if err != nil {
		t.Fatal(err)
	}
	plain := assay.CasesOf(assay.Case{Want: assay.Want{Checks: []assay.Check{{Kind: assay.CheckIsJSON}}}})
	judged := assay.CasesOf(assay.Case{Want: assay.Want{Checks: []assay.Check{
		{Kind: assay.CheckSet, Checks: []assay.Check{{Kind: assay.CheckMustState, Value: "x"}}},
	}}})
	for _, c := range []struct {
		judges []string
		cases  *assay.Cases
		asks   int
	}{
		{nil, judged, 0}, {[]string{"fake:x"}, plain, 0}, {[]string{"fake:x"}, judged, 1}, {[]string{"offline"}, judged, 1},
	} {
		w := &wiring{cfg: config.Config{Judges: c.judges}}
		if got := w.ownChecks(metrics, c.cases, metric.ReadAnswer)[0].Asks(); len(got) != c.asks {
			t.Errorf("judges %q: %d questions, want %d", c.judges, len(got), c.asks)
		}
	}
	if len(metrics[0].Asks()) != 0 {
		t.Error("the list of metrics was changed")
	}
	// The checks of cases run whatever was chosen, and no judge is asked about answers that are not given.
	w := &wiring{cfg: config.Config{Judges: []string{"fake:x"}}, known: catalog.All()}
	chosen, err := catalog.All().ParseAll([]string{"hit@3"})
	if err != nil {
		t.Fatal(err)
	}
	for cases, want := range map[*assay.Cases]string{plain: "hit@3 checks_passed", assay.CasesOf(assay.Case{}): "hit@3"} {
		if got := w.ownChecks(chosen, cases, everything); names(got) != want {
			t.Errorf("%q, want %q", names(got), want)
		}
	}
	if got := w.ownChecks(metrics, judged, metric.ReadPassages)[0].Asks(); got != nil {
		t.Errorf("asks %v without an answer", got)
	}
}
