package report

import (
	"fmt"
	"iter"
	"slices"
	"strings"
	"time"

	"github.com/assay-eval/assay"
	"github.com/assay-eval/assay/report/document"
	"github.com/assay-eval/assay/report/words"
)

// The texts of a page share a budget in bytes. Each text gets a share within these
// limits.
const (
	pageBudget   = 24 << 20
	shortestText = 160
	longestText  = 8000
	// longestQuestion is the longest question in the table.
	longestQuestion = 300
)

// textLimit divides the budget among the texts of the records.
func textLimit(records iter.Seq[*assay.Record]) int {
	texts, most := 1, pageLimits(0)
	for r := range records {
		texts += 2
		if r.Response != nil {
			texts += min(len(r.Response.Passages), most.passages)
			if r.Response.Trace != nil {
				texts += 2 * len(r.Response.Trace.Stages)
			}
		}
		if r.Attribution != nil {
			texts += min(len(r.Attribution.Facts), most.claims)
		}
	}
	return min(max(pageBudget/texts, shortestText), longestText)
}

// lookup is the page's table of cases: those that are not ok, then the lowest, then
// the others. A page with room for fewer than all holds the failed critical cases, the
// worst of the others and a random sample, see [held].
func (c *content) lookup() []document.Section {
	all := c.r.worstFirst()
	said := words.Held{Of: len(all), Seed: c.r.Header.Seed}
	critical := func(i int) bool { return c.r.Cases.Critical(int(all[i].row)) && all[i].Bad }
	for i := range all {
		if critical(i) {
			said.CriticalOf++
		}
	}
	chosen, drawn := held(len(all), c.o.cases(mostPageCases), said.Seed,
		wish{5, critical, &said.Critical}, wish{4, func(i int) bool { return all[i].Low }, &said.Worst})
	said.N, said.Drawn = len(chosen), len(drawn)
	if len(chosen) == 0 {
		return nil
	}
	list := make([]lowCase, len(chosen))
	for k, i := range chosen {
		list[k] = all[i]
		list[k].Drawn = drawn[i]
	}
	var has optional
	var tags []string
	for _, x := range list {
		rec := c.r.Cases.Record(int(x.row))
		tags = append(tags, rec.Case.Tags...)
		reason, _ := c.failing(rec)
		has.why, has.time = has.why || reason != "", has.time || took(rec.Response) != nil
	}
	slices.Sort(tags)
	tags = slices.Compact(tags)
	scores := c.scoreColumns()
	l := document.Lookup{
		Script: "report.js", Words: c.w.Lookup(said.N, said.Of), Choices: c.choices(tags, scores, len(drawn) > 0),
		Columns: c.lookupColumns(scores, has), Agreement: c.agreement(scores), Shown: len(list),
		Rows: func(yield func(document.LookupRow) bool) {
			limits := pageLimits(textLimit(func(yield func(*assay.Record) bool) {
				for _, x := range list {
					if rec := c.whole(int(x.row)); !yield(&rec) {
						return
					}
				}
			}))
			for _, x := range list {
				shown := c.shown(x)
				row := c.row(shown, tags, scores, has)
				row.Case = c.panel(shown, limits)
				if !yield(row) {
					return
				}
			}
		},
	}
	if drawn != nil {
		l.Holds = holding(list, func(x lowCase) string { return c.r.Cases.ID(int(x.row)) })
	}
	return caseTable{l, said, []string{"assay", "cases", runName(c.r), "--format", "csv"}, OutcomeRule(c.w, c.r.Header)}.section(c.w)
}

// optional are the columns that a table has only if a case has something in them: the
// reason of failure and the time.
type optional struct{ why, time bool }

// lookupColumns returns the columns of the table; [content.row] has a cell for each.
func (c *content) lookupColumns(scores []scoreColumn, has optional) []document.Column {
	n := c.w.Names().PageNames
	out := []document.Column{{ID: "case", Head: n.Case, Words: true, Role: "id"}, {ID: "status", Head: n.Status, Words: true, Role: "st"}}
	if has.why {
		out = append(out, document.Column{ID: "why", Head: n.WhyFailed, Words: true, Role: "why"})
	}
	out = append(out, document.Column{ID: "question", Head: n.Question, Words: true, Role: "q"})
	for _, x := range scores {
		out = append(out, x.Column)
	}
	if has.time {
		out = append(out, document.Column{ID: "time", Head: n.Time, Role: "late"})
	}
	return out
}

