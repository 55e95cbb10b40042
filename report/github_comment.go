package report

import (
	"fmt"
	"io"
	"strings"
	"unicode/utf16"

	"github.com/assay-eval/assay/gate"
	"github.com/assay-eval/assay/internal/text"
	"github.com/assay-eval/assay/report/markdown"
)

// CommentLimit is the length of a comment that GitHub takes, in characters.
const CommentLimit = 65536

var commentFormat = Format{
	Name: "comment", Ext: ".comment.md", Media: "text/markdown; charset=utf-8",
	Doc:   "verdict, gated metrics and worst cases, for a comment on a pull request",
	Prose: true,
	Write: Comment,
}

// Comment writes the body of a comment on a pull request: what the run comes to,
// what it is held to with the old and the new values, and the worst cases. Its
// first line is a mark that nobody sees, by which a workflow finds the comment
// that it wrote before, and replaces it; see [CommentMark]. The body has at most
// [CommentLimit] characters.
func Comment(w io.Writer, r *Report, o Options) error {
	c := comment{r: r, o: o}
	c.verdict()
	c.rules()
	c.tracked()
	c.cases()
	c.words()
	_, err := io.WriteString(w, within(c.b.String(), CommentLimit, func(s string) int { return len(utf16.Encode([]rune(s))) }))
	return err
}

// CommentMark is the first line of the comment on the run: "<!-- assay:NAME -->"
// with the name of the run, else of its data set, so that several runs of a
// workflow have comments of their own.
func CommentMark(r *Report) string {
	name := strings.Map(func(c rune) rune {
		switch {
		case c >= 'a' && c <= 'z', c >= 'A' && c <= 'Z', c >= '0' && c <= '9', c == '.', c == '_':
			return c
		}
		return '-'
	}, r.title())
	// Two hyphens would end the mark in the eyes of some.
	for strings.Contains(name, "--") {
		name = strings.ReplaceAll(name, "--", "-")
	}
	name = strings.Trim(name, "-")
	if len(name) > questionChars {
		name = name[:questionChars]
	}
	return "<!-- assay:" + name + " -->"
}

type comment struct {
	r *Report
	o Options
	b strings.Builder
}

func (c *comment) printf(format string, args ...any) { fmt.Fprintf(&c.b, format+"\n", args...) }

func (c *comment) verdict() {
	h, s := c.r.Header, c.r.Summary
	end := c.r.Conclusion(c.o.Strict)
	c.printf("%s", CommentMark(c.r))
	c.printf("### %s · evaluation of %s\n", end.Word, markdown.Inline(c.r.title()))
	if end.Why != "" {
		c.printf("**%s**\n", markdown.Inline(end.Why))
	}
	facts := []string{plural(s.Cases, "case", "cases") + ": " + outcome(s)}
	if left := c.r.Header.Asked() - len(c.r.Records); left > 0 {
		facts = append(facts, fmt.Sprintf("%d not evaluated", left))
	}
	if s.Critical > 0 {
		facts = append(facts, "critical: "+criticalLine(s))
	}
	if l := judgingLine(h, s); l != "" {
		facts = append(facts, "judged by "+l)
	}
	c.printf("%s", markdown.Inline(strings.Join(facts, " · ")))
	if w := s.Waterfall; w != nil {
		c.printf("\n%s", markdown.Inline(c.o.words().Lost(w)))
	}
}

func (c *comment) rules() {
	g := c.r.Gate
	if g == nil {
		c.means()
		return
	}
	if len(g.Refused) > 0 {
		c.printf("\nThe baseline was not compared with:\n")
		for _, reason := range g.Refused {
			c.printf("- %s", markdown.Inline(reason))
		}
	}
	if len(g.Results) == 0 {
		return
	}
	c.printf("\n| Rule | Baseline | This run | Difference | |\n|---|---:|---:|---:|---|")
	for _, res := range c.results() {
		word := verdictWord(res.Verdict)
		if res.Verdict != gate.Pass {
			word = "**" + word + "** " + markdown.Inline(clip(line(res.Reason), 2*questionChars))
		}
		c.row(markdown.Code(res.Rule), res, word)
	}
}

