package certify

import (
	"fmt"
	"hash/fnv"
	"math/rand/v2"
	"slices"
	"strings"

	"github.com/assay-eval/assay"
	"github.com/assay-eval/assay/judge"
	"github.com/assay-eval/assay/judge/question"
	"github.com/assay-eval/assay/stats"
)

// blocksQuestion is the question that is certified among further passages: the one that a
// run may put in blocks.
var blocksQuestion = question.Support.Name

// A point is what the judge is asked with one number of passages.
type point struct {
	passages int
	*plan
}

// Blocks returns numbers of passages in ascending order, or what is wrong with them.
func Blocks(blocks []int) ([]int, error) {
	out := slices.Compact(slices.Sorted(slices.Values(blocks)))
	switch {
	case len(out) > 0 && out[0] < 1:
		return nil, fmt.Errorf("%d passages at once: want 1 or more", out[0])
	case len(out) == 1:
		return nil, fmt.Errorf("%d passages at once alone: want two numbers or more, the smallest to compare the others with", out[0])
	}
	return out, nil
}

// among plans the same claims with their own passage among others, for each number of
// passages. Claims that have several passages are left out, because they have no number of
// passages that all of them can be asked with. Omitted says for which numbers there are too few
// passages of other sources.
func (p *plan) among(all []Item, blocks []int, seed uint64) (points []point, omitted []Omission) {
	var own []Item
	for _, x := range p.items {
		if len(x.Sources) == 1 {
			own = append(own, x)
		}
	}
	omit := func(k int, why string) {
		omitted = append(omitted, Omission{fmt.Sprintf("%s in blocks of %d", p.question.Name, k), string(p.language), why})
	}
	pools := passagesOf(all)
	for _, k := range blocks {
		if len(own) == 0 {
			omit(k, "no claim has one passage")
			continue
		}
		items, ok := pools.mix(own, k, seed)
		if !ok {
			omit(k, "too few passages of other sources")
			continue
		}
		points = append(points, point{k, &plan{question: p.question, language: p.language, items: items}})
	}
	if len(points) < 2 {
		return nil, omitted
	}
	return points, omitted
}

// A passage is a text that claims of one language are compared with, and the sources of its
// items.
type passage struct {
	text     string
	clusters map[string]bool
}

// passages are those of the claims in each language, each once.
type passages map[judge.Language][]passage

func passagesOf(all []Item) passages {
	pools := passages{}
	at := map[judge.Language]map[string]int{}
	for _, x := range all {
		if x.Kind != Claim {
			continue
		}
		if at[x.Language] == nil {
			at[x.Language] = map[string]int{}
		}
		for _, text := range x.Sources {
			if strings.TrimSpace(text) == "" {
				continue
			}
			i, known := at[x.Language][text]
			if !known {
				i = len(pools[x.Language])
				at[x.Language][text] = i
				pools[x.Language] = append(pools[x.Language], passage{text, map[string]bool{}})
			}
			pools[x.Language][i].clusters[x.Cluster] = true
		}
	}
	return pools
}

// mix puts the passage of each item among k−1 of other sources in its language, at a place by the seed. Items
// that are asked about at once keep one list, and with a larger k the others are those of a
// smaller k and more. ok is false if there are too few.
func (pools passages) mix(items []Item, k int, seed uint64) (out []Item, ok bool) {
	mixed := map[string][]string{}
	for _, x := range items {
		key := fmt.Sprintf("%q %q %q", x.Asked, x.Cluster, x.Sources)
		if mixed[key] == nil {
			h := fnv.New64a()
			h.Write([]byte(key))
			var others []string
			all := pools[x.Language]
			for _, i := range rand.New(rand.NewPCG(seed, h.Sum64())).Perm(len(all)) {
				if len(others) == k-1 {
					break
				}
				if o := all[i]; !o.clusters[x.Cluster] && o.text != x.Sources[0] {
					others = append(others, o.text)
				}
			}
			if len(others) < k-1 {
				return nil, false
			}
			place := rand.New(rand.NewPCG(seed+uint64(k), h.Sum64())).IntN(k)
			mixed[key] = slices.Insert(others, place, x.Sources[0])
		}
		x.Sources = mixed[key]
		out = append(out, x)
	}
	return out, true
}

// curve measures the points: each beside the first, on the same items. It sets the largest
// number of passages that is safe.
func (m curveMeasure) curve(c *assay.Certificate, points []point) {
	var first []bool
	safe := true
	for i, p := range points {
		right, truth, clusters := m.right(p, c.Threshold)
		ruled := make([]bool, len(right))
		for k := range right {
			ruled[k] = right[k] == truth[k]
		}
		s := judge.Sampling{Clusters: clusters, Level: m.level}
		b := assay.CertifiedBlock{Passages: p.passages, Items: len(right), BalancedAccuracy: figureOf(s.Balance(ruled, truth).Accuracy)}
		if i == 0 {
			first = right
			b.Difference = assay.Figure{Why: "the others are compared with it"}
		} else {
			b.Difference = m.difference(first, right, truth, clusters)
			ci := b.Difference.CI
			safe = safe && ci != nil && ci[1] >= 0 && ci[0] > -assay.BlockMargin
		}
		if safe {
			c.SafeBlock = p.passages
		}
		c.Blocks = append(c.Blocks, b)
	}
}

// A curveMeasure is how points are measured.
type curveMeasure struct {
	question Question
	level    float64
}

// right tells of the items of a point, in the order of its items, whether the judge rules as
// people do. No ruling is a wrong one: a run does without it.
func (m curveMeasure) right(p point, threshold *float64) (right, truth []bool, clusters []string) {
	said := map[string]answer{}
	for _, a := range slices.Concat(p.answers...) {
		said[keyOf(*a.item)] = a
	}
	for _, x := range p.items {
		a, yes := said[keyOf(x)], m.question.isYes(x.Label)
		ruled := a.yes
		if threshold != nil {
			ruled = a.degree >= *threshold
		}
		right, truth, clusters = append(right, a.known && ruled == yes), append(truth, yes), append(clusters, x.Cluster)
	}
	return right, truth, clusters
}

// keyOf names an item of a set.
func keyOf(x Item) string { return fmt.Sprintf("%q %q %+v", x.Dataset, x.ID, x.Origin) }

// difference is that of the balanced accuracy: the share of items that are right only now,
// less the share that was right only before, each the mean of what is true and what is not. The
// interval is that of the difference of the two shares, so that it has a width where no ruling
// changed. Where they are few, the shares hardly depend on each other.
func (m curveMeasure) difference(before, now, truth []bool, clusters []string) assay.Figure {
	var won, lost [2][]stats.Sample
	for i := range truth {
		side := 0
		if truth[i] {
			side = 1
		}
		add := func(to *[2][]stats.Sample, happened bool) {
			s := stats.Sample{Cluster: clusters[i]}
			if happened {
				s.Value = 1
			}
			to[side] = append(to[side], s)
		}
		add(&won, now[i] && !before[i])
		add(&lost, before[i] && !now[i])
	}
	more, moreCI, ok := stats.Middle(won[1], won[0], m.level)
	less, lessCI, _ := stats.Middle(lost[1], lost[0], m.level)
	if !ok {
		return assay.Figure{Why: "all labels are equal"}
	}
	v := more - less
	out := assay.Figure{Value: &v}
	if moreCI != nil && lessCI != nil {
		ci := stats.Apart(less, more, *lessCI, *moreCI)
		out.CI = &[2]float64{ci.Lo, ci.Hi}
	}
	return out
}
