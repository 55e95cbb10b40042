package llmtest

import (
	"bufio"
	"bytes"
	"io"
	"os"
	"os/exec"
	"regexp"
	"sync"
	"testing"
	"time"

	"github.com/assay-eval/assay/internal/requiretest"
)

// Small is the model that the folder ASSAY_OLLAMA_MODELS holds: real, and too
// weak to judge anything.
const Small = "smollm2"

var listening = regexp.MustCompile(`Listening on (127\.0\.0\.1:\d+)`)

// keeper runs the server and ends it as soon as nobody holds the other end of
// standard input, for tests that panic or are killed clean up nothing. The
// server gets five seconds to end the process that runs the model; then their
// group, to which nothing else belongs, is killed.
const keeper = `
exec 3<&0
"$1" serve & server=$!
{
	cat <&3
	kill $server
	for i in 1 2 3 4 5 6 7 8 9 10; do kill -0 $server && sleep 0.5; done
	kill -KILL 0
} >/dev/null 2>&1 & watch=$!
wait $server; status=$?
kill $watch
exit $status`

// MiniLM is the embedding model that the folder ASSAY_OLLAMA_MINILM holds.
const MiniLM = "all-minilm"

// Ollama starts an Ollama server with a small model on a free port of the
// loopback address and returns its base URL, at which it speaks its own
// protocol; below /v1 it speaks that of OpenAI. The server has a home of its
// own and ends with the test. The program is the one that ASSAY_OLLAMA names,
// the models are in ASSAY_OLLAMA_MODELS: scripts/models makes both.
func Ollama(t testing.TB) string {
	t.Helper()
	return ollama(t, "ASSAY_OLLAMA_MODELS")
}

// OllamaMiniLM starts one with [MiniLM].
func OllamaMiniLM(t testing.TB) string {
	t.Helper()
	return ollama(t, "ASSAY_OLLAMA_MINILM")
}

// ollama starts a server with the models of the folder that a variable names.
func ollama(t testing.TB, variable string) string {
	t.Helper()
	program, models := requiretest.Env(t, "ASSAY_OLLAMA"), requiretest.Env(t, variable)
	home := t.TempDir()
	output, end := io.Pipe()
	log := &tail{}
	cmd := exec.Command("sh", "-c", keeper, "sh", program)
	cmd.Dir = home
	alive, err := cmd.StdinPipe()
	if err != nil {
		t.Fatal(err)
	}
	cmd.Stdout, cmd.Stderr = end, end
	cmd.Env = []string{
		"HOME=" + home, "PATH=" + os.Getenv("PATH"), "OLLAMA_HOST=127.0.0.1:0", "OLLAMA_MODELS=" + models,
		"OLLAMA_NOPRUNE=1", "OLLAMA_KEEP_ALIVE=30m", "OLLAMA_NUM_PARALLEL=1", "OLLAMA_MAX_LOADED_MODELS=1", "OLLAMA_NO_CLOUD=1",
	}
	endGroup := group(cmd)
	if err := cmd.Start(); err != nil {
		t.Fatalf("starting %s: %v", program, err)
	}
	ended := make(chan error, 1)
	go func() {
		ended <- cmd.Wait()
		end.Close() //nolint:errcheck // the end of a pipe in memory
	}()
	address := make(chan string, 1)
	go func() {
		lines := bufio.NewScanner(output)
		lines.Buffer(nil, 1<<20)
		for lines.Scan() {
			log.add(lines.Bytes())
			if m := listening.FindSubmatch(lines.Bytes()); m != nil && len(address) == 0 {
				address <- string(m[1])
			}
		}
		// A line that is too long must not block the server.
		io.Copy(io.Discard, output) //nolint:errcheck // nothing of it is used
	}()
	t.Cleanup(func() {
		defer endGroup()
		if t.Failed() {
			t.Logf("the end of the server's log:\n%s", log)
		}
		alive.Close()
		select {
		case err := <-ended:
			_ = err // it was asked to end
		case <-time.After(20 * time.Second):
			endGroup()
			if err := <-ended; err != nil {
				t.Log(err)
			}
		}
	})
	select {
	case a := <-address:
		return "http://" + a
	case err := <-ended:
		ended <- err
		t.Fatalf("%s ended: %v\n%s", program, err, log)
	case <-time.After(time.Minute):
		t.Fatalf("%s does not listen after a minute\n%s", program, log)
	}
	return ""
}

// A tail keeps the end of a log.
type tail struct {
	mu   sync.Mutex
	data []byte
}

func (l *tail) add(line []byte) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.data = append(append(l.data, line...), '\n')
	if n := len(l.data) - 1<<14; n > 0 {
		l.data = bytes.Clone(l.data[n:])
	}
}

func (l *tail) String() string {
	l.mu.Lock()
	defer l.mu.Unlock()
	return string(l.data)
}
