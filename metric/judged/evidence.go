package judged

import (
	"fmt"
	"strings"

	"github.com/assay-eval/assay"
	"github.com/assay-eval/assay/internal/text"
	"github.com/assay-eval/assay/judge"
)

// unsupported names the claims that are not supported.
func unsupported(f judge.Finding) string {
	switch f.Verdict {
	case judge.Contradicted:
		return "contradicted"
	case judge.NotFound:
		return "unsupported"
	}
	return ""
}

// ruling names every claim by its ruling.
func ruling(f judge.Finding) string {
	if f.Verdict == judge.Supported && !f.Split() {
		return assay.KindSupported
	}
	return unsupported(f)
}

// missing names the claims of a reference that are not found.
func missing(f judge.Finding) string {
	if unsupported(f) != "" {
		return "missing"
	}
	return ""
}

// list returns the claims that kind names, those without a ruling, and those
// with a split vote, which a person should look at.
func (r rulings) list(kind func(judge.Finding) string) []assay.Evidence {
	var out []assay.Evidence
	for i, f := range r.findings {
		k := kind(f)
		switch {
		case f.Verdict == judge.Unknown:
			k = "unknown"
		case k == "" && f.Split():
			k = "split"
		case k == "":
			continue
		}
		out = append(out, r.evidence(i, k))
	}
	return out
}

// evidence is a claim with the reason of its ruling and its places.
func (r rulings) evidence(i int, kind string) assay.Evidence {
	text := withReason(r.claims[i].Text, r.findings[i].Why)
	return assay.Evidence{Kind: kind, Text: text, Where: r.where(i), Spans: r.spans(i)}
}

func withReason(s, why string) string {
	if why == "" {
		return s
	}
	return s + " — " + why
}

// where names the sentence that makes a claim, the passages that contradict it, others or not,
// and a split vote.
func (r rulings) where(i int) string {
	c, f := r.claims[i], r.findings[i]
	var parts []string
	if c.Sentence > 0 {
		parts = append(parts, fmt.Sprintf("sentence %d", c.Sentence))
	}
	if r.passages {
		against := f.Contrary
		if f.Verdict == judge.Contradicted {
			against = f.Quotes
		}
		for _, q := range against {
			parts = append(parts, fmt.Sprintf("against passage %d", q.Source+1))
		}
	}
	return withVotes(strings.Join(parts, ", "), f.Votes)
}

// withVotes adds a split vote to the place of some evidence.
func withVotes(where string, v judge.Votes) string {
	if !v.Split() {
		return where
	}
	if where != "" {
		where += ", "
	}
	return where + fmt.Sprintf("split vote %d to %d", v.For, v.Against)
}

func passageNumber(i int) string { return fmt.Sprintf("passage %d", i+1) }

// excerpt is the beginning of a text, enough to recognise it.
func excerpt(s string) string { return text.Shorten(text.Collapse(s), 80) }
