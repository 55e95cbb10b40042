//go:build unix

// Command beside measures how much reads slow a run: a server executes the same run over
// recorded responses with and without reads at a fixed rate beside it, several times in
// turn. The reads are those of people who look at runs: the run that goes on, the list of
// runs, and lists of the cases of a finished run, in the order of a metric, filtered, and
// searched.
package main

import (
	"bufio"
	"bytes"
	"cmp"
	"context"
	"encoding/json"
	"flag"
	"fmt"
	"io"
	"log"
	"net/http"
	"os"
	"path/filepath"
	"slices"
	"sync"
	"time"

	"github.com/assay-eval/assay/bench/internal/served"
)

type plan struct {
	program             string
	cases, perMinute, n int
}

func main() {
	p := plan{}
	flag.StringVar(&p.program, "assay", "", "the program to measure")
	flag.IntVar(&p.cases, "cases", 100_000, "cases of a run")
	flag.IntVar(&p.perMinute, "reads", 20_000, "reads a minute")
	flag.IntVar(&p.n, "times", 3, "how often the run is executed with reads, and without")
	flag.Parse()
	log.SetFlags(0)
	log.SetPrefix("bench/beside: ")
	if err := p.measure(); err != nil {
		log.Fatal(err)
	}
}

func (p plan) measure() error {
	dir, err := os.MkdirTemp("", "assay-bench-beside-")
	if err != nil {
		return err
	}
	defer os.RemoveAll(dir)
	if err := p.generate(dir); err != nil {
		return err
	}
	s, err := served.Start(p.program, dir, "--datasets", ".")
	if err != nil {
		return err
	}
	defer func() { _ = s.Stop(served.Term) }()
	c := client{s.URL}
	first, err := c.run(context.Background(), func(string) {})
	if err != nil {
		return err
	}
	// What is made at the first look, such as the text column for searches, is made once.
	for _, kind := range kinds(first.id, first.id) {
		begun := time.Now()
		if err := c.get(context.Background(), kind.path, nil); err != nil {
			return err
		}
		fmt.Printf("first look: %-12s %8.1f ms\n", kind.name, ms(time.Since(begun)))
	}
	fmt.Printf("%d cases, %d reads a minute\n", p.cases, p.perMinute)
	var alone, beside []time.Duration
	for range p.n {
		used := func() time.Duration { d, _ := s.Used(); return d }
		cpu := used()
		r, err := c.run(context.Background(), func(string) {})
		if err != nil {
			return err
		}
		alone = append(alone, r.took)
		fmt.Printf("alone         %6.2f s, processor %6.2f s\n", r.took.Seconds(), (used() - cpu).Seconds())
		cpu = used()
		reads := &reads{took: map[string][]time.Duration{}}
		ctx, stop := context.WithCancel(context.Background())
		var done sync.WaitGroup
		r, err = c.run(ctx, func(id string) { done.Go(func() { p.read(ctx, c, reads, first.id, id) }) })
		stop()
		done.Wait()
		if err = cmp.Or(err, reads.failed); err != nil {
			return err
		}
		beside = append(beside, r.took)
		fmt.Printf("beside reads  %6.2f s, processor %6.2f s\n", r.took.Seconds(), (used() - cpu).Seconds())
		reads.print()
	}
	slices.Sort(alone)
	slices.Sort(beside)
	fmt.Printf("median: %.3f of the time without reads\n", beside[p.n/2].Seconds()/alone[p.n/2].Seconds())
	return nil
}

// generate writes cases, their recorded responses as a TREC run, and the settings.
func (p plan) generate(dir string) error {
	var cases, responses bytes.Buffer
	for i := range p.cases {
		fmt.Fprintf(&cases, `{"id":"q%d","question":"What does part %d say of rivers?","expected_contexts":["d%d"]}`+"\n", i, i, i*10+i%7)
		for rank := range 5 {
			fmt.Fprintf(&responses, "q%d Q0 d%d %d %d bench\n", i, i*10+2*rank, rank+1, 10-rank)
		}
	}
	settings := "adapter: recorded\nresponses: responses.trec\nmetrics: [hit@5, mrr, ndcg@5, precision@5, recall@5]\n" +
		"cache: \"off\"\nstore: assay.db\n"
	for name, text := range map[string][]byte{
		"gold.jsonl": cases.Bytes(), "responses.trec": responses.Bytes(), "eval-config.yaml": []byte(settings),
	} {
		if err := os.WriteFile(filepath.Join(dir, name), text, 0o600); err != nil {
			return err
		}
	}
	return nil
}

