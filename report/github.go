package report

import (
	"bufio"
	"cmp"
	"fmt"
	"io"
	"slices"
	"strings"
	"sync"
	"unicode/utf16"

	"github.com/assay-eval/assay"
	"github.com/assay-eval/assay/gate"
	"github.com/assay-eval/assay/internal/text"
	"github.com/assay-eval/assay/report/markdown"
	"github.com/assay-eval/assay/report/words"
	"github.com/assay-eval/assay/summary"
)

// shownFailures is how many failed cases have an annotation of their own; GitHub shows
// ten annotations of a kind per step.
const shownFailures = 10

// annotationChars is the largest length of a message, in characters.
const annotationChars = 800

// Annotations writes the run's problems as workflow commands, which GitHub Actions
// shows beside the lines of the dataset that they concern: an error for every rule
// that stops the run, every critical case that failed and at most ten other cases; a
// warning for every undecided rule and every warning of the run.
//
// locate returns the path of a dataset file within the repository, or "" for a file
// outside it; a nil locate leaves paths unchanged. Text is escaped and cannot act as a
// command.
func Annotations(w io.Writer, r *Report, o Options, locate func(string) string) error {
	a := annotations{content: newContent(r, o), out: bufio.NewWriter(w), locate: locate}
	if c := a.conclusion(); c.Word == "ERROR" || c.Word == "INCOMPLETE" {
		a.command("error", "assay: "+c.Word, assay.Origin{}, c.Why)
	}
	a.rules()
	a.failures()
	for _, text := range a.told() {
		a.command("warning", "assay", assay.Origin{}, text)
	}
	return r.failed(a.out.Flush())
}

// AnnotateError writes the error that ended a program as a workflow command.
func AnnotateError(w io.Writer, err error) error {
	a := annotations{out: bufio.NewWriter(w)}
	a.command("error", "assay", assay.Origin{}, err.Error())
	return a.out.Flush()
}

type annotations struct {
	*content
	out    *bufio.Writer
	locate func(string) string
}

func (a *annotations) rules() {
	g := a.r.Gate
	if g == nil {
		return
	}
	for _, reason := range g.Refused {
		a.command("error", "assay", assay.Origin{}, a.w.BaselineRefused(reason.In(a.w)))
	}
	for _, res := range g.Results {
		kind := ""
		switch res.Final(a.o.Strict) {
		case gate.Fail:
			kind = "error"
		case gate.Inconclusive:
			kind = "warning"
		default:
			continue
		}
		a.command(kind, a.w.Verdict(res.Verdict)+" "+a.ruleText(res), assay.Origin{}, a.explain(res))
	}
	for _, text := range g.Warnings {
		a.command("warning", "assay", assay.Origin{}, text.In(a.w))
	}
}

func (a *annotations) failures() {
	left := shownFailures
	for _, c := range a.r.lowest() {
		if !c.Bad && !c.Wrong {
			break
		}
		if !a.r.Cases.Critical(int(c.row)) {
			if left == 0 {
				continue
			}
			left--
		}
		c := a.shown(c)
		// The question, and why the case failed.
		text := strings.TrimSpace(clip(line(c.Case.Question), 2*questionChars) + "\n" + a.why(c.Record))
		a.command("error", a.result(c, true)+" "+c.Case.ID, c.Case.Origin, text)
	}
}

// command writes one workflow command.
func (a *annotations) command(kind, title string, at assay.Origin, text string) {
	properties := []string{"title=" + githubProperty(clip(line(title), 2*questionChars))}
	if file := at.File; file != "" {
		if a.locate != nil {
			file = a.locate(file)
		}
		if file != "" {
			properties = append(properties, "file="+githubProperty(file))
			if at.Line > 0 {
				properties = append(properties, fmt.Sprintf("line=%d", at.Line))
			}
		}
	}
	message := dataEscapes.Replace(clip(strings.TrimSpace(visible(text)), annotationChars))
	fmt.Fprintf(a.out, "::%s %s::%s\n", kind, strings.Join(properties, ","), message)
}

var (
	dataEscapes     = strings.NewReplacer("%", "%25", "\r", "%0D", "\n", "%0A", "##[", "##"+noWidth+"[")
	propertyEscapes = strings.NewReplacer("%", "%25", "\r", "%0D", "\n", "%0A", ":", "%3A", ",", "%2C", "##[", "##"+noWidth+"[")
)

// githubProperty escapes the value of a workflow command's property.
func githubProperty(s string) string { return propertyEscapes.Replace(visible(s)) }

// Harmless returns a writer that copies text to w in a form in which GitHub Actions
// finds no workflow commands: no line begins with a colon, and "##[" does not occur.
// It inserts a zero-width space where needed. A program should print the text of
// systems and datasets through it. It is safe for concurrent use.
func Harmless(w io.Writer) io.Writer { return &harmless{w: w, fresh: true} }

type harmless struct {
	mu sync.Mutex
	w  io.Writer
	// fresh is set while a line has only characters that could be white space; hashes
	// is the number of "#" at its end.
	fresh  bool
	hashes int
}

