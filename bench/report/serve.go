//go:build unix

package main

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"sync"
	"syscall"
	"time"
)

var address = regexp.MustCompile(`http://[0-9.]+:[0-9]+`)

// serve starts a server, asks it for the page of a run, several at once, twice, and then for
// what people ask of the run and of a comparison, one after the other.
func serve(dir, assay string, ids []string, pages int) error {
	id := ids[0]
	cmd := exec.Command(assay, "serve", "--addr", "127.0.0.1:0", "--store", storeFile)
	cmd.Dir = dir
	msgs, err := cmd.StderrPipe()
	if err != nil {
		return err
	}
	if err := cmd.Start(); err != nil {
		return err
	}
	defer func() {
		_ = cmd.Process.Signal(syscall.SIGTERM)
		_ = cmd.Wait()
	}()
	lines, url := bufio.NewScanner(msgs), ""
	for url == "" {
		if !lines.Scan() {
			return errors.New("the server named no address")
		}
		url = address.FindString(lines.Text())
	}
	go func() { _, _ = io.Copy(io.Discard, msgs) }()
	idle, _, err := memory(cmd.Process.Pid)
	if err != nil {
		return err
	}
	fmt.Printf("%-20s  memory %5d MB\n", "server, idle", idle>>10)
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
		now, peak, err := memory(cmd.Process.Pid)
		if err != nil {
			return err
		}
		fmt.Printf("%-20s  wall %6.2f s  memory %5d MB, at its peak %5d MB  size %7.1f MB\n", fmt.Sprintf("%d pages, %s", pages, name),
			time.Since(begun).Seconds(), now>>10, peak>>10, float64(size)/1e6)
	}
	return looks(url, ids, cmd.Process.Pid)
}

// looks asks a server for lists of the cases of a run and for a comparison, each twice.
func looks(url string, ids []string, pid int) error {
	run := url + "/api/v1/runs/" + ids[0]
	requests := []struct{ name, url string }{
		{"run", run}, {"cases", run + "/cases"}, {"by a metric", run + "/cases?sort=mrr"}, {"filtered", run + "/cases?q=mrr%3C0.5+-status:error"},
		{"a rare word", run + "/cases?q=nowhere"}, {"a common word", run + "/cases?q=what&sort=-mrr"},
	}
	if len(ids) > 1 {
		runs := "runs=" + strings.Join(ids, ",")
		requests = append(requests, []struct{ name, url string }{
			{"comparison", url + "/api/v1/comparisons?" + runs},
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
			now, peak, err := memory(pid)
			if err != nil {
				return err
			}
			fmt.Printf("  %s: wall %7.3f s  memory %5d MB, peak %5d MB  %6.2f MB", name, took.Seconds(), now>>10, peak>>10, float64(size)/1e6)
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

// memory returns the resident memory of a process, now and at its peak, in kB.
func memory(pid int) (now, peak int64, err error) {
	b, err := os.ReadFile(filepath.Join("/proc", strconv.Itoa(pid), "status"))
	if err != nil {
		return 0, 0, err
	}
	for line := range strings.Lines(string(b)) {
		name, value, _ := strings.Cut(line, ":")
		n, _ := strconv.ParseInt(strings.TrimSuffix(strings.TrimSpace(value), " kB"), 10, 64) // other lines are not numbers
		switch name {
		case "VmRSS":
			now = n
		case "VmHWM":
			peak = n
		}
	}
	return now, peak, nil
}
