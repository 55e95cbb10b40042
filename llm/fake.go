package llm

import (
	"bytes"
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"os"
	"regexp"
	"strings"
	"sync"
	"time"

	"github.com/assay-eval/assay/internal/backoff"
	"github.com/assay-eval/assay/internal/callkey"
	"github.com/assay-eval/assay/internal/lazyregexp"
	"github.com/assay-eval/assay/internal/text"
)

// A Fake is a provider that replies from a script, for tests, demos, and trial runs
// without a paid model. It is safe for concurrent use.
type Fake struct {
	script  FakeScript
	matches []*regexp.Regexp

	mu sync.Mutex
	// attempts counts the calls by content; hits counts the calls that each rule
	// matched.
	attempts map[string]int
	hits     []int
}

// A FakeCall is a line of the fake's log: one call, written when the reply is
// handed out, which is when a real provider bills it. Calls that end without a
// reply are there too, a hang when it begins.
type FakeCall struct {
	Time      time.Time `json:"time,omitzero"`
	Operation string    `json:"operation"`
	Model     string    `json:"model"`
	// Content is the SHA-256 of the request without its nonce, hexadecimal:
	// the same for the same question and draw in every process.
	Content string `json:"content"`
	// Data is the SHA-256 of the block of data in the first message: the same
	// for a question and the turn that mends its reply.
	Data string `json:"data,omitempty"`
	// Nonce is the nonce of the call, which the ledger stores with the reply.
	Nonce string `json:"nonce,omitempty"`
	Draw  int    `json:"draw,omitempty"`
	// Attempt is the number of the call among those with the same content in this
	// process, from 1.
	Attempt int `json:"attempt"`
	// Rule is the number of the matching rule, from 1; 0 if none matched.
	Rule   int       `json:"rule,omitempty"`
	Fault  FakeFault `json:"fault,omitempty"`
	Status int       `json:"status,omitempty"`
	// Error states why there was no reply; "" if there was one, even an empty one.
	Error  string `json:"error,omitempty"`
	Input  int    `json:"input,omitempty"`
	Output int    `json:"output,omitempty"`
}

// Replied reports whether the call ended with a reply, which costs money.
func (c FakeCall) Replied() bool { return c.Error == "" }

// NewFake returns a provider for a script. If the script names a log, NewFake creates
// it or appends to it.
func NewFake(s FakeScript) (*Fake, error) {
	f := &Fake{script: s, matches: make([]*regexp.Regexp, len(s.Rules)), attempts: map[string]int{}, hits: make([]int, len(s.Rules))}
	if field, err := s.check(); err != nil {
		return nil, fmt.Errorf("fake: %s: %w", field, err)
	}
	for i, r := range s.Rules {
		if r.When.Matches != "" {
			f.matches[i] = regexp.MustCompile(r.When.Matches) // check has compiled it
		}
	}
	if err := f.write(nil); err != nil {
		return nil, fmt.Errorf("fake: log: %w", err)
	}
	return f, nil
}

// Name returns "fake".
func (f *Fake) Name() string { return "fake" }

// Complete replies by the first matching rule. If none matches, it uses the simulation,
// if the script allows it, with the fault drawn for the request.
func (f *Fake) Complete(ctx context.Context, r Request) (Reply, error) {
	if err := ctx.Err(); err != nil {
		return Reply{}, err
	}
	call, rule := f.begin(r)
	said, failed := f.reply(r, &call, rule)
	if call.Fault == FaultHang {
		call.Error = "hangs"
		if err := f.log(call); err != nil {
			return Reply{}, err
		}
		<-ctx.Done()
		return Reply{}, ctx.Err()
	}
	if err := backoff.Sleep(ctx, f.script.Latency+rule.Delay); err != nil {
		return Reply{}, err
	}
	if failed != nil {
		call.Error = failed.Message
		failed.Provider, failed.Model, failed.Status, failed.Attempts = f.Name(), r.Model, call.Status, 1
		if err := f.log(call); err != nil {
			return Reply{}, err
		}
		return Reply{}, failed
	}
	reply := Reply{Text: said, Thinking: rule.Thinking, Model: r.Model, Stop: "end", Usage: rule.usage(r, said)}
	if call.Fault == FaultTruncated {
		reply.Stop = "length"
	}
	call.Input, call.Output = reply.Usage.Input, reply.Usage.Output
	return reply, f.log(call)
}

// begin counts the call and returns its rule, or the zero rule if none matches.
func (f *Fake) begin(r Request) (FakeCall, FakeRule) {
	call := FakeCall{Operation: r.Operation, Model: r.Model, Content: contentOf(r), Data: dataOf(r), Nonce: nonceOf(r), Draw: r.Draw}
	var said strings.Builder
	for _, m := range r.Messages {
		said.WriteString(m.Text + "\n")
	}
	f.mu.Lock()
	defer f.mu.Unlock()
	f.attempts[call.Content]++
	call.Attempt = f.attempts[call.Content]
	for i, rule := range f.script.Rules {
		w := rule.When
		if w.Operation != "" && w.Operation != r.Operation || w.Model != "" && w.Model != r.Model ||
			!strings.Contains(said.String(), w.Contains) || f.matches[i] != nil && !f.matches[i].MatchString(said.String()) {
			continue
		}
		if f.hits[i]++; w.Nth == 0 || w.Nth == f.hits[i] {
			call.Rule = i + 1
			return call, rule
		}
	}
	return call, FakeRule{}
}

