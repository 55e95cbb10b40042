// Package proc reads what Linux tells of processes.
package proc

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"time"
)

// tick is the unit of processor times in /proc.
const tick = 10 * time.Millisecond

// Used returns the processor time of a process so far.
func Used(pid int) (time.Duration, error) {
	used, _, err := times(pid)
	return used, err
}

// UsedByFamily returns the processor time so far of a process of one thread and its children,
// both those that run and those that have ended.
func UsedByFamily(pid int) (time.Duration, error) {
	children, err := os.ReadFile(fmt.Sprintf("/proc/%d/task/%d/children", pid, pid))
	if err != nil {
		return 0, err
	}
	own, ended, err := times(pid)
	total := own + ended
	for child := range strings.FieldsSeq(string(children)) {
		id, err := strconv.Atoi(child)
		if err != nil {
			return 0, err
		}
		used, err := Used(id)
		if errors.Is(err, os.ErrNotExist) {
			continue // it has just ended
		}
		if err != nil {
			return 0, err
		}
		total += used
	}
	return total, err
}

// times returns the processor time of a process, and that of its children that have ended.
func times(pid int) (own, ended time.Duration, err error) {
	b, err := os.ReadFile(filepath.Join("/proc", strconv.Itoa(pid), "stat"))
	if err != nil {
		return 0, 0, err
	}
	// The name in parentheses may have spaces; utime, stime, cutime and cstime are the 12th to
	// the 15th after it.
	fields := strings.Fields(string(b[strings.LastIndexByte(string(b), ')')+1:]))
	var ticks [4]time.Duration
	for i, f := range fields[11:15] {
		n, err := strconv.ParseInt(f, 10, 64)
		if err != nil {
			return 0, 0, err
		}
		ticks[i] = time.Duration(n) * tick
	}
	return ticks[0] + ticks[1], ticks[2] + ticks[3], nil
}

// UsedByAll returns the processor time that all processes of the machine have used so far.
func UsedByAll() (time.Duration, error) {
	b, err := os.ReadFile("/proc/stat")
	if err != nil {
		return 0, err
	}
	line, _, _ := strings.Cut(string(b), "\n")
	var total time.Duration
	for i, f := range strings.Fields(line)[1:] {
		n, err := strconv.ParseInt(f, 10, 64)
		if err != nil {
			return 0, err
		}
		// The fourth is idle, the fifth waits for the disk; from the eighth on they are of guests.
		if i != 3 && i != 4 && i < 7 {
			total += time.Duration(n) * tick
		}
	}
	return total, nil
}

// Memory returns the resident memory of a process, now and at its peak, in bytes.
func Memory(pid int) (now, peak int64, err error) {
	b, err := os.ReadFile(filepath.Join("/proc", strconv.Itoa(pid), "status"))
	if err != nil {
		return 0, 0, err
	}
	for line := range strings.Lines(string(b)) {
		name, value, _ := strings.Cut(line, ":")
		n, _ := strconv.ParseInt(strings.TrimSuffix(strings.TrimSpace(value), " kB"), 10, 64) // other lines are not numbers
		switch name {
		case "VmRSS":
			now = n << 10
		case "VmHWM":
			peak = n << 10
		}
	}
	if peak == 0 {
		return 0, 0, errors.New("no VmHWM")
	}
	return now, peak, nil
}
