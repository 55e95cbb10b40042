package target

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"maps"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/assay-eval/assay"
	"github.com/assay-eval/assay/internal/text"
	"github.com/assay-eval/assay/target/reply"
)

const (
	// execSeq is the field, and the placeholder, that matches a reply to its question.
	execSeq = "seq"
	// maxExecLine bounds a reply, as maxReply does over HTTP.
	maxExecLine = 16 << 20
	// maxExecShown bounds a reply that is shown to a person, maxExecQuoted a line that
	// a message quotes.
	maxExecShown  = 16 << 10
	maxExecQuoted = 200
)

// line returns the request line for a case.
func (e *Exec) line(ctx context.Context, seq uint64, c *assay.Case) ([]byte, error) {
	values := caseValues(c, e.cfg.TopK, e.cfg.Values)
	values[execSeq] = seq
	var sent any
	if e.send == nil || e.python != nil {
		sent = map[string]any{execSeq: seq, "id": c.ID, "question": c.Question, "top_k": values[valueTopK], "metadata": values[valueMetadata]}
	}
	if end, ok := ctx.Deadline(); ok && e.python != nil {
		sent.(map[string]any)["limit"] = time.Until(end).Seconds()
	}
	if e.send != nil {
		filled, err := e.send.Fill(values)
		if err != nil {
			return nil, &Error{Kind: Failed, Err: fmt.Errorf("send: %w", err)}
		}
		if object, ok := sent.(map[string]any); ok {
			object["input"] = filled
		} else {
			sent = filled
		}
	}
	line, err := jsonLine(sent)
	if err != nil {
		return nil, &Error{Kind: Failed, Err: fmt.Errorf("send: %w", err)}
	}
	return line, nil
}

// listen reads the process's lines until there are no more.
func (p *execProcess) listen(r io.Reader, eof chan<- struct{}) {
	defer close(eof)
	lines := bufio.NewReaderSize(r, 64<<10)
	for {
		line, err := boundedLine(lines, maxExecLine)
		if errors.Is(err, errLongLine) {
			p.fault(fmt.Sprintf("the reply is longer than %d MiB: expected fewer or shorter passages", maxExecLine>>20))
			break
		}
		if line = bytes.TrimSpace(bytes.TrimPrefix(line, []byte("\uFEFF"))); len(line) > 0 {
			p.hear(line)
		}
		if !execMore(lines) {
			p.settle()
		}
		if err != nil {
			break
		}
	}
	// No reply can come any more.
	p.mu.Lock()
	p.ended = true
	p.mu.Unlock()
	time.AfterFunc(execGrace, p.kill)
	_, _ = io.Copy(io.Discard, lines) // drains the pipe so that the process does not block before it is killed
}

// execMore reports whether another whole line is buffered.
func execMore(r *bufio.Reader) bool {
	waiting, err := r.Peek(r.Buffered())
	return err == nil && bytes.IndexByte(waiting, '\n') >= 0
}

// hear handles one line of output.
func (p *execProcess) hear(line []byte) {
	raw := []byte(p.e.cfg.Secrets.Scrub(string(line)))
	value, err := execObject(line)
	p.mu.Lock()
	defer p.mu.Unlock()
	switch {
	case err == nil && p.announces(value):
	case err == nil:
		p.deliver(value, raw)
	case raw[0] == '{' && raw[len(raw)-1] == '}':
		p.stray(execReply{raw: raw, err: malformed("the reply %q is not JSON: %w", text.Shorten(string(raw), maxExecQuoted), err)})
	default:
		if p.junk++; p.junk == 1 {
			p.first = text.Shorten(strings.ToValidUTF8(string(raw), "\uFFFD"), maxExecQuoted)
		}
	}
}

// announces handles the line in which a process says that it is ready, or why it is
// not.
func (p *execProcess) announces(v map[string]any) bool {
	if ready, said := v["ready"].(bool); said && ready && p.replies == 0 && v[execSeq] == nil {
		for name, value := range v {
			if text, ok := value.(string); ok {
				p.versions[name] = text
			}
		}
		if p.e.cfg.Start > 0 {
			select {
			case <-p.ready: // a second ready line
			default:
				close(p.ready)
			}
		}
		return true
	}
	select {
	case <-p.ready:
		return false
	default:
	}
	if _, failure := reply.Failed(v); failure != "" && p.refused == nil {
		// A restart would fail in the same way.
		p.refused = p.e.lost(&Error{Kind: Refused, Err: errors.New(p.e.cfg.Secrets.Scrub(failure))})
		p.ended = true
		p.kill()
	}
	return true
}

