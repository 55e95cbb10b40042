// Command library evaluates a target written in Go: anything with an Ask method, also
// inside a test.
package main

import (
	"context"
	"fmt"
	"log"
	"strings"
	"time"

	"github.com/assay-eval/assay"
	"github.com/assay-eval/assay/columns"
	"github.com/assay-eval/assay/metric/catalog"
	"github.com/assay-eval/assay/run"
	"github.com/assay-eval/assay/stats"
	"github.com/assay-eval/assay/summary"
)

// shelf is a target that retrieves by counting shared words.
type shelf []assay.Passage

// Ask returns the passages that share a word with the question, most shared words
// first.
func (s shelf) Ask(_ context.Context, c *assay.Case) (assay.Response, error) {
	resp := assay.Response{Passages: []assay.Passage{}}
	for _, p := range s {
		for word := range strings.FieldsSeq(strings.ToLower(c.Question)) {
			if strings.Contains(strings.ToLower(p.Text), strings.Trim(word, "?")) {
				p.Score++
			}
		}
		if p.Score > 0 {
			at := 0
			for at < len(resp.Passages) && resp.Passages[at].Score >= p.Score {
				at++
			}
			resp.Passages = append(resp.Passages[:at], append([]assay.Passage{p}, resp.Passages[at:]...)...)
		}
	}
	return resp, nil
}

func main() {
	target := shelf{
		{Document: "tea", Text: "Green tea is brewed at 80 degrees for two minutes."},
		{Document: "coffee", Text: "Coffee is brewed at 94 degrees."},
		{Document: "bread", Text: "Bread is baked at 230 degrees for forty minutes."},
	}
	cfg := run.Defaults()
	cfg.Target, cfg.Now = target, time.Now
	cfg.Cases = assay.CasesOf(
		assay.Case{ID: "1", Question: "How hot is water for green tea?", Want: assay.Want{Documents: map[string]int{"tea": 1}}},
		assay.Case{ID: "2", Question: "How long is bread baked?", Want: assay.Want{Documents: map[string]int{"bread": 1}}},
		assay.Case{ID: "3", Question: "At how many degrees do I brew coffee?", Want: assay.Want{Documents: map[string]int{"coffee": 1}}},
	)
	var err error
	if cfg.Metrics, err = catalog.All().ParseAll([]string{"hit@1", "mrr", "ndcg@3"}); err != nil {
		log.Fatal(err)
	}
	var records []assay.Record
	for rec, err := range run.Run(context.Background(), cfg) {
		if err != nil {
			log.Fatal(err)
		}
		records = append(records, rec)
	}
	var infos []assay.MetricInfo
	for _, m := range cfg.Metrics {
		infos = append(infos, m.Info())
	}
	for _, m := range summary.Of(infos, columns.Of(records), stats.DefaultLevel).Metrics {
		fmt.Printf("%-8s %.3f  [%.3f, %.3f]  n = %d\n", m.Name, m.Mean, m.CI.Lo, m.CI.Hi, m.N)
	}
}
