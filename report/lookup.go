package report

import (
	"cmp"
	"fmt"
	"iter"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"time"

	"github.com/assay-eval/assay"
	"github.com/assay-eval/assay/columns"
	"github.com/assay-eval/assay/report/document"
	"github.com/assay-eval/assay/report/words"
	"github.com/assay-eval/assay/summary"
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
	said := words.Held{Of: len(all), Seed: c.r.Header.Seed, Draws: c.r.Header.Repeat > 1}
	critical := func(i int) bool {
		row := int(all[i].row)
		return c.r.Cases.Critical(row) && c.r.criticalFailed(c.r.Cases.Record(row))
	}
	chosen, drawn := held(&said, c.o.cases(mostPageCases), critical, wish{4, func(i int) bool { return all[i].Low }, &said.Worst})
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
		Script: "report.js", Words: c.w.Lookup(said), Choices: c.choices(tags, scores, len(drawn) > 0),
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
	return caseTable(c.w, l, said, []string{"assay", "cases", runName(c.r), "--format", "csv"}, OutcomeRule(c.w, c.r.Header))
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

// leading puts metrics in the order of a page's columns: the composite, then those that a
// judge ruled on, then the others.
func leading(metrics []assay.MetricInfo) []assay.MetricInfo {
	byRank := func(a, b assay.MetricInfo) int { return cmp.Compare(columnRank(a), columnRank(b)) }
	return slices.SortedStableFunc(slices.Values(metrics), byRank)
}

// columnRank returns the group of a metric's column, counted from the left.
func columnRank(m assay.MetricInfo) int {
	switch {
	case m.Name == assay.CompositeName:
		return 0
	case m.Judged:
		return 1
	}
	return 2
}

// A scoreColumn is the column of a metric in the table of cases.
type scoreColumn struct {
	assay.MetricInfo
	document.Column
	// agreed is the score of every case, nil if the cases differ.
	agreed *assay.Score
}

// scoreColumns returns the columns of the metrics in their order on the page. A column on
// which all records agree is folded. The choices and the rows follow this list.
func (c *content) scoreColumns() []scoreColumn {
	var out []scoreColumn
	for i, m := range leading(c.r.Header.Metrics) {
		x := scoreColumn{MetricInfo: m, Column: document.Column{ID: metricID(i), Head: approximate(m), Role: "m"}}
		if x.agreed = agreed(m.Name, c.r.Cases); x.agreed != nil {
			x.Folded = true
		}
		out = append(out, x)
	}
	return out
}

// agreed returns the score that all records have, or nil if they differ, if a score is
// missing because something failed, or if there is only one record.
func agreed(metric string, t *columns.Table) *assay.Score {
	if t.Len() < 2 {
		return nil
	}
	column := t.Metric(metric)
	first, ok := column.Score(0)
	for i := range t.Len() {
		s, has := column.Score(i)
		if !ok || !has || s.State == assay.TargetError || s.State == assay.JudgeError || !alike(first, s) {
			return nil
		}
	}
	return &first
}

// alike reports whether two scores have the same state and value.
func alike(a, b assay.Score) bool {
	return a.State == b.State && (a.State != assay.Scored || math.Abs(a.Value-b.Value) <= equal)
}

// agreement is the line in place of the folded columns.
func (c *content) agreement(columns []scoreColumn) string {
	var said []string
	for _, x := range columns {
		if x.agreed != nil {
			said = append(said, valued(c.w, x.MetricInfo, *x.agreed))
		}
	}
	if said == nil {
		return ""
	}
	return c.w.Say("Agree", words.V{"cases": c.r.Cases.Distinct(), "runs": 1, "scores": said})
}

// valued returns a metric with its score: "recall@10 1.000".
func valued(w words.Words, m assay.MetricInfo, s assay.Score) string {
	return approximate(m) + " " + scoreCell(w, m, s).Text[0].Text
}

// failing returns why a case failed, and what a judge observed that speaks against it. Both
// are empty if nothing failed.
func (c *content) failing(r assay.Record) (reason, observed string) {
	var said []string
	if why := c.why(r); why != "" {
		said = append(said, why)
	}
	if stage, ok := lostAt(r); ok {
		said = append(said, c.w.LostAt(stage))
	}
	if said != nil {
		observed = c.observation(r)
	}
	for _, m := range leading(c.r.Header.Metrics) {
		if s := r.Scores[m.Name]; s.State == assay.JudgeError {
			said = append(said, line(m.Name)+": "+c.w.State(s.State))
			observed = cmp.Or(observed, s.Reason)
		}
	}
	return strings.Join(said, " · "), clip(line(observed), longestReason)
}

// observation returns the first observation of the judged metric that a failed case is
// furthest to the left in: of those that missed their threshold, else of those with less
// than full marks.
func (c *content) observation(r assay.Record) string {
	found := ""
	for _, m := range leading(c.r.Header.Metrics) {
		s := r.Scores[m.Name]
		remarks := remarked(s)
		if !ruled(m) || s.State != assay.Scored || len(remarks) == 0 || way(m, s.Value) == 1 {
			continue
		}
		text := remarks[0].Kind + ": " + remarks[0].Text
		if summary.Misses(m, s) {
			return text
		}
		found = cmp.Or(found, text)
	}
	return found
}

// longestReason is the longest observation in the table.
const longestReason = 160

// mostPageCases is the most cases on a page by default: a few megabytes, which a browser
// opens at once.
const mostPageCases = 500

// A wish is a reason to hold a case on a page, with the share of the page's cases, in
// fifths, up to which earlier wishes and this one may fill it.
type wish struct {
	fifths int
	in     func(i int) bool
	// count is where the number of cases that the wish brought is written.
	count *int
}

// held chooses at most most of the cases of a page, which are in its order. First come the
// critical cases that failed. Then each wish in turn takes the first cases that it is true of,
// and a random sample of the others takes the rest of the room. It returns the chosen cases in
// their order and those of them that were drawn; all of them and nil if there is room for all.
func held(said *words.Held, most int, critical func(i int) bool, wishes ...wish) (chosen []int, drawn map[int]bool) {
	n := said.Of
	failed := make([]bool, n)
	for i := range failed {
		if failed[i] = critical(i); failed[i] {
			said.CriticalOf++
		}
	}
	if n <= most {
		chosen = make([]int, n)
		for i := range chosen {
			chosen[i] = i
		}
		return chosen, nil
	}
	wishes = slices.Insert(wishes, 0, wish{5, func(i int) bool { return failed[i] }, &said.Critical})
	taken := make([]bool, n)
	for _, w := range wishes {
		room := most * w.fifths / 5
		for i := 0; i < n && len(chosen) < room; i++ {
			if !taken[i] && w.in(i) {
				taken[i] = true
				chosen = append(chosen, i)
				*w.count++
			}
		}
	}
	drawn = map[int]bool{}
	rng := rand.New(rand.NewPCG(said.Seed, uint64(n)))
	// Knuth's algorithm S: each of the cases left is as likely as any other.
	left := n - len(chosen)
	need := most - len(chosen)
	for i := 0; need > 0; i++ {
		if taken[i] {
			continue
		}
		if rng.IntN(left) < need {
			drawn[i] = true
			chosen = append(chosen, i)
			need--
		}
		left--
	}
	slices.Sort(chosen)
	return chosen, drawn
}

// caseTable returns the section with a page's table of cases. It says how they were chosen if
// the table does not have all, and the command that writes the rest. rule says what makes a
// case right or wrong.
func caseTable(w words.Words, l document.Lookup, said words.Held, rest []string, rule string) []document.Section {
	s := document.Section{ID: "cases", Title: w.Names().CasesTitle, Views: document.Page}
	if said.N < said.Of {
		text := document.Join(document.T(w.CasesHeld(said)+" "), document.C(shellLine(rest)))
		s.Blocks = append(s.Blocks, document.Paragraph{Kind: document.Note, Text: text})
	}
	s.Blocks = append(s.Blocks, document.Paragraph{Kind: document.Note, Text: document.T(rule)}, l)
	return []document.Section{s}
}

// runName is how a command names a run.
func runName(r *Report) string { return cmp.Or(r.Header.ID, "RUN") }

// holding returns a function that reports whether a page holds a case.
func holding[T any](list []T, id func(T) string) func(string) bool {
	ids := map[string]bool{}
	for _, x := range list {
		ids[id(x)] = true
	}
	return func(id string) bool { return ids[id] }
}
