package checks

import (
	"bytes"
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"time"

	"github.com/assay-eval/assay"
	"github.com/assay-eval/assay/internal/process"
	"github.com/assay-eval/assay/internal/text"
)

const (
	// defaultTimeout is how many seconds a program may take that names no limit.
	defaultTimeout = 30
	maxTimeout     = 3600
	// maxReply bounds what a program may write.
	maxReply = 1 << 20
	// maxWhy is how much of the reason of a program is kept, in characters.
	maxWhy = 500
)

func validCommand(v any) error {
	if _, err := Command(v); err != nil {
		return &Problem{"value", err.Error(), "a command such as python3 check.py, or a list of its words"}
	}
	return nil
}

// Command returns the words of the command of a check: a text as a shell would split it, or
// a list.
func Command(v any) ([]string, error) {
	if line, ok := v.(string); ok && strings.TrimSpace(line) != "" {
		return process.Words(line)
	}
	words := textsOf(v)
	if _, ok := v.(string); ok || len(words) == 0 || words[0] == "" {
		return nil, errors.New(what(v))
	}
	return words, nil
}

func validExec(c assay.Check) error {
	if t := c.Timeout; t != nil && !(*t > 0 && *t <= maxTimeout) {
		return &Problem{"timeout", fmt.Sprint(*t), fmt.Sprintf("seconds, above 0 and at most %d", maxTimeout)}
	}
	return validScores(c)
}

// asked is what a program reads.
type asked struct {
	ID string `json:"id"`
	environment
}

// A reply is what a program writes.
type reply struct {
	Passed *bool    `json:"passed"`
	Score  *float64 `json:"score"`
	Why    string   `json:"why"`
}

// program starts the command, gives it the response, and reads its verdict. Whatever goes
// wrong with it leaves the check without a result.
func program(ctx context.Context, c assay.Check, s Subject, limit float64) verdict {
	words, err := Command(c.Value)
	if err != nil {
		return verdict{err: err}
	}
	in, err := json.Marshal(asked{s.Case.ID, environmentOf(s)})
	if err != nil {
		return verdict{err: err}
	}
	seconds := float64(defaultTimeout)
	if c.Timeout != nil {
		seconds = *c.Timeout
	}
	within, cancel := context.WithTimeout(ctx, time.Duration(seconds*float64(time.Second)))
	defer cancel()
	said, err := process.Once{Args: words, Dir: s.Dir, Stdin: bytes.NewReader(append(in, '\n')), Most: maxReply}.Run(within)
	var failed *process.OnceError
	switch {
	case errors.As(err, &failed) && failed.Why == process.Overflow:
		return verdict{err: fmt.Errorf("program %s: wrote more than %d bytes", words[0], maxReply)}
	case ctx.Err() == nil && errors.Is(err, context.DeadlineExceeded):
		return verdict{err: fmt.Errorf("program %s: took longer than %v s", words[0], seconds)}
	case err != nil:
		return verdict{err: fmt.Errorf("program %s: %w", words[0], err)}
	}
	r, err := readReply([]byte(said))
	if err != nil {
		return verdict{err: fmt.Errorf("program %s: %w", words[0], err)}
	}
	if r.Passed == nil {
		return byScore(c, *r.Score, limit, r.Why)
	}
	v := verdict{}
	if r.Score != nil {
		v = byScore(c, *r.Score, limit, "")
	}
	// What the program says decides, whatever its score.
	v.passed, v.why = *r.Passed, cmp.Or(r.Why, "the program says so")
	return v
}

// readReply reads the reply of a program.
func readReply(said []byte) (r reply, err error) {
	const want = `expected {"passed": true} or {"score": 0.5}, with "why" if you like`
	d := json.NewDecoder(bytes.NewReader(said))
	if err := d.Decode(&r); err != nil {
		return r, fmt.Errorf("its reply %q is not JSON of that form: %s", text.Shorten(string(said), 80), want)
	}
	if rest := said[d.InputOffset():]; len(bytes.TrimSpace(rest)) > 0 {
		return r, fmt.Errorf("%q follows its reply: %s", text.Shorten(string(bytes.TrimSpace(rest)), 80), want)
	}
	if r.Passed == nil && r.Score == nil {
		return r, fmt.Errorf("its reply %q has neither passed nor score: %s", text.Shorten(string(said), 80), want)
	}
	r.Why = text.Shorten(r.Why, maxWhy)
	return r, nil
}
