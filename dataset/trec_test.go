package dataset_test

import (
	"testing"

	"github.com/assay-eval/assay"
	"github.com/assay-eval/assay/dataset"
)

const topics = `<top>
<num> Number: 301
<title> International Organized Crime

<desc> Description:
Identify organizations that participate in
crime.

<narr> Narrative:
A relevant document must name one.
</top>

<TOP>
<num>302</num><title></title>
<desc>Is the disease of Polio under control?</desc>
<con> Concept(s): polio
</TOP>
<top><num> 303 <title> Hubble: 1 < 2
`

func TestTREC(t *testing.T) {
	t.Parallel()
	qrels := put(t, "qrels.txt", "301 0 D1 1\n302 0 D1 0\n301 0 D2 2\n303 0 D3 -1\n")
	want := []assay.Case{
		{
			ID: "301", Question: "International Organized Crime", Want: assay.Want{Documents: map[string]int{"D1": 1, "D2": 2}},
			Metadata: map[string]any{
				"description": "Identify organizations that participate in crime.",
				"narrative":   "A relevant document must name one.",
			},
			Origin: assay.Origin{File: "topics", Line: 1},
		},
		{
			ID: "302", Question: "Is the disease of Polio under control?", Want: assay.Want{Documents: map[string]int{"D1": 0}},
			Metadata: map[string]any{"description": "Is the disease of Polio under control?"}, Origin: assay.Origin{File: "topics", Line: 13},
		},
		{
			ID:       "303",
			Question: "Hubble: 1 < 2",
			Want:     assay.Want{Documents: map[string]int{"D3": -1}},
			Origin:   assay.Origin{File: "topics", Line: 18},
		},
	}
	d := load(t, "topics", topics, dataset.Options{Qrels: qrels})
	diff(t, "cases", d.Cases.List(), want)
	diff(t, "format", d.Info.Format, "trec")
	diff(t, "warnings", warnings(d), []string{"topics:13: no relevant document, so that metrics which need one do not apply (2 of 3 cases)"})
	d = load(t, "topics", topics, dataset.Options{Qrels: qrels, Queries: []string{"301"}, MinRelevance: 2})
	diff(t, "chosen", d.Cases.At(0).Want.Documents, map[string]int{"D1": 0, "D2": 2})
	diff(t, "number", d.Cases.Len(), 1)
}

func TestTRECLines(t *testing.T) {
	t.Parallel()
	qrels := put(t, "qrels.gz", gzipped(t, "1 0 D1 1\n"))
	d := load(t, "topics.tsv", "qid\tquery\n1\twhat is it\n2\tnot judged\n", dataset.Options{Qrels: qrels})
	diff(t, "cases", d.Cases.List(), []assay.Case{{
		ID:       "1",
		Question: "what is it",
		Want:     assay.Want{Documents: map[string]int{"D1": 1}},
		Origin:   assay.Origin{File: "topics.tsv", Line: 2},
	}})
	diff(t, "warnings", warnings(d), []string{"topics.tsv: 1 of 2 topics are not judged and were skipped"})
	qrels = put(t, "qrels.tsv", "query-id\tcorpus-id\tscore\n1\tD1\t1\n9\tD1\t1\n9\tD2\t0\n")
	d = load(t, "topics.tsv", "1\twhat is it\n", dataset.Options{Qrels: qrels})
	diff(t, "cases", d.Cases.Len(), 1)
	diff(t, "warnings", warnings(d), []string{qrels + ":3: judgments of queries that the dataset lacks are skipped; --strict rejects them (judgments: 2)"})
}

func TestTRECProblems(t *testing.T) {
	t.Parallel()
	qrels := put(t, "qrels.txt", "1 0 D1 1\n9 0 D1 1\n1 0 D2 0\n")
	bad := put(t, "qrels.txt", "1 0 D1\n")
	for _, c := range []struct {
		what, content string
		o             dataset.Options
		want          []string
	}{
		{"no judgments", "1\ta\n", dataset.Options{}, []string{"topics: TREC topics without judgments; use --qrels with a file of them"}},
		{"unknown topic", "1\ta\n", dataset.Options{Qrels: qrels}, []string{qrels + `:2: no topic "9" in topics: expected the number of a topic`}},
		{
			"broken judgments",
			"1\ta\n",
			dataset.Options{Qrels: bad},
			[]string{bad + `:1: "1 0 D1": must have 4 columns: query, iteration, document, grade (3 only below BEIR's header line)`},
		},
		{"lines", "1\ta\n1\tb\nonly\n9\tx\n", dataset.Options{Qrels: qrels}, []string{
			`topics:2: case "1": id: given twice, first in line 1: expected a unique id`,
			`topics:3: "only": expected a topic's number, a tab, and its question`,
		}},
		{"topics", "<top>\n<title> x\n</top>\n<top><num> 1 </top>\n<top><num> 9 <title> x", dataset.Options{Qrels: qrels}, []string{
			qrels + `:1: no topic "1" in topics: expected the number of a topic`,
			`topics:1: no <num>: expected a topic with a number and a question`,
			`topics:4: case "1": no <title> and no <desc>: expected a topic with a number and a question`,
		}},
		{
			"not judged",
			"1\ta\n9\tb\n3\tc\n",
			dataset.Options{Qrels: qrels, Queries: []string{"3", "1"}},
			[]string{`topics:3: case "3": the topic is not judged: expected one that is`},
		},
	} {
		c.o.Strict = true
		diff(t, c.what, refuse(t, "topics", c.content, c.o), c.want)
	}
}
