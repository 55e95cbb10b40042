package target

import (
	"bytes"
	"encoding/json"
	"strings"
	"testing"
	"unicode/utf8"
)

// Whatever a process writes, a question that is open gets at most one reply or
// error, and what is read as a reply is the JSON object of one line.
func FuzzExecLines(f *testing.F) {
	for _, s := range []string{
		`{"answer": "a"}`, "{\"seq\": 1, \"answer\": \"a\"}\n{\"seq\": 2}\n", "noise\r\n\uFEFF{\"seq\": \"1\"}\n", `{"error": "x"}`,
		`{"ready": true, "v": "1"}`,
		`{"x": NaN}`, `{"x": -Infinity}`, `{'a': 1}`, `{"a": 1} {"b": 2}`, "null\n[]\n5\n\"s\"", "{\"a\": \"\xff\"}", "{", "}", "{}",
		"{\"seq\": 1e400}", "{\"seq\": -1}",
	} {
		f.Add([]byte(s), true)
		f.Add([]byte(s), false)
	}
	f.Fuzz(func(t *testing.T, written []byte, pipelined bool) {
		e := &Exec{cfg: ExecConfig{Pipelined: pipelined}}
		q := make(chan execReply, 1)
		p := &execProcess{
			e: e, kill: func() {}, ready: make(chan struct{}), open: map[uint64]chan execReply{1: q}, late: map[uint64]bool{7: true},
			versions: map[string]string{},
		}
		close(p.ready)
		eof := make(chan struct{})
		p.listen(bytes.NewReader(written), eof)
		<-eof
		select {
		case r := <-q:
			if _, open := p.open[1]; open {
				t.Error("a question that was answered is still open")
			}
			if (r.err == nil) != (r.value != nil) {
				t.Errorf("a reply %v with the error %v", r.value, r.err)
			}
			if r.err != nil && !utf8.ValidString(r.err.Error()) {
				t.Errorf("message %q", r.err)
			}
		default:
			if _, open := p.open[1]; !open {
				t.Error("a question was closed without a reply")
			}
		}
		for line := range strings.Lines(string(written)) {
			v, err := execObject([]byte(line))
			if valid := json.Valid([]byte(line)) && strings.HasPrefix(strings.TrimSpace(line), "{"); valid != (err == nil) {
				t.Errorf("%q: %v, %v: valid is %v", line, v, err, valid)
			}
		}
	})
}
