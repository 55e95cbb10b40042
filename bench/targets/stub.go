//go:build unix

package main

import (
	"bufio"
	"encoding/json"
	"fmt"
	"io"
	"net"
	"net/http"
	"os"
	"os/exec"
	"strconv"
	"strings"
	"sync/atomic"
	"time"
)

// startStub starts this program as a stub. It returns its address and a function that
// stops it and returns the processor time it used.
func startStub(o options) (address string, end func() time.Duration, err error) {
	self, err := os.Executable()
	if err != nil {
		return "", nil, err
	}
	c := exec.Command(self, "-stub", "-latency", o.latency.String(), "-passage", strconv.Itoa(o.size))
	c.Stderr = os.Stderr
	in, err := c.StdinPipe()
	if err != nil {
		return "", nil, err
	}
	out, err := c.StdoutPipe()
	if err != nil {
		return "", nil, err
	}
	if err := c.Start(); err != nil {
		return "", nil, err
	}
	end = func() time.Duration {
		_ = in.Close()
		_ = c.Wait()
		return c.ProcessState.UserTime() + c.ProcessState.SystemTime()
	}
	line, err := bufio.NewReader(out).ReadString('\n')
	if err != nil {
		end()
		return "", nil, fmt.Errorf("the stub does not start: %w", err)
	}
	return strings.TrimSpace(line), end, nil
}

// serve is the stub. Its replies are made before the first question, so that it
// takes little of the processor from what is measured.
func serve(o options) error {
	type passage struct {
		Document string  `json:"document"`
		Text     string  `json:"text"`
		Score    float64 `json:"score"`
	}
	var reply struct {
		Answer   string    `json:"answer"`
		Passages []passage `json:"passages"`
	}
	reply.Answer = "The first document is d0."
	for i := range 10 {
		reply.Passages = append(reply.Passages, passage{fmt.Sprint("d", i), strings.Repeat("word ", o.size/5), 1 / float64(i+1)})
	}
	body, err := json.Marshal(reply)
	if err != nil {
		return err
	}
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		return err
	}
	fmt.Printf("http://%s/ask\n", l.Addr())
	go func() {
		_, _ = io.Copy(io.Discard, os.Stdin)
		os.Exit(0)
	}()
	var answered, took atomic.Int64
	http.HandleFunc("/ask", func(w http.ResponseWriter, r *http.Request) {
		begin := time.Now()
		_, _ = io.Copy(io.Discard, r.Body)
		time.Sleep(o.latency)
		w.Header().Set("Content-Type", "application/json")
		w.Header().Set("Content-Length", strconv.Itoa(len(body)))
		_, _ = w.Write(body)
		answered.Add(1)
		took.Add(int64(time.Since(begin)))
	})
	http.HandleFunc("/took", func(w http.ResponseWriter, _ *http.Request) {
		n := max(1, answered.Swap(0))
		fmt.Fprint(w, time.Duration(took.Swap(0)/n))
	})
	return http.Serve(l, nil)
}

// stubTook asks the stub what it took for a question in the mean, since it was
// asked last: a timer fires late, and the more so the busier the machine is.
func stubTook(address string) (time.Duration, error) {
	resp, err := http.Get(strings.TrimSuffix(address, "/ask") + "/took")
	if err != nil {
		return 0, err
	}
	defer resp.Body.Close()
	text, err := io.ReadAll(resp.Body)
	if err != nil {
		return 0, err
	}
	return time.ParseDuration(string(text))
}
