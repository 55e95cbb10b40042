package cli

import (
	"bytes"
	"encoding/csv"
	"encoding/json"
	"fmt"
	"io"
	"iter"
	"slices"
	"strconv"
	"strings"

	"github.com/assay-eval/assay"
	"github.com/assay-eval/assay/internal/query"
	"github.com/assay-eval/assay/internal/text"
	"github.com/assay-eval/assay/report"
	screen "github.com/assay-eval/assay/report/terminal"
)

// write writes cases in the chosen format.
func (f *caseFlags) write(env *Env, h assay.Header, columns []caseColumn, q query.Query, cases iter.Seq2[assay.Record, error]) error {
	if f.format == "table" {
		return f.table(env, h, columns, q, cases)
	}
	if columns == nil {
		columns = fullColumns(h)
	}
	if f.format == "csv" {
		return writeCSV(env.Stdout, columns, cases)
	}
	return writeJSONL(env.Stdout, columns, cases)
}

// writeCSV writes a row a case. A value that is not known is an empty cell.
func writeCSV(w io.Writer, columns []caseColumn, cases iter.Seq2[assay.Record, error]) error {
	out := csv.NewWriter(w)
	row := make([]string, len(columns))
	for i, c := range columns {
		row[i] = report.Cell(c.name)
	}
	// csv.Writer keeps the first error until Flush.
	_ = out.Write(row)
	for r, err := range cases {
		if err != nil {
			out.Flush()
			return err
		}
		for i, c := range columns {
			switch v := c.value(r).(type) {
			case nil:
				row[i] = ""
			case float64:
				row[i] = strconv.FormatFloat(v, 'f', -1, 64)
			case bool:
				row[i] = strconv.FormatBool(v)
			case []string:
				row[i] = report.Cell(strings.Join(v, ", "))
			default:
				row[i] = report.Cell(fmt.Sprint(v))
			}
		}
		_ = out.Write(row)
	}
	out.Flush()
	return out.Error()
}

// writeJSONL writes an object a case on one line, with its keys in the order of the
// columns, or its whole record.
func writeJSONL(w io.Writer, columns []caseColumn, cases iter.Seq2[assay.Record, error]) error {
	for r, err := range cases {
		if err != nil {
			return err
		}
		var line bytes.Buffer
		enc := json.NewEncoder(&line)
		enc.SetEscapeHTML(false)
		if columns[0].name == recordColumn {
			err = enc.Encode(r)
		} else {
			err = encodeColumns(&line, enc, columns, r)
		}
		if err != nil {
			return err
		}
		if _, err := w.Write(line.Bytes()); err != nil {
			return err
		}
	}
	return nil
}

func encodeColumns(line *bytes.Buffer, enc *json.Encoder, columns []caseColumn, r assay.Record) error {
	for i, c := range columns {
		line.WriteByte("{,"[min(i, 1)])
		for j, v := range []any{c.name, c.value(r)} {
			if j > 0 {
				line.WriteByte(':')
			}
			if err := enc.Encode(v); err != nil {
				return err
			}
			line.Truncate(line.Len() - 1) // the encoder ends each value with a line end
		}
	}
	line.WriteString("}\n")
	return nil
}

// Widths of a table, in columns of the terminal.
const (
	tableWidth = 80
	// A text is this wide before metrics that were not asked for take its place.
	leastProse = 24
	// Other words than texts are cut here, and no column of words becomes narrower than
	// leastWord.
	mostWord  = 28
	leastWord = 10
)

// table writes cases as a table that fits the terminal.
func (f *caseFlags) table(env *Env, h assay.Header, columns []caseColumn, q query.Query, cases iter.Seq2[assay.Record, error]) error {
	var records []assay.Record
	for r, err := range cases {
		if err != nil {
			return err
		}
		records = append(records, r)
	}
	if len(records) == 0 {
		return nil
	}
	width := env.Width
	if !env.StdoutTTY || width <= 0 {
		width = tableWidth
	}
	fixed := columns != nil
	if !fixed {
		columns = f.tableColumns(h, q, records)
	}
	grid := newCaseGrid(columns, records)
	// The metrics that do not fit are left out, the last first; those of the filter and of
	// the order stay.
	for named := f.named(q); !fixed && grid.width() > width; {
		i := len(grid.columns) - 2
		if i < 1 || !grid.columns[i].metric || slices.Contains(named, grid.columns[i].head) {
			break
		}
		grid.columns = slices.Delete(grid.columns, i, i+1)
	}
	grid.fit(width)
	_, err := io.WriteString(env.Stdout, grid.String())
	return err
}

