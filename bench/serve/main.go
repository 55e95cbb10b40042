//go:build unix

// Command serve measures the server: a store of many runs, reads at a fixed rate
// while many streams of events follow a run that goes on, the memory that this
// takes, and what is left after SIGTERM in the middle of it. It ends with an
// error when something is lost.
package main

import (
	"bufio"
	"context"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"io"
	"math/rand/v2"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"github.com/assay-eval/assay"
	"github.com/assay-eval/assay/bench/internal/served"
	"github.com/assay-eval/assay/store"
)

type plan struct {
	program              string
	runs, streams, cases int
	rate                 int
	length               time.Duration
}

func main() {
	var p plan
	flag.StringVar(&p.program, "program", "bin/assay", "the program to measure")
	flag.IntVar(&p.runs, "runs", 10000, "runs in the store")
	flag.IntVar(&p.streams, "streams", 200, "streams of events")
	flag.IntVar(&p.rate, "rate", 1000, "reads a second")
	flag.IntVar(&p.cases, "cases", 2000, "cases of the run that goes on")
	flag.DurationVar(&p.length, "length", 20*time.Second, "how long reads are made")
	flag.Parse()
	if err := p.measure(); err != nil {
		fmt.Fprintln(os.Stderr, "serve:", err)
		os.Exit(1)
	}
}

func (p plan) measure() error {
	dir, err := os.MkdirTemp("", "assay-bench-serve-")
	if err != nil {
		return err
	}
	defer os.RemoveAll(dir)
	ids, err := p.fill(dir)
	if err != nil {
		return err
	}
	asked, target := slowTarget()
	defer target.Close()
	if err := p.dataset(dir, target.URL); err != nil {
		return err
	}
	s, err := served.Start(p.program, dir, "--datasets", ".")
	if err != nil {
		return err
	}
	run, err := begin(s)
	if err != nil {
		return err
	}
	streams := &streams{seen: make([]map[int]bool, p.streams), last: make([]int, p.streams)}
	for i := range streams.seen {
		streams.seen[i] = map[int]bool{}
	}
	follow := func(s *served.Server) *sync.WaitGroup {
		var wg sync.WaitGroup
		for i := range p.streams {
			wg.Go(func() { streams.follow(s.URL, run, i) })
		}
		return &wg
	}
	first := follow(s)
	p.read(s, append(ids, run))
	_, rss, err := s.Memory()
	if err != nil {
		return err
	}
	fmt.Printf("memory at its peak: %d MB\n", rss>>20)

	begun := time.Now()
	if err := s.Stop(served.Term); err != nil {
		return fmt.Errorf("after SIGTERM: %w", err)
	}
	first.Wait()
	fmt.Printf("SIGTERM with %d streams and a run that goes on: ended well after %v\n", p.streams, time.Since(begun).Round(time.Millisecond))
	if s, err = served.Start(p.program, dir, "--datasets", "."); err != nil {
		return err
	}
	follow(s).Wait()
	state, done, err := stateOf(s, run)
	if err != nil {
		return err
	}
	if err := s.Stop(served.Term); err != nil {
		return err
	}
	fmt.Printf("after the restart: run %s, %d of %d cases, %d questions to the target\n", state, done, p.cases, asked.Load())
	var lost []string
	if state != "finished" || done != p.cases {
		lost = append(lost, "cases of the run")
	}
	if n := asked.Load(); n != int64(p.cases) {
		lost = append(lost, fmt.Sprintf("the target was asked %d times, want %d: each case once", n, p.cases))
	}
	for i, seen := range streams.seen {
		if len(seen) != p.cases {
			lost = append(lost, fmt.Sprintf("stream %d had %d cases", i, len(seen)))
		}
	}
	lost = append(lost, streams.twice...)
	if lost != nil {
		return errors.New(strings.Join(lost[:min(len(lost), 10)], "\n"))
	}
	fmt.Printf("every case is there once, in the run and in each of %d streams\n", p.streams)
	return nil
}

// fill makes a store of finished runs of three cases each.
func (p plan) fill(dir string) ([]string, error) {
	ctx := context.Background()
	s, err := store.Open(ctx, filepath.Join(dir, "assay.db"))
	if err != nil {
		return nil, err
	}
	defer s.Close()
	random := rand.NewChaCha8([32]byte{1})
	at := time.Date(2026, 1, 1, 0, 0, 0, 0, time.UTC)
	var ids []string
	for i := range p.runs {
		at = at.Add(time.Minute)
		id, err := store.NewID(at, random)
		if err != nil {
			return nil, err
		}
		h := assay.Header{
			ID: id, Name: fmt.Sprintf("nightly %d", i), Started: at, Finished: at.Add(time.Second), State: "finished", Version: "bench",
			Dataset: assay.DatasetInfo{Name: "gold", Hash: "sha256:1", Cases: 3, Total: 3}, Target: assay.TargetInfo{Adapter: "http"},
			Metrics: []assay.MetricInfo{{Name: "mrr", Title: "MRR", Better: "higher", Range: [2]float64{0, 1}, Version: 1}},
		}
		if err := s.CreateRun(ctx, h); err != nil {
			return nil, err
		}
		var recs []assay.Record
		for c := range 3 {
			recs = append(recs, assay.Record{
				Seq: c, Case: assay.Case{ID: fmt.Sprintf("tc_%d", c), Question: "Which river flows through London?"}, Attempts: 1, Started: at,
				Response: &assay.Response{Answer: "The Thames.", Passages: []assay.Passage{{Document: "thames.md",
					Text: strings.Repeat("The Thames flows. ", 20)}}, Latency: time.Millisecond},
				Scores: map[string]assay.Score{"mrr": assay.Value(1)},
			})
		}
		if err := s.Put(ctx, id, recs...); err != nil {
			return nil, err
		}
		ids = append(ids, id)
	}
	return ids, nil
}

