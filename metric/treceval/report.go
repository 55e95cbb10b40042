package treceval

import (
	"encoding/csv"
	"encoding/json"
	"fmt"
	"io"
	"strconv"

	"github.com/assay-eval/assay/dataset/trec"
	"github.com/assay-eval/assay/stats"
)

// A Report is the output for one or several runs with the same judgments and
// measures.
type Report struct {
	// Qrels is the name of the judgment file.
	Qrels string
	// Level is the confidence level of intervals, such as 0.95.
	Level float64
	// PerQuery adds the measures of every query.
	PerQuery bool
	Results  []*Result
}

// Notes say that results with the id of their query are left out, which runs rank most
// queries against the order of their lines, and which have no judged document.
func (p *Report) Notes() (notes []string) {
	own := 0
	for _, r := range p.Results {
		own += r.Own
		if seen := r.judged - r.Missing; r.rising*2 > seen {
			notes = append(notes, r.Name+": "+fmt.Sprintf(trec.Rising, r.rising, seen)+".")
		}
		if r.unfound != "" {
			notes = append(notes, fmt.Sprintf("%s: no result has a judgment, such as that of %q: do both files name documents alike?", r.Name, r.unfound))
		}
	}
	if own > 0 {
		notes = append(notes, fmt.Sprintf("Results left out because they have the id of their query, as in BEIR's evaluation: %d. "+
			"--keep-own-ids counts them.", own))
	}
	return notes
}

// Schema is the name and version of the format that [Report.WriteJSON] writes.
const Schema = "assay.measure/1"

// The structure of the JSON output. Unknown values are null.
type (
	jsonReport struct {
		Schema  string    `json:"schema"`
		Qrels   string    `json:"qrels"`
		Queries int       `json:"queries"`
		Runs    []jsonRun `json:"runs"`
	}
	jsonRun struct {
		Run      string        `json:"run"`
		Tag      string        `json:"tag"`
		Missing  int           `json:"missing_queries"`
		Unjudged int           `json:"queries_without_judgments"`
		Own      int           `json:"own_documents_left_out"`
		Measures []jsonMeasure `json:"measures"`
		// Differences are those from the first run, which has none.
		Differences []jsonDifference `json:"differences,omitempty"`
		Queries     []jsonQuery      `json:"queries,omitempty"`
	}
	jsonMeasure struct {
		Name string `json:"name"`
		// Definition is "assay" or "trec_eval", which count queries without a
		// relevant document differently.
		Definition string   `json:"definition"`
		Value      *float64 `json:"value"`
		N          int      `json:"n"`
		// Estimate is null for measures that are not means.
		Estimate *stats.Estimate `json:"estimate"`
	}
	jsonDifference struct {
		Name string `json:"name"`
		stats.Comparison
	}
	jsonQuery struct {
		Query   string              `json:"query"`
		Missing bool                `json:"missing,omitempty"`
		Values  map[string]*float64 `json:"values"`
		Texts   map[string]string   `json:"texts,omitempty"`
	}
)

// WriteJSON writes the report as one JSON object.
func (p *Report) WriteJSON(w io.Writer) error {
	out := jsonReport{Schema: Schema, Qrels: p.Qrels}
	differences := p.Differences()
	for i, r := range p.Results {
		out.Queries = len(r.Queries)
		run := jsonRun{Run: r.Name, Tag: r.Tag, Missing: r.Missing, Unjudged: r.Unjudged, Own: r.Own, Measures: []jsonMeasure{}}
		for i, m := range r.Measures {
			if m.kind == text || m.kind == tag {
				continue
			}
			s := r.Summary(i, p.Level)
			run.Measures = append(run.Measures, jsonMeasure{
				Name: m.Name, Definition: m.definition(), Value: known(s.Value, s.OK), N: s.N, Estimate: s.Estimate,
			})
		}
		for _, d := range differences {
			if d.Run == i {
				run.Differences = append(run.Differences, jsonDifference{r.Measures[d.Measure].Name, d.Comparison})
			}
		}
		if p.PerQuery {
			run.Queries = r.jsonQueries()
		}
		out.Runs = append(out.Runs, run)
	}
	enc := json.NewEncoder(w)
	enc.SetEscapeHTML(false)
	enc.SetIndent("", "  ")
	return enc.Encode(out)
}

func (r *Result) jsonQueries() []jsonQuery {
	var out []jsonQuery
	for q, query := range r.Queries {
		row := jsonQuery{Query: query.ID, Missing: query.Missing, Values: map[string]*float64{}}
		for i, m := range r.Measures {
			switch v, ok := r.Value(q, i); {
			case m.kind == text:
				if row.Texts == nil {
					row.Texts = map[string]string{}
				}
				row.Texts[m.Name] = r.Text(q, i)
			case m.kind.perQuery():
				row.Values[m.Name] = known(v, ok)
			}
		}
		out = append(out, row)
	}
	return out
}

func known(v float64, ok bool) *float64 {
	if !ok {
		return nil
	}
	return &v
}

// WriteCSV writes one row for each run, measure and query, and one row with the
// query "all" for each run and measure; then, for every further run, a row with the
// query "difference" for each mean: the paired difference from the first run, its
// interval and its p-value, uncorrected. Unknown values are empty.
func (p *Report) WriteCSV(w io.Writer) error {
	out := csv.NewWriter(w)
	number := func(v float64) string { return strconv.FormatFloat(v, 'g', -1, 64) }
	rows := [][]string{{"run", "tag", "query", "measure", "value", "n", "ci_low", "ci_high", "definition", "p"}}
	for _, r := range p.Results {
		for q, query := range r.Queries {
			for i, m := range r.Measures {
				v, ok := r.Value(q, i)
				value := r.Text(q, i)
				if ok {
					value = number(v)
				}
				if p.PerQuery && m.kind.perQuery() {
					rows = append(rows, []string{r.Name, r.Tag, query.ID, m.Name, value, "", "", "", m.definition(), ""})
				}
			}
		}
		for i, m := range r.Measures {
			if m.kind == text || m.kind == tag {
				continue
			}
			s := r.Summary(i, p.Level)
			row := []string{r.Name, r.Tag, "all", m.Name, "", strconv.Itoa(s.N), "", "", m.definition(), ""}
			if s.OK {
				row[4] = number(s.Value)
			}
			if e := s.Estimate; e != nil && e.CI != nil {
				row[6], row[7] = number(e.CI.Lo), number(e.CI.Hi)
			}
			rows = append(rows, row)
		}
	}
	for _, d := range p.Differences() {
		r := p.Results[d.Run]
		row := []string{r.Name, r.Tag, "difference", r.Measures[d.Measure].Name, "", strconv.Itoa(d.N), "", "",
			r.Measures[d.Measure].definition(), ""}
		if d.N > 0 {
			row[4], row[9] = number(d.Diff), number(d.P)
		}
		if d.CI != nil {
			row[6], row[7] = number(d.CI.Lo), number(d.CI.Hi)
		}
		rows = append(rows, row)
	}
	return out.WriteAll(rows)
}

// WriteTREC writes each run in the format of trec_eval, one after another.
func (p *Report) WriteTREC(w io.Writer) error {
	for _, r := range p.Results {
		if err := r.WriteTREC(w, p.PerQuery); err != nil {
			return err
		}
	}
	return nil
}

func plural(n int, one, many string) string {
	if n == 1 {
		return "1 " + one
	}
	return fmt.Sprintf("%d %s", n, many)
}
