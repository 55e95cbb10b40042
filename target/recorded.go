package target

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/assay-eval/assay"
	"github.com/assay-eval/assay/internal/text"
	"github.com/assay-eval/assay/target/reply"
)

// Recorded is a target with recorded responses: from another tool, from a run that is
// scored again, or from a search engine's TREC run. It finds a response by the case's
// id, else by its question, ignoring differences in white space; of several to a question
// the last counts, as traffic repeats questions. A case without a
// response is an error of kind [Missing], so that it scores 0 and is counted. Once it has
// its cases ([Recorded.Share]), a Recorded is immutable until it is released. Of a file it
// holds where the responses are, and reads each when it is asked for.
type Recorded struct {
	entries []entry
	// byID and byQuestion are indexes into entries: of several with a question, the last.
	// A question that several cases share, too, is ambiguous.
	byID, byQuestion map[text.Key]int32
	// repeated are the questions of several entries: the first entry that no id tells from
	// the one before, 0 if ids tell all.
	repeated map[text.Key]int32
	// kept are the responses in memory; nil if they are read from file by parse.
	kept  []said
	file  *recording
	parse func(raw []byte, line int) (said, error)

	has      has
	warnings []string
}

// An entry is the place of one recorded response or recorded failure.
type entry struct {
	offset     int64
	size, line int32
	// question is the key of its question, the zero Key if it has none.
	question text.Key
	// unnamed is set if it has no id.
	unnamed bool
}

// said is what one record says. id and question identify the case; one of them may be
// empty, and the id made of the question.
type said struct {
	id, question string
	made         bool
	response     assay.Response
	failure      string
}

// has tells what at least one response has.
type has struct{ answers, passages, trace bool }

func (h *has) add(r *assay.Response) {
	h.answers = h.answers || !r.NoAnswer
	h.passages = h.passages || r.Passages != nil
	h.trace = h.trace || r.Trace != nil && len(r.Trace.Stages) > 0
}

// ambiguous is the index of a question that several cases share, and of none.
const ambiguous = -1

// A Record is a recorded response, or the reason why there is none, of the case with an id
// or a question.
type Record struct {
	ID, Question string
	// Made is set if the id was made of the question.
	Made     bool
	Response assay.Response
	Failure  string
}

// NewRecorded returns a target with responses by the ids of cases, and with failures: why there
// is no response.
func NewRecorded(byCase map[string]assay.Response, failures map[string]string) *Recorded {
	var records []Record
	for _, id := range slices.Sorted(maps.Keys(byCase)) {
		records = append(records, Record{ID: id, Response: byCase[id]})
	}
	for _, id := range slices.Sorted(maps.Keys(failures)) {
		records = append(records, Record{ID: id, Failure: failures[id]})
	}
	return RecordedOf(records)
}

// RecordedOf returns a target with records, each of which has an id of its own.
func RecordedOf(records []Record) *Recorded {
	r := newRecorded()
	for _, one := range records {
		question := text.Squeeze(one.Question)
		r.add(entry{}, one.ID, question)
		r.kept = append(r.kept, said{one.ID, question, one.Made, one.Response, one.Failure})
		r.has.add(&one.Response)
	}
	return r
}

func newRecorded() *Recorded {
	return &Recorded{byID: map[text.Key]int32{}, byQuestion: map[text.Key]int32{}, repeated: map[text.Key]int32{}}
}

// add indexes a record by its id and its question, either of which may be "".
func (r *Recorded) add(e entry, id, question string) {
	at := int32(len(r.entries))
	if e.unnamed = id == ""; !e.unnamed {
		r.byID[text.KeyOf(id)] = at
	}
	if question != "" {
		e.question = text.KeyOf(question)
		if before, seen := r.byQuestion[e.question]; seen {
			first := r.repeated[e.question]
			if first == 0 && (e.unnamed || r.entries[before].unnamed) {
				first = at
			}
			r.repeated[e.question] = first
		}
		r.byQuestion[e.question] = at
	}
	r.entries = append(r.entries, e)
}

// Close closes the file that the responses are read from.
func (r *Recorded) Close() error { return r.file.close() }

// Release drops what the responses are found by. None is found afterwards.
func (r *Recorded) Release() {
	r.entries, r.kept = nil, nil
	r.byID, r.byQuestion, r.repeated = nil, nil, nil
}

// Share looks for questions of several records that several cases share, too: ids alone
// tell which response is whose. The error is a *[ParseError] about a record without an id.
func (r *Recorded) Share(cases *assay.Cases) error {
	if len(r.repeated) == 0 {
		return nil
	}
	seen := map[text.Key]bool{}
	for _, c := range cases.All() {
		key := text.KeyOf(text.Squeeze(c.Question))
		at, several := r.repeated[key]
		if several && seen[key] {
			if r.byQuestion[key] = ambiguous; at > 0 {
				s, err := r.read(at)
				return cmp.Or(err, error(&ParseError{assay.Origin{File: r.file.name, Line: int(r.entries[at].line)}, "question",
					fmt.Sprintf("%q occurs twice: expected ids to distinguish the cases", s.question)}))
			}
		}
		seen[key] = several
	}
	for i, s := range r.kept {
		if at := r.byQuestion[r.entries[i].question]; s.made && at != ambiguous && at != int32(i) {
			delete(r.byID, text.KeyOf(s.id))
		}
	}
	return nil
}

