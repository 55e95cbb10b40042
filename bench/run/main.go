//go:build unix

// Command run measures assay run over recorded responses as a whole process: its
// processor time, the time that a user waits, its peak memory, and what it says of
// its time. The cases have a question, an id and one or two labels; a response has
// five passages, about 5 kB. The same rankings are measured as a TREC run, without
// texts.
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
	"strings"
	"syscall"
	"time"
)

func main() {
	assay := flag.String("assay", "", "the program to measure")
	dir := flag.String("dir", os.TempDir(), "where the folder of the generated files and of the store is made, and removed")
	cases := flag.Int("cases", 100_000, "cases of the run")
	formats := flag.String("formats", "", "report formats; the program's default if empty")
	form := flag.String("form", "jsonl,trec", "forms of the responses to measure")
	flag.Parse()
	log.SetFlags(0)
	log.SetPrefix("bench/run: ")
	if err := measure(*assay, *dir, *cases, *formats, strings.Split(*form, ",")); err != nil {
		log.Fatal(err)
	}
}

func measure(assay, dir string, cases int, formats string, forms []string) error {
	dir, err := os.MkdirTemp(dir, "assay-bench-run")
	if err != nil {
		return err
	}
	defer os.RemoveAll(dir)
	if err := generate(dir, cases); err != nil {
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
			"hit@5,mrr,ndcg@5,precision@5,recall@5", "--store", form + ".db", "--output", form + "-report"}
		if formats != "" {
			args = append(args, "--formats", formats)
		}
		if err := one(dir, fmt.Sprintf("%s, %.0f MB", form, float64(size.Size())/1e6), assay, args); err != nil {
			return err
		}
	}
	return nil
}

// one runs the program once and prints what it took.
func one(dir, name, assay string, args []string) error {
	cmd := exec.Command(assay, args...)
	cmd.Dir = dir
	var out, msgs bytes.Buffer
	cmd.Stdout, cmd.Stderr = &out, &msgs
	start := time.Now()
	if err := cmd.Run(); err != nil {
		return fmt.Errorf("%s: %w: %s", strings.Join(args, " "), err, msgs.String())
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
		if strings.Contains(line, "finished") {
			fmt.Printf("%-20s  it says: %s\n", "", strings.TrimSpace(line))
		}
	}
	return nil
}

// seed makes every run of this program measure the same files.
const seed = 100_000

// generate writes the cases and their responses in both forms.
func generate(dir string, cases int) error {
	files := make([]*os.File, 3)
	for i, name := range []string{"cases.jsonl", "responses.jsonl", "responses.trec"} {
		f, err := os.Create(filepath.Join(dir, name))
		if err != nil {
			return err
		}
		defer f.Close()
		files[i] = f
	}
	questions, responses, ranked := bufio.NewWriterSize(files[0], 1<<20), bufio.NewWriterSize(files[1], 1<<20),
		bufio.NewWriterSize(files[2], 1<<20)
	r := rand.New(rand.NewPCG(seed, 0))
	for i := range cases {
		id := fmt.Sprintf("q%d", i)
		docs := make([]string, 5)
		passages := make([]map[string]any, len(docs))
		for rank := range docs {
			docs[rank] = fmt.Sprintf("d%d", i*10+r.IntN(2)+2*rank)
			passages[rank] = map[string]any{"document": docs[rank], "text": words(r, 150), "score": float64(10 - rank)}
			fmt.Fprintf(ranked, "%s Q0 %s %d %d bench\n", id, docs[rank], rank+1, 10-rank)
		}
		labels := []string{fmt.Sprintf("d%d", i*10+r.IntN(10))}
		if second := fmt.Sprintf("d%d", i*10+r.IntN(10)); i%2 == 0 && second != labels[0] {
			labels = append(labels, second)
		}
		question := fmt.Sprintf("What does the %s say of %s in part %d?", words(r, 3), words(r, 5), i)
		for _, line := range []struct {
			to    *bufio.Writer
			value any
		}{
			{questions, map[string]any{"id": id, "question": question, "expected_contexts": labels}},
			{responses, map[string]any{"id": id, "answer": words(r, 30), "contexts": passages, "latency_ms": 100 + r.IntN(900)}},
		} {
			if err := json.NewEncoder(line.to).Encode(line.value); err != nil {
				return err
			}
		}
	}
	for _, w := range []*bufio.Writer{questions, responses, ranked} {
		if err := w.Flush(); err != nil {
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