// results are those of the gate, in the order of what they come to.
func (c *comment) results() []gate.Result {
	return byVerdict(c.r.Gate.Results, func(x gate.Result) gate.Verdict { return x.Final(c.o.Strict) })
}

// row writes what a rule or a metric was, is, and how it changed.
func (c *comment) row(name string, res gate.Result, word string) {
	row := c.r.gateRow(res)
	if m := c.r.known(res.Metric); m != nil && res.Got != nil && res.Diff == nil {
		row.Run = against(m.MetricInfo, *res.Got)
	}
	if row.Diff != "" && row.Ends != "" {
		row.Diff += " (" + row.Ends + ")"
	}
	c.printf("| %s | %s | %s | %s | %s |", name, dash(row.Baseline), dash(row.Run), dash(row.Diff), word)
}

// dash stands in a table where nothing is to be said.
func dash(s string) string {
	if s == "" {
		return "–"
	}
	return s
}

// means shows the metrics of a run that is held to nothing.
func (c *comment) means() {
	s := c.r.Summary
	if len(s.Metrics) == 0 {
		return
	}
	c.printf("\nNothing holds this run to anything: no threshold, no rule, no baseline.\n")
	c.printf("| Metric | Mean | %s | n |\n|---|---:|---|---:|", intervals(s.Metrics[0].Level))
	for _, m := range estimates(s.Metrics) {
		c.printf("| %s | %s | %s | %d |", markdown.Code(m.Name), estimated(m), ends(m.MetricInfo, m.Estimate), m.N)
	}
}

func (c *comment) tracked() {
	if c.r.Gate == nil || len(c.r.Gate.Tracked) == 0 {
		return
	}
	c.printf("\n<details><summary>%s, tracked without a verdict</summary>\n", plural(len(c.r.Gate.Tracked), "metric", "metrics"))
	c.printf("| Metric | Baseline | This run | Difference | |\n|---|---:|---:|---:|---|")
	for _, res := range c.r.Gate.Tracked {
		c.row(markdown.Code(res.Metric), res, "")
	}
	c.printf("\n</details>")
}

func (c *comment) cases() {
	failed := notOK(c.r)
	most := c.o.cases(namedCases)
	if len(failed) > 0 {
		c.printf("\n**Cases that are not right** (%d)\n", len(failed))
		for _, f := range failed[:min(most, len(failed))] {
			critical := ""
			if f.Case.Critical {
				critical = ", **critical**"
			}
			c.printf("- %s%s: %s – %s", markdown.Code(f.Case.ID), critical, markdown.Inline(clip(line(f.Case.Question), 2*questionChars)),
				markdown.Inline(clip(why(c.r.Header.Metrics, f.Record), 2*questionChars)))
		}
		if more := len(failed) - most; more > 0 {
			c.printf("- and %d more", more)
		}
	}
	if c.r.Gate == nil {
		return
	}
	for _, res := range c.results() {
		worst := c.r.worst(res, namedCases)
		if worst == nil || res.Verdict == gate.Pass {
			continue
		}
		c.printf("\n**Lost most in** %s\n", markdown.Code(res.Rule))
		for _, text := range worst {
			c.printf("- %s", markdown.Inline(text))
		}
	}
}

// words end the comment: what to know, and where to look.
func (c *comment) words() {
	if w := c.r.Summary.Warnings; len(w) > 0 {
		c.printf("\n<details><summary>%s</summary>\n", plural(len(w), "warning", "warnings"))
		for _, text := range w {
			c.printf("- %s", markdown.Inline(clip(line(text), 4*questionChars)))
		}
		c.printf("\n</details>")
	}
	h := c.r.Header
	where := "Every case is in the step summary and in the report that the workflow keeps."
	if c.o.Page != "" {
		where = "[The step summary and the report](" + c.o.Page + ") show every case."
	}
	c.printf("\n%s %s", where, markdown.Inline("Run "+h.ID+", assay "+h.Version+", data set "+strings.TrimSpace(h.Dataset.Name+" "+
		""+text.ShortHash(h.Dataset.Hash))+"."))
}