// reply returns the text of the reply or why there is none, and sets the fault and the status of
// the call.
func (f *Fake) reply(r Request, call *FakeCall, rule FakeRule) (said string, failed *Error) {
	call.Fault, call.Status = rule.fault(), rule.Status
	if call.Rule == 0 {
		call.Fault = f.script.Faults.draw(call.Content, call.Attempt)
	}
	after := rule.RetryAfter
	switch call.Fault {
	case FaultHang:
		return "", nil
	case FaultClosed:
		return "", &Error{Kind: KindNetwork, Message: "the connection was closed before the reply", Err: io.ErrUnexpectedEOF}
	case FaultRate:
		call.Status = http.StatusTooManyRequests
	case FaultRateAfter:
		call.Status, after = http.StatusTooManyRequests, cmp.Or(f.script.Faults.RetryAfter, 10*time.Millisecond)
	case FaultServer:
		call.Status = http.StatusInternalServerError
	}
	if call.Status != 0 {
		message := cmp.Or(strings.ToLower(http.StatusText(call.Status)), "unknown status")
		return "", &Error{Kind: kindOf(call.Status, "", ""), Message: message, After: after}
	}
	n := nonceOf(r)
	said, given := rule.answer(n)
	if !given {
		var err error
		if said, err = f.simulated(r); err != nil {
			call.Fault = ""
			return "", &Error{Kind: KindReply, Message: err.Error(), Err: err}
		}
	}
	said, call.Fault = call.Fault.spoil(said, r.Operation, n, call.Content)
	return said, nil
}

func (f *Fake) simulated(r Request) (string, error) {
	switch {
	case !f.script.Simulate:
		return "", fmt.Errorf("no rule for the request: operation %q, model %q, beginning %q: expected a rule, or simulate: true",
			r.Operation, r.Model, beginning(r))
	case f.script.Answer == nil:
		return "", fmt.Errorf("operation %q: simulate is set, and nothing simulates here", r.Operation)
	}
	return f.script.Answer(r)
}

// beginning returns the first words of the request, for messages.
func beginning(r Request) string {
	if len(r.Messages) == 0 {
		return ""
	}
	return text.Shorten(text.Collapse(r.Messages[0].Text), 120)
}

var (
	dataNonce  = lazyregexp.New(`<data nonce="([^"\n]+)">`)
	replyNonce = lazyregexp.New(`"nonce"\s*:\s*"([^"\n]+)"`)
)

// nonceOf returns the nonce in the request, or "".
func nonceOf(r Request) string {
	for _, m := range r.Messages {
		if found := dataNonce().FindStringSubmatch(m.Text); found != nil {
			return found[1]
		}
	}
	return ""
}

// dataOf returns the hash of the block of data, or "".
func dataOf(r Request) string {
	n := nonceOf(r)
	for _, m := range r.Messages {
		_, after, begun := strings.Cut(m.Text, `<data nonce="`+n+`">`)
		if data, _, ended := strings.Cut(after, `</data nonce="`+n+`">`); begun && ended {
			return callkey.Of([]byte(data))
		}
	}
	return ""
}

// contentOf identifies what is asked, without the nonces: that of this call,
// and those of the replies that a conversation repeats.
func contentOf(r Request) string {
	unmarked := r
	unmarked.Messages = append([]Message(nil), r.Messages...)
	var nonces []string
	for _, m := range r.Messages {
		for _, pattern := range []*regexp.Regexp{dataNonce(), replyNonce()} {
			for _, found := range pattern.FindAllStringSubmatch(m.Text, -1) {
				nonces = append(nonces, found[1])
			}
		}
	}
	for _, n := range nonces {
		unmarked.System = strings.ReplaceAll(unmarked.System, n, NonceMark)
		for i := range unmarked.Messages {
			unmarked.Messages[i].Text = strings.ReplaceAll(unmarked.Messages[i].Text, n, NonceMark)
		}
	}
	data, err := json.Marshal(unmarked)
	if err != nil {
		// Extra can hold what JSON cannot; it is still the same each time.
		data = fmt.Appendf(nil, "%+v", unmarked)
	}
	return callkey.Of(data)
}

// log adds a call to the log and tells the script's observer. Each line is one
// write at the end of the file, so that what is written survives the death of
// this process, and lines of several processes do not mix.
func (f *Fake) log(c FakeCall) error {
	if f.script.Now != nil {
		c.Time = f.script.Now().UTC()
	}
	line, err := json.Marshal(c)
	if err == nil {
		err = f.write(append(bytes.TrimSpace(line), '\n'))
	}
	if err != nil {
		return &Error{Kind: KindModel, Provider: f.Name(), Model: c.Model, Message: "log: " + err.Error(), Err: err}
	}
	if f.script.Observe != nil {
		f.script.Observe(c)
	}
	return nil
}

func (f *Fake) write(line []byte) error {
	if f.script.Log == "" {
		return nil
	}
	file, err := os.OpenFile(f.script.Log, os.O_APPEND|os.O_CREATE|os.O_WRONLY, 0o644)
	if err != nil {
		return err
	}
	if _, err := file.Write(line); err != nil {
		file.Close()
		return err
	}
	return file.Close()
}
