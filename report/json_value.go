package report

import (
	"bytes"
	"encoding/json"
	"fmt"
	"time"

	"github.com/assay-eval/assay"
	"github.com/assay-eval/assay/gate"
	"github.com/assay-eval/assay/stats"
	"github.com/assay-eval/assay/summary"
)

// Schema is the version of the JSON format. docs/format.md specifies it field by
// field; docs/report.schema.json is the machine-readable schema.
const Schema = "assay.report/1"

// reportJSON is the JSON format. Its types are separate from those of the program
// where the two differ. The schema names every member of both, so the format cannot
// change by accident.
type reportJSON struct {
	Schema   string                `json:"schema"`
	Run      assay.Header          `json:"run"`
	Counts   summary.Counts        `json:"counts"`
	Summary  object[*estimateJSON] `json:"summary"`
	ByTag    object[*sliceJSON]    `json:"by_tag"`
	Repeats  *repeatsJSON          `json:"repeats,omitempty"`
	Lost     *summary.Waterfall    `json:"waterfall,omitempty"`
	Gate     *gate.Outcome         `json:"gate"`
	Latency  *latencyJSON          `json:"latency_ms"`
	Cost     costJSON              `json:"cost"`
	Judging  *judgingJSON          `json:"judging"`
	Stages   object[*stageJSON]    `json:"stages"`
	Warnings []string              `json:"warnings"`
	Cases    []*caseJSON           `json:"cases"`
}

type estimateJSON struct {
	Title         string          `json:"title"`
	Mean          *float64        `json:"mean"`
	CI            *stats.Interval `json:"ci"`
	Bounds        *stats.Interval `json:"bounds"`
	Level         float64         `json:"level"`
	N             int             `json:"n"`
	Failed        int             `json:"failed"`
	Partial       int             `json:"partial,omitempty"`
	TargetErrors  int             `json:"target_errors"`
	Answered      *float64        `json:"answered"`
	NotApplicable int             `json:"not_applicable"`
	Abstained     int             `json:"abstained"`
	Unit          string          `json:"unit"`
	Better        string          `json:"better"`
	Pooled        bool            `json:"pooled"`
	Estimate      bool            `json:"estimate"`
	NearChance    string          `json:"near_chance,omitempty"`
	Warnings      []stats.Warning `json:"warnings,omitempty"`
	Reasons       map[string]int  `json:"reasons,omitempty"`
	Weight        float64         `json:"weight,omitempty"`
	Share         *float64        `json:"share,omitempty"`
	Threshold     *float64        `json:"threshold,omitempty"`
	Verdict       gate.Verdict    `json:"verdict,omitempty"`
}

type sliceJSON struct {
	Cases   int                   `json:"cases"`
	Summary object[*estimateJSON] `json:"summary"`
}

type latencyJSON struct {
	N    int          `json:"n"`
	Mean milliseconds `json:"mean"`
	P50  milliseconds `json:"p50"`
	P95  milliseconds `json:"p95"`
	P99  milliseconds `json:"p99"`
	Slow int          `json:"slow"`
}

// costJSON holds the cost and tokens that the target reported (Actual and the tokens),
// the expected cost of judging, what the run paid for judging, and the sum of the
// reported and the paid cost.
type costJSON struct {
	Estimated    *usd `json:"estimated_usd"`
	Actual       *usd `json:"actual_usd"`
	InputTokens  *int `json:"input_tokens"`
	OutputTokens *int `json:"output_tokens"`
	Judging      *usd `json:"judging_usd"`
	Total        *usd `json:"total_usd"`
}

// judgingJSON is what judging a run or a case consumed. Only a run has Cases.
type judgingJSON struct {
	Cases        int  `json:"cases,omitempty"`
	Calls        int  `json:"calls"`
	Cached       int  `json:"cached"`
	Failed       int  `json:"failed"`
	Rechecked    int  `json:"rechecked,omitempty"`
	Overturned   int  `json:"overturned,omitempty"`
	InputTokens  int  `json:"input_tokens"`
	OutputTokens int  `json:"output_tokens"`
	Cost         *usd `json:"cost_usd"`
}

type stageJSON struct {
	N    int          `json:"n"`
	Mean milliseconds `json:"mean_ms"`
	P50  milliseconds `json:"p50_ms"`
	P95  milliseconds `json:"p95_ms"`
}

type caseJSON struct {
	ID           string             `json:"id"`
	Draw         int                `json:"draw,omitempty"`
	Seq          int                `json:"seq"`
	Status       assay.Status       `json:"status"`
	Critical     bool               `json:"critical"`
	Tags         []string           `json:"tags"`
	Group        string             `json:"group,omitempty"`
	Question     string             `json:"question"`
	Audio        string             `json:"audio,omitempty"`
	Want         assay.Want         `json:"want"`
	Metadata     map[string]any     `json:"metadata,omitempty"`
	Origin       assay.Origin       `json:"origin,omitzero"`
	Answer       *string            `json:"answer"`
	NoAnswer     bool               `json:"no_answer,omitempty"`
	Passages     []assay.Passage    `json:"passages"`
	Scores       object[*scoreJSON] `json:"scores"`
	Outcome      assay.Correctness  `json:"outcome,omitempty"`
	Check        *summary.Check     `json:"critical_check,omitempty"`
	Latency      *milliseconds      `json:"latency_ms"`
	Slow         bool               `json:"slow"`
	Cost         *usd               `json:"cost_usd"`
	InputTokens  *int               `json:"input_tokens"`
	OutputTokens *int               `json:"output_tokens"`
	Started      time.Time          `json:"started,omitzero"`
	Attempts     int                `json:"attempts"`
	Failure      *assay.Failure     `json:"failure"`
	Tries        []tryJSON          `json:"tries,omitempty"`
	Warnings     []string           `json:"warnings,omitempty"`
	Judging      *judgingJSON       `json:"judging,omitempty"`
	Remarks      []string           `json:"remarks,omitempty"`
	Correctness  assay.Correctness  `json:"correctness,omitempty"`
	Retrieved    *assay.Retrieved   `json:"retrieved,omitempty"`
	Attribution  *assay.Attribution `json:"attribution,omitempty"`
	Trace        *traceJSON         `json:"trace"`
}

