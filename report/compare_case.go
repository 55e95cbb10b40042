package report

import (
	"cmp"
	"iter"
	"slices"

	"github.com/assay-eval/assay"
	"github.com/assay-eval/assay/summary"
)

type comparedCase struct {
	ID string `json:"id"`
	// Draw is the index of the repetition from 0; DrawOf is the case it repeats.
	Draw     int                     `json:"draw,omitempty"`
	DrawOf   string                  `json:"draw_of,omitempty"`
	Question string                  `json:"question"`
	Runs     object[*comparedResult] `json:"runs"`
}

type comparedResult struct {
	Status  assay.Status       `json:"status,omitempty"`
	Outcome assay.Correctness  `json:"outcome,omitempty"`
	Answer  *string            `json:"answer"`
	Scores  object[*scoreJSON] `json:"scores"`
	Latency *milliseconds      `json:"latency_ms"`
}

// blockCases is the number of cases whose records are in memory at a time.
const blockCases = 256

// cases yields the cases of all runs in the order of the baseline, then those that it
// lacks. An error ends the sequence.
func (c *Comparison) cases() iter.Seq2[*comparedCase, error] {
	return func(yield func(*comparedCase, error) bool) {
		for block := range slices.Chunk(c.alignedRows(), blockCases) {
			cases, err := c.caseBlock(block)
			if err != nil {
				yield(nil, err)
				return
			}
			for _, x := range cases {
				if !yield(x, nil) {
					return
				}
			}
		}
	}
}

// alignedRows returns, for each case, its row in every run, −1 if the run lacks it.
func (c *Comparison) alignedRows() [][]int {
	first := c.Reports[0].Cases
	var out [][]int
	at := map[string]int{}
	add := func(run, row int) {
		rows := slices.Repeat([]int{-1}, len(c.Reports))
		rows[run] = row
		at[c.Reports[run].Cases.ID(row)] = len(out)
		out = append(out, rows)
	}
	for row := range first.Len() {
		add(0, row)
	}
	for run, r := range c.Reports[1:] {
		for row := range r.Cases.Len() {
			if k, ok := at[r.Cases.ID(row)]; ok {
				out[k][run+1] = row
			} else {
				add(run+1, row)
			}
		}
	}
	return out
}

// caseBlock reads cases, given the rows of each.
func (c *Comparison) caseBlock(block [][]int) ([]*comparedCase, error) {
	out := make([]*comparedCase, len(block))
	bases := make([]string, len(block))
	for i, r := range c.Reports {
		var rows, places []int
		for k, all := range block {
			if all[i] >= 0 {
				rows, places = append(rows, all[i]), append(places, k)
			}
		}
		records, err := r.at(rows)
		if err != nil {
			return nil, err
		}
		for n, k := range places {
			rec := &records[n]
			if out[k] == nil {
				out[k], bases[k] = &comparedCase{ID: rec.Case.ID}, rec.Case.Base()
				if rec.Case.Draw > 0 {
					out[k].Draw, out[k].DrawOf = rec.Case.Draw, rec.Case.Base()
				}
			}
			out[k].Question = cmp.Or(out[k].Question, rec.Case.Question)
			out[k].Runs.put(c.Runs[i], c.result(r, rec))
		}
	}
	for k, x := range out {
		if x.Question == "" {
			x.Question = c.question(bases[k])
		}
	}
	return out, nil
}

// result returns what a run has of a case.
func (c *Comparison) result(r *Report, rec *assay.Record) *comparedResult {
	out := &comparedResult{}
	if !remembered(rec) {
		out.Status, out.Outcome = summary.Status(r.Header.Metrics, *rec), r.Check(*rec).Outcome()
	}
	for _, row := range c.Rows {
		if s, ok := rec.Scores[row.Name]; ok {
			out.Scores.put(row.Name, newScoreJSON(s))
		}
	}
	if p := rec.Response; p != nil {
		out.Answer, out.Latency = &p.Answer, took(p)
	}
	return out
}
