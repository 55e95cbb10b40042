// Command ask reads items as JSON lines and writes, a line each, what the judge of this
// version is sent about them, or what a judge of this version rules: the offline judge, or a
// model. It is built at two commits of the repository, so it uses only what both have.
//
// usage: ask prompts|rulings [PROVIDER:MODEL [URL]] <items >lines
package main

import (
	"bufio"
	"context"
	"crypto/rand"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"log"
	"os"
	"strings"
	"sync"
	"time"

	"golang.org/x/sync/errgroup"

	"github.com/assay-eval/assay"
	"github.com/assay-eval/assay/judge"
	"github.com/assay-eval/assay/judge/model"
	"github.com/assay-eval/assay/judge/offline"
	"github.com/assay-eval/assay/judge/question"
	"github.com/assay-eval/assay/llm"
	"github.com/assay-eval/assay/rag/embed"
)

// An item is what a judge is asked about; which fields are read depends on the task.
type item struct {
	ID string `json:"id"`
	// Tasks name the tasks that it is put to; those that this version lacks are left out.
	Tasks    []string `json:"tasks"`
	Language string   `json:"language"`
	Question string   `json:"question"`
	Text     string   `json:"text"`
	Sources  []string `json:"sources"`
}

// A line is what is written about an item.
type line struct {
	ID   string `json:"id"`
	Task string `json:"task"`
	// Version is that of the prompt.
	Version string `json:"version"`
	// System and User are the messages, Nonce the number that the reply begins with.
	System string `json:"system,omitempty"`
	User   string `json:"user,omitempty"`
	// Ruling is that of the offline judge, Error why there is none.
	Ruling any    `json:"ruling,omitempty"`
	Error  string `json:"error,omitempty"`
}

// nonce stands for the number that the client draws for each call.
const nonce = "4815162342"

// atOnce is how many items a model is asked about at once.
const atOnce = 8

func main() {
	if err := run(os.Args[1:], os.Stdin, os.Stdout); err != nil {
		log.Fatal(err)
	}
}

func run(args []string, r io.Reader, w io.Writer) error {
	if len(args) == 0 || len(args) > 3 || args[0] != "rulings" && (args[0] != "prompts" || len(args) > 1) {
		return errors.New("want ask prompts, or ask rulings [PROVIDER:MODEL [URL]]")
	}
	var heard *recorder
	var j judge.Judge
	var err error
	switch {
	case args[0] == "prompts":
		heard = &recorder{}
		j, err = model.New(model.Config{Provider: heard, Request: llm.Request{Model: "recorded"}, Window: 1 << 20})
	case len(args) == 1:
		var m assay.Embedder
		if m, err = embed.New("minilm"); err == nil {
			j = offline.New(embed.Memo(m))
		}
	default:
		j, err = called(args[1], strings.Join(args[2:], ""))
	}
	if err != nil {
		return err
	}
	tasks := map[string]judge.AnyTask{}
	for _, t := range question.Tasks() {
		tasks[t.Operation()] = t
	}
	out := &writer{to: bufio.NewWriter(w)}
	var g errgroup.Group
	g.SetLimit(1)
	if len(args) > 1 {
		g.SetLimit(atOnce)
	}
	lines := bufio.NewScanner(r)
	lines.Buffer(nil, 1<<24)
	for n := 1; lines.Scan(); n++ {
		var x item
		if err := json.Unmarshal(lines.Bytes(), &x); err != nil {
			return fmt.Errorf("line %d: %w", n, err)
		}
		for _, name := range x.Tasks {
			if t := tasks[name]; t != nil {
				g.Go(func() error {
					l, err := x.ask(j, t, heard)
					if err == nil {
						err = out.write(l)
					}
					if err != nil {
						return fmt.Errorf("line %d: %s: %w", n, name, err)
					}
					return nil
				})
			}
		}
	}
	return errors.Join(lines.Err(), g.Wait(), out.to.Flush())
}

// called returns a judge that asks a model of a provider. Its replies are not stored.
func called(name, url string) (judge.Judge, error) {
	kind, id, _ := strings.Cut(name, ":")
	provider, err := llm.Open(kind, llm.Options{Name: kind, BaseURL: url, Getenv: os.Getenv})
	if err != nil {
		return nil, err
	}
	client, err := llm.NewClient(llm.ClientConfig{Provider: provider, Concurrency: atOnce, Now: time.Now, Random: rand.Reader})
	if err != nil {
		return nil, err
	}
	return model.New(model.Config{Provider: client, Request: llm.Request{Model: id}})
}

// ask asks about an item. What is sent is that which heard keeps, nil for a judge that rules; why
// it has no ruling is in the line.
func (x item) ask(j judge.Judge, t judge.AnyTask, heard *recorder) (line, error) {
	given, err := x.given(t.Operation())
	if err != nil {
		return line{}, err
	}
	_, version, _ := t.Files()
	l := line{ID: x.ID, Task: t.Operation(), Version: version}
	said, err := j.Ask(context.Background(), t, judge.Subject{Question: x.Question, Language: judge.Language(x.Language)}, given)
	switch {
	case heard == nil && err != nil:
		l.Error = err.Error()
	case heard == nil:
		l.Ruling = said
	case len(heard.requests) == 0:
		return line{}, fmt.Errorf("nothing was sent: %w", err)
	default:
		first := heard.requests[0]
		heard.requests = nil
		l.System, l.User = marked(first.System), marked(first.Messages[0].Text)
	}
	return l, nil
}

// A writer writes lines, one at a time.
type writer struct {
	lock sync.Mutex
	to   *bufio.Writer
}

func (w *writer) write(l line) error {
	raw, err := json.Marshal(l)
	if err != nil {
		return err
	}
	w.lock.Lock()
	defer w.lock.Unlock()
	_, err = w.to.Write(append(raw, '\n'))
	return err
}

func marked(s string) string { return strings.ReplaceAll(s, llm.NonceMark, nonce) }

// given returns the input of a task.
func (x item) given(task string) (any, error) {
	var sources []judge.Source
	for i, s := range x.Sources {
		sources = append(sources, judge.Source{Name: fmt.Sprintf("passage %d", i+1), Text: s})
	}
	switch task {
	case "support":
		return question.SupportInput{Claims: []judge.Claim{{Text: x.Text}}, Sources: sources}, nil
	case "equivalence", "true_false":
		return question.CompareInput{Answer: x.Text, References: x.Sources}, nil
	case "relevance", "umbrela", "points":
		return sources, nil
	case "assign":
		return question.AssignInput{Points: []string{x.Text}, Answer: x.Sources[0]}, nil
	case "importance":
		return []string{x.Text}, nil
	case "claims":
		return x.Text, nil
	case "evaluate_response_comparison":
		return question.Responses{Standard: x.Sources[0], Answer: x.Text}, nil
	}
	return nil, fmt.Errorf("task %q: want one that the study measures", task)
}

// A recorder keeps the requests that it refuses.
type recorder struct{ requests []llm.Request }

func (r *recorder) Name() string { return "recorder" }

func (r *recorder) Complete(_ context.Context, q llm.Request) (llm.Reply, error) {
	r.requests = append(r.requests, q)
	return llm.Reply{}, &llm.Error{Kind: llm.KindRefused, Provider: r.Name(), Message: "only the request is wanted"}
}
