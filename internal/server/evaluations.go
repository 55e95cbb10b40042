package server

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"net/http"
	"slices"
	"strings"
	"time"
	"unicode"

	"github.com/danielgtaylor/huma/v2"

	"github.com/assay-eval/assay/internal/accuracy"
	"github.com/assay-eval/assay/internal/config"
	"github.com/assay-eval/assay/internal/wire"
	"github.com/assay-eval/assay/judge"
	"github.com/assay-eval/assay/store"
)

// thinkingTokens is how much an evaluator may think when a request asks for it
// and the settings do not say: as much as the longest task needs for a page of
// notes on each of its ten chunks.
const thinkingTokens = 8192

// An evaluationRequest is what evaluate is asked: a result by its id, or whole.
type evaluationRequest struct {
	ResultID string           `json:"result_id,omitempty" maxLength:"128" doc:"id of a result that is kept"`
	Results  settingsObject   `json:"results,omitempty" doc:"in place of the id: a result, as GET /api/v1/test/results/{result_id} gives it"`
	Config   *accuracy.Config `json:"evaluation_config,omitempty" doc:"who evaluates; the server's judges when it is left out"`
}

// An evaluationView is an evaluation in a list.
type evaluationView struct {
	EvaluationID string    `json:"evaluation_id"`
	ResultID     string    `json:"result_id"`
	Status       string    `json:"status" enum:"completed,partial,failed"`
	CreatedAt    time.Time `json:"created_at"`
	Size         int64     `json:"size_bytes"`
}

type evaluationPath struct {
	ID string `path:"evaluation_id" maxLength:"128" doc:"id of an evaluation"`
}

func (s *Server) evaluations(api huma.API) {
	huma.Register(api, operation("accuracy", http.MethodPost, "/test/evaluate", "evaluate", "Say how good each stage of a result was",
		says("The dimensions audio and response wait for nothing but what they need: a dimension that fails leaves the others, and errors says why. The same request on the same result has the same scores: what models replied is kept.")),
		func(ctx context.Context, in *struct {
			Dimensions []string `query:"dimensions" enum:"audio,key_questions,chunks,response" doc:"what is evaluated, separated by commas; all when it is left out"`
			Body       evaluationRequest
		}) (*one[accuracy.Evaluation], error) {
			return s.evaluate(ctx, in.Dimensions, in.Body)
		})
	orNull(api, "Evaluation", "audio_evaluation", "key_questions_evaluation", "chunk_evaluation", "response_evaluation")
	huma.Register(api, operation("accuracy", http.MethodGet, "/test/evaluations", "list-evaluations", "The evaluations, the latest first"), func(ctx context.Context, in *struct {
		Paging
		ResultID string `query:"result_id" maxLength:"128" doc:"only those of this result"`
	}) (*list[evaluationView], error) {
		items, total, err := s.store.Items(ctx, store.KindEvaluation, store.ItemQuery{Parent: in.ResultID, Limit: in.Limit, Offset: in.Offset})
		if err != nil {
			return nil, s.fail(ctx, err)
		}
		views := make([]evaluationView, len(items))
		for i, it := range items {
			views[i] = evaluationView{it.ID, it.Parent, it.Name, it.Created, it.Size}
		}
		return listed(views, total, in.Paging), nil
	})
	huma.Register(api, operation("accuracy", http.MethodGet, "/test/evaluations/{evaluation_id}", "get-evaluation", "An evaluation"), func(ctx context.Context, in *evaluationPath) (*one[accuracy.Evaluation], error) {
		var e accuracy.Evaluation
		if err := s.kept(ctx, store.KindEvaluation, in.ID, "evaluation", &e); err != nil {
			return nil, err
		}
		return &one[accuracy.Evaluation]{e}, nil
	})
	huma.Register(api, operation("accuracy", http.MethodDelete, "/test/evaluations/{evaluation_id}", "delete-evaluation", "Delete an evaluation"), func(ctx context.Context, in *evaluationPath) (*deletion, error) {
		err := store.ErrNotFound
		if isID(in.ID) {
			err = s.store.DeleteItem(ctx, store.KindEvaluation, in.ID)
		}
		if errors.Is(err, store.ErrNotFound) {
			return nil, absent("evaluation", in.ID)
		}
		if err != nil {
			return nil, s.fail(ctx, err)
		}
		return deleted(in.ID), nil
	})
}

// orNull lets properties of a schema that refer to another be null, which the
// library cannot say of them.
func orNull(api huma.API, name string, properties ...string) {
	of := api.OpenAPI().Components.Schemas.Map()[name]
	for _, p := range properties {
		is := *of.Properties[p]
		of.Properties[p] = &huma.Schema{Description: is.Description, AnyOf: []*huma.Schema{{Ref: is.Ref}, {Type: "null"}}}
	}
}

