package cli

import (
	"fmt"
	"io"
	"slices"
	"strconv"
	"strings"
	"text/tabwriter"

	"github.com/rivo/uniseg"

	"github.com/assay-eval/assay/metric/speech"
	"github.com/assay-eval/assay/stats"
)

// alignmentConvention describes how the alignment is chosen, which the counts depend
// on.
const alignmentConvention = "fewest edits, then most hits"

func writeTranscriptTable(env *Env, all []*scoredTranscript, f transcriptFlags) error {
	out := env.Stdout
	if len(all) > 1 {
		writeTranscripts(env, all)
		for _, s := range all {
			fmt.Fprintf(out, "\n%s", oneLine(s.Hypothesis))
			s.writeDetails(env, f)
		}
		return nil
	}
	s := all[0]
	s.writeHead(env, fmt.Sprintf("%s against %s: %s", oneLine(s.Hypothesis), oneLine(s.Reference), counted(s.N, "utterance")))
	fmt.Fprintln(out)
	s.writeRates(out, env.Width > 0 && env.Width < wideRates)
	s.writeDetails(env, f)
	return nil
}

// writeHead writes what was read, and how.
func (s *scoredTranscript) writeHead(env *Env, what string) {
	narrow := env.Width > 0 && env.Width < wideRates
	between := " · "
	if narrow {
		between = "\n"
	}
	fmt.Fprintf(env.Stdout, "%s\nnormalised: %s%sscript: %s%salignment: %s\n", what, oneLine(s.Profile.String()), between, s.Script, between,
		alignmentConvention)
	if narrow {
		between = "\n"
	} else {
		between = " "
	}
	switch {
	case s.Told:
	case s.Format == "lines":
		fmt.Fprintf(env.Stdout, "The files have %d lines each, so each line is an utterance.%s--input text takes them as whole texts.\n", s.N,
			between)
	case s.Format == "kaldi":
		fmt.Fprintf(env.Stdout, "The first word of each line is read as an id.%s--input lines takes it as a word.\n", between)
	}
}

// writeDetails writes what follows the rates of a transcript.
func (s *scoredTranscript) writeDetails(env *Env, f transcriptFlags) {
	s.writeRemarks(env.Stdout)
	if f.perUtterance {
		s.writeUtterances(env.Stdout)
	}
	for _, u := range s.worstOnes() {
		s.writeErrors(env, u)
	}
}

// partIndent precedes the name of a part of the mixed unit. Many utterances lack such a
// part, so a mean over utterances would say little.
const partIndent = "    "

// wideRates is the number of columns that the complete table of rates needs.
const wideRates = 80

// writeRates writes a row for each unit and marks the selected one. If narrow is set,
// it leaves out columns that follow from others or are only for comparison.
func (s *scoredTranscript) writeRates(out io.Writer, narrow bool) {
	rows := [][]string{append([]string{""}, rateColumns...)}
	row := func(name string, part ratePart) {
		cells, ok := s.rateCells(part, "–")
		indented := strings.HasPrefix(name, partIndent)
		if c, _ := part.of(s.Total.Of(s.Script)); !ok || indented && c == (speech.Counts{}) {
			return
		}
		if indented {
			cells[2], cells[3] = "", ""
		}
		rows = append(rows, append([]string{name}, cells...))
	}
	for _, u := range speech.Units() {
		row(s.marked(ratePart(u)), ratePart(u))
		if u != speech.Mixed {
			continue
		}
		for _, part := range []ratePart{cjkPart, latinPart, otherPart} {
			row(partIndent+string(part), part)
		}
	}
	row("  segmented words", segmentedPart)
	if narrow {
		for i, all := range rows {
			rows[i] = slices.Concat(all[:3], all[5:7], all[8:])
		}
	}
	// A later write reports the error of standard output.
	_ = writeTable(out, rows)
}

// rateColumns are the heads of rateCells.
var rateColumns = []string{"rate", "95 % interval", "mean", "median", "n", "said", "hits", "sub", "del", "ins"}

// rateCells are the cells of a row of rates, with none in place of an interval; ok is false
// if they were not asked for.
func (s *scoredTranscript) rateCells(part ratePart, none string) (cells []string, ok bool) {
	c, ok := part.of(s.Total.Of(s.Script))
	d := s.spreads[spreadKey{part, s.Script}]
	cells = []string{shownRate(c), none, "", ""}
	if ci := d.interval(); ci != nil && d.n >= stats.Readable {
		cells[1] = fmt.Sprintf("%.3f to %.3f", ci.Lo, ci.Hi)
	}
	if d.n > 0 {
		cells[2], cells[3] = fmt.Sprintf("%.3f", d.mean()), fmt.Sprintf("%.3f", d.median())
	}
	for _, n := range []int{d.n, c.Reference(), c.Hits, c.Substitutions, c.Deletions, c.Insertions} {
		cells = append(cells, strconv.Itoa(n))
	}
	return cells, ok
}

