package check

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/assay-eval/assay"
)

// Judged says how much of the top of a ranking is judged. If little is, a
// retriever that finds unjudged documents looks worse than it is.
type Judged struct {
	Ranking string `json:"ranking"`
	Depth   int    `json:"depth"`
	// Share is the mean, over Cases with judged documents, of the share of judged
	// documents among the first Depth; 0…1.
	Share float64 `json:"share"`
	Cases int     `json:"cases"`
}

// ranked lists the distinct documents of a ranking for a case, best first, using
// the names of labels where they match. Passages without a name are omitted.
func ranked(r Ranking, c *assay.Case) []string {
	var out []string
	for _, p := range r.Passages[c.ID] {
		name, ok := assay.Label(c.Want.Documents, p.ID, p.Document, p.Source)
		if !ok {
			name = cmp.Or(p.Document, p.Source, p.ID)
		}
		if name != "" && !slices.Contains(out, name) {
			out = append(out, name)
		}
	}
	return out
}

func judged(l *look) []Judged {
	var out []Judged
	for _, r := range l.Rankings {
		j := Judged{Ranking: r.Name, Depth: l.Depth}
		sum := 0.0
		for i := range l.Cases {
			c := &l.Cases[i]
			names := ranked(r, c)
			names = names[:min(l.Depth, len(names))]
			if c.Want.Documents == nil || len(names) == 0 {
				continue
			}
			n := 0
			for _, name := range names {
				if grade, ok := c.Want.Documents[name]; ok && grade >= 0 {
					n++
				}
			}
			sum += float64(n) / float64(len(names))
			j.Cases++
		}
		if j.Cases > 0 {
			j.Share = sum / float64(j.Cases)
			out = append(out, j)
		}
	}
	return out
}

// unjudged finds, in cases with judged documents, unjudged documents that two
// retrievers, or the only one, rank above every relevant document. If such
// documents are relevant, a perfect retriever scores badly.
func unjudged(_ context.Context, l *look) ([]Finding, error) {
	type seen struct {
		by   []string
		best int
	}
	var out []Finding
	weight := map[string]int{}
	good := trusted(l)
	// With only one ranking, a single vote is enough.
	least := min(2, len(l.Rankings))
	if len(good) < least {
		return nil, nil
	}
	for i := range l.Cases {
		c := &l.Cases[i]
		if len(relevant(c)) == 0 {
			continue
		}
		docs := map[string]*seen{}
		var order []string
		for _, r := range good {
			for rank, name := range ranked(r, c) {
				grade, ok := c.Want.Documents[name]
				if ok && grade > 0 || rank >= l.Depth {
					break
				}
				if ok && grade == 0 {
					continue
				}
				if docs[name] == nil {
					docs[name] = &seen{best: rank}
					order = append(order, name)
				}
				docs[name].by = append(docs[name].by, r.Name)
				docs[name].best = min(docs[name].best, rank)
			}
		}
		slices.SortStableFunc(order, func(a, b string) int {
			return cmp.Or(cmp.Compare(len(docs[b].by), len(docs[a].by)), cmp.Compare(docs[a].best, docs[b].best))
		})
		if len(order) == 0 {
			continue
		}
		d := docs[order[0]]
		if len(d.by) < least {
			continue
		}
		weight[c.ID] = len(d.by)*l.Depth - d.best
		out = append(out, found(Doubtful, fmt.Sprintf("%q, at rank %d by %s", order[0], d.best+1, strings.Join(d.by, " and ")), c))
	}
	// List the documents with the most votes and the best ranks first.
	slices.SortStableFunc(out, func(a, b Finding) int { return cmp.Compare(weight[b.Cases[0]], weight[a.Cases[0]]) })
	return out, nil
}