// tryJSON is a failed attempt.
type tryJSON struct {
	assay.Failure
	Latency milliseconds `json:"latency_ms,omitzero"`
	Wait    milliseconds `json:"wait_ms,omitzero"`
}

type scoreJSON struct {
	State    assay.State      `json:"state"`
	Value    *float64         `json:"value"`
	Num      *float64         `json:"num,omitempty"`
	Den      *float64         `json:"den,omitempty"`
	Bounds   *stats.Interval  `json:"bounds,omitempty"`
	Reason   string           `json:"reason,omitempty"`
	Evidence []assay.Evidence `json:"evidence,omitempty"`
}

type traceJSON struct {
	Stages []traceStageJSON `json:"stages"`
}

type traceStageJSON struct {
	Name        string          `json:"name"`
	SubQuestion int             `json:"sub_question,omitempty"`
	Model       string          `json:"model,omitempty"`
	Prompt      string          `json:"prompt,omitempty"`
	Latency     milliseconds    `json:"latency_ms"`
	Input       json.RawMessage `json:"input,omitempty"`
	Output      json.RawMessage `json:"output,omitempty"`
	Note        string          `json:"note,omitempty"`
	// Of the tokens of the case.
	InputTokens  int `json:"input_tokens,omitempty"`
	OutputTokens int `json:"output_tokens,omitempty"`
}

// milliseconds is a duration that JSON holds in milliseconds. Durations below 104 days
// are restored to the nanosecond.
type milliseconds time.Duration

// MarshalJSON writes the duration as a number.
func (d milliseconds) MarshalJSON() ([]byte, error) {
	return json.Marshal(float64(d) / float64(time.Millisecond))
}

// UnmarshalJSON reads milliseconds.
func (d *milliseconds) UnmarshalJSON(b []byte) error {
	v, err := scaled(b, float64(time.Millisecond), "milliseconds")
	*d = milliseconds(v)
	return err
}

// usd is an amount in micro-dollars that JSON holds in dollars.
type usd int64

// MarshalJSON writes the amount as a number.
func (u usd) MarshalJSON() ([]byte, error) { return json.Marshal(float64(u) / 1e6) }

// UnmarshalJSON reads dollars.
func (u *usd) UnmarshalJSON(b []byte) error {
	v, err := scaled(b, 1e6, "US dollars")
	*u = usd(v)
	return err
}

// object is a JSON object that keeps the order of its members.
type object[V any] struct {
	keys   []string
	values map[string]V
}

func (o *object[V]) put(key string, v V) {
	if o.values == nil {
		o.values = map[string]V{}
	}
	if _, again := o.values[key]; !again {
		o.keys = append(o.keys, key)
	}
	o.values[key] = v
}

// rename gives keys that are metrics their present names.
func (o *object[V]) rename() {
	for i, was := range o.keys {
		if now := assay.MetricName(was); now != was {
			o.keys[i], o.values[now] = now, o.values[was]
			delete(o.values, was)
		}
	}
}

// MarshalJSON writes the members in order.
func (o object[V]) MarshalJSON() ([]byte, error) {
	var b bytes.Buffer
	enc := json.NewEncoder(&b)
	enc.SetEscapeHTML(false)
	b.WriteByte('{')
	for i, k := range o.keys {
		if i > 0 {
			b.WriteByte(',')
		}
		if err := enc.Encode(k); err != nil {
			return nil, err
		}
		b.WriteByte(':')
		if err := enc.Encode(o.values[k]); err != nil {
			return nil, fmt.Errorf("%s: %w", k, err)
		}
	}
	b.WriteByte('}')
	return b.Bytes(), nil
}

// UnmarshalJSON reads the members in order.
func (o *object[V]) UnmarshalJSON(b []byte) error {
	dec := json.NewDecoder(bytes.NewReader(b))
	dec.UseNumber()
	open, err := dec.Token()
	if err != nil {
		return err
	}
	if open != json.Delim('{') {
		return fmt.Errorf("%s: expected an object", clip(string(b), 40))
	}
	*o = object[V]{}
	for dec.More() {
		key, err := dec.Token()
		if err != nil {
			return err
		}
		var v V
		if err := dec.Decode(&v); err != nil {
			return fmt.Errorf("%s: %w", key, err)
		}
		o.put(key.(string), v)
	}
	_, err = dec.Token()
	return err
}