// tableColumns chooses columns: what tells the outcome, then the metrics, those of the
// filter and of the order first, and the question.
func (f *caseFlags) tableColumns(h assay.Header, q query.Query, records []assay.Record) []caseColumn {
	all := textColumns(h.Metrics)
	var out []caseColumn
	for _, c := range all {
		switch c.name {
		case "id", "status":
			out = append(out, c)
		case "correctness", "stage":
			if slices.ContainsFunc(records, func(r assay.Record) bool { return c.value(r) != nil }) {
				out = append(out, c)
			}
		}
	}
	metrics := slices.Clone(h.Metrics)
	named := f.named(q)
	slices.SortStableFunc(metrics, func(a, b assay.MetricInfo) int {
		first := map[bool]int{true: 0, false: 1}
		return first[slices.Contains(named, a.Name)] - first[slices.Contains(named, b.Name)]
	})
	for _, m := range metrics {
		out = append(out, metricColumn(m))
	}
	for _, name := range named {
		for _, c := range all {
			if c.name == name+"_ms" || c.name == name+"_usd" || name == "tag" && c.name == "tags" || c.name == name && name == "group" {
				out = slices.Insert(out, len(out)-len(metrics), c)
			}
		}
	}
	return append(out, all[slices.IndexFunc(all, func(c caseColumn) bool { return c.name == "question" })])
}

// named lists the fields and metrics of the filter and of the order.
func (f *caseFlags) named(q query.Query) []string {
	return append(q.Names(), strings.TrimPrefix(f.sort, "-"))
}

// A caseGrid is a table of cases.
type caseGrid struct{ columns []gridColumn }

type gridColumn struct {
	head   string
	cells  []string
	number bool
	metric bool
	prose  bool
	width  int
}

func newCaseGrid(columns []caseColumn, records []assay.Record) *caseGrid {
	g := &caseGrid{}
	for _, c := range columns {
		col := gridColumn{head: c.name, prose: c.prose, width: screen.Columns(c.name)}
		for _, r := range records {
			cell := ""
			score, metric := r.Scores[c.name]
			col.metric = col.metric || metric
			switch v := c.value(r).(type) {
			case nil:
				if metric {
					cell = stateCell(score.State)
				}
			case float64:
				col.number = true
				cell = strconv.FormatFloat(v, 'f', 3, 64)
			case bool:
				cell = map[bool]string{true: "yes", false: "no"}[v]
			case []string:
				cell = strings.Join(v, ", ")
			default:
				cell = text.Collapse(text.Visible(fmt.Sprint(v)))
			}
			if !c.prose {
				cell = screen.Fit(text.Collapse(text.Visible(cell)), mostWord)
			}
			col.width = max(col.width, screen.Columns(cell))
			col.cells = append(col.cells, cell)
		}
		col.number = col.number || col.metric
		g.columns = append(g.columns, col)
	}
	return g
}

// stateCell is a score without a value in a table, in the words of filters.
func stateCell(s assay.State) string {
	switch s {
	case assay.NotApplicable:
		return "n/a"
	case assay.Abstained:
		return "abstained"
	case assay.JudgeError, assay.TargetError:
		return "error"
	}
	return ""
}

// width is that of the grid with its texts as narrow as they may be.
func (g *caseGrid) width() int {
	w := 2 * (len(g.columns) - 1)
	for _, c := range g.columns {
		if c.prose {
			w += min(c.width, leastProse)
		} else {
			w += c.width
		}
	}
	return w
}

// fit narrows the widest columns until the grid fits a width: the texts first, then other
// words, and no numbers.
func (g *caseGrid) fit(width int) {
	total := 2 * (len(g.columns) - 1)
	for _, c := range g.columns {
		total += c.width
	}
	for ; total > width; total-- {
		var widest *gridColumn
		for i := range g.columns {
			c := &g.columns[i]
			if c.number || c.width <= leastWord || !c.prose && g.texts() {
				continue
			}
			if widest == nil || c.width > widest.width {
				widest = c
			}
		}
		if widest == nil {
			return
		}
		widest.width--
	}
}

// texts reports whether a text can be narrower.
func (g *caseGrid) texts() bool {
	return slices.ContainsFunc(g.columns, func(c gridColumn) bool { return c.prose && c.width > leastWord })
}

// String gives the lines of the grid.
func (g *caseGrid) String() string {
	head, words := make([]string, len(g.columns)), make([]bool, len(g.columns))
	rows := make([][]string, len(g.columns[0].cells))
	for i, c := range g.columns {
		head[i], words[i] = screen.Fit(c.head, c.width), !c.number
		for row, cell := range c.cells {
			rows[row] = append(rows[row], screen.Fit(cell, c.width))
		}
	}
	return screen.Table(head, rows, words)
}
