package accuracy

import (
	"cmp"
	"context"
	"crypto/sha256"
	"embed"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/assay-eval/assay/internal/text"
	"github.com/assay-eval/assay/judge"
	"github.com/assay-eval/assay/llm"
)

//go:embed prompts
var promptFiles embed.FS

// The tasks that models are given. They are the operations of the requests.
const (
	taskKeyQuestions = "evaluate_key_questions"
	taskRelevance    = "evaluate_chunk_relevance"
	taskIdeal        = "evaluate_ideal_response"
	taskCompare      = "evaluate_response_comparison"
)

// format counts the changes of this package that move what a model reads beside
// the prompt files: the order of the parts, the elements and their escapes.
const format = "1"

// A task is a prompt in each language.
type task struct {
	name string
	// words are the sections of a language: Instruction and Reminder are the
	// task's, Notice, Closing and Repair those that all tasks share.
	words map[judge.Language]map[string]string
	// schema is that of the reply; nil when it is a text.
	schema json.RawMessage
}

type taskSet struct {
	tasks map[string]task
	hash  string
}

// tasks reads the prompt files, which are part of the program.
var tasks = sync.OnceValue(func() taskSet {
	s := taskSet{tasks: map[string]task{}}
	parts := map[string]string{"format": format}
	read := func(name string) string {
		b, err := promptFiles.ReadFile("prompts/" + name)
		if err != nil {
			return ""
		}
		parts[name] = strings.ReplaceAll(string(b), "\r\n", "\n")
		return parts[name]
	}
	for _, name := range []string{taskKeyQuestions, taskRelevance, taskIdeal, taskCompare} {
		t := task{name: name, words: map[judge.Language]map[string]string{}}
		if schema := read(name + ".v1.schema.json"); schema != "" {
			t.schema = json.RawMessage(schema)
		}
		for _, lang := range []judge.Language{judge.English, judge.Chinese} {
			words := sections(read("frame.v1." + string(lang) + ".md"))
			maps.Copy(words, sections(read(name+".v1."+string(lang)+".md")))
			t.words[lang] = words
		}
		s.tasks[name] = t
	}
	// Lengths keep names and texts apart.
	h := sha256.New()
	for _, name := range slices.SortedFunc(maps.Keys(parts), cmp.Compare[string]) {
		fmt.Fprintf(h, "%d %s\n%d %s\n", len(name), name, len(parts[name]), parts[name])
	}
	s.hash = "sha256:" + hex.EncodeToString(h.Sum(nil))
	return s
})

// PromptHash changes whenever a word of the evaluation's prompts does.
func PromptHash() string { return tasks().hash }

// sections splits a text at its headings of the first level.
func sections(s string) map[string]string {
	out := map[string]string{}
	name := ""
	for line := range strings.Lines(s) {
		if title, ok := strings.CutPrefix(line, "# "); ok {
			name = strings.TrimSpace(title)
			continue
		}
		out[name] += line
	}
	for name, body := range out {
		out[name] = strings.TrimSpace(body)
	}
	return out
}

// request builds a question. The prompts show the form of a reply with
// placeholders that no reader takes for values: weak models copy an example, and
// it would be a score. material is XML whose texts are escaped, so that it
// cannot hold the marks around it, whose nonce is drawn for each call besides.
// problem is what was wrong with the reply before, "" at first.
func (t task) request(base llm.Request, lang judge.Language, material, problem string) llm.Request {
	w := t.words[lang]
	parts := []string{
		w["Notice"],
		"<data nonce=\"" + llm.NonceMark + "\">\n" + material + "\n</data nonce=\"" + llm.NonceMark + "\">",
		w["Reminder"], w["Closing"],
	}
	if problem != "" {
		parts = append(parts, strings.ReplaceAll(w["Repair"], "{{problem}}", text.Visible(text.Shorten(problem, 600))))
	}
	base.Operation, base.System, base.Schema = t.name, w["Instruction"], t.schema
	base.Messages = []llm.Message{{Role: "user", Text: strings.Join(parts, "\n\n")}}
	return base
}

// A Model is one that evaluates.
type Model struct {
	// Name is what the evaluation calls it.
	Name     string
	Provider llm.Provider
	// Base carries the model's name and parameters.
	Base llm.Request
}

// identity names the model and its provider.
func (m Model) identity() string {
	if m.Provider == nil {
		return ""
	}
	return m.Provider.Name() + ":" + m.Base.Model
}

// A caller makes calls that are tried again.
type caller struct {
	lang    judge.Language
	sleep   func(ctx context.Context, d time.Duration) error
	timeout time.Duration
}

// drawStep keeps the draws of repeated tries apart from those of different
// judges that are the same model.
const drawStep = 1000

// ask asks until read takes the reply, once more after each of waits.
//
// A call that failed is made again as it was: the reply that it will have is the
// one that later evaluations find in the ledger. A reply that read refuses is
// there already, so what is asked then is another question, which says what was
// wrong; it is asked at once when the refused reply came from the ledger, for
// nobody has to recover from anything.
func (c caller) ask(ctx context.Context, m Model, t task, material string, waits []time.Duration, read func(reply string) error) (llm.Reply, error) {
	base, problem := m.Base, ""
	for attempt := 0; ; attempt++ {
		reply, err := c.call(ctx, m, t.request(base, c.lang, material, problem))
		if err == nil {
			if err = read(reply.Text); err == nil {
				return reply, nil
			}
			problem = err.Error()
			err = fmt.Errorf("%s: the reply cannot be used: %w", m.identity(), err)
			base.Draw += drawStep
		}
		var call *llm.Error
		switch {
		case ctx.Err() != nil:
			return llm.Reply{}, context.Cause(ctx)
		case errors.As(err, &call) && call.Fatal():
			return llm.Reply{}, err
		case attempt == len(waits):
			if attempt > 0 {
				err = fmt.Errorf("%w (after %d tries)", err, attempt+1)
			}
			return llm.Reply{}, err
		case reply.Cached:
			continue
		}
		if err := c.sleep(ctx, waits[attempt]); err != nil {
			return llm.Reply{}, err
		}
	}
}

// call makes one call within the limit of time.
func (c caller) call(ctx context.Context, m Model, r llm.Request) (llm.Reply, error) {
	limited, cancel := context.WithTimeout(ctx, c.timeout)
	defer cancel()
	reply, err := m.Provider.Complete(limited, r)
	switch {
	case err != nil && limited.Err() != nil && ctx.Err() == nil:
		return reply, &llm.Error{Kind: llm.KindTimeout, Provider: m.Provider.Name(), Model: r.Model, Message: fmt.Sprintf("no reply within %v", c.timeout), Attempts: 1, Err: err}
	case err == nil && reply.Stop == "refusal":
		return reply, &llm.Error{Kind: llm.KindRefused, Provider: m.Provider.Name(), Model: r.Model, Message: "the model declined to evaluate", Attempts: 1}
	}
	return reply, err
}
