//go:build unix

// Command run measures assay run over recorded responses as a whole process: its
// processor time, the time that a user waits, its peak memory, and what it says of
// its time. The cases have a question, an id and one or two labels; a response has
// five passages, about 5 kB. The same rankings are measured as a TREC run, without
// texts, and so is what is asked of such runs later: a comparison with a second one, a
// gate, its cases.
package main

import (
	"bufio"
	"bytes"
	"encoding/json"
	"flag"
	"fmt"
	"log"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"syscall"
	"time"

	"github.com/assay-eval/assay/bench/internal/speed"
)

func main() {
	assay := flag.String("assay", "", "the program to measure")
	dir := flag.String("dir", os.TempDir(), "where the folder of the generated files and of the store is made, and removed")
	cases := flag.Int("cases", 100_000, "cases of the run")
	formats := flag.String("formats", "", "report formats; the program's default if empty")
	form := flag.String("form", "jsonl,trec", "forms of the responses to measure")
	sheet := speed.Flag()
	flag.Parse()
	log.SetFlags(0)
	log.SetPrefix("bench/run: ")
	if err := measure(*assay, *dir, *cases, *formats, strings.Split(*form, ","), sheet); err != nil {
		log.Fatal(err)
	}
	if err := sheet.Write(); err != nil {
		log.Fatal(err)
	}
}

func measure(assay, dir string, cases int, formats string, forms []string, sheet *speed.Sheet) error {
	dir, err := os.MkdirTemp(dir, "assay-bench-run")
	if err != nil {
		return err
	}
	defer os.RemoveAll(dir)
	if err := generate(dir, cases, forms); err != nil {
		return err
	}
	fmt.Printf("%d cases, %d cores\n", cases, runtime.NumCPU())
	for _, form := range forms {
		responses := "responses." + form
		size, err := os.Stat(filepath.Join(dir, responses))
		if err != nil {
			return err
		}
		args := []string{"run", "--adapter", "recorded", "--dataset", "cases.jsonl", "--responses", responses, "--metrics",
			"hit@5,mrr,ndcg@5,precision@5,recall@5", "--store", form + ".db", "--output", form + "-report", "--name", "before"}
		if formats != "" {
			args = append(args, "--formats", formats)
		}
		cost, err := one(dir, fmt.Sprintf("%s, %.0f MB", form, float64(size.Size())/1e6), assay, args)
		if err != nil {
			return err
		}
		sheet.Add(speed.Row{Work: fmt.Sprintf("five metrics of documents, %d recorded responses as %s", cases, map[string]string{"jsonl": "JSON lines", "trec": "a TREC run"}[form]),
			Command: fmt.Sprintf("bash bench/run/run.sh -cases %d -form %s", cases, form), Ours: cost, Rounds: 1})
		if form == "trec" {
			args[slices.Index(args, responses)], args[slices.Index(args, "before")] = other, "after"
			if _, err := one(dir, "trec, another", assay, args); err != nil {
				return err
			}
			if err := looks(dir, assay, form+".db"); err != nil {
				return err
			}
		}
	}
	return nil
}

// looks measures what is asked of the stored runs.
func looks(dir, assay, store string) error {
	for _, look := range []struct {
		name string
		args []string
	}{
		{"compare", []string{"compare", "before", "after"}},
		{"compare, html", []string{"compare", "before", "after", "--format", "html"}},
		{"gate, a rule", []string{"gate", "before", "--gate", "mrr >= 0.01"}},
		{"save a baseline", []string{"baseline", "save", "before", "--output", "baseline.json"}},
		{"gate, a baseline", []string{"gate", "before", "--baseline", "baseline.json"}},
		{"cases by a metric", []string{"cases", "before", "--where", "mrr<0.5", "--sort", "mrr"}},
		{"a first search", []string{"cases", "before", "--where", "part"}},
		{"another search", []string{"cases", "before", "--where", "nowhere"}},
		{"report, html", []string{"report", "before", "--format", "html"}},
	} {
		if _, err := one(dir, look.name, assay, append(look.args, "--store", store)); err != nil {
			return err
		}
	}
	return nil
}