// deliver gives a reply to its question.
func (p *execProcess) deliver(v map[string]any, raw []byte) {
	seq, given := execSeqOf(v[execSeq])
	r := execReply{value: v, raw: raw}
	if !p.e.cfg.Pipelined && v[execSeq] == nil {
		for only := range p.open {
			seq, given = only, true
		}
		if len(p.open) == 0 {
			p.unasked(raw)
			return
		}
	}
	_, open := p.open[seq]
	switch {
	case p.held != nil:
		r.err = Errorf(Reply, "two replies to one question, the second %q: expected one reply, and logs on standard error",
			text.Shorten(string(raw), maxExecQuoted))
		p.held = nil
		p.stray(r)
	case given && open && !p.e.cfg.Pipelined:
		p.held, p.heldSeq = &r, seq
	case given && open:
		p.inStep = true
		p.answer(seq, r)
	case given && p.late[seq]:
		delete(p.late, seq)
		p.replies++
	case v[execSeq] == nil:
		r.err = Errorf(Reply, `the reply %q has no "seq": expected the "seq" of its question, or a target that is not pipelined`,
			text.Shorten(string(raw), maxExecQuoted))
		p.stray(r)
	default:
		r.err = Errorf(Reply, `the reply has "seq" %v, which matches no open question: expected one reply per question, with its "seq"`,
			text.Shorten(fmt.Sprint(v[execSeq]), maxExecQuoted))
		p.stray(r)
	}
}

// settle delivers the reply that was held back to see whether another one follows.
func (p *execProcess) settle() {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.held != nil {
		p.answer(p.heldSeq, *p.held)
		p.held = nil
	}
}

func (p *execProcess) answer(seq uint64, r execReply) {
	answered, open := p.open[seq]
	if !open {
		return // the question was abandoned
	}
	delete(p.open, seq)
	delete(r.value, execSeq)
	p.replies++
	answered <- r
}

// stray handles a reply that matches no open question. A process that answers one
// question at a time is out of step then and is ended. A pipelined process that has
// never repeated a seq never will, so its callers would wait for nothing. Otherwise the
// line is probably a log message, and becomes a warning on the next response.
func (p *execProcess) stray(r execReply) {
	if len(p.open) == 0 || p.inStep {
		p.e.note("ignored on the command's standard output: " + r.err.Error())
		return
	}
	p.fail(execReply{raw: r.raw, err: r.err})
	if !p.e.cfg.Pipelined {
		if _, err := execObject(r.raw); err == nil {
			p.ended = true
			p.kill()
		}
	}
}

// unasked handles a reply to a process that was asked nothing. The process is ended, so
// that neither this reply nor a later one is taken for the reply to the next question.
func (p *execProcess) unasked(raw []byte) {
	p.e.note(fmt.Sprintf("the command wrote %q without being asked and was restarted: expected one reply per question",
		text.Shorten(string(raw), maxExecQuoted)))
	p.ended = true
	p.kill()
}

// fail answers every open question with an error.
func (p *execProcess) fail(r execReply) {
	for _, seq := range slices.Sorted(maps.Keys(p.open)) {
		p.open[seq] <- r
		delete(p.open, seq)
	}
	p.replies++
}

// fault ends a process after a protocol error.
func (p *execProcess) fault(text string) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.fail(execReply{err: Errorf(Reply, "%s", text)})
	p.ended = true
	p.kill()
}

// execSeqOf parses a seq that is a number or a string.
func execSeqOf(v any) (uint64, bool) {
	s := ""
	switch v := v.(type) {
	case json.Number:
		s = v.String()
	case string:
		s = strings.TrimSpace(v)
	}
	n, err := strconv.ParseUint(strings.TrimSuffix(s, ".0"), 10, 64)
	return n, err == nil
}

// execObject decodes a line that is one JSON object. Invalid UTF-8 becomes U+FFFD.
func execObject(line []byte) (map[string]any, error) {
	from := json.NewDecoder(bytes.NewReader(line))
	from.UseNumber()
	var v map[string]any
	if err := from.Decode(&v); err != nil {
		return nil, execBroken(line, err)
	}
	if v == nil {
		return nil, errors.New("null: expected an object")
	}
	if _, err := from.Token(); !errors.Is(err, io.EOF) {
		return nil, fmt.Errorf("column %d: more after the object: expected one object a line", from.InputOffset())
	}
	return v, nil
}

// execBroken describes a JSON syntax error, with a hint for output of Python's
// json.dumps and print.
func execBroken(line []byte, err error) error {
	var syntax *json.SyntaxError
	if !errors.As(err, &syntax) {
		return err
	}
	at := int(min(max(syntax.Offset-1, 0), int64(len(line))))
	rest := line[at:]
	// The offset points to the letter after the N of NaN, or to the I or the letter
	// after it.
	for _, name := range []string{"NaN", "Infinity"} {
		for back := 0; back <= 2 && back <= at; back++ {
			if bytes.HasPrefix(line[at-back:], []byte(name)) {
				return fmt.Errorf("column %d: %s is not JSON: json.dumps(…, allow_nan=False) shows where it comes from", at-back+1, name)
			}
		}
	}
	if len(rest) > 0 && rest[0] == '\'' {
		return fmt.Errorf("column %d: single quotes; use json.dumps(…), which writes double quotes", at+1)
	}
	return fmt.Errorf("column %d: %w", syntax.Offset, err)
}
