package watch

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"strconv"
	"time"
)

// An Alarm says that a metric got worse than its line, or that it has recovered.
type Alarm struct {
	At      time.Time `json:"at"`
	Metric  string    `json:"metric"`
	Title   string    `json:"title"`
	Stratum string    `json:"stratum,omitempty"`
	// Estimate is set if a formula stands in for a judge: the alarm shows that the number
	// changed, not that quality did.
	Estimate bool `json:"estimate,omitempty"`
	// Recovered is set for the end of an alarm.
	Recovered bool `json:"recovered,omitempty"`
	// Line is what the mean crossed, in the unit of the metric; Threshold says whether it is
	// the threshold of the metric, or was learned.
	Line      float64 `json:"line"`
	Threshold bool    `json:"threshold,omitempty"`
	// Cases estimates how many of the latest scores came after the change.
	Cases int `json:"cases"`
	// Mean is that of the last Over scores, which began at Since: those after the change, or
	// as many as are kept.
	Mean  float64   `json:"mean"`
	Over  int       `json:"over"`
	Since time.Time `json:"since,omitzero"`
	// Run is the run of the round that raised the alarm.
	Run string `json:"run"`
}

// Text says the alarm in a sentence.
func (a *Alarm) Text(watch string) string {
	what := a.Metric
	if a.Estimate {
		what += " (an estimate)"
	}
	if a.Stratum != "" {
		what += " of " + a.Stratum
	}
	line := "its learned line"
	if a.Threshold {
		line = "its threshold"
	}
	verb := "got worse than"
	if a.Recovered {
		verb = "is better again than"
	}
	return fmt.Sprintf("%s: %s %s %s, %s: mean %s over the last %d judged cases (run %s)", watch, what, verb, line, short(a.Line), short(a.Mean),
		a.Over, a.Run)
}

func short(v float64) string { return strconv.FormatFloat(v, 'f', 3, 64) }

// A Webhook receives alarms as a POST of JSON. What it sends has a field "text" too, which chat
// systems with incoming webhooks show.
type Webhook struct {
	URL    string
	Client *http.Client
}

// A Delivery is an alarm that the webhook has not taken yet.
type Delivery struct {
	Alarm Alarm `json:"alarm"`
	// Tries counts failed calls, Next is when the next is made.
	Tries int       `json:"tries,omitempty"`
	Next  time.Time `json:"next,omitzero"`
}

// hook is the body of a call.
type hook struct {
	Text  string `json:"text"`
	Watch string `json:"watch"`
	Alarm
}

// hookPatience bounds a call.
const hookPatience = 10 * time.Second

// Send sends an alarm.
func (w *Webhook) Send(ctx context.Context, watch string, a Alarm) error {
	body, err := json.Marshal(hook{Text: a.Text(watch), Watch: watch, Alarm: a})
	if err != nil {
		return err
	}
	ctx, cancel := context.WithTimeout(ctx, hookPatience)
	defer cancel()
	req, err := http.NewRequestWithContext(ctx, http.MethodPost, w.URL, bytes.NewReader(body))
	if err != nil {
		return err
	}
	req.Header.Set("Content-Type", "application/json")
	res, err := w.Client.Do(req)
	if err != nil {
		return err
	}
	defer res.Body.Close()
	_, _ = io.Copy(io.Discard, io.LimitReader(res.Body, 1<<16)) // so that the connection can be used again
	if res.StatusCode/100 != 2 {
		return fmt.Errorf("the webhook replied %s: want a status of 200 to 299", res.Status)
	}
	return nil
}
