package index_test

import (
	"bufio"
	"encoding/json"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/assay-eval/assay/internal/requiretest"
	"github.com/assay-eval/assay/rag/index"
)

// A beir is a dataset in BEIR's layout, as far as these tests need it.
type beir struct {
	ids, texts []string
	// queries has the text of each judged query, grades its judgements.
	queries map[string]string
	grades  map[string]map[string]int
}

func readBEIR(t testing.TB, dir, split string) beir {
	t.Helper()
	d := beir{queries: map[string]string{}, grades: map[string]map[string]int{}}
	for _, line := range readLines(t, filepath.Join(dir, "qrels", split+".tsv"))[1:] {
		f := strings.Split(line, "\t")
		grade, err := strconv.Atoi(f[2])
		if err != nil {
			t.Fatal(err)
		}
		if d.grades[f[0]] == nil {
			d.grades[f[0]] = map[string]int{}
		}
		d.grades[f[0]][f[1]] = grade
	}
	type row struct{ ID, Title, Text string }
	rows := func(name string) (out []row) {
		for _, line := range readLines(t, filepath.Join(dir, name)) {
			var r struct {
				ID    string `json:"_id"`
				Title string `json:"title"`
				Text  string `json:"text"`
			}
			if err := json.Unmarshal([]byte(line), &r); err != nil {
				t.Fatal(err)
			}
			out = append(out, row(r))
		}
		return out
	}
	for _, r := range rows("corpus.jsonl") {
		d.ids = append(d.ids, r.ID)
		d.texts = append(d.texts, r.Title+" "+r.Text)
	}
	for _, r := range rows("queries.jsonl") {
		if d.grades[r.ID] != nil {
			d.queries[r.ID] = r.Text
		}
	}
	if len(d.queries) == 0 || len(d.queries) != len(d.grades) {
		t.Fatalf("%s: %d judged queries, %d of them with a text", dir, len(d.grades), len(d.queries))
	}
	return d
}

func readLines(t testing.TB, path string) []string {
	t.Helper()
	f, err := os.Open(path)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	var lines []string
	sc := bufio.NewScanner(f)
	sc.Buffer(nil, 1<<24)
	for sc.Scan() {
		lines = append(lines, sc.Text())
	}
	if err := sc.Err(); err != nil {
		t.Fatal(err)
	}
	return lines
}

// measure gives the mean nDCG@10 and Recall@100 of a search.
func (d beir) measure(search func(query string) []index.Hit) (ndcg, recall float64) {
	for id, query := range d.queries {
		grades := d.grades[id]
		var gain, found float64
		for rank, h := range search(query) {
			grade := float64(grades[d.ids[h.Passage]])
			if rank < 10 {
				gain += grade / math.Log2(float64(rank+2))
			}
			if rank < 100 && grade > 0 {
				found++
			}
		}
		var ideal, relevant float64
		sorted := make([]int, 0, len(grades))
		for _, g := range grades {
			sorted = append(sorted, -g)
		}
		slices.Sort(sorted)
		for rank, g := range sorted {
			if rank < 10 {
				ideal += float64(-g) / math.Log2(float64(rank+2))
			}
			if g < 0 {
				relevant++
			}
		}
		if relevant > 0 {
			ndcg += gain / ideal
			recall += found / relevant
		}
	}
	n := float64(len(d.queries))
	return ndcg / n, recall / n
}

func build(t testing.TB, texts []string) *index.BM25 {
	t.Helper()
	x, err := index.BuildBM25(slices.Values(texts), index.DefaultBM25())
	if err != nil {
		t.Fatal(err)
	}
	return x
}

// TestSciFact holds the index against Anserini's flat BM25 index of SciFact:
// 838,128 terms, nDCG@10 0.6789, Recall@100 0.9253. Folding by NFKC, which
// Lucene does not do, makes 40 of the 43 terms that are missing here.
func TestSciFact(t *testing.T) {
	t.Parallel()
	d := readBEIR(t, requiretest.Shared(t, "data/retrieval/scifact"), "test")
	x := build(t, d.texts)
	ndcg, recall := d.measure(func(q string) []index.Hit { return x.Search(q, 100) })
	t.Logf("nDCG@10 %.4f  Recall@100 %.4f  %+v", ndcg, recall, x.Stats())
	if len(d.queries) != 300 || math.Abs(ndcg-0.6789) > 0.0005 || math.Abs(recall-0.9253) > 0.0005 {
		t.Errorf("%d queries: nDCG@10 %.4f, Recall@100 %.4f: want 300, 0.6789 and 0.9253 to 0.0005", len(d.queries), ndcg, recall)
	}
	if terms := x.Stats().Terms; terms < 838_128-100 || terms > 838_128+100 {
		t.Errorf("%d terms: want Anserini's 838128 to a hundred", terms)
	}
}

// TestPassagesOfQuestions holds the index to figures of its own on sets for
// which no other's are published: Traditional Chinese, where pairs of
// characters stand for words, and English.
func TestPassagesOfQuestions(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		set, split   string
		ndcg, recall float64
	}{
		{"drcd", "test", 0.95, 0.998},
		{"xquad_en", "en", 0.96, 0.995},
	} {
		d := readBEIR(t, requiretest.Shared(t, "data/retrieval/"+c.set), c.split)
		x := build(t, d.texts)
		ndcg, recall := d.measure(func(q string) []index.Hit { return x.Search(q, 100) })
		t.Logf("%s: %d queries: nDCG@10 %.4f  Recall@100 %.4f  %+v", c.set, len(d.queries), ndcg, recall, x.Stats())
		if ndcg < c.ndcg || recall < c.recall {
			t.Errorf("%s: nDCG@10 %.4f, Recall@100 %.4f: want at least %.3f, %.3f", c.set, ndcg, recall, c.ndcg, c.recall)
		}
	}
}
