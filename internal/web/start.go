package web

import (
	"context"
	"crypto/rand"
	"errors"
	"maps"
	"net/http"
	"net/url"
	"slices"
	"strings"

	"github.com/assay-eval/assay"
)

// A StartBackend starts and cancels runs.
type StartBackend interface {
	// MayStart reports whether the reader may start and cancel runs here.
	MayStart(ctx context.Context) Permission
	// Choices are what a run can be made of.
	Choices(ctx context.Context) (RunChoices, error)
	// Estimate checks a run and estimates what it would take. The error is a [FormError] if
	// the form is wrong.
	Estimate(ctx context.Context, f RunForm) (*EstimateView, error)
	// Start starts a run and returns its id. Once it has, another call with the same key does
	// not, and returns the same id. The error is a [FormError] if the form is wrong.
	Start(ctx context.Context, f RunForm, key string) (run string, err error)
	// Cancel cancels a run.
	Cancel(ctx context.Context, run string) error
	// Again returns the form that would start a run like another; ok is false if the server
	// did not start that, or no longer has what it was made of.
	Again(ctx context.Context, run string) (f RunForm, ok bool, err error)
	// OwnPage reports whether a request comes from a page of this server, or from no page.
	OwnPage(r *http.Request) bool
}

// A Permission says whether a reader may start runs.
type Permission int

const (
	// MayStart allows it.
	MayStart Permission = iota
	// NeedsScope means that the token of the reader does not allow it.
	NeedsScope
	// OnlyShows means that the server starts no runs.
	OnlyShows
)

// A RunForm is what a reader chose for a run: settings by their keys, and names.
type RunForm struct {
	Dataset, Target, Name string
	Settings              map[string]string
}

// RunChoices are what a run can be made of.
type RunChoices struct {
	// Targets have the name "" for the settings of the server itself.
	Targets []TargetView
	// Datasets are names; "" is the dataset that the settings of the server name.
	Datasets []string
	// Judges are models that the settings of the server name.
	Judges  []string
	Metrics []MetricChoice
}

// A TargetView is a target of runs.
type TargetView struct {
	Name     string            `json:"name" doc:"name of the target" example:"default"`
	Adapter  string            `json:"adapter" doc:"kind of the target; empty if it cannot be used" example:"http"`
	Endpoint string            `json:"endpoint,omitempty" doc:"without secrets" example:"http://localhost:8080/ask"`
	Settings map[string]string `json:"settings" doc:"what differs from the server's own, without secrets" example:"{\"timeout\": \"30s\"}"`
	// Problem is why the target cannot be used.
	Problem string `json:"problem,omitempty" doc:"why the target cannot be used; absent if it can" example:"invalid settings"`
}

// A MetricChoice is a metric of the catalogue.
type MetricChoice struct {
	// Name is as a run takes it: with a cutoff where the metric needs one.
	Name, Title, Group string
	// Needs are the labels that a case needs.
	Needs  []string
	Judged bool
}

