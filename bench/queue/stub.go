//go:build unix

package main

import (
	"bufio"
	"encoding/json"
	"fmt"
	"io"
	"math/rand/v2"
	"net"
	"net/http"
	"os"
	"os/exec"
	"strings"
	"sync"
	"time"

	"github.com/assay-eval/assay/bench/internal/standin"
)

// A visit is a request that reached the stub.
type visit struct {
	// Key is the question to the target, or the digest of the prompt of the judge.
	Key string `json:"key"`
	// At is when it arrived, in nanoseconds since 1970.
	At int64 `json:"at"`
}

// visits is what reached the stub since it was asked last.
type visits struct {
	Questions []visit `json:"questions"`
	Prompts   []visit `json:"prompts"`
}

// serveStub is the process that is the target and the judge: it replies after a latency, to
// any number of requests at once, and remembers each. It prints its address, and ends with its
// standard input.
func serveStub(target, judge time.Duration) error {
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		return err
	}
	var mu sync.Mutex
	var seen visits
	note := func(list *[]visit, key string) {
		mu.Lock()
		*list = append(*list, visit{key, time.Now().UnixNano()})
		mu.Unlock()
	}
	mux := http.NewServeMux()
	mux.HandleFunc("/ask", func(w http.ResponseWriter, r *http.Request) {
		var q struct{ Question string }
		if err := json.NewDecoder(r.Body).Decode(&q); err != nil {
			http.Error(w, err.Error(), http.StatusBadRequest)
			return
		}
		note(&seen.Questions, q.Question)
		time.Sleep(target)
		w.Header().Set("Content-Type", "application/json")
		_ = json.NewEncoder(w).Encode(answerTo(q.Question))
	})
	mux.Handle("/v1/", &standin.Model{Latency: judge, Asked: func(digest string) { note(&seen.Prompts, digest) }})
	mux.HandleFunc("/seen", func(w http.ResponseWriter, _ *http.Request) {
		mu.Lock()
		defer mu.Unlock()
		_ = json.NewEncoder(w).Encode(seen)
		seen = visits{}
	})
	mux.HandleFunc("/count", func(w http.ResponseWriter, _ *http.Request) {
		mu.Lock()
		defer mu.Unlock()
		fmt.Fprint(w, len(seen.Questions))
	})
	fmt.Printf("http://%s\n", l.Addr())
	go func() {
		_, _ = io.Copy(io.Discard, os.Stdin)
		os.Exit(0)
	}()
	return http.Serve(l, mux)
}

// A stub is the process of the target and the judge.
type stub struct {
	url string
	cmd *exec.Cmd
	in  io.Closer
}

func startStub(target, judge time.Duration) (*stub, error) {
	self, err := os.Executable()
	if err != nil {
		return nil, err
	}
	cmd := exec.Command(self, "stub", "-latency", target.String(), "-judge-latency", judge.String())
	cmd.Stderr = os.Stderr
	in, err := cmd.StdinPipe()
	if err != nil {
		return nil, err
	}
	out, err := cmd.StdoutPipe()
	if err != nil {
		return nil, err
	}
	if err := cmd.Start(); err != nil {
		return nil, err
	}
	s := &stub{cmd: cmd, in: in}
	line, err := bufio.NewReader(out).ReadString('\n')
	if err != nil {
		s.stop()
		return nil, fmt.Errorf("the stub does not start: %w", err)
	}
	s.url = strings.TrimSpace(line)
	return s, nil
}

func (s *stub) stop() {
	_ = s.in.Close()
	_ = s.cmd.Wait()
}

// seen returns what reached the stub since the last call.
func (s *stub) seen() (v visits, err error) {
	return v, s.get("/seen", func(body io.Reader) error { return json.NewDecoder(body).Decode(&v) })
}

// asked returns the number of questions since seen was called.
func (s *stub) asked() (n int, err error) {
	return n, s.get("/count", func(body io.Reader) error {
		_, err := fmt.Fscan(body, &n)
		return err
	})
}

func (s *stub) get(path string, read func(io.Reader) error) error {
	res, err := http.Get(s.url + path)
	if err != nil {
		return err
	}
	defer res.Body.Close()
	return read(res.Body)
}

// An answer is the reply of the target.
type answer struct {
	Answer   string   `json:"answer"`
	Contexts []string `json:"contexts"`
}

// answerTo returns an answer with five passages of about 800 bytes, the same for the same
// question.
func answerTo(question string) answer {
	var door int
	_, _ = fmt.Sscanf(question, questionForm, &door) // another question is that of door 0
	r := rand.New(rand.NewPCG(uint64(door), 0))
	a := answer{Answer: fmt.Sprintf("About door %d: it is green.", door)}
	for range 5 {
		a.Contexts = append(a.Contexts, fmt.Sprintf("Door %d is green. ", door)+words(r, 110))
	}
	return a
}

// questionForm is the form of the questions; the number is that of the case.
const questionForm = "Which colour has door %d?"

// vocabulary makes words of about six letters.
const vocabulary = 5000

// words returns n words.
func words(r *rand.Rand, n int) string {
	var b strings.Builder
	for i := range n {
		if i > 0 {
			b.WriteByte(' ')
		}
		for v := r.IntN(vocabulary) + 20; v > 0; v /= 20 {
			b.WriteByte("bcdfghjklmnprstvwxyz"[v%20])
			b.WriteByte("aeiou"[v%5])
		}
	}
	return b.String()
}
