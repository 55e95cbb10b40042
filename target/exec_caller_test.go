package target_test

import (
	"bufio"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/assay-eval/assay"
	"github.com/assay-eval/assay/target"
)

// caller makes a target that answer answers: it gets the questions and writes the
// replies, and its return ends the replies.
func caller(t *testing.T, change func(*target.ExecConfig), answer func(questions *bufio.Scanner, say func(format string, args ...any))) *target.Exec {
	t.Helper()
	theirs, questions := io.Pipe()
	replies, ours := io.Pipe()
	done := make(chan struct{})
	go func() {
		defer close(done)
		defer ours.Close()
		answer(bufio.NewScanner(theirs), func(format string, args ...any) { fmt.Fprintf(ours, format+"\n", args...) })
	}()
	c := target.ExecConfig{Caller: &target.Caller{Replies: replies, Questions: questions}}
	if change != nil {
		change(&c)
	}
	e, err := target.NewExec(c)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := e.Close(); err != nil {
			t.Error(err)
		}
		theirs.Close()
		<-done
	})
	return e
}

func seqOf(t *testing.T, line []byte) (seq int, question string) {
	var q struct {
		Seq      int
		Question string
	}
	if err := json.Unmarshal(line, &q); err != nil {
		t.Errorf("the question %q is no JSON: %v", line, err)
	}
	return q.Seq, q.Question
}

func TestCallerAnswersInAnyOrder(t *testing.T) {
	e := caller(t, nil, func(questions *bufio.Scanner, say func(string, ...any)) {
		var held []string
		for questions.Scan() {
			seq, question := seqOf(t, questions.Bytes())
			held = append(held, fmt.Sprintf(`{"seq": %d, "answer": "to %s"}`, seq, question))
			if len(held) == 2 {
				say("%s", held[1])
				say("%s", held[0])
			}
		}
	})
	got := make(chan string, 2)
	for _, question := range []string{"one", "two"} {
		go func() {
			resp, err := e.Ask(t.Context(), &assay.Case{ID: question, Question: question})
			got <- fmt.Sprint(question, " ", resp.Answer, " ", err)
		}()
	}
	for range 2 {
		if s := <-got; s != "one to one <nil>" && s != "two to two <nil>" {
			t.Errorf("got %q", s)
		}
	}
}

// ends asks and wants an error that ends the run.
func ends(t *testing.T, e *target.Exec, want string) {
	t.Helper()
	_, err := e.Ask(t.Context(), &assay.Case{ID: "c", Question: "q"})
	var final interface{ Fatal() bool }
	if !errors.As(err, &final) || !final.Fatal() || !strings.Contains(err.Error(), want) {
		t.Errorf("error %v: want one that ends the run and says %q", err, want)
	}
}

func TestCallerThatEndsEndsTheRun(t *testing.T) {
	e := caller(t, nil, func(questions *bufio.Scanner, say func(string, ...any)) {
		questions.Scan()
		say("Traceback")
	})
	ends(t, e, `has ended its replies: expected a reply to each line until its input ends; on stdout it wrote "Traceback"`)
	ends(t, e, "has ended its replies")
}

func TestCallerThatIsNotReadyEndsTheRun(t *testing.T) {
	e := caller(t, func(c *target.ExecConfig) { c.Start = time.Minute }, func(questions *bufio.Scanner, say func(string, ...any)) {
		say(`{"error": "no index: run ingest.py first"}`)
		for questions.Scan() {
			t.Errorf("asked %q", questions.Text())
		}
	})
	ends(t, e, "no index: run ingest.py first")
	ends(t, e, "has ended its replies")
}

func TestCallerOutlivesTimeouts(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		e := caller(t, nil, func(questions *bufio.Scanner, say func(string, ...any)) {
			for questions.Scan() {
				if seq, question := seqOf(t, questions.Bytes()); question != "slow" {
					say(`{"seq": %d, "answer": "yes"}`, seq)
				}
			}
		})
		for range 3 {
			ctx, cancel := context.WithTimeout(t.Context(), time.Second)
			_, err := e.Ask(ctx, &assay.Case{ID: "s", Question: "slow"})
			cancel()
			if known := new(target.Error); !errors.As(err, &known) || known.Kind != target.Timeout {
				t.Fatalf("error %v: want a timeout", err)
			}
		}
		resp, err := e.Ask(t.Context(), &assay.Case{ID: "c", Question: "quick"})
		if err != nil || resp.Answer != "yes" {
			t.Errorf("got %q, %v", resp.Answer, err)
		}
	})
}
