//go:build unix

// Command pages measures the web interface on large runs: two of 100,000 cases and 8
// metrics, and 10,000 small ones. It prints the processor time that the server takes for
// each page, the first time and later, and the memory of the server after all of them.
package main

import (
	"context"
	"flag"
	"fmt"
	"io"
	"log"
	"net/http"
	"net/url"
	"os"
	"path/filepath"
	"slices"
	"time"

	"github.com/assay-eval/assay/bench/internal/filled"
	"github.com/assay-eval/assay/bench/internal/served"
)

func main() {
	assay := flag.String("assay", "", "the program to measure")
	dir := flag.String("dir", os.TempDir(), "where the folder of the store is made, and removed")
	cases := flag.Int("cases", 100_000, "cases of the two large runs")
	runs := flag.Int("runs", 10_000, "small runs beside them")
	flag.Parse()
	log.SetFlags(0)
	log.SetPrefix("bench/pages: ")
	if err := measure(*assay, *dir, *cases, *runs); err != nil {
		log.Fatal(err)
	}
}

// storeFile is the store in the folder of the measurement.
const storeFile = "runs.db"

func measure(assay, dir string, cases, runs int) (err error) {
	dir, err = os.MkdirTemp(dir, "assay-bench-pages")
	if err != nil {
		return err
	}
	defer os.RemoveAll(dir)
	ctx := context.Background()
	large, err := filled.Write(ctx, filepath.Join(dir, storeFile), cases, []string{"before", "after"})
	if err != nil {
		return err
	}
	if err := filled.Small(ctx, filepath.Join(dir, storeFile), runs); err != nil {
		return err
	}
	server, err := served.Start(assay, dir, "--store", storeFile)
	if err != nil {
		return err
	}
	defer func() { _ = server.Stop(served.Term) }()
	start, _, err := server.Memory()
	if err != nil {
		return err
	}
	run, q := "/runs/"+large[0], func(filter string) string { return "?q=" + url.QueryEscape(filter) }
	both := "runs=" + large[0] + "," + large[1]
	fmt.Printf("%d cases in each of two runs, %d small runs\n%-52s %12s %12s %10s\n", cases, runs, "page", "first", "later", "size")
	for _, path := range []string{
		"/", "/?page=100", "/?q=small+77", "/?state=finished", run, run + "/cases",
		run + "/cases?sort=mrr", run + "/cases?sort=-latency&page=1000",
		run + "/cases" + q("mrr<0.5 status:failed"), run + "/cases" + q("ferry"), run + "/cases" + q("-ferry tag:long"),
		run + "/cases/q7" + q("mrr<0.5"), "/compare?" + both, "/compare?view=matrix&" + both,
		"/compare?view=matrix&class=newly_wrong&" + both, "/compare?view=matrix&" + both + "&q=" + url.QueryEscape("delta(mrr)<0"),
		run + "/slices?metric=mrr", "/compare?view=slices&metric=mrr&" + both, "/trends", "/judge", "/datasets",
		"/search?q=ferry",
	} {
		if err := page(server, path); err != nil {
			return err
		}
	}
	now, peak, err := server.Memory()
	fmt.Printf("memory: %d MB at the start, %d MB after all pages, %d MB at the peak\n", start>>20, now>>20, peak>>20)
	return err
}

// later is how often a page is asked for again.
const later = 9

// page prints what a page takes: the first time, and in the median later.
func page(server *served.Server, path string) error {
	first, size, err := ask(server, path)
	if err != nil {
		return err
	}
	begin, err := server.Used()
	if err != nil {
		return err
	}
	walls := make([]time.Duration, later)
	for i := range walls {
		start := time.Now()
		if _, _, err := ask(server, path); err != nil {
			return err
		}
		walls[i] = time.Since(start)
	}
	end, err := server.Used()
	if err != nil {
		return err
	}
	slices.Sort(walls)
	name := path
	if len(name) > 52 {
		name = name[:24] + "…" + name[len(name)-27:]
	}
	fmt.Printf("%-52s %12v %12v %7.1f kB\n", name, first, (end-begin)/later, float64(size)/1e3)
	return nil
}

// ask reads a page, and returns the processor time that the server took meanwhile.
func ask(server *served.Server, path string) (used time.Duration, size int64, err error) {
	begin, err := server.Used()
	if err != nil {
		return 0, 0, err
	}
	status := http.StatusAccepted
	for status == http.StatusAccepted { // the page is being prepared
		if status, size, err = get(server.URL + path); err != nil {
			return 0, 0, err
		}
	}
	if status != http.StatusOK {
		return 0, 0, fmt.Errorf("%s: status %d", path, status)
	}
	end, err := server.Used()
	return end - begin, size, err
}

// get reads an address.
func get(address string) (status int, size int64, err error) {
	r, err := http.Get(address)
	if err != nil {
		return 0, 0, err
	}
	defer r.Body.Close()
	size, err = io.Copy(io.Discard, r.Body)
	return r.StatusCode, size, err
}