func metricID(i int) string { return fmt.Sprintf("m%d", i) }

// tagID returns the value that selects the cases with a tag.
func tagID(tags []string, tag string) string {
	i, _ := slices.BinarySearch(tags, tag)
	return fmt.Sprintf("t%d", i)
}

func (c *content) choices(tags []string, scores []scoreColumn, drawn bool) []document.Choice {
	n := c.w.Names().PageNames
	any := document.Option{Text: n.Any}
	byTag, byMetric := []document.Option{any}, []document.Option{any}
	for _, t := range tags {
		byTag = append(byTag, document.Option{Value: tagID(tags, t), Text: t})
	}
	for _, x := range scores {
		byMetric = append(byMetric, document.Option{Value: x.ID, Text: x.Head})
	}
	byStatus := []document.Option{any}
	for _, s := range []assay.Status{assay.StatusOK, assay.StatusFailed, assay.StatusError} {
		byStatus = append(byStatus, document.Option{Value: string(s), Text: c.w.Status(s)})
	}
	byStatus = append(byStatus, document.Option{Value: "wrong", Text: c.w.Correct(assay.AnswerWrong)},
		document.Option{Value: "critical", Text: n.Critical}, document.Option{Value: "slow", Text: n.Slow})
	if drawn {
		byStatus = append(byStatus, document.Option{Value: "drawn", Text: n.Drawn})
	}
	out := []document.Choice{{ID: "status", Label: n.Status, Options: byStatus}}
	if len(tags) > 0 {
		out = append(out, document.Choice{ID: "tag", Label: c.w.Names().Tag, Options: byTag})
	}
	return append(out, []document.Choice{
		{ID: "metric", Label: n.Metric, Options: byMetric},
		{ID: "below", Label: n.Below},
		{ID: "order", Label: n.Order, Options: []document.Option{{Value: "low", Text: n.LowestFirst}, {Value: "dataset", Text: n.AsInDataset}}},
	}...)
}

// row returns a case's row in the table, without its panel.
func (c *content) row(x shownCase, tags []string, scores []scoreColumn, has optional) document.LookupRow {
	status, is := c.standing(x)
	row := document.LookupRow{ID: line(x.Case.ID), Place: x.Seq, Is: []string{string(is)}}
	if x.Wrong {
		row.Is = append(row.Is, "wrong")
	}
	if x.Case.Critical {
		row.Is = append(row.Is, "critical")
	}
	if x.Slow {
		row.Is = append(row.Is, "slow")
	}
	if x.Drawn {
		row.Is = append(row.Is, "drawn")
	}
	for _, t := range x.Case.Tags {
		row.Is = append(row.Is, tagID(tags, t))
	}
	row.Cells = []document.Cell{{}, status}
	if has.why {
		reason, observed := c.failing(x.Record)
		row.Cells = append(row.Cells, document.Cell{Text: document.T(reason), Below: observed})
	}
	row.Cells = append(row.Cells, questionCell(c.w, x.Case.Question, x.Case.Tags))
	for _, s := range scores {
		row.Cells = append(row.Cells, scoreCell(c.w, s.MetricInfo, x.Record.Scores[s.Name]))
	}
	if !has.time {
		return row
	}
	took := document.Cell{Text: document.T("–")}
	if p := x.Response; p != nil && p.Latency > 0 {
		ms := float64(p.Latency) / float64(time.Millisecond)
		took = document.Cell{Text: document.T(duration(p.Latency)), Order: &ms}
	}
	row.Cells = append(row.Cells, took)
	return row
}

func questionCell(w words.Words, question string, tags []string) document.Cell {
	return document.Cell{Text: document.T(excerpt(w, line(question), longestQuestion)), Below: strings.Join(tags, " · ")}
}

// scoreCell returns a score, or the reason why it has no value.
func scoreCell(w words.Words, m assay.MetricInfo, s assay.Score) document.Cell {
	if s.State == assay.Scored {
		return document.Cell{Text: document.T(against(m, s.Value)), Order: &s.Value}
	}
	c := document.Cell{Text: document.T(w.State(s.State)), Mark: document.Unsure}
	if s.State == assay.TargetError {
		c.Mark = document.Bad
	}
	return c
}