// marked returns the name of a row, with a mark if it is that of the selected unit.
func (s *scoredTranscript) marked(part ratePart) string {
	if part == ratePart(s.Unit) {
		return "* " + string(part)
	}
	return "  " + string(part)
}

// writeTable writes rows of cells in columns.
func writeTable(out io.Writer, rows [][]string) error {
	w := tabwriter.NewWriter(out, 0, 0, 2, ' ', 0)
	for _, row := range rows {
		fmt.Fprintln(w, strings.Join(row, "\t"))
	}
	return w.Flush()
}

func shownRate(c speech.Counts) string {
	v, ok := c.Rate()
	if !ok {
		return "none"
	}
	return fmt.Sprintf("%.3f", v)
}

// writeRemarks writes the results that are not in the table of rates.
func (s *scoredTranscript) writeRemarks(out io.Writer) {
	c := s.Total.Of(s.Script).Of(s.Unit)
	fmt.Fprintf(out, "\n%s: match error rate %.3f · word information lost %.3f\n", s.Unit, c.MatchErrorRate(), c.InformationLost())
	if s.Columns != "" {
		fmt.Fprintf(out, "columns: %s\n", oneLine(s.Columns))
	}
	if m, ok := s.Total.ScriptMismatch(); ok && m != 0 {
		fmt.Fprintf(out, "script mismatch %.3f: characters %s strict, %s folded\n", m, shownRate(s.Total.Strict.Characters),
			shownRate(s.Total.Folded.Characters))
	}
	if len(s.Total.WrittenChinese) > 0 {
		var list []string
		for _, w := range s.Total.WrittenChinese {
			list = append(list, fmt.Sprintf("%s → %s %d", w.Spoken, w.Written, w.Count))
		}
		fmt.Fprintf(out, "spoken words rewritten as written Chinese: %s\n", strings.Join(list, ", "))
	}
	if n := s.Numbers; n.Reference()+n.Hypothesis() > 0 {
		fmt.Fprintf(out, "numbers: error rate %s, %d said%s%s\n", shownRate(n.Counts), n.Reference(), listed(", lost ", n.Lost,
			n.Substitutions+n.Deletions), listed(", heard and not said ", n.Added, n.Substitutions+n.Insertions))
		if n.Errors() > 0 {
			fmt.Fprintln(out, "numbers in words: English and Chinese, no ordinals/fractions")
		}
	}
	if s.Asked {
		rate := "none"
		if v, ok := s.Keywords.Rate(); ok {
			rate = fmt.Sprintf("%.3f", v)
		}
		fmt.Fprintf(out, "keywords: error rate %s, %d said%s\n", rate, len(s.Keywords.Said), listed(", lost ", s.Keywords.Lost,
			len(s.Keywords.Lost)))
	}
	if s.silent > 0 {
		fmt.Fprintf(out, "! in %s nothing was said and something heard: no rate of its own, and counted in the pooled one\n",
			counted(s.silent, "utterance"))
	}
	if !s.Profile.Raw && s.Total.Of(s.Script).Characters.Reference() == 0 {
		fmt.Fprint(out, "! nothing was said: the reference is empty after normalisation\n")
	}
}

// listed formats the beginning of a list of so many after an introduction.
func listed(intro string, list []string, all int) string {
	if all == 0 {
		return ""
	}
	list = list[:min(len(list), shownNumbers)]
	more := ""
	if all > len(list) {
		more = fmt.Sprintf(" and %d more", all-len(list))
	}
	shown := slices.Clone(list)
	for i := range shown {
		shown[i] = oneLine(shown[i])
	}
	return intro + strings.Join(shown, ", ") + more
}

func (s *scoredTranscript) writeUtterances(out io.Writer) {
	w := tabwriter.NewWriter(out, 0, 0, 2, ' ', 0)
	fmt.Fprintf(w, "\nutterance\t%s\tsaid\thits\tsub\tdel\tins\n", s.Unit)
	for _, u := range s.Utterances {
		c := s.counts(u)
		fmt.Fprintf(w, "%s\t%s\t%d\t%d\t%d\t%d\t%d\n", s.name(u), shownRate(c), c.Reference(), c.Hits, c.Substitutions, c.Deletions,
			c.Insertions)
	}
	_ = w.Flush()
}