// An EstimateView is what a run would take. Nothing is stored, and no judge is asked.
type EstimateView struct {
	Dataset string   `json:"dataset" doc:"name of the dataset" example:"rivers.jsonl"`
	Adapter string   `json:"adapter" doc:"kind of the target" example:"http"`
	Cases   int      `json:"cases" doc:"number of cases" example:"500"`
	Draws   int      `json:"draws" doc:"how often each case is asked" example:"1"`
	Metrics []string `json:"metrics" nullable:"false" doc:"names of the metrics" example:"[\"hit@5\",\"mrr\"]"`
	Judge   string   `json:"judge,omitempty" doc:"provider and model of the judge; absent without one" example:"openai:gpt-4.1"`
	// Judging says who judges.
	Judging string `json:"judging" enum:"none,unjudged,formulas,model" doc:"unjudged: judged metrics are not measured, as there is no judge"`
	Passes  int    `json:"passes" doc:"how often each ruling is asked for at most" example:"3"`
	// Failure is why the target gave no response to the case that it was asked.
	Asked   string `json:"asked_case_id" doc:"the case that the target was asked" example:"q17"`
	Failure string `json:"failure,omitempty" doc:"why the target gave no response to it; absent if it did" example:"connection refused"`
	// Metric and Together are empty unless a model judges.
	Metric   []CallsView `json:"by_metric" nullable:"false" doc:"calls of the judge for each metric alone; metrics share calls"`
	Together *CallsView  `json:"together,omitempty" doc:"calls of the judge for all metrics; absent if no model judges"`
	Most     int         `json:"most_calls" doc:"calls of the judge if its passes never agree" example:"1800"`
	Sampled  int         `json:"sampled" doc:"number of cases whose questions were counted" example:"20"`
	Real     bool        `json:"from_responses" doc:"whether responses of the target to each of these were counted, in place of one like the one above"`
	Canaries *CallsView  `json:"canaries,omitempty" doc:"calls of the frozen questions that tell whether the judge changed, asked after the cases, and twice by the first run of a judge; absent if none are asked"`
	Pipeline *CallsView  `json:"pipeline,omitempty" doc:"calls of models by the stages of the built-in pipeline; absent if there are none"`
	Ladder   int         `json:"ladder" doc:"how often the ladder asks again for each wrong answer and stage, which is not in the figures" example:"0"`
	// Cost is the sum of all, without what is not priced.
	Cost   float64 `json:"cost_usd" doc:"expected cost in dollars, less what the ledger has already; without what has no price" example:"1.84"`
	Priced bool    `json:"priced" doc:"whether the price of every model is known"`
	// Metered is set if it is known what asking the target costs.
	Metered bool     `json:"-"`
	MaxCost float64  `json:"max_cost_usd" doc:"limit of the run's cost in dollars; 0 without one" example:"2"`
	Over    bool     `json:"over_max_cost" doc:"whether the expected cost is above the limit: the run would stop before its end"`
	Seconds float64  `json:"seconds,omitempty" doc:"expected duration; absent if it is not known" example:"340"`
	Like    string   `json:"seconds_like,omitempty" doc:"the earlier run whose duration a case it is of" example:"01990a3e-7c1d-7d2a"`
	Unmet   string   `json:"unmet,omitempty" doc:"why the run cannot meet what its gate wants; absent if it can" example:"no metric is judged"`
	Warning []string `json:"warnings" nullable:"false" doc:"what a reader of the scores should know" example:"[\"2 cases have no label\"]"`
}

// CallsView is an expected number of calls of models.
type CallsView struct {
	Name   string  `json:"name,omitempty" doc:"the metric; absent of a sum" example:"faithfulness"`
	Calls  int     `json:"calls" doc:"number of calls" example:"1200"`
	Input  int     `json:"input_tokens" doc:"tokens sent" example:"840000"`
	Output int     `json:"output_tokens" doc:"tokens received" example:"96000"`
	Cost   float64 `json:"cost_usd" doc:"cost in dollars; that of the models whose price is known" example:"1.84"`
	Priced bool    `json:"priced" doc:"whether the price of every model is known"`
}

// A FormError says what is wrong with a form.
type FormError []FieldError

// A FieldError is what is wrong with a field; Field is "" if none is to blame.
type FieldError struct{ Field, Message string }

// Error implements error.
func (e FormError) Error() string {
	var all []string
	for _, f := range e {
		all = append(all, strings.TrimPrefix(f.Field+": "+f.Message, ": "))
	}
	return strings.Join(all, "; ")
}

// GetStatus returns the HTTP status.
func (FormError) GetStatus() int { return 400 }

// The fields of the form that are no settings, in the order of the page, and those that are.
const (
	fieldDataset = "dataset"
	fieldTarget  = "target"
	fieldName    = "name"
	fieldMore    = "more"
)

var settingFields = []string{"metrics", "judge", "repeat", "sample", "seed", "max-cost"}

