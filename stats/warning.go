package stats

import (
	"bytes"
	"fmt"
	"regexp"
	"strconv"
	"sync"
)

// A Warning says what limits an estimate or a comparison, or why another test was
// used. A report words it in its language; String is English.
type Warning struct {
	Kind WarningKind
	// N and M count cases, Value is a level or a p-value, Test names the test that
	// was asked for: as the kind says. N is 0 in a warning that stands for several
	// of its kind.
	N, M  int
	Value float64
	Test  Test
	// Groups is set if N counts groups of cases.
	Groups bool
	// Text is that of a [StoredWarning].
	Text string
}

// A WarningKind is what a [Warning] is about.
type WarningKind int

const (
	// StoredWarning has a text alone: it was read from a file.
	StoredWarning WarningKind = iota
	// NotFinite: the values have no mean.
	NotFinite
	// NoSuchLevel: there is no interval at the level Value.
	NoSuchLevel
	// OneGroup: all cases are of one group, so there is no interval.
	OneGroup
	// AllEqual: N equal values give an interval without width.
	AllEqual
	// FewCases: N cases are too few for a decision.
	FewCases
	// CannotBeSignificant: only N cases differ, too few for any p-value below the
	// level.
	CannotBeSignificant
	// FewDiffer: only N cases differ.
	FewDiffer
	// Discordant: N cases pass only in the new run, M only in the old one; Value is
	// McNemar's exact p.
	Discordant
	// MeansOfCases: a pooled metric is compared by the mean over cases.
	MeansOfCases
	// MeanAgainstCases: the mean says one thing, most cases another: N are better,
	// M worse.
	MeanAgainstCases
	// TestNeedsTwoCases and the kinds below say why Test was not used.
	TestNeedsTwoCases
	TestNeedsVariation
	TestNeedsIndependence
	TestNeedsFinite
	TestNeedsBinary
	// Kinds is the number of kinds.
	Kinds
)

// General is the warning without its numbers of cases, so that one remark serves
// several rows.
func (w Warning) General() Warning {
	switch w.Kind {
	case FewCases, CannotBeSignificant, FewDiffer, MeanAgainstCases:
		w.N, w.M = 0, 0
	}
	return w
}

func (w Warning) String() string {
	switch w.Kind {
	case NotFinite:
		return "a value is not finite, or too large to be added: there is no mean"
	case NoSuchLevel:
		return fmt.Sprintf("no interval at the level %v: expected a number between 0 and 1", w.Value)
	case OneGroup:
		return "all cases are of one group: no interval can be given"
	case AllEqual:
		return fmt.Sprintf("all %d values are equal and do not say how far others may differ: no interval", w.N)
	case FewCases:
		return few(w.N, "case") + ": enough for a smoke test, not for a decision"
	case CannotBeSignificant:
		return "cannot be significant: " + w.fewDiffer()
	case FewDiffer:
		return w.fewDiffer() + ": small effects cannot be shown"
	case Discordant:
		return fmt.Sprintf("%d cases pass only in the new run, %d only in the old one; exact p = %.3g", w.N, w.M, w.Value)
	case MeansOfCases:
		return "compared by the mean over cases, not pooled"
	case MeanAgainstCases:
		s := "mean and most cases disagree (mean_and_sign_disagree)"
		if w.N+w.M == 0 {
			return s
		}
		return fmt.Sprintf("%s: %d better, %d worse", s, w.N, w.M)
	case TestNeedsTwoCases:
		return w.instead("two independent cases")
	case TestNeedsVariation:
		return w.instead("differences that vary")
	case TestNeedsIndependence:
		return w.instead("independent cases, and these are grouped")
	case TestNeedsFinite:
		return w.instead("finite differences")
	case TestNeedsBinary:
		return w.instead("scores of 0 or 1")
	}
	return w.Text
}

func (w Warning) instead(needs string) string {
	return fmt.Sprintf("the %s test needs %s: using the sign-flip test", w.Test, needs)
}

func few(n int, what string) string {
	switch n {
	case 0:
		return "few " + what + "s"
	case 1:
		return "only 1 " + what
	}
	return fmt.Sprintf("only %d %ss", n, what)
}

func (w Warning) fewDiffer() string {
	what := "case"
	if w.Groups {
		what = "group"
	}
	if w.N == 1 {
		return few(w.N, what) + " differs"
	}
	return few(w.N, what) + " differ"
}

// MarshalText writes the English text.
func (w Warning) MarshalText() ([]byte, error) { return []byte(w.String()), nil }

// The expressions are compiled at the first use, so that a start of the program does not
// pay for them.
var (
	number   = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`[0-9]+(\.[0-9]+)?(e[-+][0-9]+)?`) })
	testName = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`^the (\S+) test`) })
)

// UnmarshalText reads what MarshalText writes. Any other text is a [StoredWarning].
func (w *Warning) UnmarshalText(text []byte) error {
	var try Warning
	values := []float64{0}
	for _, s := range number().FindAllString(string(text), -1) {
		v, _ := strconv.ParseFloat(s, 64) // the pattern admits only numbers
		values = append(values, v)
	}
	if len(values) > 1 {
		try.N = int(values[1])
	}
	if len(values) > 2 {
		try.M = int(values[2])
	}
	if m := testName().FindSubmatch(text); m != nil {
		try.Test = Test(m[1])
	}
	try.Groups = bytes.Contains(text, []byte("group"))
	for try.Kind = range Kinds {
		for _, try.Value = range values {
			if try.String() == string(text) {
				*w = try.used()
				return nil
			}
		}
	}
	*w = Warning{Text: string(text)}
	return nil
}

// used is the warning with only the fields that its kind uses.
func (w Warning) used() Warning {
	out := Warning{Kind: w.Kind}
	switch w.Kind {
	case NoSuchLevel:
		out.Value = w.Value
	case AllEqual, FewCases, CannotBeSignificant, FewDiffer:
		out.N, out.Groups = w.N, w.Groups
	case Discordant:
		out.N, out.M, out.Value = w.N, w.M, w.Value
	case MeanAgainstCases:
		out.N, out.M = w.N, w.M
	case TestNeedsTwoCases, TestNeedsVariation, TestNeedsIndependence, TestNeedsFinite, TestNeedsBinary:
		out.Test = w.Test
	}
	return out
}
