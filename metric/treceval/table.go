package treceval

import (
	"bufio"
	"fmt"
	"io"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/assay-eval/assay/stats"
)

// WriteTable writes a report for people: one row for each measure, with its
// value, interval and number of queries in each run, then the paired differences from
// the first run. With PerQuery, a table of
// queries follows for each run. Remarks come below the main table.
func (p *Report) WriteTable(w io.Writer) error {
	out := bufio.NewWriter(w)
	queries := len(p.Results[0].Queries)
	fmt.Fprintf(out, "%s  %s\n\n", p.Qrels, plural(queries, "query", "queries"))

	first := p.Results[0]
	head := []string{""}
	under := []string{""}
	for _, r := range p.Results {
		head = append(head, filepath.Base(r.Name), "", "")
		under = append(under, "value", fmt.Sprintf("%g %% interval", p.Level*100), "n")
	}
	rows := [][]string{head, under}
	for i, m := range first.Measures {
		if m.kind == text {
			continue
		}
		row := []string{m.Name}
		if m.countsEmpty() {
			row[0] += emptyMark
		}
		for _, r := range p.Results {
			row = append(row, p.summaryCells(r, i)...)
		}
		rows = append(rows, row)
	}
	align(out, rows)
	p.writeDifferences(out)
	p.remarks(out)
	if p.PerQuery {
		for _, r := range p.Results {
			fmt.Fprintf(out, "\n%s\n", r.Name)
			align(out, r.queryRows())
		}
	}
	return out.Flush()
}

func (p *Report) summaryCells(r *Result, i int) []string {
	m := r.Measures[i]
	if m.kind == tag {
		return []string{r.Tag, "", ""}
	}
	s := r.Summary(i, p.Level)
	switch {
	case !s.OK:
		return []string{"n/a", "", "0"}
	case m.kind == total || m.kind == queries:
		return []string{strconv.Itoa(int(s.Value)), "", ""}
	}
	interval := ""
	switch e := s.Estimate; {
	case e == nil:
		interval = "geometric mean"
	case e.CI != nil && e.N >= stats.Readable:
		interval = fmt.Sprintf("%.4f … %.4f", e.CI.Lo, e.CI.Hi)
	default:
		interval = "none"
	}
	return []string{fmt.Sprintf("%.4f", s.Value), interval, strconv.Itoa(s.N)}
}

// emptyMark marks the means of trec_eval measures; a remark explains it.
const emptyMark = " *"

// remarks writes the limitations of the numbers in the table.
func (p *Report) remarks(w io.Writer) {
	var lines []string
	say := func(format string, args ...any) { lines = append(lines, fmt.Sprintf(format, args...)) }
	if slices.ContainsFunc(p.Results[0].Measures, Measure.countsEmpty) {
		say("* as trec_eval defines it: a query without a relevant document counts 0. Metrics of assay leave it out.")
	}
	for _, r := range p.Results {
		if r.Missing > 0 {
			say("%s has no results for %s of %d, which count 0 where a measure applies.", r.Name, plural(r.Missing, "query", "queries"), r.judged)
		}
		if r.Unjudged > 0 {
			say("%s has %s without judgments, such as %q: left out.", r.Name, plural(r.Unjudged, "query", "queries"), r.FirstUnjudged)
		}
	}
	lines = append(lines, p.Notes()...)
	seen := map[stats.Warning]bool{}
	for _, r := range p.Results {
		for i := range r.Measures {
			s := r.Summary(i, p.Level)
			if s.Estimate == nil {
				continue
			}
			for _, warning := range s.Estimate.Warnings {
				if warning.Kind != stats.AllEqual && warning.Kind != stats.OneGroup && !seen[warning] {
					seen[warning] = true
					text := warning.String()
					say("%s.", strings.ToUpper(text[:1])+text[1:])
				}
			}
		}
	}
	if len(lines) > 0 {
		fmt.Fprintf(w, "\n%s\n", strings.Join(lines, "\n"))
	}
}

// queryRows returns a table with one row per query and one column per measure.
func (r *Result) queryRows() [][]string {
	head := []string{"query"}
	for _, m := range r.Measures {
		if m.kind.perQuery() {
			head = append(head, m.Name)
		}
	}
	rows := [][]string{head}
	for q, query := range r.Queries {
		row := []string{query.ID}
		for i, m := range r.Measures {
			v, ok := r.Value(q, i)
			switch {
			case m.kind == text:
				row = append(row, r.Text(q, i))
			case !m.kind.perQuery():
			case !ok:
				row = append(row, "n/a")
			case m.kind == total:
				row = append(row, strconv.Itoa(int(v)))
			default:
				row = append(row, fmt.Sprintf("%.4f", v))
			}
		}
		rows = append(rows, row)
	}
	return rows
}

// align writes rows as columns. The first column is left-aligned, the others right-aligned.
func align(w io.Writer, rows [][]string) {
	var width []int
	for _, row := range rows {
		for i, cell := range row {
			if i == len(width) {
				width = append(width, 0)
			}
			width[i] = max(width[i], utf8.RuneCountInString(cell))
		}
	}
	for _, row := range rows {
		var line strings.Builder
		for i, cell := range row {
			pad := strings.Repeat(" ", width[i]-utf8.RuneCountInString(cell))
			if i == 0 {
				line.WriteString(cell + pad)
			} else {
				line.WriteString("  " + pad + cell)
			}
		}
		fmt.Fprintln(w, strings.TrimRight(line.String(), " "))
	}
}
