package web

import (
	"context"
	"crypto/rand"
	"errors"
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
	Estimate(ctx context.Context, f RunForm) (*RunEstimate, error)
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
	Targets []TargetChoice
	// Datasets are names; "" is the dataset that the settings of the server name.
	Datasets []string
	// Judges are models that the settings of the server name.
	Judges  []string
	Metrics []MetricChoice
}

// A TargetChoice is a named configuration of the server.
type TargetChoice struct {
	Name, Adapter, Endpoint string
	// Own is set for the settings of the server itself, which have no name.
	Own bool
	// Problem is why it cannot be used, "" if it can.
	Problem string
}

// A MetricChoice is a metric of the catalogue.
type MetricChoice struct {
	// Name is as a run takes it: with a cutoff where the metric needs one.
	Name, Title, Group string
	// Needs are the labels that a case needs.
	Needs  []string
	Judged bool
}

// A RunEstimate is what a run would take.
type RunEstimate struct {
	Adapter             string
	Cases, Draws        int
	Judging, Judge      string
	Passes              int
	AskedCase, Failure  string
	Metrics             []CallsEstimate
	Together, Pipeline  *CallsEstimate
	Canaries            *CallsEstimate
	Most, Sampled       int
	FromResponses       bool
	Ladder              int
	Cost, MaxCost       int64 // micro-dollars
	Priced, Over        bool
	Metered             bool // what asking the target costs is known
	Seconds             float64
	Like, Unmet         string
	MetricNames, Remark []string
}

// CallsEstimate is an expected number of calls of models.
type CallsEstimate struct {
	Name                 string
	Calls, Input, Output int
	// Cost is in micro-dollars; Priced is false if a price is not known.
	Cost   int64
	Priced bool
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
	var out []option
	all := f.values()
	for _, name := range slices.Sorted(keysOf(all.Values)) {
		out = append(out, option{Value: all.Get(name), Text: name})
	}
	return out
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