func (s *scoredTranscript) name(u scoredUtterance) string {
	if u.ID == "" {
		return "the text"
	}
	return oneLine(u.ID)
}

// A column shows a token of the reference above the aligned token of the hypothesis.
type column struct {
	ref, hyp string
	op       speech.Op
}

// shownContext is the number of hits shown on each side of an error.
const shownContext = 3

// shownRows is the maximum number of rows of errors shown for an utterance.
const shownRows = 6

// writeErrors shows the errors of an utterance, the reference above the hypothesis.
// Substituted tokens are in [], deleted and inserted ones in {}.
func (s *scoredTranscript) writeErrors(env *Env, u scoredUtterance) {
	c := s.counts(u)
	fmt.Fprintf(env.Stdout, "\n%s: %s %s, %d errors in %d said\n", s.name(u), s.Unit, shownRate(c), c.Errors(), c.Reference())
	width := env.Width
	if width == 0 {
		width = 80
	}
	rows := wrapped(s.columns(u), max(width, 40)-len("  REF  "))
	for i, row := range rows {
		if i == shownRows {
			fmt.Fprintf(env.Stdout, "  … and %s more\n", counted(len(rows)-i, "row"))
			return
		}
		var ref, hyp strings.Builder
		for _, c := range row {
			wide := max(uniseg.StringWidth(c.ref), uniseg.StringWidth(c.hyp))
			ref.WriteString(painted(env, c.op, c.ref) + strings.Repeat(" ", 1+wide-uniseg.StringWidth(c.ref)))
			hyp.WriteString(painted(env, c.op, c.hyp) + strings.Repeat(" ", 1+wide-uniseg.StringWidth(c.hyp)))
		}
		if i > 0 {
			fmt.Fprintln(env.Stdout)
		}
		for _, l := range []string{"  REF  " + ref.String(), "  HYP  " + hyp.String()} {
			fmt.Fprintln(env.Stdout, strings.TrimRight(l, " "))
		}
	}
}

// painted colours an error if standard output may contain colours. The brackets mark it
// in any case.
func painted(env *Env, op speech.Op, s string) string {
	if op == speech.Hit || !env.Colour() || s == "" {
		return s
	}
	return "\x1b[31m" + s + "\x1b[0m"
}

// columns returns the alignment of an utterance, with long stretches of hits shortened.
func (s *scoredTranscript) columns(u scoredUtterance) []column {
	ref, hyp := s.Unit.Tokens(s.Script.In(u.Comparison.Reference)), s.Unit.Tokens(s.Script.In(u.Comparison.Hypothesis))
	var all []column
	for _, step := range speech.Align(ref, hyp) {
		c := column{op: step.Op}
		if step.Reference >= 0 {
			c.ref = oneLine(ref[step.Reference])
		}
		if step.Hypothesis >= 0 {
			c.hyp = oneLine(hyp[step.Hypothesis])
		}
		switch step.Op {
		case speech.Substitution:
			c.ref, c.hyp = "["+c.ref+"]", "["+c.hyp+"]"
		case speech.Deletion:
			c.ref = "{" + c.ref + "}"
		case speech.Insertion:
			c.hyp = "{" + c.hyp + "}"
		}
		all = append(all, c)
	}
	var out []column
	for i := 0; i < len(all); {
		end := i
		for end < len(all) && all[end].op == speech.Hit {
			end++
		}
		before, after := shownContext, shownContext
		if i == 0 {
			before = 0
		}
		if end == len(all) {
			after = 0
		}
		if end-i > before+after+1 {
			out = append(out, all[i:i+before]...)
			out = append(out, column{ref: "…", hyp: "…"})
			out = append(out, all[end-after:end]...)
		} else {
			out = append(out, all[i:end]...)
		}
		for i = end; i < len(all) && all[i].op != speech.Hit; i++ {
			out = append(out, all[i])
		}
	}
	return out
}

// wrapped divides columns into rows of at most width terminal cells. Each row has at
// least one column.
func wrapped(columns []column, width int) [][]column {
	var rows [][]column
	used := 0
	for _, c := range columns {
		wide := 1 + max(uniseg.StringWidth(c.ref), uniseg.StringWidth(c.hyp))
		if len(rows) == 0 || used+wide > width {
			rows = append(rows, nil)
			used = 0
		}
		rows[len(rows)-1] = append(rows[len(rows)-1], c)
		used += wide
	}
	return rows
}