// noWidth is U+200B, the zero-width space.
const noWidth = "\u200b"

// Write writes p. The count is in bytes of p.
func (h *harmless) Write(p []byte) (int, error) {
	h.mu.Lock()
	defer h.mu.Unlock()
	out := make([]byte, 0, len(p)+len(noWidth))
	for _, c := range p {
		if c == ':' && h.fresh || c == '[' && h.hashes >= 2 {
			out = append(out, noWidth...)
		}
		out = append(out, c)
		switch {
		case c == '\n', c == '\r':
			h.fresh = true
		case c > ' ' && c < 0x7f:
			h.fresh = false
		}
		// The middle of a multi-byte character cannot be next to a "#".
		if c == '#' {
			h.hashes++
		} else {
			h.hashes = 0
		}
	}
	if _, err := h.w.Write(out); err != nil {
		return 0, err
	}
	return len(p), nil
}

// SummaryLimit is the largest step summary that GitHub accepts, in bytes.
const SummaryLimit = 1 << 20

// StepSummary writes the report as Markdown in at most limit bytes; a limit of 0 means
// [SummaryLimit]. To fit, it shows fewer cases and, as a last resort, cuts the text at
// the end of a line. It says what it left out.
func StepSummary(w io.Writer, r *Report, o Options, limit int) error {
	if limit <= 0 {
		limit = SummaryLimit
	}
	for _, cases := range []int{o.Cases, 10, 3, -1} {
		var b strings.Builder
		o.Cases = cases
		if err := Markdown.Write(&b, r, o); err != nil {
			return err
		}
		if b.Len() > limit && cases >= 0 {
			continue
		}
		_, err := io.WriteString(w, within(b.String(), limit, func(s string) int { return len(s) }, o.words()))
		return err
	}
	return nil
}

// within cuts Markdown at the end of a line to at most limit by measure, and adds a
// note that it did. It returns "" if nothing fits.
func within(s string, limit int, measure func(string) int, w words.Words) string {
	if measure(s) <= limit {
		return s
	}
	cutHere := "\n\n*" + w.Names().CutHere + "*\n"
	end := "\n</details>"
	room := limit - measure(cutHere) - measure(end)
	var b strings.Builder
	kept, open := 0, 0
	for l := range strings.Lines(s) {
		n := measure(l)
		if kept+n > room {
			break
		}
		kept += n
		b.WriteString(l)
		open += strings.Count(l, "<details>") - strings.Count(l, "</details>")
		// Every open block needs room for its closing tag.
		if open > 0 && kept+open*measure(end) > room {
			break
		}
	}
	out := strings.TrimRight(b.String(), "\n")
	out += strings.Repeat(end, max(strings.Count(out, "<details>")-strings.Count(out, "</details>"), 0)) + cutHere
	if measure(out) > limit {
		return ""
	}
	return out
}

// CommentLimit is the longest comment that GitHub accepts, in characters.
const CommentLimit = 65536

var commentFormat = Format{
	Name: "comment", Ext: ".comment.md", Media: "text/markdown; charset=utf-8",
	Doc:   "verdict, gated metrics and worst cases, for a comment on a pull request",
	Prose: true,
	Write: Comment,
}

// Comment writes the body of a comment on a pull request: the result of the run, the
// rules of its gate with the old and the new values, and the worst cases. Its first
// line is an invisible mark by which a workflow finds and replaces its earlier
// comment; see [CommentMark]. The body has at most [CommentLimit] characters.
func Comment(w io.Writer, r *Report, o Options) error {
	c := newContent(r, o)
	var b strings.Builder
	if err := templates().ExecuteTemplate(&b, "comment.md.tmpl", c.comment()); err != nil {
		return err
	}
	_, err := io.WriteString(w, within(b.String(), CommentLimit, func(s string) int { return len(utf16.Encode([]rune(s))) }, c.w))
	return r.failed(err)
}

// CommentMark returns the first line of the run's comment: "<!-- assay:NAME -->",
// where NAME is the name of the run or, without one, of its dataset. Several runs of a
// workflow thus have comments of their own.
func CommentMark(r *Report) string {
	name := strings.Map(func(c rune) rune {
		switch {
		case c >= 'a' && c <= 'z', c >= 'A' && c <= 'Z', c >= '0' && c <= '9', c == '.', c == '_':
			return c
		}
		return '-'
	}, r.title())
	// Some parsers end an HTML comment at two hyphens.
	for strings.Contains(name, "--") {
		name = strings.ReplaceAll(name, "--", "-")
	}
	name = strings.Trim(name, "-")
	if len(name) > questionChars {
		name = name[:questionChars]
	}
	return "<!-- assay:" + name + " -->"
}

// A commentData is what the template of a comment shows.
type commentData struct {
	Names                   *words.Names
	Mark, Title, Why, Facts string
	// Said are sentences about the judge and about where answers are lost.
	Said []string
	// Means are the metrics of a run without a gate, Level names their intervals.
	Means              [][]string
	Level              string
	Refused            []string
	Rules, Tracked     [][]string
	TrackedTitle       string
	Wrong              []string
	Failed             int
	Worst              []worstCases
	Warnings           []string
	WarningTitle, Foot string
}

