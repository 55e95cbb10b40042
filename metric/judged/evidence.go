package judged

import (
	"fmt"
	"strings"

	"github.com/assay-eval/assay"
	"github.com/assay-eval/assay/internal/text"
	"github.com/assay-eval/assay/judge"
)

// unsupported lists the claims that are not supported, each with the judge's
// reason, and those on which the votes differed: a person should look at them.
func (s said) unsupported() []assay.Evidence {
	return s.list(func(f judge.Finding) string {
		switch f.Verdict {
		case judge.Contradicted:
			return "contradicted"
		case judge.NotFound:
			return "unsupported"
		}
		return ""
	})
}

// missing lists claims of a reference that are not found where they should be.
func (s said) missing() []assay.Evidence {
	return s.list(func(f judge.Finding) string {
		if f.Verdict == judge.Contradicted || f.Verdict == judge.NotFound {
			return "missing"
		}
		return ""
	})
}

// list shows the claims that kind has a word for, those without a ruling, and
// those whose votes are split.
func (s said) list(kind func(judge.Finding) string) []assay.Evidence {
	var out []assay.Evidence
	for i, f := range s.findings {
		k := kind(f)
		switch {
		case f.Verdict == judge.Unknown:
			k = "unknown"
		case k == "" && f.Split():
			k = "split"
		case k == "":
			continue
		}
		out = append(out, assay.Evidence{Kind: k, Text: reasoned(s.claims[i].Text, f.Why), Where: s.where(i)})
	}
	return out
}

// reasoned puts a reason behind what it is about.
func reasoned(s, why string) string {
	if why == "" {
		return s
	}
	return s + " — " + why
}

// where tells the sentence that makes a claim, the passages that speak against
// it, and how the votes were split.
func (s said) where(i int) string {
	c, f := s.claims[i], s.findings[i]
	var parts []string
	if c.Sentence > 0 {
		parts = append(parts, fmt.Sprintf("sentence %d", c.Sentence))
	}
	if f.Verdict == judge.Contradicted && s.passages {
		for _, q := range f.Quotes {
			parts = append(parts, fmt.Sprintf("against passage %d", q.Source+1))
		}
	}
	if v := votesOf(f.Votes); v != "" {
		parts = append(parts, v)
	}
	return strings.Join(parts, ", ")
}

// votesOf tells how votes were split, "" when they were not.
func votesOf(v judge.Votes) string {
	if !v.Split() {
		return ""
	}
	return fmt.Sprintf("split vote %d to %d", v.For, v.Against)
}

// start gives enough of a text to know it by.
func start(s string) string { return text.Shorten(text.Collapse(s), 80) }
