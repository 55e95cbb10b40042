package cli_test

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/assay-eval/assay/internal/cli"
)

func TestRunAsksTheProgramThatStartedIt(t *testing.T) {
	dir := t.TempDir()
	put(t, dir, "gold.csv", "id,question,answer\na,Where is the lamp?,on the table\nb,Who has it?,Anna\n")
	theirs, questions := io.Pipe()
	replies, ours := io.Pipe()
	asked := make(chan []string, 1)
	go func() {
		defer ours.Close()
		var got []string
		for lines := bufio.NewScanner(theirs); lines.Scan(); {
			var q struct {
				Seq      int
				Question string
			}
			if err := json.Unmarshal(lines.Bytes(), &q); err != nil {
				t.Errorf("standard output has %q: want question lines alone", lines.Text())
			}
			got = append(got, q.Question)
			fmt.Fprintf(ours, `{"seq": %d, "answer": "on the table"}`+"\n", q.Seq)
		}
		asked <- got
	}()
	var stderr bytes.Buffer
	code := cli.Main(context.Background(), &cli.Env{
		Stdin: replies, Stdout: questions, Stderr: &stderr, Dir: dir, Getenv: func(string) string { return "" }, Now: time.Now,
	}, []string{"run", "--adapter", "exec", "--command", "-", "--dataset", "gold.csv", "--metrics", "exact_match"})
	if code != cli.ExitOK {
		t.Fatalf("exit code %d: %s", code, stderr.String())
	}
	if got := <-asked; len(got) != 2 {
		t.Errorf("asked %q: want both questions", got)
	}
	for _, want := range []string{"2 cases · exec in the calling program", "exact_match  0.500"} {
		if !strings.Contains(stderr.String(), want) {
			t.Errorf("the report on standard error lacks %q:\n%s", want, stderr.String())
		}
	}
}

func TestOnlyARunAsksItsCaller(t *testing.T) {
	dir := t.TempDir()
	put(t, dir, "gold.csv", "id,question\na,Where?\n")
	put(t, dir, "eval.yaml", "configs:\n  one: {}\n  two: {top-k: 5}\n")
	var stderr bytes.Buffer
	code := cli.Main(context.Background(), &cli.Env{
		Stdin: strings.NewReader(""), Stdout: io.Discard, Stderr: &stderr, Dir: dir, Getenv: func(string) string { return "" }, Now: time.Now,
	}, []string{"compare", "--config", "eval.yaml", "--configs", "one,two", "--adapter", "exec", "--command", "-", "--dataset", "gold.csv"})
	if want := "--command - asks the program that started assay"; code != cli.ExitFatal || !strings.Contains(stderr.String(), want) {
		t.Errorf("exit code %d, %s: want code 3 and %q", code, stderr.String(), want)
	}
}

func TestNoWorkerAsksTheProgramThatStartedTheRun(t *testing.T) {
	dir := t.TempDir()
	put(t, dir, "gold.csv", "id,question,answer\na,Where?,there\n")
	var stderr bytes.Buffer
	code := cli.Main(context.Background(), &cli.Env{
		Stdin: strings.NewReader(""), Stdout: io.Discard, Stderr: &stderr, Dir: dir, Getenv: func(string) string { return "" }, Now: time.Now,
	}, []string{"run", "--adapter", "exec", "--command", "-", "--dataset", "gold.csv", "--metrics", "exact_match", "--workers", "queue"})
	if want := "use --workers here"; code != cli.ExitFatal || !strings.Contains(stderr.String(), want) {
		t.Errorf("exit code %d, %s: want code 3 and %q", code, stderr.String(), want)
	}
}

func put(t *testing.T, dir, name, text string) {
	t.Helper()
	if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
}
