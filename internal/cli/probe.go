package cli

import (
	"fmt"
	"io"
	"strings"
	"text/tabwriter"
	"time"

	"github.com/assay-eval/assay"
	"github.com/assay-eval/assay/internal/text"
	"github.com/assay-eval/assay/internal/wire"
)

// showProbe writes the request to the target, the reply, and how it was read.
func showProbe(w io.Writer, p wire.Probe) {
	x := p.Exchange
	fmt.Fprintf(w, "probe with case %s, %s\n", text.Visible(p.Case.ID), p.Latency.Round(time.Millisecond))
	block(w, "sent", x.Sent)
	for _, n := range x.Notes {
		fmt.Fprintf(w, "  %s\n", indented(n))
	}
	block(w, "received", x.Received)
	if len(x.Readings) > 0 {
		head := "  read by the paths that were given"
		if x.Shape != "" {
			head = "  read as " + x.Shape
		}
		fmt.Fprintln(w, head)
		t := tabwriter.NewWriter(w, 0, 0, 2, ' ', 0)
		for _, r := range x.Readings {
			fmt.Fprintf(t, "    %s\t%s\t%s\n", text.Visible(r.Part), text.Visible(r.Path), text.Visible(r.Found))
		}
		_ = t.Flush() // the underlying writer keeps the error
	}
	switch {
	case p.Err != nil:
		fmt.Fprintf(w, "  failed: %s\n", indented(p.Err.Error()))
	default:
		fmt.Fprintf(w, "  response: %s; %s\n", answerLine(p.Response), passagesLine(p.Response.Passages))
	}
	for _, h := range x.Hints {
		fmt.Fprintf(w, "  hint: %s\n", text.Visible(h))
	}
}

// block writes text of several lines, indented below a heading.
func block(w io.Writer, heading, s string) {
	if s == "" {
		return
	}
	fmt.Fprintf(w, "  %s\n", heading)
	for line := range strings.Lines(s) {
		fmt.Fprintf(w, "    %s\n", text.Visible(strings.TrimRight(line, "\r\n")))
	}
}

// indented returns text whose further lines are indented below a heading.
func indented(s string) string {
	return strings.ReplaceAll(text.Visible(strings.TrimRight(s, "\r\n")), "\n", "\n    ")
}

func answerLine(r assay.Response) string {
	switch {
	case r.NoAnswer:
		return "no answer (the target retrieves only)"
	case strings.TrimSpace(r.Answer) == "":
		return "an empty answer"
	}
	return fmt.Sprintf("answer %q", text.Shorten(strings.Join(strings.Fields(r.Answer), " "), 80))
}

func passagesLine(passages []assay.Passage) string {
	switch {
	case passages == nil:
		return "passages not reported: passage metrics do not apply"
	case len(passages) == 0:
		return "nothing retrieved"
	}
	first := passages[0]
	name := ""
	for _, n := range []string{first.Document, first.Source, first.ID, first.Title} {
		if n != "" {
			name = " of " + text.Visible(n)
			break
		}
	}
	if name == "" {
		name = ", without a document id or a source: metrics over documents find nothing"
	}
	if len(passages) == 1 {
		return "1 passage" + name
	}
	return fmt.Sprintf("%d passages, the first%s", len(passages), name)
}