// worstCases are the cases that lost most in a rule.
type worstCases struct {
	Rule  string
	Cases []string
}

func (c *content) comment() commentData {
	s, n, end, list := c.r.Summary, c.w.Names(), c.conclusion(), c.told()
	facts := []string{c.w.Say("CasesAsked", c.asked()) + ": " + c.outcome()}
	if s.Critical > 0 {
		facts = append(facts, c.w.Say("CriticalFact", c.criticalCount()))
	}
	if l := c.judgingLine(); l != "" {
		facts = append(facts, c.w.Say("JudgedBy", words.V{"judging": l}))
	}
	d := commentData{Names: n, Mark: CommentMark(c.r), Why: end.Why, Facts: strings.Join(facts, " · "),
		Title:        c.w.Say("CommentTitle", words.V{"verdict": end.Word, "name": markdown.Inline(c.r.title())}),
		WarningTitle: c.w.Say("WarningCount", words.V{"n": len(list)}),
		Warnings:     mapped(list, func(s string) string { return clip(line(s), 4*questionChars) }),
	}
	if lines := c.certified(); lines != nil {
		d.Said = append(d.Said, n.CertifiedHead+n.Colon+strings.Join(lines, " · "))
	}
	if lines := c.canaries(); lines != nil {
		d.Said = append(d.Said, strings.Join(lines, " · "))
	}
	if w := s.Waterfall; w != nil {
		d.Said = append(d.Said, c.w.Lost(w, s.Answers.Wrong-s.Errors))
	}
	failed := slices.DeleteFunc(c.r.lowest(), func(x lowCase) bool { return !x.Bad && !x.Wrong })
	most := c.o.cases(namedCases)
	d.Failed, d.Wrong = len(failed), mapped(failed[:min(most, len(failed))], c.wrongCase)
	if more := len(failed) - most; more > 0 {
		d.Wrong = append(d.Wrong, c.w.More(more))
	}
	if c.r.Gate == nil {
		d.Means = mapped(estimates(s.Metrics), c.meanRow)
		if d.Means != nil {
			d.Level = c.w.Interval(percent(s.Metrics[0].Level))
		}
	} else {
		c.gated(&d)
	}
	h := c.r.Header
	dataset := strings.TrimSpace(h.Dataset.Name + " " + text.ShortHash(h.Dataset.Hash))
	d.Foot = c.w.Say("MoreCases", words.V{"page": c.o.Page}) + " " +
		markdown.Inline(c.w.Say("CommentOrigin", words.V{"run": h.ID, "version": h.Version, "dataset": dataset}))
	return d
}

// gated adds the rules of the gate in the order of their verdicts, and the cases that lost most
// in those that did not pass.
func (c *content) gated(d *commentData) {
	g := c.r.Gate
	d.Refused = words.Findings(c.w, g.Refused)
	for _, res := range byVerdict(g.Results, func(x gate.Result) gate.Verdict { return x.Final(c.o.Strict) }) {
		word := c.w.Verdict(res.Verdict)
		if res.Verdict != gate.Pass {
			word = "**" + word + "** " + markdown.Inline(clip(line(res.Reason.In(c.w)), 2*questionChars))
			if worst := c.worst(res); worst != nil {
				d.Worst = append(d.Worst, worstCases{res.Rule, worst})
			}
		}
		d.Rules = append(d.Rules, c.ruleRow(c.ruleText(res), res, word))
	}
	d.TrackedTitle = c.w.Say("TrackedTitle", words.V{"metrics": len(g.Tracked)})
	d.Tracked = mapped(g.Tracked, func(res gate.Result) []string { return c.ruleRow(res.Metric, res, "") })
}

// ruleRow returns the old value, the new value and the change of a rule or a metric.
func (c *content) ruleRow(name string, res gate.Result, word string) []string {
	v := c.gateValues(res)
	if m := c.r.known(res.Metric); m != nil && res.Got != nil && res.Diff == nil {
		v.Run = against(m.MetricInfo, *res.Got)
	}
	if v.Change != "" && v.Interval != "" {
		v.Change += " (" + v.Interval + ")"
	}
	return []string{markdown.Code(name), cmp.Or(v.Baseline, "–"), cmp.Or(v.Run, "–"), cmp.Or(v.Change, "–"), word}
}

func (c *content) meanRow(m summary.Metric) []string {
	name := markdown.Code(m.Name)
	if m.MetricInfo.Estimate {
		name += " ≈ " + c.w.Names().EstimateWord
	}
	return []string{name, estimated(m), ends(c.w, m.MetricInfo, m.Estimate), itoa(m.N)}
}

func (c *content) wrongCase(x lowCase) string {
	f, critical := c.shown(x), ""
	if f.Case.Critical {
		critical = ", **" + c.w.Names().Critical + "**"
	}
	return markdown.Code(f.Case.ID) + critical + ": " + markdown.Inline(clip(line(f.Case.Question), 2*questionChars)) + " – " +
		markdown.Inline(clip(c.why(f.Record), 2*questionChars))
}