// evaluate evaluates a result, and keeps what came of it. The error is a
// problem.
func (s *Server) evaluate(ctx context.Context, dimensions []string, q evaluationRequest) (*one[accuracy.Evaluation], error) {
	r, err := s.evaluated(ctx, q)
	if err != nil {
		return nil, err
	}
	o := accuracy.Options{Now: s.cfg.World.Now, Sleep: s.sleep, Timeout: s.cfg.Settings.Judge.Timeout}
	if o.Dimensions, err = accuracy.ParseDimensions(strings.Join(dimensions, ",")); err != nil {
		return nil, wrong("query.dimensions", err.Error(), dimensions)
	}
	if o.EvaluationID, err = s.newID(); err != nil {
		return nil, s.fail(ctx, err)
	}
	if o.Truth, err = s.truth(ctx, r.ResultID); err != nil {
		return nil, s.fail(ctx, err)
	}
	if o.Truth != nil && o.Truth.Check(&r) != nil {
		// It is of a result that was sent under the id of another.
		o.Truth = nil
	}
	if slices.Contains(o.Dimensions, accuracy.Response) && !slices.Contains(o.Dimensions, accuracy.Chunks) && o.Truth == nil {
		return nil, wrong("query.dimensions", "response needs chunks, or ground truth made by hand (PUT "+prefix+"/test/results/{result_id}/ground-truth)", dimensions)
	}
	var c accuracy.Config
	if q.Config != nil {
		c = *q.Config
		o.Language, o.Pool = judge.Language(c.Language), c.Pool
	}
	if err := s.evaluators(ctx, &o, c); err != nil {
		return nil, err
	}
	// What cannot be found out of the corpus is in the evaluation's errors.
	if v, release, err := s.servings.take(ctx, r.Target); err == nil {
		defer release()
		if x := v.index(); x != nil {
			o.Chunks, o.Describe = x.All(), s.servings.describe
		}
	}
	e, err := accuracy.Evaluate(ctx, r, o)
	if err != nil {
		return nil, s.fail(ctx, err)
	}
	secrets := s.cfg.Settings.Secrets()
	for i := range e.Errors {
		e.Errors[i].Message = secrets.Scrub(e.Errors[i].Message)
	}
	return &one[accuracy.Evaluation]{e}, s.keep(ctx, store.KindEvaluation, e.EvaluationID, e.Status, e.ResultID, e)
}

// evaluated gives the result that is asked about. The error is a problem.
func (s *Server) evaluated(ctx context.Context, q evaluationRequest) (accuracy.Result, error) {
	switch {
	case (q.ResultID == "") == (q.Results == nil):
		return accuracy.Result{}, wrong("body", "want result_id or results", nil)
	case q.ResultID != "":
		return s.result(ctx, q.ResultID)
	}
	text, err := q.Results.text()
	if err != nil {
		return accuracy.Result{}, s.fail(ctx, err)
	}
	r, err := accuracy.ReadResult(text)
	if err != nil {
		return r, wrong("body.results", err.Error(), nil)
	}
	return r, nil
}

// evaluators opens the models that evaluate: those of the request, or the
// server's judges. Calls of earlier evaluations are asked from the ledger, and a
// call that fails is made again by the evaluation alone, which has its own rules.
// The error is a problem.
func (s *Server) evaluators(ctx context.Context, o *accuracy.Options, c accuracy.Config) error {
	settings := s.cfg.Settings.Config
	settings.Judge.Retries = 0
	w := s.cfg.World
	w.Model = s.cfg.Trace.Model
	models, err := wire.OpenModels(settings, w)
	if err != nil {
		return s.fail(ctx, err)
	}
	open := func(at string, e *accuracy.Evaluator, otherwise string) (accuracy.Model, error) {
		spec := otherwise
		if e != nil {
			if spec, err = s.evaluator(*e); err != nil {
				return accuracy.Model{}, wrong("body.evaluation_config."+at, err.Error(), nil)
			}
		}
		if spec == "" {
			return accuracy.Model{}, unavailable("no model evaluates: want the setting judge, such as anthropic:claude-sonnet-4-5, or evaluation_config." + at)
		}
		m, err := models.Open(spec)
		if err != nil {
			return accuracy.Model{}, unavailable(fmt.Sprintf("the model %q cannot be asked: %s", spec, s.cfg.Settings.Secrets().Scrub(err.Error())))
		}
		_, name, _ := strings.Cut(spec, ":")
		out := accuracy.Model{Name: name, Provider: m.Provider, Base: m.Base}
		if e != nil {
			out.Name = e.ModelName
			think(&out, e.EnableThinking)
		}
		if out.Name == "" {
			out.Name = spec
		}
		return out, nil
	}
	judges := s.judges()
	first := ""
	if len(judges) > 0 {
		first = judges[0]
	}
	if slices.Contains(o.Dimensions, accuracy.KeyQuestions) {
		if n := len(c.KeyQuestionsEvaluators); n != 0 && n != 2 {
			return wrong("body.evaluation_config.key_questions_evaluators", fmt.Sprintf("%d evaluators: want 2", n), nil)
		}
		for i := range 2 {
			var e *accuracy.Evaluator
			if c.KeyQuestionsEvaluators != nil {
				e = &c.KeyQuestionsEvaluators[i]
			}
			otherwise := first
			if i < len(judges) {
				otherwise = judges[i]
			}
			m, err := open(fmt.Sprintf("key_questions_evaluators[%d]", i), e, otherwise)
			if err != nil {
				return err
			}
			// One model that judges twice is asked twice.
			m.Base.Draw = i
			o.KeyQuestions = append(o.KeyQuestions, m)
		}
	}
	for _, one := range []struct {
		dimension accuracy.Dimension
		at        string
		e         *accuracy.Evaluator
		to        *accuracy.Model
	}{
		{accuracy.Chunks, "chunk_evaluator", c.ChunkEvaluator, &o.Chunk},
		{accuracy.Response, "response_evaluator", c.ResponseEvaluator, &o.Response},
	} {
		if !slices.Contains(o.Dimensions, one.dimension) || one.dimension == accuracy.Chunks && o.Truth != nil && one.e == nil && first == "" {
			continue
		}
		if *one.to, err = open(one.at, one.e, first); err != nil {
			return err
		}
	}
	return s.fail(ctx, models.Connect(s.store, o.EvaluationID, 0))
}

