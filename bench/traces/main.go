//go:build unix

// Command traces measures the import of a file of traces, as a whole process, and sends spans
// at a rate to assay serve, which it kills in the middle and starts again: a batch without an
// answer is sent again, as exporters do. It fails if a span that was acknowledged is missing
// afterwards. The traces are those of a LangChain pipeline, repeated under other ids.
package main

import (
	"bufio"
	"bytes"
	"compress/gzip"
	"errors"
	"flag"
	"fmt"
	"io"
	"log"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"runtime"
	"strings"
	"syscall"
	"time"

	"github.com/assay-eval/assay/bench/internal/speed"
)

const golden = "spans/testdata/langchain_openinference/traces.jsonl"

func main() {
	assay := flag.String("assay", "", "the program to measure")
	dir := flag.String("dir", os.TempDir(), "where the folder of the generated files and of the store is made, and removed")
	count := flag.Int("spans", 100_000, "spans of the imported file")
	rate := flag.Int("rate", 5000, "spans a second that are sent to the receiver")
	seconds := flag.Int("seconds", 60, "how long they are sent; 0 leaves the receiver out")
	sheet := speed.Flag()
	flag.Parse()
	log.SetFlags(0)
	log.SetPrefix("bench/traces: ")
	b, err := newBench(*assay, *dir)
	if err == nil {
		err = b.measure(*count, *rate, *seconds, sheet)
	}
	if b != nil {
		err = errors.Join(err, os.RemoveAll(b.dir))
	}
	if err != nil {
		log.Fatal(err)
	}
	if err := sheet.Write(); err != nil {
		log.Fatal(err)
	}
}

type bench struct {
	assay, dir string
	// traces are lines of OTLP, of spans each.
	traces []string
	spans  []int
	made   int
}

var (
	traceID = regexp.MustCompile(`"traceId": ?"[0-9a-f]{16}`)
	spanID  = regexp.MustCompile(`"spanId"`)
)

func newBench(assay, dir string) (*bench, error) {
	assay, err := filepath.Abs(assay)
	if err != nil {
		return nil, err
	}
	text, err := os.ReadFile(golden)
	if err != nil {
		return nil, err
	}
	if dir, err = os.MkdirTemp(dir, "assay-bench-traces"); err != nil {
		return nil, err
	}
	b := &bench{assay: assay, dir: dir}
	for line := range strings.Lines(string(text)) {
		n := len(spanID.FindAllString(line, -1))
		if n == 0 || len(traceID.FindAllString(line, -1)) != n {
			return b, fmt.Errorf("%s: a line without spans of one trace each", golden)
		}
		b.traces, b.spans = append(b.traces, strings.TrimSpace(line)), append(b.spans, n)
	}
	return b, nil
}

// next returns a line under another trace id, and how many spans it has.
func (b *bench) next() (string, int) {
	i := b.made % len(b.traces)
	b.made++
	return traceID.ReplaceAllString(b.traces[i], fmt.Sprintf(`"traceId":"%016x`, b.made)), b.spans[i]
}

func (b *bench) measure(count, rate, seconds int, sheet *speed.Sheet) error {
	fmt.Printf("%d cores\n", runtime.NumCPU())
	// A tenth first: memory that grows with the file would show.
	for _, n := range []int{count / 10, count} {
		cost, err := b.imports(n)
		if err != nil {
			return err
		}
		if n == count {
			sheet.Add(speed.Row{
				Work: fmt.Sprintf("import of %d spans of OTLP", n), Command: "bash bench/traces/run.sh", Ours: cost, Rounds: 1,
				Goal: speed.Goal{CPU: 20},
			})
		}
	}
	if seconds == 0 {
		return nil
	}
	return b.receive(rate, seconds)
}

// imports measures the import of a file of about so many spans.
func (b *bench) imports(count int) (cost speed.Cost, err error) {
	path := filepath.Join(b.dir, "traces.jsonl")
	f, err := os.Create(path)
	if err != nil {
		return cost, err
	}
	w := bufio.NewWriterSize(f, 1<<20)
	written := 0
	for written < count {
		line, n := b.next()
		fmt.Fprintln(w, line)
		written += n
	}
	if err := errors.Join(w.Flush(), f.Close()); err != nil {
		return cost, err
	}
	begin := time.Now()
	said, state, err := b.run("import", "traces", path, "--output", "imported", "--force")
	if err != nil {
		return cost, err
	}
	cost = speed.Cost{Wall: time.Since(begin).Seconds(), CPU: (state.UserTime() + state.SystemTime()).Seconds()}
	if usage, ok := state.SysUsage().(*syscall.Rusage); ok {
		cost.Memory = usage.Maxrss >> 10
	}
	if want := fmt.Sprintf("%d spans of", written); !strings.Contains(said, want) {
		return cost, fmt.Errorf("the import does not say %q: %s", want, said)
	}
	size, err := os.Stat(path)
	if err != nil {
		return cost, err
	}
	fmt.Printf("import of %d spans, %.0f MB: processor %.2f s, wall %.2f s, peak memory %d MB\n", written, float64(size.Size())/1e6,
		cost.CPU, cost.Wall, cost.Memory)
	return cost, nil
}

