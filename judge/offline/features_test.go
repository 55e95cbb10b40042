//go:build results

package offline

import (
	"context"
	"encoding/json"
	"errors"
	"flag"
	"math"
	"os"
	"strings"
	"testing"

	"github.com/assay-eval/assay/judge"
	"github.com/assay-eval/assay/rag/embed"
)

// An example is a training example: the features of each claim, passage or reference
// of an item, and the human labels of the item.
type example struct {
	Task     string             `json:"task"`
	Set      string             `json:"set"`
	ID       string             `json:"id"`
	Group    string             `json:"group"`
	Train    bool               `json:"train"`
	Labels   map[string]float64 `json:"labels"`
	Vectors  bool               `json:"vectors"`
	Features []string           `json:"features"`
	Rows     [][]float64        `json:"rows"`
}

var features = flag.String("features", "", "file for the training data of scripts/offline/train.py")

// TestFeatures writes the training data: the features of each row of the datasets, one
// JSON object a line.
func TestFeatures(t *testing.T) {
	if *features == "" {
		t.Fatal("set -features to the file to write")
	}
	m, err := embed.New("minilm")
	check(t, err)
	f, err := os.Create(*features)
	check(t, err)
	j, enc := New(embed.Memo(m)), json.NewEncoder(f)
	for _, set := range []string{"mtrag", "begin", "nomiracl", "clapnq_dev", "nq301"} {
		all, _ := rows(t, set)
		for i := range all {
			check(t, enc.Encode(exampleOf(t, j, set, &all[i])))
		}
	}
	check(t, f.Close())
}

// example computes the training example of one row.
func (j *Judge) example(ctx context.Context, set string, r *row) (example, error) {
	x := example{Set: set, ID: r.ID, Group: r.group(), Train: r.train(), Labels: map[string]float64{}}
	add := func(fs []feature, vectors bool) {
		x.Vectors = vectors
		x.Features = nil
		var row []float64
		for _, f := range fs {
			x.Features = append(x.Features, f.name)
			row = append(row, f.value)
		}
		x.Rows = append(x.Rows, row)
	}
	asked := termSet(r.Question)
	switch set {
	case "mtrag", "begin":
		x.Task = "support"
		if set == "mtrag" {
			x.Labels["faithfulness"], x.Labels["completeness"] = r.mean("faithfulness"), r.mean("completeness")
		} else {
			x.Labels["faithfulness"] = indicator(r.Labels["begin"] == "Fully attributable")
		}
		reading, err := j.read(ctx, judge.Subject{Question: r.Question}, r.Answer)
		if err != nil {
			return x, err
		}
		e := newEvidence(r.Contexts)
		var ready []*claim
		for _, c := range reading.Claims {
			ready = append(ready, newClaim(c.Text))
		}
		if err := j.embed(ctx, "support", ready, e); err != nil {
			return x, err
		}
		x.Labels["kind"] = float64(reading.Kind)
		for i := range ready {
			if f := together(nonEmpty(e.look(ready[i]))); f.best >= 0 {
				add(append(e.features(ready[i], f), unusedOfSupport(ready[i], f, asked)...), ready[i].vector != nil)
			}
		}
	case "nomiracl", "clapnq_dev":
		x.Task = "relevance"
		x.Labels["answerable"] = indicator(r.Labels["answerable"] == true)
		var sources []judge.Source
		for _, c := range r.Contexts {
			sources = append(sources, judge.Source{Text: c})
		}
		e, q, err := j.prepare(ctx, r.Question, sources)
		if err != nil {
			return x, err
		}
		for i, f := range e.look(q) {
			if f.best >= 0 {
				add(append(e.relevanceFeatures(q, i, f), unusedOfRelevance(e, q, f)...), q.vector != nil)
			}
		}
	case "nq301":
		x.Task = "equivalence"
		x.Labels["acceptable"] = indicator(r.Labels["acceptable"] == "Yes")
		a := newClaim(claimOf(r.Answer))
		e := newEvidence([]string{r.Answer})
		for _, ref := range r.References {
			c := newClaim(claimOf(ref))
			v, err := j.vectors(ctx, "", []string{a.text, c.text})
			if err != nil {
				return x, err
			}
			a.vector, c.vector = v[0], v[1]
			add(append(e.equivalenceFeatures(a, c, asked), unusedOfEquivalence(e, a, c, asked)...), true)
		}
	default:
		return x, errors.New("no model is fitted to this dataset: expected mtrag, begin, nomiracl, clapnq_dev or nq301")
	}
	return x, nil
}

func nonEmpty(all []found) []found {
	var out []found
	for _, f := range all {
		if f.best >= 0 {
			out = append(out, f)
		}
	}
	return out
}

// The features below were tried, and no model has a weight for them.

func unusedOfSupport(c *claim, f found, asked map[string]bool) []feature {
	return []feature{
		{"run", f.run},
		{"has numbers", indicator(len(f.numbers) > 0)},
		{"has names", indicator(len(f.names) > 0)},
		{"length", math.Log1p(float64(len(c.words))) / 5},
		{"asked", share(c.terms, asked)},
	}
}

func unusedOfRelevance(e *evidence, q *claim, f found) []feature {
	number, _ := wanted(q)
	return []feature{
		{"has names", indicator(len(f.names) > 0)},
		{"number wanted, near", indicator(number && otherNumber(e.around(f.best), q))},
	}
}

func unusedOfEquivalence(e *evidence, a, r *claim, asked map[string]bool) []feature {
	f := e.look(r)[0]
	fresh, added := beyond(r.terms, asked), beyond(a.terms, asked)
	if len(fresh) == 0 {
		fresh = r.terms
	}
	recall, precision := share(fresh, e.sources[0].terms), share(added, toSet(r.terms))
	f1 := 0.0
	if recall+precision > 0 {
		f1 = 2 * recall * precision / (recall + precision)
	}
	joined, ref := " "+strings.Join(a.words, " ")+" ", " "+strings.Join(r.words, " ")+" "
	return []feature{
		{"same", indicator(joined == ref)},
		{"within", indicator(strings.Contains(ref, joined))},
		{"precision", precision},
		{"f1", f1},
		{"cosine", dot(a.vector, r.vector)},
		{"has numbers", indicator(len(f.numbers) > 0)},
		{"other number", indicator(len(f.numbers) > 0 && len(a.numbers) > 0 && count(f.numbers) < len(f.numbers))},
		{"negation", indicator(a.denies(r.text))},
		{"answer length", math.Log1p(float64(len(a.words))) / 5},
		{"reference length", math.Log1p(float64(len(r.words))) / 5},
		{"said nothing new", indicator(len(added) == 0)},
	}
}