// think asks a model to think, or not to.
func think(m *accuracy.Model, enable bool) {
	switch {
	case !enable:
		m.Base.Thinking = 0
	case m.Base.Thinking == 0:
		m.Base.Thinking = thinkingTokens
		// The reply is not to be shorter for it.
		if m.Base.MaxTokens > 0 {
			m.Base.MaxTokens += thinkingTokens
		}
	}
}

// judges gives the models that judge by the server's settings.
func (s *Server) judges() []string {
	return slices.DeleteFunc(slices.Clone(s.cfg.Settings.Judges), func(spec string) bool { return spec == "offline" })
}

// evaluator gives the model that a request names, as PROVIDER:MODEL. It has to
// be one of a provider that the server has: where a request is sent, and with
// which key, is never the request's to say.
func (s *Server) evaluator(e accuracy.Evaluator) (string, error) {
	if strings.TrimSpace(e.ModelName) == "" {
		return "", errors.New("model_name: blank: want the name of a model")
	}
	if strings.ContainsFunc(e.ModelName, unicode.IsControl) {
		return "", errors.New("model_name: want text without control characters")
	}
	names, exact := s.providers()
	known := s.reached(names)
	fits := func(name string) bool {
		p := known[name]
		return (e.BaseURL == "" || sameAddress(e.BaseURL, p.BaseURL)) &&
			(e.APIKeyEnv == "" || e.APIKeyEnv == p.KeyEnv) &&
			(e.BaseURLEnv == "" || s.cfg.World.Getenv != nil && sameAddress(s.cfg.World.Getenv(e.BaseURLEnv), p.BaseURL))
	}
	named := e.BaseURL != "" || e.APIKeyEnv != "" || e.BaseURLEnv != ""
	switch {
	case e.Provider != "":
		if slices.Contains(exact, e.Provider+":"+e.ModelName) && !named {
			return e.Provider + ":" + e.ModelName, nil
		}
		if _, ok := known[e.Provider]; !ok {
			return "", fmt.Errorf("provider %q: not one of this server: want one of %s", e.Provider, quoted(slices.Sorted(maps.Keys(known))))
		}
		if !fits(e.Provider) {
			return "", fmt.Errorf("base_url, base_url_env and api_key_env: not those of the provider %q: want them left out", e.Provider)
		}
		return e.Provider + ":" + e.ModelName, nil
	case named:
		for _, name := range slices.Sorted(maps.Keys(known)) {
			if fits(name) {
				return name + ":" + e.ModelName, nil
			}
		}
		return "", fmt.Errorf("base_url, base_url_env and api_key_env: not those of a provider of this server: want them left out, and provider with one of %s", quoted(slices.Sorted(maps.Keys(known))))
	}
	for _, spec := range exact {
		if _, model, _ := strings.Cut(spec, ":"); model == e.ModelName || spec == e.ModelName {
			return spec, nil
		}
	}
	if len(known) == 1 {
		for name := range known {
			return name + ":" + e.ModelName, nil
		}
	}
	return "", fmt.Errorf("no provider: want one of %s", quoted(slices.Sorted(maps.Keys(known))))
}

// reached gives the providers of the server by their names, with their addresses
// and the variables of their keys.
func (s *Server) reached(names []string) map[string]config.Provider {
	settings := s.cfg.Settings.Config
	out := map[string]config.Provider{}
	for _, name := range names {
		p, ok := settings.Providers[name]
		if !ok {
			p = config.Provider{Kind: name, BaseURL: settings.Judge.URL, KeyEnv: settings.Judge.KeyEnv}
		}
		out[name] = p
	}
	return out
}

// sameAddress compares two addresses that are not empty; a slash at the end does
// not matter.
func sameAddress(a, b string) bool {
	a, b = strings.TrimRight(strings.TrimSpace(a), "/"), strings.TrimRight(b, "/")
	return a != "" && strings.EqualFold(a, b)
}