// run runs the program and returns what it says on standard error.
func (b *bench) run(args ...string) (string, *os.ProcessState, error) {
	cmd := exec.Command(b.assay, args...)
	cmd.Dir = b.dir
	var said bytes.Buffer
	cmd.Stderr = &said
	if err := cmd.Run(); err != nil {
		return "", nil, fmt.Errorf("%s: %w: %s", strings.Join(args, " "), err, said.String())
	}
	return said.String(), cmd.ProcessState, nil
}

// perSecond is how many requests a second the spans are sent in.
const perSecond = 10

// receive sends spans at a rate, kills the server after half of the time and starts it again.
func (b *bench) receive(rate, seconds int) error {
	server, err := b.serve()
	if err != nil {
		return err
	}
	defer func() { server.kill() }()
	ticks := time.NewTicker(time.Second / perSecond)
	defer ticks.Stop()
	sent, again, late := 0, 0, 0
	var cpu time.Duration
	begin := time.Now()
	for tick := range seconds * perSecond {
		<-ticks.C
		body, n, err := b.request(rate / perSecond)
		if err != nil {
			return err
		}
		if tick == seconds*perSecond/2 {
			// A request is in flight when the server is killed.
			go func() {
				time.Sleep(time.Millisecond)
				_ = server.cmd.Process.Kill()
			}()
		}
		at := time.Now()
		for {
			err := post(server.url, body)
			if err == nil {
				break
			}
			again++
			cpu += server.kill()
			if server, err = b.serve(); err != nil {
				return err
			}
		}
		if time.Since(at) > time.Second/perSecond {
			late++
		}
		sent += n
	}
	wall := time.Since(begin)
	cpu += server.kill()
	said, _, err := b.run("import", "traces", "--received", "--store", "received.db", "--output", "received", "--force")
	if err != nil {
		return err
	}
	fmt.Printf("received %d spans in %.1f s, %.0f a second, killed once; processor of the server %.1f s; "+
		"%d of %d requests took longer than their turn; %d sent again\n",
		sent, wall.Seconds(), float64(sent)/wall.Seconds(), cpu.Seconds(), late, seconds*perSecond, again)
	if again == 0 {
		return errors.New("the server was not killed")
	}
	// A request that was stored before the kill and sent again is stored twice.
	for _, twice := range []int{0, 1} {
		total := sent + twice*(rate/perSecond)
		if found := spansRead(said); found >= sent && found <= total+largest {
			return nil
		}
	}
	return fmt.Errorf("%d spans were acknowledged, and the import says: %s", sent, said)
}

// largest is more than the spans of any trace: a request has a few more than its share.
const largest = 50

var readSpans = regexp.MustCompile(`(\d+) spans of (\d+) traces read`)

func spansRead(said string) (n int) {
	if m := readSpans.FindStringSubmatch(said); m != nil {
		_, _ = fmt.Sscan(m[1], &n)
	}
	return n
}

// request makes the body of a request of at least n spans, packed, and says how many it has.
func (b *bench) request(n int) ([]byte, int, error) {
	var all []string
	spans := 0
	for spans < n {
		line, more := b.next()
		// {"resourceSpans":[…]} of several lines in one.
		line = strings.TrimSuffix(line[strings.IndexByte(line, '[')+1:], "]}")
		all, spans = append(all, line), spans+more
	}
	var out bytes.Buffer
	z, err := gzip.NewWriterLevel(&out, gzip.BestSpeed)
	if err != nil {
		return nil, 0, err
	}
	_, err = fmt.Fprintf(z, `{"resourceSpans":[%s]}`, strings.Join(all, ","))
	err = errors.Join(err, z.Close())
	return out.Bytes(), spans, err
}

func post(url string, body []byte) error {
	r, err := http.NewRequest(http.MethodPost, url+"/v1/traces", bytes.NewReader(body))
	if err != nil {
		return err
	}
	r.Header.Set("Content-Type", "application/json")
	r.Header.Set("Content-Encoding", "gzip")
	res, err := http.DefaultClient.Do(r)
	if err != nil {
		return err
	}
	defer res.Body.Close()
	said, err := io.ReadAll(res.Body)
	if err == nil && res.StatusCode != http.StatusOK {
		log.Fatalf("the receiver answers %s: %s", res.Status, said)
	}
	return err
}

// A serving is a server that is a process of its own.
type serving struct {
	cmd  *exec.Cmd
	url  string
	gone bool
}

var listens = regexp.MustCompile(`listening on (http://\S+)`)

func (b *bench) serve() (*serving, error) {
	s := &serving{cmd: exec.Command(b.assay, "serve", "--addr", "127.0.0.1:0", "--store", "received.db", "--quiet")}
	s.cmd.Dir = b.dir
	out, err := s.cmd.StderrPipe()
	if err != nil {
		return nil, err
	}
	if err := s.cmd.Start(); err != nil {
		return nil, err
	}
	lines := bufio.NewReader(out)
	for s.url == "" {
		line, err := lines.ReadString('\n')
		if m := listens.FindStringSubmatch(line); m != nil {
			s.url = m[1]
		}
		if err != nil {
			return nil, fmt.Errorf("assay serve does not listen: %s", line)
		}
	}
	go func() { _, _ = io.Copy(io.Discard, lines) }()
	return s, nil
}

// kill kills the server, if it is not gone yet, and returns the time of processors it took.
func (s *serving) kill() time.Duration {
	if s.gone {
		return 0
	}
	s.gone = true
	_ = s.cmd.Process.Kill()
	_ = s.cmd.Wait()
	return s.cmd.ProcessState.UserTime() + s.cmd.ProcessState.SystemTime()
}
