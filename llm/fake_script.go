package llm

import (
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"regexp"
	"slices"
	"strings"
	"time"

	"github.com/assay-eval/assay/internal/callkey"
	"github.com/assay-eval/assay/internal/yaml"
)

// A FakeScript configures the replies of a [Fake].
type FakeScript struct {
	// Rules reply to the requests that they match; the first matching rule applies.
	Rules []FakeRule `yaml:"rules"`
	// Simulate passes requests that no rule matches to Answer. Without it such a
	// request fails with [KindReply].
	Simulate bool       `yaml:"simulate"`
	Faults   FakeFaults `yaml:"faults"`
	// Log is a file that receives a line for every call, see [FakeCall]; "" means no
	// log. The caller resolves a relative path.
	Log string `yaml:"log"`
	// Latency is the duration of every call.
	Latency time.Duration `yaml:"latency"`

	// Answer simulates the model. It must be safe for concurrent use.
	Answer func(Request) (string, error) `yaml:"-"`
	// Now returns the time for the log; if nil, the log has no times.
	Now func() time.Time `yaml:"-"`
	// Observe is called for every call when it is logged, concurrently. It may be nil.
	Observe func(FakeCall) `yaml:"-"`
}

// A FakeRule answers the requests that it matches. At most one of Reply, Text,
// Status, Hang and Closed is given; with none of them the simulation answers.
// No fault is drawn for a request that a rule matches.
type FakeRule struct {
	When FakeWhen `yaml:"when"`
	// Reply is the text of the reply, or a value that is written as JSON;
	// "{{nonce}}" in it stands for the nonce that the request carries.
	Reply any `yaml:"reply"`
	// Text is the text of the reply as it is; "{{nonce}}" means nothing.
	Text *string `yaml:"text"`
	// Thinking is the reasoning that comes with the reply.
	Thinking string `yaml:"thinking"`
	// Status is that of an error: 400 to 599.
	Status int `yaml:"status"`
	// RetryAfter is the wait that an error requests.
	RetryAfter time.Duration `yaml:"retry_after"`
	// Hang never replies; Closed closes the connection.
	Hang   bool `yaml:"hang"`
	Closed bool `yaml:"closed"`
	// Fault spoils the reply: one of the faults that do, "fence" to "empty".
	Fault FakeFault `yaml:"fault"`
	// Delay is how much longer than the script's latency the call takes.
	Delay time.Duration `yaml:"delay"`
	// Usage replaces the estimated usage.
	Usage *Usage `yaml:"usage"`
}

// FakeWhen selects the requests that a rule matches: those that meet every condition
// given.
type FakeWhen struct {
	Operation string `yaml:"operation"`
	Model     string `yaml:"model"`
	// Contains is a part of the messages, Matches a regular expression that
	// they match. The data in them is quoted as JSON.
	Contains string `yaml:"contains"`
	Matches  string `yaml:"matches"`
	// Nth is which of the requests that match otherwise is meant, from 1;
	// 0 means all.
	Nth int `yaml:"nth"`
}

// ReadFakeScript reads a script in YAML. Unknown keys, values of the wrong
// kind, aliases and a second document are errors with the line; name is the
// file's, for messages.
func ReadFakeScript(name string, data []byte) (FakeScript, error) {
	var s FakeScript
	file, err := yaml.Read(name, data, &s)
	if err != nil {
		return FakeScript{}, err
	}
	if file.Empty() {
		return FakeScript{}, fmt.Errorf("%s: an empty script: expected rules, or simulate: true", name)
	}
	if field, err := s.check(); err != nil {
		return FakeScript{}, fmt.Errorf("%s: %s: %w", file.At(field), field, err)
	}
	return s, nil
}

// Identity is a hash of what the script replies, but not of how it fails: a server may fail and recover.
func (s FakeScript) Identity() string {
	rules := slices.DeleteFunc(append([]FakeRule{}, s.Rules...), func(r FakeRule) bool { return r.Reply == nil && r.Text == nil })
	text, _ := json.Marshal(rules) // check has written what can fail
	return callkey.Of(text)
}

