//go:build unix

package main

import (
	"bufio"
	"encoding/binary"
	"encoding/json"
	"fmt"
	"io"
	"math"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strconv"
	"strings"
	"syscall"
	"time"
)

// times holds seconds of wall and processor time, one of each a round.
type times struct{ wall, cpu []float64 }

func (t *times) add(since moment) {
	now := begin()
	t.wall = append(t.wall, now.wall.Sub(since.wall).Seconds())
	t.cpu = append(t.cpu, now.cpu-since.cpu)
}

type moment struct {
	wall time.Time
	cpu  float64
}

func begin() moment {
	var u syscall.Rusage
	if err := syscall.Getrusage(syscall.RUSAGE_SELF, &u); err != nil {
		return moment{time.Now(), math.NaN()}
	}
	return moment{time.Now(), float64(u.Utime.Nano()+u.Stime.Nano()) / 1e9}
}

// A worker is a Python process that searches with numpy.
type worker struct {
	version string
	in      io.WriteCloser
	out     *bufio.Reader
	cmd     *exec.Cmd
}

// start gives the vectors to a new worker in a file of the folder.
func start(python, dir string, data []float32, dim, queries int) (*worker, error) {
	path := filepath.Join(dir, "matrix")
	f, err := os.Create(path)
	if err != nil {
		return nil, err
	}
	buffered := bufio.NewWriterSize(f, 1<<20)
	if err := binary.Write(buffered, binary.NativeEndian, data); err != nil {
		return nil, err
	}
	if err := buffered.Flush(); err != nil {
		return nil, err
	}
	if err := f.Close(); err != nil {
		return nil, err
	}
	script := filepath.Join("bench", "dense", "worker.py")
	w := &worker{cmd: exec.Command(python, script, path, strconv.Itoa(dim), strconv.Itoa(queries), strconv.Itoa(depth))}
	w.cmd.Stderr = os.Stderr
	w.cmd.Env = append(os.Environ(), fmt.Sprintf("OPENBLAS_NUM_THREADS=%d", runtime.GOMAXPROCS(0)))
	if w.in, err = w.cmd.StdinPipe(); err != nil {
		return nil, err
	}
	out, err := w.cmd.StdoutPipe()
	if err != nil {
		return nil, err
	}
	if err := w.cmd.Start(); err != nil {
		return nil, err
	}
	w.out = bufio.NewReader(out)
	if w.version, err = w.out.ReadString('\n'); err != nil {
		return nil, fmt.Errorf("numpy did not start: %w", err)
	}
	w.version = strings.TrimSpace(w.version)
	return w, nil
}

// run asks for one search and returns the best of each query.
func (w *worker) run(what string, product, chosen *times) ([][]int, error) {
	if _, err := io.WriteString(w.in, what+"\n"); err != nil {
		return nil, err
	}
	line, err := w.out.ReadBytes('\n')
	if err != nil {
		return nil, err
	}
	var r struct {
		Product, Seconds, CPU float64
		ProductCPU            float64 `json:"product_cpu"`
		Top                   [][]int
	}
	if err := json.Unmarshal(line, &r); err != nil {
		return nil, err
	}
	product.wall, product.cpu = append(product.wall, r.Product), append(product.cpu, r.ProductCPU)
	chosen.wall, chosen.cpu = append(chosen.wall, r.Seconds), append(chosen.cpu, r.CPU)
	return r.Top, nil
}

func (w *worker) stop() {
	_ = w.in.Close()
	_ = w.cmd.Wait()
}