// formOf reads a form from parameters.
func formOf(v values) RunForm {
	f := RunForm{Dataset: v.Get(fieldDataset), Target: v.Get(fieldTarget), Name: strings.TrimSpace(v.Get(fieldName)), Settings: map[string]string{}}
	for _, name := range settingFields {
		if value := strings.Trim(strings.TrimSpace(v.Get(name)), ","); value != "" {
			f.Settings[name] = value
		}
	}
	for line := range strings.Lines(v.Get(fieldMore)) {
		key, value, _ := strings.Cut(line, "=")
		if key = strings.TrimSpace(key); key != "" {
			f.Settings[key] = strings.TrimSpace(value)
		}
	}
	return f
}

// values returns the parameters that formOf reads the form from.
func (f RunForm) values() values {
	out := url.Values{}
	for name, value := range map[string]string{fieldDataset: f.Dataset, fieldTarget: f.Target, fieldName: f.Name} {
		if value != "" {
			out.Set(name, value)
		}
	}
	var more []string
	for key, value := range f.Settings {
		if slices.Contains(settingFields, key) {
			out.Set(key, value)
		} else {
			more = append(more, key+"="+value)
		}
	}
	if more != nil {
		slices.Sort(more)
		out.Set(fieldMore, strings.Join(more, "\n"))
	}
	return values{out}
}

const newAddress = "/new"

// newRun is the page with the form of a run, and with the estimate if the address asks for it.
func (p *Pages) newRun(r *request) (view, error) {
	if like := r.values.Get("like"); like != "" {
		f, ok, err := p.cfg.Backend.Again(r.Context(), like)
		if err != nil || !ok {
			return view{Redirect: newAddress}, err
		}
		return view{Redirect: newAddress + f.values().with()}, nil
	}
	choices, err := p.cfg.Backend.Choices(r.Context())
	if err != nil {
		return view{}, err
	}
	f := formOf(r.values)
	may := p.cfg.Backend.MayStart(r.Context())
	data := newData{Fields: r.fieldsOf(f, choices), NoDatasets: len(choices.Datasets) == 0}
	switch may {
	case NeedsScope:
		data.Refused = r.w.Names().StartNames.NeedsRun
	case OnlyShows:
		data.Refused = r.w.Names().StartNames.OnlyView
	}
	v := view{Template: "new", Title: r.w.Names().StartNames.Title, Place: placeNew}
	if may == MayStart && r.values.Get("estimate") != "" && p.cfg.Backend.OwnPage(r.Request) {
		e, err := p.cfg.Backend.Estimate(r.Context(), f)
		var wrong FormError
		switch {
		case errors.As(err, &wrong):
			data.Fields.blame(wrong)
			data.Problems = wrong
		case err != nil:
			return view{}, err
		default:
			data.Estimate = r.estimateOf(e)
			data.Confirm = f.hidden()
			data.Once = rand.Text()
		}
	}
	v.Data = data
	return v, nil
}

// hidden returns the form as fields that are not shown.
func (f RunForm) hidden() []option {
	all := f.values()
	return all.hidden(slices.Sorted(maps.Keys(all.Values))...)
}

// startRun starts the run of a form, once for each time that the form was shown.
func (p *Pages) startRun(r *request) (view, error) {
	if err := r.ParseForm(); err != nil {
		return view{}, FormError{{"", err.Error()}}
	}
	f := formOf(valuesOf(r.PostForm))
	run, err := p.cfg.Backend.Start(r.Context(), f, r.PostForm.Get("once"))
	var wrong FormError
	if errors.As(err, &wrong) {
		// What is wrong stands on the page of the form.
		return view{Redirect: newAddress + f.values().with("estimate", "1")}, nil
	}
	return view{Redirect: runAddress(run)}, err
}

// cancelRun cancels a run.
func (p *Pages) cancelRun(r *request) (view, error) {
	run := r.PathValue("run")
	return view{Redirect: runAddress(run)}, p.cfg.Backend.Cancel(r.Context(), run)
}

// dollars formats micro-dollars.
func dollars(micro int64, priced bool, unknown string) string {
	if !priced && micro == 0 {
		return unknown
	}
	text := "≈ " + assay.Dollars(micro)
	if !priced {
		text = "≥ " + assay.Dollars(micro)
	}
	return text
}