// check returns the first field with an invalid value, and the reason.
func (s FakeScript) check() (field string, err error) {
	for i, r := range s.Rules {
		if field, err := r.check(s.Simulate); err != nil {
			return strings.TrimSuffix(fmt.Sprintf("rules[%d].%s", i, field), "."), err
		}
	}
	f := s.Faults
	switch {
	case math.IsNaN(f.Rate) || f.Rate < 0 || f.Rate > 1:
		return "faults.rate", fmt.Errorf("%v: expected 0 to 1", f.Rate)
	case f.RetryAfter < 0:
		return "faults.retry_after", fmt.Errorf("%v: expected a duration of 0 or more", f.RetryAfter)
	case s.Latency < 0:
		return "latency", fmt.Errorf("%v: expected a duration of 0 or more", s.Latency)
	}
	for i, k := range f.Kinds {
		if !slices.Contains(FakeFaultKinds, k) {
			return fmt.Sprintf("faults.kinds[%d]", i), fmt.Errorf("%q: expected one of %q", k, FakeFaultKinds)
		}
	}
	return "", nil
}

func (r FakeRule) check(simulate bool) (field string, err error) {
	outcomes := 0
	for _, given := range []bool{r.Reply != nil, r.Text != nil, r.Status != 0, r.Hang, r.Closed} {
		if given {
			outcomes++
		}
	}
	spoils := FakeFaultKinds[:slices.Index(FakeFaultKinds, FaultEmpty)+1]
	if _, err := regexp.Compile(r.When.Matches); err != nil {
		return "when.matches", err
	}
	if _, err := json.Marshal(r.Reply); err != nil {
		return "reply", fmt.Errorf("%w: expected a value that JSON has", err)
	}
	switch {
	case outcomes > 1:
		return "", errors.New("more than one outcome: expected one of reply, text, status, hang and closed")
	case outcomes == 0 && !simulate:
		return "", errors.New("no outcome: expected reply, text, status, hang or closed, or simulate: true for the whole script")
	case r.When.Nth < 0:
		return "when.nth", fmt.Errorf("%d: expected 1 or more", r.When.Nth)
	case r.Status != 0 && (r.Status < 400 || r.Status > 599):
		return "status", fmt.Errorf("%d: expected 400 to 599", r.Status)
	case r.RetryAfter < 0:
		return "retry_after", fmt.Errorf("%v: expected a duration of 0 or more", r.RetryAfter)
	case r.RetryAfter > 0 && r.Status == 0:
		return "retry_after", errors.New("only a status asks to wait")
	case r.Delay < 0:
		return "delay", fmt.Errorf("%v: expected a duration of 0 or more", r.Delay)
	case r.Fault != "" && !slices.Contains(spoils, r.Fault):
		return "fault", fmt.Errorf("%q: expected one of %q", r.Fault, spoils)
	case r.Fault != "" && (r.Status != 0 || r.Hang || r.Closed):
		return "fault", errors.New("a fault needs a reply")
	case r.Usage != nil && min(r.Usage.Input, r.Usage.CacheRead, r.Usage.CacheWrite, r.Usage.Output, r.Usage.Reasoning) < 0:
		return "usage", errors.New("negative token count: expected 0 or more")
	}
	return "", nil
}

// fault gives what the rule's outcome is called as a fault.
func (r FakeRule) fault() FakeFault {
	switch {
	case r.Hang:
		return FaultHang
	case r.Closed:
		return FaultClosed
	}
	return r.Fault
}

// answer returns the text of the rule's reply, if it has one.
func (r FakeRule) answer(nonce string) (said string, given bool) {
	switch v := r.Reply.(type) {
	case nil:
		if r.Text != nil {
			return *r.Text, true
		}
		return "", false
	case string:
		said = v
	default:
		data, err := json.Marshal(v)
		if err != nil {
			return "", false // check has refused it
		}
		said = string(data)
	}
	return strings.ReplaceAll(said, "{{nonce}}", nonce), true
}

// usage estimates the usage, unless the rule sets it.
func (r FakeRule) usage(q Request, said string) Usage {
	if r.Usage != nil {
		return *r.Usage
	}
	// Nonces differ in length as tokens are counted, and no count should.
	nonce := nonceOf(q)
	count := func(s string) int {
		if nonce != "" {
			s = strings.ReplaceAll(s, nonce, "nonce")
		}
		return EstimateTokens(s)
	}
	in := count(q.System) + count(string(q.Schema))
	for _, m := range q.Messages {
		in += count(m.Text)
	}
	thought := count(r.Thinking)
	return Usage{Input: in, Output: count(said) + thought, Reasoning: thought}
}
