// Command table writes the page of speed from the results of the programs of bench:
//
//	table -page docs/results/speed.md start.json measure.json …
package main

import (
	"flag"
	"fmt"
	"log"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/assay-eval/assay/bench/internal/speed"
)

func main() {
	page := flag.String("page", "", "the page to write; standard output if empty")
	flag.Parse()
	log.SetFlags(0)
	log.SetPrefix("bench/table: ")
	if flag.NArg() == 0 {
		log.Fatal("want the files that the programs of bench wrote with -json")
	}
	var sheets []*speed.Sheet
	for _, path := range flag.Args() {
		s, err := speed.Read(path)
		if err != nil {
			log.Fatal(err)
		}
		if len(s.Rows) == 0 {
			log.Fatalf("%s: it has no rows: want a file that %s wrote", path, filepath.Base(path))
		}
		sheets = append(sheets, s)
	}
	text := table(sheets)
	if *page == "" {
		fmt.Print(text)
		return
	}
	if err := os.WriteFile(*page, []byte(text), 0o600); err != nil {
		log.Fatal(err)
	}
}

const head = `# Speed, beside other programs

This page is written by ` + "`bash bench/run.sh`" + `, which installs the peers. Assay and its peer do the same work in turns; a cell is the median of the
rounds. *CPU* is the time of processors, user and system; *wall* is that of a clock, which other work on the machine disturbs more. *Ratio* is the peer's
time divided by ours: above 1 assay is faster. A goal is a ratio in CPU, or a bound of our own time of processors or peak memory. Whether the answers
are the same is checked while measuring, and by ` + "`bench/smoke.sh`" + ` in CI.

`

// table returns the page.
func table(sheets []*speed.Sheet) string {
	var b strings.Builder
	b.WriteString(head)
	b.WriteString("| work | peer | ours, CPU | theirs | ratio | ours, wall | theirs | ratio | goal | met |\n|---|---|---|---|---|---|---|---|---|---|\n")
	var commands, machines []string
	var first, second notes
	least, most := math.Inf(1), 0.0
	for _, s := range sheets {
		for _, r := range s.Rows {
			fmt.Fprintf(&b, "| %s%s | %s | %s | %s | %s | %s | %s | %s | %s | %s |\n", r.Work, first.mark(r.Note), orNone(r.Peer), seconds(r.Ours.CPU), seconds(r.Theirs.CPU),
				ratio(r.Theirs.CPU, r.Ours.CPU), seconds(r.Ours.Wall), seconds(r.Theirs.Wall), ratio(r.Theirs.Wall, r.Ours.Wall), goal(r), verdict(r))
			if c := "`" + r.Command + "`"; !slices.Contains(commands, c) {
				commands = append(commands, c)
			}
		}
		day := fmt.Sprintf("%s, %d cores, %s, on %s", s.Processor, s.Cores, s.Go, s.Made.Format("2006-01-02"))
		if !slices.Contains(machines, day) {
			machines = append(machines, day)
		}
		least, most = min(least, s.Load), max(most, s.Load)
	}
	first.write(&b)
	for _, s := range sheets {
		if len(s.Sent) == 0 {
			continue
		}
		fmt.Fprintf(&b, sent, s.Judged)
		for _, r := range s.Sent {
			bound, met := "–", "–"
			if r.Goal > 0 {
				bound, met = fmt.Sprintf("≤ %.0f", r.Goal), "yes"
			}
			if r.Goal > 0 && r.Input > r.Goal {
				met = fmt.Sprintf("**no**: %.2g times the goal", r.Input/r.Goal)
			}
			fmt.Fprintf(&b, "| %s%s | %d | %.2f | %.0f | %.0f | %s | %s |\n", r.Program, second.mark(r.Note), r.Cases, r.Calls, r.Input, r.Output, bound, met)
		}
	}
	second.write(&b)
	fmt.Fprintf(&b, "\nMeasured on %s.", strings.Join(machines, "; "))
	if most > 0 {
		fmt.Fprintf(&b, " The load average was %.1f to %.1f: above the number of cores, other work took its part of each second, and wall times say little.", least, most)
	}
	fmt.Fprintf(&b, "\n\nTo measure a row again:\n\n- %s\n", strings.Join(commands, "\n- "))
	return b.String()
}

// sent is the head of the second table; its verb is a sentence about the cases.
const sent = `
## What a judge is sent

The tokens of a case, with five metrics. One server is the judge of all programs and counts for all of them alike, in tokens of o200k_base: the input is all
messages with the schema of the reply and tools, the output is the reply. To assay it replies as the stand-in of judges does, which finds a claim supported where its
words are, with a confidence that follows their share; to the others, that each sentence is a claim and each is supported. By default assay asks again about
rulings of which a judge is not sure: between the rows of one pass and of ` + "`--set recheck=all`" + ` lies what a judge takes. A goal bounds the input. %s

| program | cases | calls | input tokens | output tokens | goal | met |
|---|---|---|---|---|---|---|
`

// notes are the notes of a table, each once.
type notes []string

// mark returns the mark of a note for its row, "" for none.
func (n *notes) mark(note string) string {
	if note == "" {
		return ""
	}
	at := slices.Index(*n, note)
	if at < 0 {
		at, *n = len(*n), append(*n, note)
	}
	return fmt.Sprintf(" (%d)", at+1)
}

// write writes the notes below their table.
func (n notes) write(b *strings.Builder) {
	for i, note := range n {
		if i == 0 {
			b.WriteByte('\n')
		}
		fmt.Fprintf(b, "%d. %s\n", i+1, note)
	}
}

func orNone(s string) string {
	if s == "" {
		return "–"
	}
	return s
}

// seconds shows a time with three digits, in the unit that suits it; a dash for none.
func seconds(s float64) string {
	switch {
	case s == 0:
		return "–"
	case s < 1e-3:
		return fmt.Sprintf("%.3g µs", 1e6*s)
	case s < 1:
		return fmt.Sprintf("%.3g ms", 1e3*s)
	case s < 100:
		return fmt.Sprintf("%.3g s", s)
	}
	return fmt.Sprintf("%.0f s", s)
}

func ratio(theirs, ours float64) string {
	switch r := theirs / ours; {
	case theirs == 0 || ours == 0:
		return "–"
	case r < 100:
		return fmt.Sprintf("%.3g", r)
	default:
		return fmt.Sprintf("%.0f", r)
	}
}

func goal(r speed.Row) string {
	var out []string
	if g := r.Goal.Ratio; g > 0 {
		out = append(out, fmt.Sprintf("≥ %g", g))
	}
	if g := r.Goal.CPU; g > 0 {
		out = append(out, "≤ "+seconds(g))
	}
	if g := r.Goal.Memory; g > 0 {
		out = append(out, fmt.Sprintf("≤ %d MB", g))
	}
	return orNone(strings.Join(out, ", "))
}

func verdict(r speed.Row) string {
	met, miss, known := r.Met()
	memory := ""
	if r.Goal.Memory > 0 {
		memory = fmt.Sprintf(" (%d MB)", r.Ours.Memory)
	}
	switch {
	case !known:
		return "–"
	case met:
		return "yes" + memory
	}
	return "**no**: " + miss + memory
}
