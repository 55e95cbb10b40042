package speech

import (
	"bufio"
	"encoding/json"
	"math"
	"os"
	"testing"

	"github.com/assay-eval/assay/internal/requiretest"
)

// said is what jiwer says of a pair.
type said struct {
	Name                  string
	Unit                  Unit
	Reference, Hypothesis string
	Counts
	Rate          float64
	MER, WIP, WIL float64
}

// readJiwer reads what scripts/speech/jiwer.sh wrote.
func readJiwer(t *testing.T) []said {
	t.Helper()
	f, err := os.Open(requiretest.Env(t, "ASSAY_JIWER"))
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	var out []said
	lines := bufio.NewScanner(f)
	lines.Buffer(nil, 1<<20)
	for lines.Scan() {
		var s said
		if err := json.Unmarshal(lines.Bytes(), &s); err != nil {
			t.Fatal(err)
		}
		out = append(out, s)
	}
	if err := lines.Err(); err != nil {
		t.Fatal(err)
	}
	return out
}

// TestJiwer compares ten thousand pairs with jiwer: edits and rates are the same
// everywhere but for an empty reference, where jiwer gives the insertions as the
// rate; hits are as many or more, for jiwer keeps the first alignment it finds.
func TestJiwer(t *testing.T) {
	t.Parallel()
	all := readJiwer(t)
	if len(all) < 10_000 {
		t.Fatalf("%d pairs: want ten thousand", len(all))
	}
	more, empty := 0, 0
	for _, s := range all {
		form := func(text string) []string { return s.Unit.Tokens(Profile{Raw: true}.Normalise(text)) }
		c := Count(form(s.Reference), form(s.Hypothesis))
		if c.Reference() != s.Counts.Reference() || c.Hypothesis() != s.Counts.Hypothesis() || c.Errors() != s.Errors() || c.Hits < s.Hits {
			t.Errorf("%s: %+v: jiwer has %+v", s.Name, c, s.Counts)
			continue
		}
		rate, ok := c.Rate()
		if !ok {
			empty++
			if s.Rate != float64(c.Insertions) {
				t.Errorf("%s: jiwer's rate of an empty reference is %v: want %d insertions", s.Name, s.Rate, c.Insertions)
			}
			continue
		}
		if math.Abs(rate-s.Rate) > 1e-12 {
			t.Errorf("%s: rate %v: jiwer has %v", s.Name, rate, s.Rate)
		}
		if c.Hits > s.Hits {
			more++
			continue
		}
		if s.Unit == Words && (math.Abs(c.MatchErrorRate()-s.MER) > 1e-12 || math.Abs(c.InformationPreserved()-s.WIP) > 1e-12 ||
			math.Abs(c.InformationLost()-s.WIL) > 1e-12) {
			t.Errorf("%s: %v, %v, %v: jiwer has %v, %v, %v", s.Name, c.MatchErrorRate(), c.InformationPreserved(), c.InformationLost(), s.MER,
				s.WIP, s.WIL)
		}
	}
	if empty == 0 || more == 0 {
		t.Errorf("%d empty references, %d alignments with more hits: the pairs show neither", empty, more)
	}
	t.Logf("%d pairs: %d with more hits than jiwer's, %d with an empty reference", len(all), more, empty)
}