// Ask returns the recorded response.
func (r *Recorded) Ask(ctx context.Context, c *assay.Case) (assay.Response, error) {
	if err := cancelled(ctx); err != nil {
		return assay.Response{}, err
	}
	i, several := r.find(c)
	switch {
	case i < 0 && several:
		return assay.Response{}, Errorf(Missing, "several responses are recorded for the question of case %q, which other cases share: each response must have the id of its case", c.ID)
	case i < 0:
		return assay.Response{}, Errorf(Missing, "no response is recorded for case %q", c.ID)
	}
	s, err := r.read(i)
	if err != nil {
		return assay.Response{}, err
	}
	if s.failure != "" {
		// A retry would find the same record.
		return assay.Response{Usage: s.response.Usage}, &Error{Kind: Failed, Err: errors.New(s.failure)}
	}
	if s.response.NoAnswer && r.has.answers { // no search engine: it answered other cases
		s.response.NoAnswer = false
		s.response.Warnings = append(slices.Clip(s.response.Warnings), assay.CountsAsEmpty)
	}
	if err := reply.Clean(&s.response); err != nil {
		return assay.Response{Usage: s.response.Usage}, &Error{Kind: Failed, Err: err}
	}
	return s.response, nil
}

// read returns what a record says. The error is an *unreadable.
func (r *Recorded) read(i int32) (said, error) {
	if r.kept != nil {
		s := r.kept[i]
		s.response.Passages = slices.Clone(s.response.Passages)
		return s, nil
	}
	e := &r.entries[i]
	part, err := r.file.read(e.offset, int(e.size))
	if err != nil {
		return said{}, &unreadable{r.file.name, int(e.line), err}
	}
	s, err := r.parse(part, int(e.line))
	if err != nil {
		return said{}, &unreadable{r.file.name, int(e.line), errChanged}
	}
	return s, nil
}

// ReportsLatency tells the engine not to measure look-ups: a response without a
// recorded latency has none.
func (r *Recorded) ReportsLatency() bool { return true }

// find returns the index of the record of a case, ambiguous if there is none. several
// reports that only its question is recorded, more than once.
func (r *Recorded) find(c *assay.Case) (at int32, several bool) {
	if i, ok := r.byID[text.KeyOf(c.ID)]; ok {
		return i, false
	}
	if len(r.byQuestion) == 0 {
		return ambiguous, false
	}
	key := text.KeyOf(text.Squeeze(c.Question))
	at, ok := r.byQuestion[key]
	if !ok {
		at = ambiguous
	}
	_, several = r.repeated[key]
	return at, several
}

// Len returns the number of recorded responses.
func (r *Recorded) Len() int { return len(r.entries) }

// ReportsPassages reports whether any response has a list of passages, even an empty
// one. Otherwise passage metrics do not apply.
func (r *Recorded) ReportsPassages() bool { return r.has.passages }

// ReportsAnswers reports whether any response has an answer. Otherwise answer metrics
// do not apply, as for the output of a search engine.
func (r *Recorded) ReportsAnswers() bool { return r.has.answers }

// ReportsTrace reports whether any response has a trace. Otherwise trace metrics do not
// apply.
func (r *Recorded) ReportsTrace() bool { return r.has.trace }

// Warnings compares the records with the cases to be asked: oddities of the file, cases
// without a response or with several, responses without a case, and responses whose question differs
// from that of the case with the same id.
func (r *Recorded) Warnings(cases *assay.Cases) []string {
	used, asked := make([]bool, len(r.entries)), map[text.Key]bool{}
	var missing, shared, repeated, unused, other tally
	for _, c := range cases.All() {
		at, several := r.find(&c)
		key, id := text.KeyOf(text.Squeeze(c.Question)), func() string { return c.ID }
		if several {
			asked[key] = true
		}
		switch {
		case at < 0 && several:
			shared.add(id)
			continue
		case at < 0:
			missing.add(id)
			continue
		case several:
			repeated.add(id)
		}
		used[at] = true
		if q := r.entries[at].question; q != (text.Key{}) && q != key {
			other.add(id)
		}
	}
	for i, e := range r.entries {
		if !used[i] && !asked[e.question] {
			unused.add(func() string { return r.name(int32(i)) })
		}
	}
	out := slices.Clone(r.warnings)
	for _, w := range []struct {
		tally
		says string
		of   int
	}{
		{missing, "cases have no recorded response and count as failures", cases.Len()},
		{shared, "cases share a question to which several responses are recorded, none with their id, and count as failures", cases.Len()},
		{repeated, "cases have several recorded responses to their question, and the last of each counts", cases.Len()},
		{unused, "recorded responses match no case of this run", r.Len()},
		{other, "recorded responses have the id of a case but a different question", r.Len()},
	} {
		if w.n > 0 {
			out = append(out, fmt.Sprintf("%d of %d %s: %s", w.n, w.of, w.says, w.list()))
		}
	}
	return out
}

// Warn adds an oddity of the file to the warnings.
func (r *Recorded) Warn(warning string) { r.warnings = append(r.warnings, warning) }

// name identifies a record in messages.
func (r *Recorded) name(i int32) string {
	s, err := r.read(i)
	switch {
	case err != nil:
		return fmt.Sprintf("line %d", r.entries[i].line)
	case s.id != "":
		return s.id
	}
	return s.question
}

// A tally counts cases and names the first three.
type tally struct {
	n     int
	names []string
}

func (t *tally) add(name func() string) {
	if t.n++; t.n <= 3 {
		t.names = append(t.names, fmt.Sprintf("%q", name()))
	}
}

// list returns the names.
func (t *tally) list() string {
	if t.n > len(t.names) {
		return strings.Join(t.names, ", ") + ", …"
	}
	return strings.Join(t.names, ", ")
}
