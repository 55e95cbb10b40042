//go:build unix

package main

import (
	"errors"
	"fmt"
	"io"
	"net/http"
	"strings"
	"sync"
	"time"

	"github.com/assay-eval/assay/bench/internal/served"
)

// serve starts a server, asks it for the page of a run, several at once, twice, and then for
// what people ask of the run and of a comparison, one after the other.
func serve(dir, assay string, ids []string, pages int) error {
	id := ids[0]
	server, err := served.Start(assay, dir, "--store", storeFile)
	if err != nil {
		return err
	}
	defer func() { _ = server.Stop(served.Term) }()
	url := server.URL
	idle, _, err := server.Memory()
	if err != nil {
		return err
	}
	fmt.Printf("%-20s  memory %5d MB\n", "server, idle", idle>>20)
	for _, name := range []string{"first", "again"} {
		begun := time.Now()
		var all sync.WaitGroup
		errs := make([]error, pages)
		var size int64
		for i := range pages {
			all.Go(func() {
				n, err := read(url + "/api/v1/runs/" + id + "/report.html")
				if errs[i] = err; i == 0 {
					size = n
				}
			})
		}
		all.Wait()
		if err := errors.Join(errs...); err != nil {
			return err
		}
		now, peak, err := server.Memory()
		if err != nil {
			return err
		}
		fmt.Printf("%-20s  wall %6.2f s  memory %5d MB, at its peak %5d MB  size %7.1f MB\n", fmt.Sprintf("%d pages, %s", pages, name),
			time.Since(begun).Seconds(), now>>20, peak>>20, float64(size)/1e6)
	}
	return looks(server, ids)
}

// looks asks a server for lists of the cases of a run and for a comparison, each twice.
func looks(server *served.Server, ids []string) error {
	url := server.URL
	run := url + "/api/v1/runs/" + ids[0]
	requests := []struct{ name, url string }{
		{"run", run}, {"cases", run + "/cases"}, {"by a metric", run + "/cases?sort=mrr"}, {"filtered", run + "/cases?q=mrr%3C0.5+-status:error"},
		{"a rare word", run + "/cases?q=nowhere"}, {"a common word", run + "/cases?q=what&sort=-mrr"},
	}
	if len(ids) > 1 {
		runs := "runs=" + strings.Join(ids, ",")
		requests = append(requests, []struct{ name, url string }{
			{"comparison", url + "/api/v1/compare?cases=false&" + runs},
			{"compared cases", url + "/api/v1/comparisons/cases?class=newly_wrong&metric=mrr&sort=delta&" + runs},
			{"comparison, whole", url + "/api/v1/compare?" + runs},
		}...)
	}
	for _, r := range requests {
		fmt.Printf("%-20s", r.name)
		for _, name := range []string{"first", "again"} {
			begun := time.Now()
			size, err := read(r.url)
			if err != nil {
				return err
			}
			took := time.Since(begun)
			now, peak, err := server.Memory()
			if err != nil {
				return err
			}
			fmt.Printf("  %s: wall %7.3f s  memory %5d MB, peak %5d MB  %6.2f MB", name, took.Seconds(), now>>20, peak>>20, float64(size)/1e6)
		}
		fmt.Println()
	}
	return nil
}

func read(url string) (int64, error) {
	r, err := http.Get(url)
	if err != nil {
		return 0, err
	}
	defer r.Body.Close()
	if r.StatusCode != http.StatusOK {
		return 0, fmt.Errorf("%s: %s", url, r.Status)
	}
	return io.Copy(io.Discard, r.Body)
}
