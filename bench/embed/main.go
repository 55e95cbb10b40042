//go:build unix

// Command embed embeds texts with our encoder and with ONNX Runtime, in turns,
// and prints the medians of the tokens a second and their ratio. Both begin with
// texts as strings and end with vectors of length 1; loading the model, starting
// Python and a first run are not counted. Padding is not counted as tokens. ONNX
// Runtime gets the size of batch that suits it best for these texts.
package main

import (
	"bufio"
	"context"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"io"
	"log"
	"math"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"syscall"
	"time"

	"github.com/assay-eval/assay/bench/internal/speed"
	"github.com/assay-eval/assay/rag/embed"
)

func main() {
	python := flag.String("python", "python3", "a Python that has onnxruntime and tokenizers")
	model := flag.String("model", "", "the folder of the ONNX model and its tokenizer.json")
	data := flag.String("data", "", "the folder of the retrieval datasets")
	rounds := flag.Int("rounds", 7, "how often each contender runs")
	threads := flag.Int("threads", 2, "threads of each contender")
	size := flag.Int("tokens", 8_000, "tokens of a run, about")
	sheet := speed.Flag()
	flag.Parse()
	log.SetFlags(0)
	log.SetPrefix("bench/embed: ")
	if err := compare(sheet, *python, *model, *data, *rounds, *threads, *size); err != nil {
		log.Fatal(err)
	}
	if err := sheet.Write(); err != nil {
		log.Fatal(err)
	}
}

func compare(sheet *speed.Sheet, python, model, data string, rounds, threads, size int) error {
	start := time.Now()
	e, err := embed.MiniLM()
	if err != nil {
		return err
	}
	loaded := time.Since(start)
	runtime.GOMAXPROCS(threads)
	rival, err := onnx(python, model, threads)
	if err != nil {
		return err
	}
	defer rival.stop()
	fmt.Printf("%s, %d threads each; medians of %d rounds in turns\n", rival.version, threads, rounds)
	fmt.Printf("%-18s %5s %7s %12s %11s %6s %7s %19s %11s\n", "texts", "n", "tokens", "assay tok/s", "onnx tok/s", "batch", "ratio",
		"ratio a CPU second", "min cosine")
	for _, s := range []struct{ name, file string }{
		{"scifact passages", "scifact/corpus.jsonl"},
		{"xquad passages", "xquad_en/corpus.jsonl"},
		{"drcd passages", "drcd/corpus.jsonl"},
		{"scifact queries", "scifact/queries.jsonl"},
	} {
		texts, tokens, err := sample(e, filepath.Join(data, filepath.FromSlash(s.file)), size)
		if err != nil {
			return err
		}
		if err := line(sheet, s.name, e, rival, texts, tokens, rounds); err != nil {
			return err
		}
	}
	return latency(e, rival, loaded)
}

// line measures one set of texts.
func line(sheet *speed.Sheet, name string, e *embed.Encoder, rival *worker, texts []string, tokens, rounds int) error {
	var own, other, ownCPU, otherCPU []float64
	var a, b result
	batch, err := rival.bestBatch(texts)
	if err != nil {
		return err
	}
	for i := range rounds + 1 {
		if a, err = embedOwn(e, texts); err != nil {
			return err
		}
		if b, err = rival.embed(texts, batch); err != nil {
			return err
		}
		if i > 0 { // the first is to warm up
			own, other = append(own, a.Seconds), append(other, b.Seconds)
			ownCPU, otherCPU = append(ownCPU, a.CPU), append(otherCPU, b.CPU)
		}
	}
	fmt.Printf("%-18s %5d %7d %12.0f %11.0f %6d %6.2fx %18.2fx %11.7f\n", name, len(texts), tokens,
		float64(tokens)/median(own), float64(tokens)/median(other), batch, median(other)/median(own), median(otherCPU)/median(ownCPU),
		cosine(a, b))
	if least := cosine(a, b); least < leastCosine {
		return fmt.Errorf("%s: a cosine with the vector of ONNX Runtime is %.6f: want at least %g", name, least, leastCosine)
	}
	sheet.Add(speed.Row{Work: fmt.Sprintf("MiniLM embeds %d tokens, %s", tokens, name), Command: "bash bench/embed/run.sh", Peer: rival.version,
		Ours: speed.Cost{CPU: median(ownCPU), Wall: median(own)}, Theirs: speed.Cost{CPU: median(otherCPU), Wall: median(other)}, Rounds: rounds,
		Goal: speed.Goal{Ratio: 1}})
	return nil
}

// leastCosine bounds how far a vector may be from that of ONNX Runtime: our weights have half
// the precision.
const leastCosine = 0.9999