// one runs the program once and prints what it took.
func one(dir, name, assay string, args []string) (speed.Cost, error) {
	cmd := exec.Command(assay, args...)
	cmd.Dir = dir
	var out, msgs bytes.Buffer
	cmd.Stdout, cmd.Stderr = &out, &msgs
	start := time.Now()
	if err := cmd.Run(); err != nil {
		return speed.Cost{}, fmt.Errorf("%s: %w: %s", strings.Join(args, " "), err, msgs.String())
	}
	wall := time.Since(start)
	peak := int64(0)
	if usage, ok := cmd.ProcessState.SysUsage().(*syscall.Rusage); ok {
		peak = usage.Maxrss >> 10
	}
	fmt.Printf("%-20s  processor %6.2f s (user %.2f, system %.2f)  wall %6.2f s  peak memory %5d MB\n", name,
		(cmd.ProcessState.UserTime() + cmd.ProcessState.SystemTime()).Seconds(), cmd.ProcessState.UserTime().Seconds(),
		cmd.ProcessState.SystemTime().Seconds(), wall.Seconds(), peak)
	for line := range strings.Lines(out.String()) {
		if args[0] == "run" && strings.Contains(line, "finished") {
			fmt.Printf("%-20s  it says: %s\n", "", strings.TrimSpace(line))
		}
	}
	used := cmd.ProcessState.UserTime() + cmd.ProcessState.SystemTime()
	return speed.Cost{CPU: used.Seconds(), Wall: wall.Seconds(), Memory: peak}, nil
}

// seed makes every run of this program measure the same files.
const seed = 100_000

// other is a TREC run with the documents of every third query in the opposite order.
const other = "other.trec"

// generate writes the cases and their responses in the forms.
func generate(dir string, cases int, forms []string) error {
	var files []*bufio.Writer
	for _, name := range []string{"cases.jsonl", "responses.jsonl", "responses.trec", other} {
		f, err := os.Create(filepath.Join(dir, name))
		if err != nil {
			return err
		}
		defer f.Close()
		files = append(files, bufio.NewWriterSize(f, 1<<20))
	}
	questions, responses, ranked, opposite := files[0], files[1], files[2], files[3]
	texts := slices.Contains(forms, "jsonl")
	r := rand.New(rand.NewPCG(seed, 0))
	for i := range cases {
		id := fmt.Sprintf("q%d", i)
		docs := make([]string, 5)
		passages := make([]map[string]any, len(docs))
		for rank := range docs {
			docs[rank] = fmt.Sprintf("d%d", i*10+r.IntN(2)+2*rank)
			if texts {
				passages[rank] = map[string]any{"document": docs[rank], "text": words(r, 150), "score": float64(10 - rank)}
			}
			fmt.Fprintf(ranked, "%s Q0 %s %d %d bench\n", id, docs[rank], rank+1, 10-rank)
			score := 10 - rank
			if i%3 == 0 {
				score = rank
			}
			fmt.Fprintf(opposite, "%s Q0 %s 0 %d bench\n", id, docs[rank], score)
		}
		labels := []string{fmt.Sprintf("d%d", i*10+r.IntN(10))}
		if second := fmt.Sprintf("d%d", i*10+r.IntN(10)); i%2 == 0 && second != labels[0] {
			labels = append(labels, second)
		}
		question := fmt.Sprintf("What does the %s say of %s in part %d?", words(r, 3), words(r, 5), i)
		if err := json.NewEncoder(questions).Encode(map[string]any{"id": id, "question": question, "expected_contexts": labels}); err != nil {
			return err
		}
		if !texts {
			continue
		}
		said := map[string]any{"id": id, "answer": words(r, 30), "contexts": passages, "latency_ms": 100 + r.IntN(900)}
		if err := json.NewEncoder(responses).Encode(said); err != nil {
			return err
		}
	}
	for _, f := range files {
		if err := f.Flush(); err != nil {
			return err
		}
	}
	return nil
}

// vocabulary makes words of about six letters.
const vocabulary = 5000

// words returns n words.
func words(r *rand.Rand, n int) string {
	var b strings.Builder
	for i := range n {
		if i > 0 {
			b.WriteByte(' ')
		}
		for v := r.IntN(vocabulary) + 20; v > 0; v /= 20 {
			b.WriteByte("bcdfghjklmnprstvwxyz"[v%20])
			b.WriteByte("aeiou"[v%5])
		}
	}
	return b.String()
}
