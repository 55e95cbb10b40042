//go:build results

package offline

import (
	"context"
	"encoding/json"
	"flag"
	"os"
	"strings"
	"testing"

	"github.com/assay-eval/assay/embed"
	"github.com/assay-eval/assay/judge"
)

var dump = flag.String("dump", "", "write the features for scripts/offline/train.py to this file")

var sets = flag.String("sets", "mtrag,begin,nomiracl,clapnq_dev,nq301", "the data sets to write features of")

// An example is what a model is fitted to: the features of each claim, passage
// or reference of an item, and what people said of the item.
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

// TestDump writes what scripts/offline/train.py fits the weights to.
func TestDump(t *testing.T) {
	if *dump == "" {
		t.Skip("writes features only with -dump FILE")
	}
	m, err := embed.New("minilm")
	check(t, err)
	j := New(embed.Memo(m))
	f, err := os.Create(*dump)
	check(t, err)
	out := json.NewEncoder(f)
	for _, set := range strings.Split(*sets, ",") {
		all, _ := rows(t, set)
		for i := range all {
			check(t, out.Encode(j.example(t, set, &all[i])))
		}
	}
	check(t, f.Close())
}

func (j *Judge) example(t *testing.T, set string, r *row) example {
	ctx := context.Background()
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
			x.Labels["faithfulness"] = yes(r.Labels["begin"] == "Fully attributable")
		}
		reading, err := j.Read(ctx, judge.Subject{Question: r.Question}, r.Answer)
		check(t, err)
		e := newEvidence(r.Contexts)
		var ready []*claim
		for _, c := range reading.Claims {
			ready = append(ready, newClaim(c.Text, asked))
		}
		check(t, j.embed(ctx, "support", ready, e))
		x.Labels["kind"] = float64(reading.Kind)
		for i := range ready {
			if f := together(nonEmpty(e.look(ready[i]))); f.best >= 0 {
				add(e.features(ready[i], f), ready[i].vector != nil)
			}
		}
	case "nomiracl", "clapnq_dev":
		x.Task = "relevance"
		x.Labels["answerable"] = yes(r.Labels["answerable"] == true)
		var sources []judge.Source
		for _, c := range r.Contexts {
			sources = append(sources, judge.Source{Text: c})
		}
		e, q, err := j.ask(ctx, "relevance", r.Question, sources)
		check(t, err)
		for i, f := range e.look(q) {
			if f.best >= 0 {
				add(e.relevanceFeatures(q, i, f), q.vector != nil)
			}
		}
	case "nq301":
		x.Task = "equivalence"
		x.Labels["acceptable"] = yes(r.Labels["acceptable"] == "Yes")
		a := newClaim(claimOf(r.Answer), asked)
		e := newEvidence([]string{r.Answer})
		for _, ref := range r.References {
			c := newClaim(claimOf(ref), asked)
			v, err := j.vectors(ctx, "", []string{a.text, c.text})
			check(t, err)
			a.vector, c.vector = v[0], v[1]
			add(e.equivalenceFeatures(a, c, asked), true)
		}
	}
	return x
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

func check(t *testing.T, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}