// latency measures one short question at a time.
func latency(e *embed.Encoder, rival *worker, loaded time.Duration) error {
	question := []string{"Which vitamin deficiency causes scurvy in sailors?"}
	var own, other []float64
	for range 51 {
		a, err := embedOwn(e, question)
		if err != nil {
			return err
		}
		b, err := rival.embed(question, 1)
		if err != nil {
			return err
		}
		own, other = append(own, a.Seconds), append(other, b.Seconds)
	}
	fmt.Printf("one question of %d tokens: %.1f ms, onnx %.1f ms (medians of %d); making the encoder: %.1f ms\n",
		e.Tokens(question[0]), 1e3*median(own), 1e3*median(other), len(own), 1e3*loaded.Seconds())
	return nil
}

// A result is one run: its duration, the time of processors that it took, both
// in seconds, and the vectors.
type result struct {
	Seconds, CPU float64
	Vectors      [][]float32
}

func embedOwn(e *embed.Encoder, texts []string) (result, error) {
	start, used := time.Now(), cpu()
	v, err := e.Embed(context.Background(), texts)
	return result{Seconds: time.Since(start).Seconds(), CPU: cpu() - used, Vectors: v}, err
}

// cpu returns the processor time of this process in seconds.
func cpu() float64 {
	var u syscall.Rusage
	if err := syscall.Getrusage(syscall.RUSAGE_SELF, &u); err != nil {
		return math.NaN()
	}
	return float64(u.Utime.Nano()+u.Stime.Nano()) / 1e9
}

// A worker is a Python process that embeds with ONNX Runtime.
type worker struct {
	version string
	in      io.WriteCloser
	out     *bufio.Reader
	cmd     *exec.Cmd
}

func onnx(python, model string, threads int) (*worker, error) {
	w := &worker{cmd: exec.Command(python, filepath.Join("bench", "embed", "worker.py"), model, strconv.Itoa(threads))}
	w.cmd.Stderr = os.Stderr
	var err error
	if w.in, err = w.cmd.StdinPipe(); err != nil {
		return nil, err
	}
	out, err := w.cmd.StdoutPipe()
	if err != nil {
		return nil, err
	}
	w.out = bufio.NewReader(out)
	if err := w.cmd.Start(); err != nil {
		return nil, err
	}
	w.version, err = w.out.ReadString('\n')
	w.version = strings.TrimSpace(w.version)
	if err != nil || w.version == "" {
		return nil, errors.Join(errors.New("worker.py did not start"), err)
	}
	return w, nil
}

// bestBatch returns the batch size that takes the least processor time, a measure that
// other load on the machine affects least.
func (w *worker) bestBatch(texts []string) (int, error) {
	best, least := 0, math.Inf(1)
	for _, size := range []int{1, 4, 8, 16, 32} {
		r, err := w.embed(texts, size)
		if err != nil {
			return 0, err
		}
		if r.CPU < least {
			best, least = size, r.CPU
		}
	}
	return best, nil
}

func (w *worker) embed(texts []string, batch int) (r result, err error) {
	job := map[string]any{"texts": texts, "batch": batch}
	if err := json.NewEncoder(w.in).Encode(job); err != nil {
		return r, err
	}
	answer, err := w.out.ReadBytes('\n')
	if err != nil {
		return r, err
	}
	return r, json.Unmarshal(answer, &r)
}

func (w *worker) stop() {
	_ = w.in.Close()
	_ = w.cmd.Wait()
}

// sample draws texts with about that many tokens in total.
func sample(e *embed.Encoder, path string, size int) (texts []string, tokens int, err error) {
	data, err := os.ReadFile(path)
	if err != nil {
		return nil, 0, err
	}
	var all []string
	for line := range strings.Lines(string(data)) {
		var row struct{ Title, Text string }
		if err := json.Unmarshal([]byte(line), &row); err != nil {
			return nil, 0, fmt.Errorf("%s: %w", path, err)
		}
		all = append(all, strings.TrimSpace(row.Title+" "+row.Text))
	}
	r := rand.New(rand.NewPCG(1, 2))
	r.Shuffle(len(all), func(i, j int) { all[i], all[j] = all[j], all[i] })
	for _, t := range all {
		if tokens >= size {
			break
		}
		texts = append(texts, t)
		tokens += e.Tokens(t)
	}
	return texts, tokens, nil
}

// cosine returns the smallest cosine similarity over all texts.
func cosine(a, b result) float64 {
	least := 1.
	for i := range a.Vectors {
		var dot, x, y float64
		for j := range a.Vectors[i] {
			p, q := float64(a.Vectors[i][j]), float64(b.Vectors[i][j])
			dot, x, y = dot+p*q, x+p*p, y+q*q
		}
		least = min(least, dot/math.Sqrt(x*y))
	}
	return least
}

func median(v []float64) float64 {
	v = slices.Sorted(slices.Values(v))
	return v[len(v)/2]
}