// A client asks the server.
type client struct{ url string }

var keep = &http.Client{Transport: &http.Transport{MaxIdleConnsPerHost: 64, MaxConnsPerHost: 64}}

func (c client) get(ctx context.Context, path string, into any) error {
	req, err := http.NewRequestWithContext(ctx, http.MethodGet, c.url+"/api/v1"+path, nil)
	if err != nil {
		return err
	}
	r, err := keep.Do(req)
	if err != nil {
		return err
	}
	defer r.Body.Close()
	body, err := io.ReadAll(r.Body)
	if err != nil {
		return err
	}
	if r.StatusCode != http.StatusOK {
		return fmt.Errorf("%s: %s: %s", path, r.Status, body)
	}
	if into == nil {
		return nil
	}
	return json.Unmarshal(body, into)
}

type finished struct {
	id   string
	took time.Duration
}

// run executes a run, and calls begun once it has its first cases. The time is that from
// then to the end of the run by its own account.
func (c client) run(ctx context.Context, begun func(id string)) (finished, error) {
	r, err := keep.Post(c.url+"/api/v1/runs", "application/json", bytes.NewReader([]byte(`{"dataset":"gold.jsonl"}`)))
	if err != nil {
		return finished{}, err
	}
	defer r.Body.Close()
	var v struct {
		ID       string `json:"run_id"`
		State    string
		Finished time.Time
		Warnings []string
	}
	if err := json.NewDecoder(r.Body).Decode(&v); err != nil {
		return finished{}, err
	}
	follow, err := keep.Get(c.url + "/api/v1/runs/" + v.ID + "/events")
	if err != nil {
		return finished{}, err
	}
	defer follow.Body.Close()
	var start time.Time
	lines := bufio.NewScanner(follow.Body)
	for lines.Scan() {
		if start.IsZero() && bytes.HasPrefix(lines.Bytes(), []byte("event: case")) {
			start = time.Now()
			begun(v.ID)
		}
	}
	if err := cmp.Or(lines.Err(), c.get(ctx, "/runs/"+v.ID, &v)); err != nil {
		return finished{}, err
	}
	if v.State != "finished" {
		return finished{}, fmt.Errorf("run %s is %s: %q", v.ID, v.State, v.Warnings)
	}
	return finished{v.ID, v.Finished.Sub(start)}, nil
}

// reads collects how long reads took, by their kind.
type reads struct {
	mu     sync.Mutex
	took   map[string][]time.Duration
	failed error
}

// A kind of reads has a name.
type kind struct{ name, path string }

// kinds are the reads of a finished run and of one that goes on.
func kinds(done, goesOn string) []kind {
	cases := "/runs/" + done + "/cases"
	return []kind{
		{"the run", "/runs/" + goesOn}, {"runs", "/runs?limit=20"}, {"cases", cases + "?offset=500"}, {"by a metric", cases + "?sort=mrr"},
		{"filtered", cases + "?q=mrr%3C0.5"}, {"searched", cases + "?q=rivers"}, {"a case", cases + "/q77"},
		{"new cases", "/runs/" + goesOn + "/cases?limit=20"},
	}
}

// read makes reads of a finished run and of one that goes on, until ctx is done.
func (p plan) read(ctx context.Context, c client, to *reads, done, goesOn string) {
	kinds := kinds(done, goesOn)
	tick := time.NewTicker(time.Minute / time.Duration(p.perMinute))
	defer tick.Stop()
	var all sync.WaitGroup
	defer all.Wait()
	for i := 0; ; i++ {
		select {
		case <-ctx.Done():
			return
		case <-tick.C:
		}
		kind := kinds[i%len(kinds)]
		all.Go(func() {
			begun := time.Now()
			err := c.get(ctx, kind.path, nil)
			to.mu.Lock()
			defer to.mu.Unlock()
			switch {
			case ctx.Err() != nil:
			case err != nil:
				to.failed = err
			default:
				to.took[kind.name] = append(to.took[kind.name], time.Since(begun))
			}
		})
	}
}

func (r *reads) print() {
	names, n := []string{}, 0
	for name, took := range r.took {
		slices.Sort(took)
		names, n = append(names, name), n+len(took)
	}
	slices.Sort(names)
	fmt.Printf("  %d reads\n", n)
	for _, name := range names {
		took := r.took[name]
		fmt.Printf("  %-12s median %8.1f ms, 99 of 100 within %8.1f ms\n", name, ms(took[len(took)/2]), ms(took[len(took)*99/100]))
	}
}

func ms(d time.Duration) float64 { return float64(d.Microseconds()) / 1e3 }
