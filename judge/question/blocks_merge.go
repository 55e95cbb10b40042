package question

import (
	"cmp"
	"slices"

	"github.com/assay-eval/assay/judge"
)

// merged decides a claim by the findings on it in blocks of passages:
//
//   - supported if a block supports it, and a conflict if another contradicts it;
//   - contradicted if a block contradicts it and none supports it;
//   - unknown if no block decides and one has no ruling;
//   - else not found, with the parts that blocks say.
//
// Without findings there was no text to find it in. The same holds at both ends of the interval of
// a threshold.
func merged(found []judge.Finding) judge.Finding {
	out := mergedHere(found)
	if out.Ends = nil; slices.ContainsFunc(found, func(f judge.Finding) bool { return f.Ends != nil }) {
		out.Ends = &[2]judge.Finding{}
		for end := range out.Ends {
			there := slices.Clone(found)
			for i := range there {
				there[i] = there[i].AtEnd(end)
			}
			out.Ends[end] = mergedHere(there)
		}
	}
	return out
}

func mergedHere(found []judge.Finding) judge.Finding {
	by := map[judge.Verdict][]judge.Finding{}
	for _, f := range found {
		by[f.Verdict] = append(by[f.Verdict], f)
	}
	var out judge.Finding
	switch {
	case len(found) == 0:
		return judge.Finding{Verdict: judge.NotFound, Why: "there is no text to find it in"}
	case by[judge.Supported] != nil:
		out = supported(by[judge.Supported], by[judge.Contradicted])
	case by[judge.Contradicted] != nil:
		out = firmest(by[judge.Contradicted])
		out.Quotes = quotesOf(by[judge.Contradicted], func(f judge.Finding) []judge.Quote { return f.Quotes })
		// A silent block that nearly supported it makes the ruling as doubtful.
		out.Votes = weakest(append(by[judge.NotFound], out)).Votes
	case by[judge.Unknown] != nil:
		return by[judge.Unknown][0]
	default:
		// The reason of the one that says most.
		out = slices.MaxFunc(found, func(a, b judge.Finding) int {
			return cmp.Or(cmp.Compare(min(1, len(a.Parts)), min(1, len(b.Parts))), cmp.Compare(a.Degree, b.Degree))
		})
		out.Parts = quotesOf(found, func(f judge.Finding) []judge.Quote { return f.Parts })
		out.Votes = weakest(found).Votes
		out.Degree = highest(found)
	}
	out.Sure = false
	for _, f := range found {
		if f.Score != nil && (out.Score == nil || *f.Score > *out.Score) {
			out.Score = f.Score
		}
	}
	return out
}

// supported merges the findings of the blocks that support a claim, and of those that
// contradict it.
func supported(supports, denies []judge.Finding) judge.Finding {
	out := firmest(supports)
	out.Degree = highest(supports)
	out.Quotes = quotesOf(supports, func(f judge.Finding) []judge.Quote { return f.Quotes })
	out.Singly = !slices.ContainsFunc(supports, func(f judge.Finding) bool { return !f.Singly })
	out.Contrary = quotesOf(append(slices.Clone(supports), denies...), func(f judge.Finding) []judge.Quote {
		if f.Verdict == judge.Contradicted {
			return f.Quotes
		}
		return f.Contrary
	})
	if len(denies) > 0 {
		against := firmest(denies)
		out.Votes = weakest([]judge.Finding{out, against}).Votes
		out.Why += "; against it: " + against.Why
	}
	return out
}

// quotesOf collects quotes of findings, by source.
func quotesOf(found []judge.Finding, of func(judge.Finding) []judge.Quote) []judge.Quote {
	var out []judge.Quote
	for _, f := range found {
		out = append(out, of(f)...)
	}
	slices.SortStableFunc(out, func(a, b judge.Quote) int { return cmp.Compare(a.Source, b.Source) })
	return out
}

// highest is the highest degree of findings.
func highest(found []judge.Finding) float64 {
	out := found[0].Degree
	for _, f := range found {
		out = max(out, f.Degree)
	}
	return out
}

// margin is by how many votes a finding was decided.
func margin(f judge.Finding) int { return f.For - f.Against }

// firmest is the finding with the greatest margin, the first of several: one of them suffices.
func firmest(found []judge.Finding) judge.Finding {
	return slices.MaxFunc(found, func(a, b judge.Finding) int { return cmp.Compare(margin(a), margin(b)) })
}

// weakest is the finding with the smallest margin, the first of several: all of them are needed.
func weakest(found []judge.Finding) judge.Finding {
	return slices.MinFunc(found, func(a, b judge.Finding) int { return cmp.Compare(margin(a), margin(b)) })
}

// partSources lists the sources with parts of a claim if several blocks have some, at most
// size: the first of each block, then the second of each, and so on.
func partSources(found []judge.Finding, size int) []int {
	var of [][]judge.Quote
	longest := 0
	for _, f := range found {
		if f.Partly() {
			of = append(of, f.Parts)
			longest = max(longest, len(f.Parts))
		}
	}
	if len(of) < 2 {
		return nil
	}
	var out []int
	for k := range longest {
		for _, parts := range of {
			if k < len(parts) && len(out) < size && !slices.Contains(out, parts[k].Source) {
				out = append(out, parts[k].Source)
			}
		}
	}
	slices.Sort(out)
	return out
}
