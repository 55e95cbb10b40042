package entail_test

import (
	"io"
	"math"
	"path/filepath"
	"strings"
	"testing"

	"github.com/assay-eval/assay/internal/requiretest"
	"github.com/assay-eval/assay/judge/entail"
	"github.com/assay-eval/assay/judge/entail/entailtest"
	"github.com/assay-eval/assay/llm"
	"github.com/assay-eval/assay/rag/embed/embedtest"
)

// opened opens a scorer of a kind as a run does, behind a client.
func opened(t *testing.T, kind string, s entail.Setup, ledger llm.Ledger) entail.Scorer {
	t.Helper()
	k := entail.Kinds.Find(kind)
	source, err := k.Open(s)
	if err != nil {
		t.Fatal(err)
	}
	if c, ok := source.(io.Closer); ok {
		t.Cleanup(func() { _ = c.Close() })
	}
	return entail.NewLedgered(embedtest.Client(t, entail.Provider(kind, source), ledger), s.Model, kind, k.Batch)
}

func python(t *testing.T, object string) entail.Setup {
	return entail.Setup{Python: requiretest.Command(t, "python3"), Model: "testdata/models.py:" + object}
}

// Objects with the interfaces of HHEM, MiniCheck, AlignScore and cross-encoders, and functions.
func TestPython(t *testing.T) {
	t.Parallel()
	pairs := []entail.Pair{
		{Document: "the ferry leaves at nine", Claim: "the ferry leaves at nine"},
		{Document: "the ferry leaves at nine", Claim: "the ferry stays here"},
		{Document: "the ferry leaves at nine", Claim: "nothing"},
	}
	soft := func(share float64) float64 {
		e := math.Exp(4 * share)
		return e / (1 + e + math.Exp(1))
	}
	for object, want := range map[string][]float64{
		"hhem": {1, 0.5, 0}, "minicheck": {1, 0.5, 0}, "alignscore": {1, 0.5, 0}, "plain": {1, 0.5, 0}, "labelled": {1, 0.5, 0}, "HHEM()": nil,
		"cross_encoder": {soft(1), soft(0.5), soft(0)},
	} {
		t.Run(object, func(t *testing.T) {
			t.Parallel()
			s := python(t, object)
			if object == "cross_encoder" {
				s.Label = "LABEL_1"
			}
			got, err := opened(t, "python", s, &embedtest.Ledger{}).Score(t.Context(), pairs)
			if err != nil {
				t.Fatal(err)
			}
			for i := range want {
				if math.Abs(got[i].Entailed-want[i]) > 1e-9 || (got[i].Contradicted != nil) != (object == "labelled") {
					t.Errorf("pair %d: %+v: want %v", i, got[i], want[i])
				}
			}
		})
	}
}

func TestPrograms(t *testing.T) {
	t.Parallel()
	command := entail.Setup{Command: requiretest.Command(t, "python3") + " line.py", Dir: "testdata"}
	t.Run("python", func(t *testing.T) {
		t.Parallel()
		entailtest.Run(t, 0, func(t *testing.T) entail.Scorer { return opened(t, "python", python(t, "hhem"), &embedtest.Ledger{}) })
	})
	t.Run("command", func(t *testing.T) {
		t.Parallel()
		entailtest.Run(t, 0, func(t *testing.T) entail.Scorer { return opened(t, "command", command, &embedtest.Ledger{}) })
	})
	t.Run("contradiction", func(t *testing.T) {
		t.Parallel()
		s := command
		s.Command += " --contradiction"
		got, err := opened(t, "command", s, &embedtest.Ledger{}).Score(t.Context(), []entail.Pair{{Document: "a b", Claim: "a c"}})
		if err != nil || got[0].Entailed != 0.5 || got[0].Contradicted == nil || *got[0].Contradicted != 0.25 {
			t.Errorf("%+v, %v", got, err)
		}
	})
}

// A pair is scored once, whatever it is asked with.
func TestLedger(t *testing.T) {
	t.Parallel()
	ledger := &embedtest.Ledger{}
	s := opened(t, "python", python(t, "hhem"), ledger)
	a, b, c := entail.Pair{Document: "a", Claim: "a"}, entail.Pair{Document: "b", Claim: "a"}, entail.Pair{Document: "c", Claim: "c"}
	for _, pairs := range [][]entail.Pair{{a, b, a}, {b, c}, {c}} {
		if _, err := s.Score(t.Context(), pairs); err != nil {
			t.Fatal(err)
		}
	}
	if n := len(ledger.Calls()); n != 3 {
		t.Errorf("%d calls are kept: want 3", n)
	}
	for _, one := range ledger.Calls() {
		if one.Operation != entail.Operation || strings.Count(string(one.Request), "document") != 1 {
			t.Errorf("%+v: want one pair", one)
		}
	}
}

func TestProgramFails(t *testing.T) {
	t.Parallel()
	pair := []entail.Pair{{Document: "d", Claim: "c"}}
	command := entail.Setup{Command: requiretest.Command(t, "python3") + " line.py", Dir: "testdata"}
	for _, c := range []struct {
		kind  string
		setup entail.Setup
		pairs []entail.Pair
		of    llm.Kind
		want  string
	}{
		{"python", python(t, "short"), pair, llm.KindReply, "0 scores for 1 pairs: expected one for each"},
		{"python", python(t, "beyond"), pair, llm.KindReply, "pair 1: a score of 1.5: expected a probability from 0 to 1"},
		{"python", python(t, "text"), pair, llm.KindReply, `pair 1: a score of "yes": expected a number`},
		{"python", python(t, "cross_encoder"), pair, llm.KindReply, "use --set entailment-label with the one"},
		{"python", python(t, "number"), pair, llm.KindModel, "expected an object with predict or score, or a function of documents and claims"},
		{"python", python(t, "absent"), pair, llm.KindModel, "has no 'absent'"},
		{"python", python(t, "raises"), []entail.Pair{pair[0], {Document: "d", Claim: "bad"}}, llm.KindRequest, "a bad claim"},
		{"command", command, []entail.Pair{{Document: "d", Claim: "no number"}}, llm.KindReply, `the reply's "probability" is high: expected a number`},
		{"command", command, []entail.Pair{{Document: "d", Claim: "fails"}}, llm.KindRequest, "the model is out of memory"},
		{"command", entail.Setup{Command: "no-such-program-here"}, pair, llm.KindModel, "no-such-program-here"},
	} {
		t.Run(c.kind+" "+c.want, func(t *testing.T) {
			t.Parallel()
			ledger := &embedtest.Ledger{}
			_, err := opened(t, c.kind, c.setup, ledger).Score(t.Context(), c.pairs)
			if !llm.IsKind(err, c.of) || !strings.Contains(err.Error(), c.want) {
				t.Errorf("%v\nwant one of kind %s: %s", err, c.of, c.want)
			}
			for _, one := range ledger.Calls() {
				if strings.Contains(string(one.Request), "bad") && !strings.Contains(string(one.Reply), `"failed"`) { // a failure is kept for replays alone
					t.Errorf("kept: %+v", one)
				}
			}
		})
	}
	if _, err := entail.Kinds.Find("command").Open(entail.Setup{}); err == nil || !strings.Contains(err.Error(), "--set entailment-command") {
		t.Errorf("without a command: %v", err)
	}
	if _, err := entail.Kinds.Find("python").Open(entail.Setup{Model: filepath.Join("testdata", "absent.py") + ":x"}); err == nil {
		t.Error("a file that is not there")
	}
}