// slowTarget answers after 10 ms and counts.
func slowTarget() (*atomic.Int64, *httptest.Server) {
	var n atomic.Int64
	return &n, httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		n.Add(1)
		time.Sleep(10 * time.Millisecond)
		w.Header().Set("Content-Type", "application/json")
		_, _ = io.WriteString(w, `{"answer":"The Thames.","contexts":[{"text":"The Thames flows through London.","source":"thames.md"}]}`)
	}))
}

func (p plan) dataset(dir, target string) error {
	var b strings.Builder
	for i := range p.cases {
		fmt.Fprintf(&b, `{"id":"q%d","question":"Which river flows through London? %d","expected_sources":["thames.md"]}`+"\n", i, i)
	}
	settings := fmt.Sprintf("adapter: http\nendpoint: %s\nread: {answer: answer, passages: contexts}\nmetrics: [src_hit@1]\nretries: "+
		"0\ncache: \"off\"\nstore: assay.db\n", target)
	return errors.Join(os.WriteFile(filepath.Join(dir, "gold.jsonl"), []byte(b.String()), 0o600),
		os.WriteFile(filepath.Join(dir, "eval-config.yaml"), []byte(settings), 0o600))
}

var client = &http.Client{Transport: &http.Transport{MaxIdleConnsPerHost: 1000}}

func begin(s *served.Server) (string, error) {
	res, err := client.Post(s.URL+"/api/v1/runs", "application/json", strings.NewReader(`{"dataset":"gold.jsonl"}`))
	if err != nil {
		return "", err
	}
	defer res.Body.Close()
	var v struct {
		ID string `json:"run_id"`
	}
	err = json.NewDecoder(res.Body).Decode(&v)
	if res.StatusCode != http.StatusAccepted {
		return "", fmt.Errorf("start of a run: status %d", res.StatusCode)
	}
	return v.ID, err
}

func stateOf(s *served.Server, run string) (string, int, error) {
	res, err := client.Get(s.URL + "/api/v1/runs/" + run)
	if err != nil {
		return "", 0, err
	}
	defer res.Body.Close()
	var v struct {
		State string
		Done  int
	}
	return v.State, v.Done, json.NewDecoder(res.Body).Decode(&v)
}

// read makes reads of every kind at the given rate, and prints their latencies.
func (p plan) read(s *served.Server, ids []string) {
	paths := []func(r *rand.Rand) string{
		func(r *rand.Rand) string { return "/api/v1/runs/" + ids[r.IntN(len(ids))] },
		func(r *rand.Rand) string { return fmt.Sprintf("/api/v1/runs?limit=20&offset=%d", r.IntN(len(ids))) },
		func(r *rand.Rand) string { return "/api/v1/runs/" + ids[r.IntN(len(ids))] + "/cases" },
		func(r *rand.Rand) string { return "/api/v1/runs/" + ids[r.IntN(len(ids)-1)] + "/cases/tc_1" },
	}
	var mu sync.Mutex
	var took []time.Duration
	bad := map[string]int{}
	var wg sync.WaitGroup
	r := rand.New(rand.NewPCG(1, 2))
	begun := time.Now()
	n := int(p.length.Seconds() * float64(p.rate))
	for i := range n {
		time.Sleep(time.Until(begun.Add(time.Duration(i) * time.Second / time.Duration(p.rate))))
		path := paths[i%len(paths)](r)
		due := time.Now()
		wg.Go(func() {
			res, err := client.Get(s.URL + path)
			if err == nil {
				_, err = io.Copy(io.Discard, res.Body)
				res.Body.Close()
			}
			mu.Lock()
			defer mu.Unlock()
			took = append(took, time.Since(due))
			if err != nil {
				bad["error"]++
			} else if res.StatusCode != http.StatusOK {
				bad[res.Status]++
			}
		})
	}
	wg.Wait()
	all := time.Since(begun)
	slices.Sort(took)
	at := func(q float64) time.Duration { return took[int(q*float64(len(took)-1))].Round(10 * time.Microsecond) }
	fmt.Printf("%d reads in %v: %.0f a second; p50 %v, p95 %v, p99 %v, longest %v; failed %v\n",
		n, all.Round(time.Millisecond), float64(n)/all.Seconds(), at(.5), at(.95), at(.99), at(1), bad)
}

// streams are what follows a run, each with what it has seen.
type streams struct {
	mu    sync.Mutex
	seen  []map[int]bool
	last  []int
	twice []string
}

// follow reads the events of a run behind the last that was seen, until the
// stream ends.
func (f *streams) follow(url, run string, i int) {
	r, err := http.NewRequest(http.MethodGet, url+"/api/v1/runs/"+run+"/events", nil)
	if err != nil {
		return
	}
	f.mu.Lock()
	if f.last[i] > 0 {
		r.Header.Set("Last-Event-ID", strconv.Itoa(f.last[i]))
	}
	f.mu.Unlock()
	res, err := client.Do(r)
	if err != nil {
		return
	}
	defer res.Body.Close()
	for lines := bufio.NewScanner(res.Body); lines.Scan(); {
		text, ok := strings.CutPrefix(lines.Text(), "id: ")
		id, err := strconv.Atoi(text)
		if !ok || err != nil {
			continue
		}
		f.mu.Lock()
		if f.seen[i][id] {
			f.twice = append(f.twice, fmt.Sprintf("stream %d had event %d twice", i, id))
		}
		f.seen[i][id], f.last[i] = true, id
		f.mu.Unlock()
	}
}
