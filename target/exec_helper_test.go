package target_test

import (
	"bufio"
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"strings"
	"testing"
	"time"

	"github.com/assay-eval/assay/target"
	"github.com/assay-eval/assay/target/reply"
)

// execHelperEnv makes the test binary a command that answers questions.
const execHelperEnv = "ASSAY_TEST_EXEC_HELPER"

// TestExecHelper is no test: it is the command, in the mode of the variable.
func TestExecHelper(*testing.T) {
	mode, on := os.LookupEnv(execHelperEnv)
	if !on {
		return
	}
	out := bufio.NewWriter(os.Stdout)
	say := func(format string, args ...any) {
		fmt.Fprintf(out, format+"\n", args...)
		out.Flush()
	}
	var held []string // replies that a pipelined helper keeps back
	for word := range strings.FieldsSeq(mode) {
		switch word {
		case "ready":
			say(`{"ready": true, "helper": "1.2"}`)
		case "refuses":
			say(`{"error": "no index: run ingest.py first"}`)
		case "dies":
			fmt.Fprintln(os.Stderr, "cannot load the model")
			os.Exit(4)
		case "silent":
			time.Sleep(time.Hour) // without cgo, select {} ends the process as a deadlock
		case "deaf": // says that it is ready and does not end with its input
			say(`{"ready": true}`)
			time.Sleep(time.Hour)
		}
	}
	lines := bufio.NewReaderSize(os.Stdin, 1<<20)
	for {
		line, err := lines.ReadString('\n')
		if err != nil {
			fmt.Fprintln(os.Stderr, "input has ended")
			os.Exit(0)
		}
		var q struct {
			Seq      uint64
			ID       string
			Question string
			TopK     *int `json:"top_k"`
			Metadata map[string]any
		}
		if err := json.Unmarshal([]byte(line), &q); err != nil {
			say(`{"error": %q}`, err.Error())
			continue
		}
		answer := fmt.Sprintf(`{"seq": %d, "answer": %q, "passages": [{"text": "p of %s", "id": "c1", "document": "d1"}]}`, q.Seq, q.Question,
			q.ID)
		word, rest, _ := strings.Cut(q.Question, ":")
		switch word {
		default:
			say("%s", answer)
		case "echo":
			raw, _ := json.Marshal(strings.TrimSuffix(line, "\n"))
			say(`{"answer": %s}`, raw)
		case "raw":
			say("%s", strings.ReplaceAll(rest, "SEQ", fmt.Sprint(q.Seq)))
		case "env":
			dir, _ := os.Getwd()
			say(`{"answer": %q}`, os.Getenv(rest)+" in "+dir)
		case "pid":
			say(`{"answer": "%d"}`, os.Getpid())
		case "stderr":
			fmt.Fprintln(os.Stderr, rest)
			say("%s", answer)
		case "hang":
			if rest != "" {
				os.WriteFile(rest, nil, 0o600) // the test waits for the file
			}
			time.Sleep(time.Hour)
		case "slow": // answered after everything else
			held = append(held, answer)
		case "flush":
			say("%s", answer)
			for i := len(held) - 1; i >= 0; i-- {
				say("%s", held[i])
			}
			held = nil
		case "exit":
			for i := range 40 {
				fmt.Fprintf(os.Stderr, "line %d\n", i)
			}
			os.Exit(3)
		case "gasp":
			say("Fatal: no memory")
			os.Exit(1)
		case "kill":
			if self, err := os.FindProcess(os.Getpid()); err == nil {
				_ = self.Kill()
			}
			time.Sleep(time.Hour)
		case "close":
			os.Stdout.Close()
			time.Sleep(time.Hour)
		case "last": // answers and ends
			say("%s", answer)
			os.Exit(0)
		case "child": // leaves a child that holds every stream
			child := exec.Command("sleep", "1000")
			child.Stdout, child.Stderr = os.Stdout, os.Stderr
			if err := child.Start(); err != nil {
				say(`{"error": %q}`, err.Error())
				continue
			}
			say(`{"answer": "%d"}`, child.Process.Pid)
		case "huge":
			for range 17 {
				fmt.Fprint(out, strings.Repeat("x", 1<<20))
			}
			say("")
		case "big":
			say(`{"answer": %q}`, strings.Repeat("y", 15<<20))
		}
	}
}

// helper makes a target of the helper; change may change its configuration.
func helper(t testing.TB, mode string, change func(*target.ExecConfig)) *target.Exec {
	t.Helper()
	read, err := reply.NewMapping(map[string]string{reply.Answer: "answer", reply.Passages: "passages", reply.Text: "text", reply.ID: "id",
		reply.Document: "document"})
	if err != nil {
		t.Fatal(err)
	}
	c := target.ExecConfig{
		Command: []string{os.Args[0], "-test.run=^TestExecHelper$"}, Env: []string{execHelperEnv + "=" + mode}, Read: read, Now: time.Now,
	}
	if strings.Contains(mode, "ready") || strings.Contains(mode, "refuses") || strings.Contains(mode, "deaf") {
		c.Start = time.Minute
	}
	if change != nil {
		change(&c)
	}
	e, err := target.NewExec(c)
	if err != nil {
		t.Fatal(err)
	}
	closing(t, e)
	return e
}
