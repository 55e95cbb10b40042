package check

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/assay-eval/assay"
)

// Judged says how much of what a retriever ranked at the top is judged at all.
// Where little is, a retriever that finds what nobody looked at seems bad.
type Judged struct {
	Ranking string `json:"ranking"`
	Depth   int    `json:"depth"`
	// Share is the mean, over Cases with judged documents, of the share of the
	// first Depth documents that are judged; 0…1.
	Share float64 `json:"share"`
	Cases int     `json:"cases"`
}

// ranked lists the documents of a ranking for a case, best first, each once, as
// labels where one speaks of them. Passages without a name are left out.
func ranked(r Ranking, c *assay.Case) []string {
	var out []string
	for _, p := range r.Passages[c.ID] {
		name, ok := assay.Label(c.Want.Documents, p.Document, p.Source)
		if !ok {
			name = cmp.Or(p.Document, p.Source)
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

// unjudged finds, in cases whose documents are judged, the document without a
// judgment that two retrievers rank above every relevant one, or the only one that
// was asked. A perfect retriever seems bad where such documents are relevant.
func unjudged(_ context.Context, l *look) ([]Finding, error) {
	type seen struct {
		by   []string
		best int
	}
	var out []Finding
	weight := map[string]int{}
	good := trusted(l)
	// One retriever's word is taken where only one was asked.
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
	// What more retrievers agree on, and higher up, is worth looking at first.
	slices.SortStableFunc(out, func(a, b Finding) int { return cmp.Compare(weight[b.Cases[0]], weight[a.Cases[0]]) })
	return out, nil
}
