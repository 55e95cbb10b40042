//go:build unix

package cli_test

import (
	"bytes"
	"path/filepath"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/assay-eval/assay"
	"github.com/assay-eval/assay/internal/cli"
	"github.com/assay-eval/assay/judge/audit/certify"
	"github.com/assay-eval/assay/store"
)

// TestWorkersCertified: a run over a worker of another machine, which has no file of certificates, has the certificate of
// its judge, and the threshold of its entailment judge is the one of the certificate.
func TestWorkersCertified(t *testing.T) {
	t.Parallel()
	f := newFleet(t, 20, 0)
	f.write("entail.yaml", "simulate: true\n")
	here := f.dir
	f.dir = t.TempDir() // the other machine
	w := f.worker("--cache=kept")
	f.dir = here
	for _, test := range []struct {
		question string
		args     []string
	}{
		{"equivalence", []string{"--metrics=answer_correctness"}},
		{"support", []string{"--metrics=faithfulness", "--entailment=fake:entail.yaml"}},
	} {
		if code, said := f.run("bare", make(chan struct{}), nil, append(test.args, "--store=bare.db")...); code != cli.ExitOK {
			t.Fatalf("%s: without certificates: exit code %d\n%s", test.question, code, said)
		}
		value, threshold := 0.8, 0.75
		c := assay.Certificate{
			Question: test.question, Language: "en", Judge: f.header(filepath.Join(f.dir, "bare.db")).Judge.For(test.question), Level: 0.95,
			Items: 10, Usable: 10, Date: time.Date(2026, 11, 20, 0, 0, 0, 0, time.UTC),
			BalancedAccuracy: assay.Figure{Value: &value, CI: &[2]float64{0.7, 0.9}},
		}
		if test.question == "support" {
			c.Threshold = &threshold
		}
		var file bytes.Buffer
		if err := certify.Write(&file, []assay.Certificate{c}); err != nil {
			t.Fatal(err)
		}
		f.write("certified.json", file.String())
		args := append(test.args, "--set=certificates=certified.json")
		if code, said := f.run("whole", make(chan struct{}), nil, append(args, "--store=whole.db")...); code != cli.ExitOK {
			t.Fatalf("%s: one process: exit code %d\n%s", test.question, code, said)
		}
		if code, said := f.run("shared", make(chan struct{}), nil, append(args, "--workers=queue")...); code != cli.ExitOK {
			t.Fatalf("%s: exit code %d\n%s\n%s", test.question, code, said, w.said)
		}
		if d := cmp.Diff(f.report("whole"), f.report("shared")); d != "" {
			t.Errorf("%s: the report differs from that of one process (-want +got):\n%s", test.question, d)
		}
		h := f.header(f.db)
		if got, ok := h.Certificate(test.question, "en"); !ok || *got.BalancedAccuracy.Value != value {
			t.Errorf("%s: the run has the certificates %+v", test.question, h.Certificates)
		}
		if got := h.Judge.For(test.question).Parameters[assay.ParameterThreshold]; c.Threshold != nil && got != "0.75" {
			t.Errorf("%s: the threshold is %q, want that of the certificate", test.question, got)
		}
	}
}

// header is that of the latest run in a store.
func (f *fleet) header(at string) assay.Header {
	f.Helper()
	s, err := store.Open(f.Context(), at)
	if err != nil {
		f.Fatal(err)
	}
	defer s.Close()
	h, err := s.Run(f.Context(), store.Latest)
	if err != nil {
		f.Fatal(err)
	}
	return h
}
