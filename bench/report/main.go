//go:build unix

// Command report measures the reports of large runs: it fills a store with two runs,
// whose cases have five passages, eight metrics, tags, a trace and some failures, about
// 5 kB each, and writes them in every format. It prints the processor time, the peak
// memory and the size of each report, and what a server takes for pages of one run that
// are asked for at once.
package main

import (
	"bytes"
	"context"
	"flag"
	"fmt"
	"log"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"time"

	"github.com/assay-eval/assay/bench/internal/filled"
)

func main() {
	assay := flag.String("assay", "", "the program to measure")
	dir := flag.String("dir", os.TempDir(), "where the folder of the store and the reports is made, and removed")
	cases := flag.Int("cases", 100_000, "cases of a run")
	formats := flag.String("formats", "html,markdown,json,csv,junit", "report formats of a run; none if empty")
	compared := flag.String("compared", "html,json", "report formats of a comparison; none if empty")
	pages := flag.Int("pages", 4, "pages asked of a server at once; 0 leaves the server out")
	flag.Parse()
	log.SetFlags(0)
	log.SetPrefix("bench/report: ")
	if err := measure(*assay, *dir, *cases, names(*formats), names(*compared), *pages); err != nil {
		log.Fatal(err)
	}
}

func names(list string) []string {
	return strings.FieldsFunc(list, func(r rune) bool { return r == ',' })
}

func measure(assay, dir string, cases int, formats, compared []string, pages int) error {
	dir, err := os.MkdirTemp(dir, "assay-bench-report")
	if err != nil {
		return err
	}
	defer os.RemoveAll(dir)
	runs := []string{"before", "after"}
	if len(compared) == 0 {
		runs = runs[:1]
	}
	ids, err := filled.Write(context.Background(), filepath.Join(dir, storeFile), cases, runs)
	if err != nil {
		return err
	}
	fmt.Printf("%d cases\n", cases)
	for _, f := range formats {
		args := []string{"report", ids[0], "--format", f, "--store", storeFile}
		if err := one(dir, "report "+f, assay, args); err != nil {
			return err
		}
	}
	for _, f := range compared {
		args := []string{"compare", ids[0], ids[1], "--format", f, "--store", storeFile}
		if err := one(dir, "compare "+f, assay, args); err != nil {
			return err
		}
	}
	if pages == 0 {
		return nil
	}
	return serve(dir, assay, ids, pages)
}

// storeFile is the store in the folder of the measurement.
const storeFile = "runs.db"

// one runs the program once and prints what it took and the size of what it wrote.
func one(dir, name, assay string, args []string) error {
	cmd := exec.Command(assay, args...)
	cmd.Dir = dir
	out, err := os.Create(filepath.Join(dir, "out"))
	if err != nil {
		return err
	}
	defer out.Close()
	var msgs bytes.Buffer
	cmd.Stdout, cmd.Stderr = out, &msgs
	start := time.Now()
	if err := cmd.Run(); err != nil {
		return fmt.Errorf("%s: %w: %s", strings.Join(args, " "), err, msgs.String())
	}
	wall, peak := time.Since(start), int64(0)
	if usage, ok := cmd.ProcessState.SysUsage().(*syscall.Rusage); ok {
		peak = usage.Maxrss >> 10
	}
	written, err := out.Stat()
	if err != nil {
		return err
	}
	fmt.Printf("%-20s  processor %6.2f s  wall %6.2f s  peak memory %5d MB  size %7.1f MB\n", name,
		(cmd.ProcessState.UserTime() + cmd.ProcessState.SystemTime()).Seconds(), wall.Seconds(), peak, float64(written.Size())/1e6)
	return nil
}
