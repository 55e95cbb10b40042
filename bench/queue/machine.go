//go:build unix

package main

import (
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"time"
)

// A machine is what was measured on, and with what.
type machine struct {
	CPU   string `json:"cpu"`
	Cores int    `json:"cores"`
	// Memory is in bytes.
	Memory int64  `json:"memory"`
	Go     string `json:"go"`
	System string `json:"system"`
	// Server is the version of PostgreSQL, Program that of assay.
	Server  string `json:"server"`
	Program string `json:"program"`
	// Sync is the median of what the disk takes to sync 8 kB, in seconds.
	Sync float64 `json:"sync"`
	Date string  `json:"date"`
}

// machine describes the machine of the lab.
func (l *lab) machine() (m machine, err error) {
	m = machine{Cores: runtime.NumCPU(), Go: runtime.Version(), System: runtime.GOOS + "/" + runtime.GOARCH, Date: time.Now().UTC().Format(time.DateOnly)}
	for path, prefix := range map[string]string{"/proc/cpuinfo": "model name", "/proc/meminfo": "MemTotal"} {
		text, err := os.ReadFile(path)
		if err != nil {
			return m, err
		}
		for line := range strings.Lines(string(text)) {
			key, value, _ := strings.Cut(line, ":")
			switch {
			case strings.TrimSpace(key) != prefix:
			case prefix == "MemTotal":
				if _, err := fmt.Sscan(value, &m.Memory); err != nil {
					return m, err
				}
				m.Memory <<= 10
			default:
				m.CPU = strings.TrimSpace(value)
			}
		}
	}
	versions, err := rows[struct{ V string }](l.admin(), `SHOW server_version`)
	if err != nil {
		return m, err
	}
	m.Server, _, _ = strings.Cut(versions[0].V, " ")
	out, err := exec.Command(l.program, "--version").Output()
	if err != nil {
		return m, err
	}
	m.Program = strings.TrimSpace(strings.TrimPrefix(string(out), "assay "))
	m.Sync, err = l.sync()
	return m, err
}

// sync measures the disk of the folder.
func (l *lab) sync() (_ float64, err error) {
	f, err := os.Create(filepath.Join(l.dir, "sync"))
	if err != nil {
		return 0, err
	}
	defer func() { err = errors.Join(err, f.Close()) }()
	var took []float64
	for range 50 {
		begun := time.Now()
		if _, err := f.WriteAt(make([]byte, 8<<10), 0); err != nil {
			return 0, err
		}
		if err := f.Sync(); err != nil {
			return 0, err
		}
		took = append(took, time.Since(begun).Seconds())
	}
	slices.Sort(took)
	return took[len(took)/2], nil
}
