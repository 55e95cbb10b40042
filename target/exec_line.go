package target

import (
	"bufio"
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"maps"
	"slices"
	"strconv"
	"strings"
	"time"
	"unicode/utf8"

	"github.com/assay-eval/assay"
)

const (
	// execSeq is the field, and the placeholder, that tells replies apart.
	execSeq = "seq"
	// maxExecLine bounds a reply, as that over HTTP is.
	maxExecLine = 16 << 20
	// maxExecShown bounds a reply that is shown to a person, and maxExecQuoted
	// a line that a message quotes.
	maxExecShown  = 16 << 10
	maxExecQuoted = 200
)

// line is the line that asks a case.
func (e *Exec) line(seq uint64, c *assay.Case) ([]byte, error) {
	values := caseValues(c, e.cfg.TopK, e.cfg.Values)
	values[execSeq] = seq
	var sent any
	if e.send == nil || e.python != nil {
		sent = map[string]any{execSeq: seq, "id": c.ID, "question": c.Question, "top_k": values[valueTopK], "metadata": values[valueMetadata]}
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

// errExecLong is a line that is too long.
var errExecLong = errors.New("line too long")

// listen reads the process's lines until there are no more.
func (p *execProcess) listen(r io.Reader, eof chan<- struct{}) {
	defer close(eof)
	lines := bufio.NewReaderSize(r, 64<<10)
	for {
		line, err := execLine(lines)
		if errors.Is(err, errExecLong) {
			p.fault(fmt.Sprintf("the reply is longer than %d MiB: want fewer or shorter passages", maxExecLine>>20))
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
	// Whatever else it does, it cannot answer.
	p.mu.Lock()
	p.ended = true
	p.mu.Unlock()
	time.AfterFunc(execGrace, p.kill)
	_, _ = io.Copy(io.Discard, lines) // so that nothing blocks the process before it is killed
}

// execMore reports whether another whole line has come already.
func execMore(r *bufio.Reader) bool {
	waiting, err := r.Peek(r.Buffered())
	return err == nil && bytes.IndexByte(waiting, '\n') >= 0
}

// execLine returns the next line, without its end.
func execLine(r *bufio.Reader) ([]byte, error) {
	var line []byte
	for {
		part, err := r.ReadSlice('\n')
		if len(line)+len(part) > maxExecLine {
			return nil, errExecLong
		}
		line = append(line, part...)
		if !errors.Is(err, bufio.ErrBufferFull) {
			return line, err
		}
	}
}

// hear takes one line.
func (p *execProcess) hear(line []byte) {
	raw := []byte(p.e.cfg.Secrets.Scrub(string(line)))
	value, err := execObject(raw)
	p.mu.Lock()
	defer p.mu.Unlock()
	switch {
	case err == nil && p.announces(value):
	case err == nil:
		p.deliver(value, raw)
	case raw[0] == '{' && raw[len(raw)-1] == '}':
		p.stray(execReply{raw: raw, err: Errorf(Reply, "the reply %q is no JSON: %w", execCut(string(raw), maxExecQuoted), err)})
	default:
		if p.junk++; p.junk == 1 {
			p.first = execCut(strings.ToValidUTF8(string(raw), "\uFFFD"), maxExecQuoted)
		}
	}
}

// announces takes the line in which a process says that it is ready, or why it
// is not.
func (p *execProcess) announces(v map[string]any) bool {
	if ready, said := v["ready"].(bool); said && ready && p.replies == 0 && v[execSeq] == nil {
		for name, value := range v {
			if text, ok := value.(string); ok {
				p.versions[name] = text
			}
		}
		if p.e.cfg.Start > 0 {
			select {
			case <-p.ready: // said twice
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
	if failure := execFailure(v); failure != "" && p.refused == nil {
		// Starting it again would find the same.
		p.refused = &Error{Kind: Refused, Err: fmt.Errorf("%s", failure)}
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
		r.err = Errorf(Reply, "there are two replies to one question, the second %q: want one, and a log on standard error", execCut(string(raw), maxExecQuoted))
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
		r.err = Errorf(Reply, `the reply %q has no "seq": want that of its question, or a target that is not pipelined`, execCut(string(raw), maxExecQuoted))
		p.stray(r)
	default:
		r.err = Errorf(Reply, `the reply has "seq" %v, which is that of no open question: want each question answered once, with its "seq"`, execText(v[execSeq]))
		p.stray(r)
	}
}

// settle gives the reply that was held back to see whether another follows.
func (p *execProcess) settle() {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.held != nil {
		p.answer(p.heldSeq, *p.held)
		p.held = nil
	}
}

func (p *execProcess) answer(seq uint64, r execReply) {
	q, open := p.open[seq]
	if !open {
		return // given up meanwhile
	}
	delete(p.open, seq)
	delete(r.value, execSeq)
	p.replies++
	q.reply <- r
}

// stray takes a reply that belongs to no question. A process that answers one
// at a time was asked just one; it is then out of step and ends. A pipelined one
// that has never repeated a seq never will: whoever waits would wait in vain.
// Else the line is likely a remark, and is told with the next response.
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

// unasked takes a reply to a process that was asked nothing: the next question
// must not get it, nor one that comes after it.
func (p *execProcess) unasked(raw []byte) {
	p.e.note(fmt.Sprintf("the command wrote %q when it was asked nothing, and was started again: want one reply a question", execCut(string(raw), maxExecQuoted)))
	p.ended = true
	p.kill()
}

// fail answers every open question with an error.
func (p *execProcess) fail(r execReply) {
	for _, seq := range slices.Sorted(maps.Keys(p.open)) {
		p.open[seq].reply <- r
		delete(p.open, seq)
	}
	p.replies++
}

// fault ends a process that broke the protocol beyond repair.
func (p *execProcess) fault(text string) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.fail(execReply{err: Errorf(Reply, "%s", text)})
	p.ended = true
	p.kill()
}

// execSeqOf reads a seq, as a number or a text.
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

// execObject decodes a line that is one JSON object. Bytes that are not UTF-8
// become U+FFFD.
func execObject(line []byte) (map[string]any, error) {
	from := json.NewDecoder(bytes.NewReader(line))
	from.UseNumber()
	var v map[string]any
	if err := from.Decode(&v); err != nil {
		return nil, execBroken(line, err)
	}
	if v == nil {
		return nil, errors.New("null: want an object")
	}
	if _, err := from.Token(); !errors.Is(err, io.EOF) {
		return nil, fmt.Errorf("column %d: more after the object: want one object a line", from.InputOffset())
	}
	return v, nil
}

// execBroken says what is wrong with a line, with a word on what Python's json
// and print write.
func execBroken(line []byte, err error) error {
	var syntax *json.SyntaxError
	if !errors.As(err, &syntax) {
		return err
	}
	at := int(min(max(syntax.Offset-1, 0), int64(len(line))))
	rest := line[at:]
	// The error is at the letter after the N of NaN, or at the I or its next.
	for _, name := range []string{"NaN", "Infinity"} {
		for back := 0; back <= 2 && back <= at; back++ {
			if bytes.HasPrefix(line[at-back:], []byte(name)) {
				return fmt.Errorf("column %d: %s is not JSON: json.dumps(…, allow_nan=False) says where it comes from", at-back+1, name)
			}
		}
	}
	if len(rest) > 0 && rest[0] == '\'' {
		return fmt.Errorf("column %d: single quotes: want json.dumps(…), which writes double ones", at+1)
	}
	return fmt.Errorf("column %d: %w", syntax.Offset, err)
}

// execText is a JSON value as it is written.
func execText(v any) string {
	b, err := json.Marshal(v)
	if err != nil {
		return fmt.Sprint(v)
	}
	return execCut(string(b), maxExecQuoted)
}

// execCut shortens a text that is longer than n bytes, and tells its length.
func execCut(s string, n int) string {
	if len(s) <= n {
		return s
	}
	for n > 0 && !utf8.RuneStart(s[n]) {
		n--
	}
	return fmt.Sprintf("%s… (%d bytes)", s[:n], len(s))
}
