package report

import (
	"bufio"
	"fmt"
	"io"
	"strings"
	"sync"

	"github.com/assay-eval/assay"
	"github.com/assay-eval/assay/gate"
	"github.com/assay-eval/assay/report/words"
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
