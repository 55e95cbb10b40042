package cli

import (
	"fmt"
	"slices"

	"github.com/assay-eval/assay/judge"
)

// sampled returns the rows about answers of the run whose scores are compared. Cases that were not drawn from all evenly
// keep their scores and lose their labels.
func sampled(env *Env, labels []judge.Label, from judged) ([]judge.Label, error) {
	var kept []judge.Label
	var runs []string
	others, uneven := 0, 0
	for _, l := range labels {
		if l.Run != "" && !slices.Contains(runs, l.Run) {
			runs = append(runs, l.Run)
		}
		switch {
		case l.Run != "" && from.header != nil && l.Run != from.header.ID && l.Run != from.header.Name:
			others++
			continue
		case l.How != "" && l.How != judge.Random && l.Labels[0] != nil:
			uneven++
			l.Labels = make([]*float64, len(l.Labels))
		}
		kept = append(kept, l)
	}
	if from.header == nil && len(runs) > 1 {
		return nil, fmt.Errorf("labels of %d runs, such as %q and %q, and scores that name none: expected the labels of one run, or --run", len(runs),
			runs[0], runs[1])
	}
	if others > 0 {
		env.Warn("labels of other runs, which do not count: %d", others)
	}
	if uneven > 0 {
		env.Warn("labels of cases that were not drawn from all evenly, which do not count: %d", uneven)
	}
	return onceEach(kept)
}

// onceEach returns the labels with one row for each case. Files may repeat a case of which one of them has the label.
func onceEach(labels []judge.Label) ([]judge.Label, error) {
	var out []judge.Label
	at := map[string]int{}
	for _, l := range labels {
		i, again := at[l.Case]
		if !again {
			at[l.Case] = len(out)
			out = append(out, l)
			continue
		}
		first := &out[i]
		if first.Labels[0] != nil && l.Labels[0] != nil {
			return nil, fmt.Errorf("%s: case %q is labelled twice, first at %s: expected one row for each answer, and further annotators in columns "+
				"label2, label3", l.Origin, l.Case, first.Origin)
		}
		if first.Labels[0] == nil {
			*first, l = l, *first
		}
		if first.Score == nil {
			first.Score = l.Score
		}
		if first.Cluster == "" {
			first.Cluster = l.Cluster
		}
	}
	return out, nil
}
