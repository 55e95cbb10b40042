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
	var commands, notes, machines []string
	least, most := math.Inf(1), 0.0
	for _, s := range sheets {
		for _, r := range s.Rows {
			mark := ""
			if r.Note != "" {
				at := slices.Index(notes, r.Note)
				if at < 0 {
					at, notes = len(notes), append(notes, r.Note)
				}
				mark = fmt.Sprintf(" (%d)", at+1)
			}
			fmt.Fprintf(&b, "| %s%s | %s | %s | %s | %s | %s | %s | %s | %s | %s |\n", r.Work, mark, orNone(r.Peer), seconds(r.Ours.CPU), seconds(r.Theirs.CPU),
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
	for i, n := range notes {
		if i == 0 {
			b.WriteByte('\n')
		}
		fmt.Fprintf(&b, "%d. %s\n", i+1, n)
	}
	fmt.Fprintf(&b, "\nMeasured on %s.", strings.Join(machines, "; "))
	if most > 0 {
		fmt.Fprintf(&b, " The load average was %.1f to %.1f: above the number of cores, other work took its part of each second, and wall times say little.", least, most)
	}
	fmt.Fprintf(&b, "\n\nTo measure a row again:\n\n- %s\n", strings.Join(commands, "\n- "))
	return b.String()
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
