//go:build unix

// Package contest runs programs in turns and measures them.
package contest

import (
	"bytes"
	"fmt"
	"io"
	"os/exec"
	"slices"
	"syscall"
	"time"

	"github.com/assay-eval/assay/bench/internal/speed"
)

// A Contender is a program to measure, as a whole process.
type Contender struct {
	Name string
	Args []string
	// Dir is the folder it runs in; that of this process if empty.
	Dir string
	// Before, unless it is nil, prepares each run, and is not measured.
	Before func() error
	// Output is what the last run has written.
	Output    string
	wall, cpu []time.Duration
	maxRSS    int64
}

// Run runs all contenders, in turns, so many times.
func Run(rounds int, all ...*Contender) error {
	for range rounds {
		for _, c := range all {
			if err := c.run(); err != nil {
				return err
			}
		}
	}
	return nil
}

func (c *Contender) run() error {
	if c.Before != nil {
		if err := c.Before(); err != nil {
			return fmt.Errorf("%s: %w", c.Name, err)
		}
	}
	cmd := exec.Command(c.Args[0], c.Args[1:]...)
	cmd.Dir = c.Dir
	var out, msgs bytes.Buffer
	cmd.Stdout, cmd.Stderr = &out, &msgs
	start := time.Now()
	if err := cmd.Run(); err != nil {
		return fmt.Errorf("%s: %w: %s", c.Name, err, msgs.String())
	}
	c.wall = append(c.wall, time.Since(start))
	c.cpu = append(c.cpu, cmd.ProcessState.UserTime()+cmd.ProcessState.SystemTime())
	if usage, ok := cmd.ProcessState.SysUsage().(*syscall.Rusage); ok {
		c.maxRSS = max(c.maxRSS, usage.Maxrss)
	}
	c.Output = out.String()
	return nil
}

// Wall returns the median time of a run, and CPU that of its processors.
func (c *Contender) Wall() time.Duration { return median(c.wall) }

// CPU returns the median of the processor time, user and system, of a run.
func (c *Contender) CPU() time.Duration { return median(c.cpu) }

// Cost returns the medians as a row of results has them.
func (c *Contender) Cost() speed.Cost {
	return speed.Cost{CPU: c.CPU().Seconds(), Wall: c.Wall().Seconds(), Memory: c.maxRSS >> 10}
}

func median(times []time.Duration) time.Duration {
	sorted := slices.Sorted(slices.Values(times))
	return sorted[len(sorted)/2]
}

// Report writes a line with the median and the range of the times, and the peak memory.
func (c *Contender) Report(w io.Writer) {
	fmt.Fprintf(w, "%-22s  median %8.3f s  (%.3f … %.3f)  CPU %8.3f s  (%.3f … %.3f)  peak memory %5d MB\n", c.Name, c.Wall().Seconds(),
		slices.Min(c.wall).Seconds(), slices.Max(c.wall).Seconds(), c.CPU().Seconds(), slices.Min(c.cpu).Seconds(),
		slices.Max(c.cpu).Seconds(), c.maxRSS>>10)
}
