//go:build unix

// Command transcript scores pairs of short utterances with assay measure transcript and with
// jiwer, in turns, each as a whole process over the same two files of lines, and prints the
// median times, the ratios, the peak memory of both, and whether the word errors agree. It
// then scores two long files as two texts with assay alone: jiwer's time grows with the
// product of their lengths.
package main

import (
	"bufio"
	"encoding/json"
	"flag"
	"fmt"
	"log"
	"math/rand/v2"
	"os"
	"path/filepath"
	"runtime"
	"strings"

	"github.com/assay-eval/assay/bench/internal/contest"
	"github.com/assay-eval/assay/bench/internal/speed"
)

func main() {
	assay := flag.String("assay", "", "the program to measure")
	python := flag.String("python", "python3", "a Python that has jiwer")
	script := flag.String("script", "bench/transcript/reference.py", "what the Python runs")
	cache := flag.String("cache", os.TempDir(), "the folder for the generated files")
	pairs := flag.Int("pairs", 100_000, "pairs of lines")
	alone := flag.Int("alone", 1_000_000, "pairs of lines that assay alone scores; 0 for none")
	text := flag.Int("text", 20_000, "lines of the files that are scored as two texts; 0 for none")
	sheet := speed.Flag()
	rounds := flag.Int("rounds", 5, "how often each contender runs")
	flag.Parse()
	log.SetFlags(0)
	log.SetPrefix("bench/transcript: ")
	if err := beside(sheet, *rounds, *cache, *pairs, *assay, *python, *script); err != nil {
		log.Fatal(err)
	}
	for _, c := range []struct {
		lines int
		input string
	}{{*alone, "lines"}, {*text, "lines"}, {*text, "text"}} {
		if c.lines == 0 {
			continue
		}
		ref, hyp, err := generate(*cache, c.lines)
		if err != nil {
			log.Fatal(err)
		}
		ours := score(*assay, ref, hyp, c.input)
		ours.Name = fmt.Sprintf("%d as %s", c.lines, c.input)
		if err := contest.Run(1, ours); err != nil {
			log.Fatal(err)
		}
		ours.Report(os.Stdout)
		row := speed.Row{Work: fmt.Sprintf("WER and CER of %d pairs of lines", c.lines), Command: command, Ours: ours.Cost(), Rounds: 1}
		switch c.lines {
		case *text:
			row.Work, row.Goal = fmt.Sprintf("two texts of %d lines as %s", c.lines, map[string]string{"lines": "lines", "text": "whole texts"}[c.input]), speed.Goal{CPU: 3}
		case *alone:
			row.Goal.Memory = 100
		}
		sheet.Add(row)
	}
	if err := sheet.Write(); err != nil {
		log.Fatal(err)
	}
}

const command = "bash bench/transcript/run.sh"

func score(assay, ref, hyp, input string) *contest.Contender {
	return &contest.Contender{Name: "assay measure transcript", Args: []string{assay, "measure", "transcript", ref, hyp, "--input", input, "--format", "json"}}
}

func beside(sheet *speed.Sheet, rounds int, cache string, pairs int, assay, python, script string) error {
	ref, hyp, err := generate(cache, pairs)
	if err != nil {
		return err
	}
	ours, theirs := score(assay, ref, hyp, "lines"), &contest.Contender{Name: "jiwer", Args: []string{python, script, ref, hyp}}
	if err := contest.Run(rounds, ours, theirs); err != nil {
		return err
	}
	fmt.Printf("%d pairs, %d rounds, %d cores\n", pairs, rounds, runtime.NumCPU())
	ours.Report(os.Stdout)
	theirs.Report(os.Stdout)
	fmt.Printf("ratio %.1f in CPU, %.1f in time\n", theirs.CPU().Seconds()/ours.CPU().Seconds(), theirs.Wall().Seconds()/ours.Wall().Seconds())
	type counts struct{ Hits, Substitutions, Deletions, Insertions int }
	var mine struct{ Strict struct{ Words counts } }
	var other struct {
		counts
		Version string
	}
	if err := json.Unmarshal([]byte(ours.Output), &mine); err != nil {
		return err
	}
	if err := json.Unmarshal([]byte(theirs.Output), &other); err != nil {
		return err
	}
	errors := func(c counts) int { return c.Substitutions + c.Deletions + c.Insertions }
	if m := mine.Strict.Words; errors(m) != errors(other.counts) || errors(m) == 0 || m.Hits < other.Hits {
		return fmt.Errorf("words: assay counts %+v, jiwer %+v", m, other.counts)
	}
	fmt.Printf("%d word errors by both\n", errors(other.counts))
	sheet.Add(speed.Row{Work: fmt.Sprintf("WER and CER of %d pairs of lines", pairs), Command: command, Peer: "jiwer " + other.Version,
		Ours: ours.Cost(), Theirs: theirs.Cost(), Rounds: rounds, Goal: speed.Goal{Ratio: 5}})
	return nil
}

// seed makes every run of this program measure the same files.
const seed = 31

// generate writes lines of about nine words and what was heard, unless they are there: the
// words as frequent as in a language, in lower case, and a tenth of them wrong.
func generate(dir string, lines int) (ref, hyp string, err error) {
	base := filepath.Join(dir, fmt.Sprintf("transcript-%d-%d", seed, lines))
	ref, hyp = base+".ref", base+".hyp"
	if _, err := os.Stat(hyp); err == nil {
		return ref, hyp, nil
	}
	if err := os.MkdirAll(dir, 0o755); err != nil {
		return "", "", err
	}
	said, err := os.Create(ref)
	if err != nil {
		return "", "", err
	}
	defer said.Close()
	heard, err := os.Create(hyp + ".part")
	if err != nil {
		return "", "", err
	}
	defer heard.Close()
	write(bufio.NewWriterSize(said, 1<<20), bufio.NewWriterSize(heard, 1<<20), lines)
	return ref, hyp, os.Rename(hyp+".part", hyp)
}

func write(ref, hyp *bufio.Writer, lines int) {
	r := rand.New(rand.NewPCG(seed, 0))
	defer ref.Flush()
	defer hyp.Flush()
	syllables := strings.Fields("ba re ti lo men ka su pro ver el in con de al th ing st er o y")
	words := make([]string, 8_000)
	for i := range words {
		for range 1 + r.IntN(4) {
			words[i] += syllables[r.IntN(len(syllables))]
		}
	}
	frequent := rand.NewZipf(r, 1.1, 3, uint64(len(words)-1))
	word := func() string {
		if r.IntN(200) == 0 {
			return fmt.Sprint(r.IntN(10_000))
		}
		return words[frequent.Uint64()]
	}
	for range lines {
		var said, heard []string
		for range 4 + r.IntN(11) {
			w := word()
			said = append(said, w)
			switch u := r.IntN(100); {
			case u < 6:
				w = word()
			case u < 8:
				continue
			case u < 10:
				heard = append(heard, w)
				w = word()
			}
			heard = append(heard, w)
		}
		fmt.Fprintln(ref, strings.Join(said, " "))
		fmt.Fprintln(hyp, strings.Join(heard, " "))
	}
}
