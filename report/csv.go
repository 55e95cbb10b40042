package report

import (
	"encoding/csv"
	"fmt"
	"io"
	"strconv"
	"strings"

	"github.com/assay-eval/assay"
	"github.com/assay-eval/assay/report/words"
	"github.com/assay-eval/assay/summary"
)

var csvFormat = Format{
	Name: "csv", Ext: ".csv", Media: "text/csv; charset=utf-8",
	Doc:   "one row a case, for a spreadsheet",
	Write: CSV,
}

// CSV writes one row per case: the state of a critical case ("check": passed, failed or
// unchecked), whether the case is right ("outcome": right, wrong or unknown), the question and the answer, the failed attempts, the stage that a wrong
// answer is attributed to if the run was followed through the stages, then the value and
// the state of every metric. An unknown value is an empty cell. A text that a
// spreadsheet would run as a formula gets a leading apostrophe; numbers stay numbers.
// For a metric that needs a judge, the state of a value that no judge ruled on is
// "estimate" instead of "scored".
func CSV(w io.Writer, r *Report, _ Options) error {
	out := csv.NewWriter(w)
	head := []string{"id", "status", "critical", "check", "tags", "question", "answer", "failure", "latency_ms",
		"cost_usd", "attempts", "tries", "outcome"}
	stage := r.Summary.Waterfall != nil
	if stage {
		head = append(head, "stage")
	}
	for _, m := range r.Header.Metrics {
		head = append(head, cell(m.Name), cell(m.Name+" state"))
	}
	// csv.Writer keeps the first error until Flush.
	_ = out.Write(head)
	for rec, err := range r.Records() {
		if err != nil {
			return err
		}
		_ = out.Write(csvRow(r, rec, stage))
	}
	out.Flush()
	return out.Error()
}

func csvRow(of *Report, r assay.Record, stage bool) []string {
	metrics, check := of.Header.Metrics, ""
	verdict := of.Check(r)
	if r.Case.Critical {
		check = string(verdict.State)
	}
	row := []string{
		cell(r.Case.ID), string(summary.Status(metrics, r)), strconv.FormatBool(r.Case.Critical), check,
		cell(strings.Join(r.Case.Tags, ", ")), cell(r.Case.Question), "", "", "", "", strconv.Itoa(r.Attempts), tries(r), string(verdict.Outcome()),
	}
	if r.Failure != nil {
		row[7] = cell(r.Failure.Kind + ": " + r.Failure.Message)
	}
	if p := r.Response; p != nil {
		row[6] = cell(p.Answer)
		if p.Latency != 0 {
			row[8] = strconv.FormatFloat(p.Latency.Seconds()*1000, 'f', -1, 64)
		}
	}
	if cost := r.Usage().Cost; cost != 0 {
		row[9] = strconv.FormatFloat(float64(cost)/1e6, 'f', -1, 64)
	}
	if stage {
		at, _ := summary.PutDown(r)
		row = append(row, cell(at))
	}
	for _, m := range metrics {
		s := r.Scores[m.Name]
		value, state := "", s.State.String()
		if s.State == assay.Scored {
			value = strconv.FormatFloat(s.Value, 'f', -1, 64)
			if m.Estimate {
				state = "estimate"
			}
		}
		row = append(row, value, state)
	}
	return row
}

// tries returns the failed attempts as one cell. It begins with a number, so it is not
// a formula.
func tries(r assay.Record) string {
	var out []string
	for i, t := range r.Tries {
		out = append(out, fmt.Sprintf("%d. %s", i+1, try(words.English, t, 300)))
	}
	return strings.Join(out, "; ")
}

// cell makes a text safe for a spreadsheet, which reads a cell as a formula if it
// begins with one of these characters or their full-width forms.
func cell(s string) string {
	s = visible(s)
	if s != "" && strings.ContainsRune("=+-@\t\r\n＝＋－＠", []rune(s)[0]) {
		return "'" + s
	}
	return s
}
