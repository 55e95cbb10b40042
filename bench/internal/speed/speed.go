// Package speed holds what the programs of bench measured, as rows of the page of speed:
// each program writes a file of them if it is asked to, and bench/table makes the page.
package speed

import (
	"encoding/json"
	"flag"
	"fmt"
	"os"
	"runtime"
	"strings"
	"time"
)

// A Row is one piece of work, measured with assay and, in turns, with a peer.
type Row struct {
	// Work says what is done, Command how to measure it again, from the root of the
	// repository.
	Work, Command string
	// Peer is the name and the version of the other program; "" if there is none.
	Peer string
	// Ours and Theirs are medians of so many rounds; Theirs is zero without a peer.
	Ours, Theirs Cost
	Rounds       int
	Goal         Goal
	// Note is a sentence for those who read the row; "" for none.
	Note string
}

// A Sent is what a program sent to the judge of a run and what the judge replied, a case, in
// one round.
type Sent struct {
	// Program is its name and version.
	Program string
	// Cases is the number of cases.
	Cases int
	// Calls is the number of requests of a case, Input and Output their tokens by one
	// vocabulary for all programs.
	Calls, Input, Output float64
	// Goal is the most input tokens of a case, 0 for no bound.
	Goal float64
	// Note is a sentence for those who read the row; "" for none.
	Note string
}

// A Cost is what one round took.
type Cost struct {
	// CPU is the time of processors, user and system, Wall that of a clock; in seconds.
	CPU, Wall float64
	// Memory is the peak memory of a process in MB, 0 if it was not measured.
	Memory int64
}

// A Goal bounds a row; what is 0 is not bounded.
type Goal struct {
	// Ratio is the least ratio of their time of processors to ours.
	Ratio float64
	// CPU is the most time of processors that we may take, in seconds, and Memory the most
	// memory, in MB.
	CPU    float64
	Memory int64
}

// A Sheet is the file of a program's rows.
type Sheet struct {
	Made time.Time
	// Processor is its name and Cores their number; Go is the version that built us.
	Processor, Go string
	Cores         int
	// Load is how many programs wanted a processor in the last five minutes, those of the
	// measurement among them; 0 if the system does not tell.
	Load float64
	Rows []Row
	// Sent is what the programs sent to a judge; none where nothing was judged. Judged is a
	// sentence about the cases of it.
	Sent   []Sent `json:",omitempty"`
	Judged string `json:",omitempty"`

	path *string
}

// Flag returns a sheet that is written to the file of the flag -json, which it defines.
func Flag() *Sheet {
	return &Sheet{path: flag.String("json", "", "a file for the results, from which bench/table makes the page of speed; none if empty")}
}

// Add adds a row.
func (s *Sheet) Add(r Row) { s.Rows = append(s.Rows, r) }

// Write writes the rows, if a file for them was named.
func (s *Sheet) Write() error {
	if *s.path == "" {
		return nil
	}
	s.Made, s.Go, s.Cores, s.Processor = time.Now().UTC(), runtime.Version(), runtime.NumCPU(), processor()
	s.Load = load()
	data, err := json.MarshalIndent(s, "", " ")
	if err != nil {
		return err
	}
	return os.WriteFile(*s.path, append(data, '\n'), 0o600)
}

// Read reads the file of a sheet. A file that is no sheet is an error with its name.
func Read(path string) (*Sheet, error) {
	data, err := os.ReadFile(path)
	if err != nil {
		return nil, err
	}
	var s Sheet
	if err := json.Unmarshal(data, &s); err != nil {
		return nil, fmt.Errorf("%s: %w", path, err)
	}
	return &s, nil
}

// processor returns the name of the processor as Linux has it, else the architecture.
func processor() string {
	data, err := os.ReadFile("/proc/cpuinfo")
	if err == nil {
		for line := range strings.Lines(string(data)) {
			if name, value, ok := strings.Cut(line, ":"); ok && strings.TrimSpace(name) == "model name" {
				return strings.TrimSpace(value)
			}
		}
	}
	return runtime.GOARCH
}

// load returns the load average of five minutes as Linux has it, else 0.
func load() float64 {
	data, err := os.ReadFile("/proc/loadavg")
	if err != nil {
		return 0
	}
	var one, five float64
	if _, err := fmt.Sscan(string(data), &one, &five); err != nil {
		return 0
	}
	return five
}

// Met reports whether a row meets its goal, and says by how much it misses it; known is
// false for a row without a goal.
func (r Row) Met() (met bool, miss string, known bool) {
	var misses []string
	g := r.Goal
	if g.Ratio > 0 {
		known = true
		if ratio := r.Theirs.CPU / r.Ours.CPU; ratio < g.Ratio {
			misses = append(misses, fmt.Sprintf("%.0f %% slower than the goal", 100*(g.Ratio/ratio-1)))
		}
	}
	if g.CPU > 0 {
		known = true
		if r.Ours.CPU > g.CPU {
			misses = append(misses, fmt.Sprintf("%.2g times the goal", r.Ours.CPU/g.CPU))
		}
	}
	if g.Memory > 0 {
		known = true
		if r.Ours.Memory > g.Memory {
			misses = append(misses, fmt.Sprintf("%d MB over the goal", r.Ours.Memory-g.Memory))
		}
	}
	return len(misses) == 0, strings.Join(misses, ", "), known
}
