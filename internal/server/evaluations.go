package server

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"
	"time"
	"unicode"

	"github.com/danielgtaylor/huma/v2"

	"github.com/assay-eval/assay/internal/accuracy"
	"github.com/assay-eval/assay/internal/config"
	"github.com/assay-eval/assay/internal/wire"
	"github.com/assay-eval/assay/judge"
	"github.com/assay-eval/assay/llm"
	"github.com/assay-eval/assay/store"
)

// thinkingTokens is the thinking budget of an evaluator when a request enables
// thinking and the settings give none: enough for a page of notes on each of ten
// chunks.
const thinkingTokens = 8192

// An evaluationRequest names the result to evaluate, or holds it.
type evaluationRequest struct {
	ResultID string           `json:"result_id,omitempty" maxLength:"128" doc:"a stored result" example:"0197f0c2-5a3b-7c1d-8e4f-0a1b2c3d4e5f"`
	Results  resultObject     `json:"results,omitzero" doc:"the result itself, in place of result_id"`
	Refresh  bool             `json:"refresh,omitempty" doc:"ask the evaluators again instead of using the replies of earlier evaluations"`
	Config   *accuracy.Config `json:"evaluation_config,omitempty" doc:"models that evaluate; default: the server's judges"`
}

// An evaluationView is an evaluation in a list.
type evaluationView struct {
	EvaluationID string    `json:"evaluation_id" doc:"id of the evaluation" example:"0197f0c3-11aa-7f00-9c3d-5e6f70819203"`
	ResultID     string    `json:"result_id" doc:"id of the result" example:"0197f0c2-5a3b-7c1d-8e4f-0a1b2c3d4e5f"`
	Status       string    `json:"status" enum:"completed,partial,failed" doc:"status of the evaluation"`
	CreatedAt    time.Time `json:"created_at" doc:"time when it was stored" example:"2026-03-02T09:30:00Z"`
	Size         int64     `json:"size_bytes" doc:"size of the stored evaluation in bytes" example:"18231"`
}

type evaluationPath struct {
	ID string `path:"evaluation_id" maxLength:"128" doc:"id of an evaluation"`
}

func (s *Server) evaluations() {
	registerOne(s, "evaluate", func(ctx context.Context, in *struct {
		Dimensions []string `query:"dimensions" nullable:"false" enum:"audio,key_questions,chunks,response" doc:"comma-separated; default: all"`
		Body       evaluationRequest
	}) (accuracy.Evaluation, error) {
		return s.evaluate(ctx, in.Dimensions, in.Body)
	})
	s.orNull("Evaluation", "audio_evaluation", "key_questions_evaluation", "chunk_evaluation", "response_evaluation")
	register(s, "list-evaluations", func(ctx context.Context, in *struct {
		Paging
		ResultID string `query:"result_id" maxLength:"128" doc:"only those of this result"`
	}) (*list[evaluationView], error) {
		q := store.ItemQuery{Parent: in.ResultID}
		return listItems(ctx, s, store.KindEvaluation, q, in.Paging, func(it store.Item) (evaluationView, error) {
			return evaluationView{it.ID, it.Parent, it.Name, it.Created, it.Size}, nil
		})
	})
	registerOne(s, "get-evaluation", func(ctx context.Context, in *evaluationPath) (e accuracy.Evaluation, err error) {
		return e, s.kept(ctx, store.KindEvaluation, in.ID, "evaluation", &e)
	})
	register(s, "delete-evaluation", func(ctx context.Context, in *evaluationPath) (*deletion, error) {
		return s.remove(ctx, store.KindEvaluation, in.ID, "evaluation", isID)
	})
}

// orNull marks properties that refer to another schema as nullable, which the
// library cannot express.
func (s *Server) orNull(name string, properties ...string) {
	of := s.api.OpenAPI().Components.Schemas.Map()[name]
	for _, p := range properties {
		is := *of.Properties[p]
		of.Properties[p] = &huma.Schema{Description: is.Description, AnyOf: []*huma.Schema{{Ref: is.Ref}, {Type: "null"}}}
	}
}

// evaluate evaluates a result and stores the evaluation.
func (s *Server) evaluate(ctx context.Context, dimensions []string, q evaluationRequest) (e accuracy.Evaluation, err error) {
	r, err := s.evaluated(ctx, q)
	if err != nil {
		return e, err
	}
	o := s.evaluation(dimensions, q.Config)
	if o.EvaluationID, err = s.newID(); err != nil {
		return e, err
	}
	if err := s.setTruth(ctx, &o, &r, "query.dimensions"); err != nil {
		return e, err
	}
	if err := s.evaluators(ctx, &o, q.Config, o.EvaluationID, 0); err != nil {
		return e, err
	}
	e, err = s.assess(ctx, r, o, &llm.Caller{Run: o.EvaluationID, Refresh: q.Refresh})
	if err == nil {
		err = s.keepEvaluation(ctx, e, q.ResultID != "")
	}
	return e, err
}

// evaluation returns the options of an evaluation by the dimensions and the configuration
// of a request, which may be nil, without what depends on the result and without models.
func (s *Server) evaluation(dimensions []string, c *accuracy.Config) accuracy.Options {
	o := accuracy.Options{Now: s.cfg.World.Now, Sleep: s.sleep, Timeout: s.cfg.Settings.Judge.Timeout}
	for _, d := range dimensions {
		o.Dimensions = append(o.Dimensions, accuracy.Dimension(d))
	}
	if c != nil {
		o.Language, o.Pool, o.Keywords = judge.Language(c.Language), c.Pool, c.Keywords
		o.MaxDisagreement = c.MaxDisagreement
	}
	o.Language = cmp.Or(o.Language, wire.JudgeLanguage(s.cfg.Settings.Config))
	return o
}

// setTruth sets the manual ground truth of a result. at is the place of the dimensions in
// the request. The error is a problem.
func (s *Server) setTruth(ctx context.Context, o *accuracy.Options, r *accuracy.Result, at string) (err error) {
	if o.Truth, err = s.truth(ctx, r.ResultID); err != nil {
		return s.fail(ctx, err)
	}
	if o.Truth != nil && o.Truth.Check(r) != nil {
		// It belongs to another result with the same id.
		o.Truth = nil
	}
	if o.Has(accuracy.Response) && !o.Has(accuracy.Chunks) && o.Truth == nil {
		return wrong(
			at, "response needs chunks, or manual ground truth (PUT "+prefix+"/test/results/{result_id}/ground-truth)",
			o.Dimensions,
		)
	}
	return nil
}

// assess evaluates a result with the corpus of its target. The error is a problem.
func (s *Server) assess(ctx context.Context, r accuracy.Result, o accuracy.Options, caller *llm.Caller) (accuracy.Evaluation, error) {
	// Without the corpus the evaluation reports an error for the chunks.
	if v, release, err := s.servings.take(ctx, r.Target); err == nil {
		defer release()
		if x := v.index(); x != nil {
			o.Chunks, o.Describe, o.Corpus = x.All(), s.servings.describe, v.corpus()
		}
	}
	e, err := accuracy.Evaluate(llm.WithCaller(ctx, caller), r, o)
	if err != nil {
		return e, s.fail(ctx, err)
	}
	e.ModelReplies = modelReplies(caller)
	fillLists(&e)
	secrets := s.cfg.Settings.Secrets()
	for i := range e.Errors {
		e.Errors[i].Message = secrets.Scrub(e.Errors[i].Message)
	}
	return e, nil
}

// keepEvaluation stores an evaluation, of a stored result or of one that a request held.
// The error is a problem.
func (s *Server) keepEvaluation(ctx context.Context, e accuracy.Evaluation, stored bool) error {
	if err := s.keep(ctx, store.KindEvaluation, e.EvaluationID, e.Status, e.ResultID, e); err != nil || !stored {
		return err
	}
	// The result may have been deleted since it was read.
	if err := s.exists(ctx, store.KindResult, e.ResultID, "result"); err != nil {
		return errors.Join(err, s.fail(ctx, s.removeOf(ctx, store.KindEvaluation, e.ResultID)))
	}
	return nil
}

// modelReplies counts the replies that a caller got.
func modelReplies(c *llm.Caller) accuracy.ModelReplies {
	all, cached := c.Replies()
	return accuracy.ModelReplies{Total: all, Cached: cached}
}

// evaluated returns the result to evaluate. The error is a problem.
func (s *Server) evaluated(ctx context.Context, q evaluationRequest) (accuracy.Result, error) {
	switch {
	case (q.ResultID == "") == (q.Results.RawMessage == nil):
		return accuracy.Result{}, wrong("body", "expected result_id or results", nil)
	case q.ResultID != "":
		return s.result(ctx, q.ResultID)
	}
	r, err := accuracy.ReadResult(q.Results.RawMessage)
	if err != nil {
		return r, wrong("body.results", err.Error(), nil)
	}
	return r, nil
}

// evaluators opens the models that evaluate: those of the request, or the server's
// judges. The client does not retry failed calls, because the evaluation has its
// own rules for that. run pays for their calls and has spent so many micro-dollars. The
// error is a problem.
func (s *Server) evaluators(ctx context.Context, o *accuracy.Options, given *accuracy.Config, run string, spent int64) error {
	var c accuracy.Config
	if given != nil {
		c = *given
	}
	if n := len(c.KeyQuestionsEvaluators); c.KeyQuestionsEvaluators != nil && n != 2 {
		return wrong("body.evaluation_config.key_questions_evaluators", fmt.Sprintf("%d evaluators: give 2, or leave it out", n), nil)
	}
	settings := s.cfg.Settings.Config
	settings.Judge.Retries = 0
	w := s.cfg.World
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
			return accuracy.Model{}, noJudge(at)
		}
		m, err := models.OpenJudge(spec)
		if err != nil {
			return accuracy.Model{}, unavailable(fmt.Sprintf("the model %q cannot be asked: %s", spec, s.cfg.Settings.Secrets().Scrub(err.Error())))
		}
		_, name, _ := strings.Cut(spec, ":")
		out := accuracy.Model{Name: cmp.Or(name, spec), Provider: m.Provider, Base: m.Base}
		if e != nil {
			out.Name = e.ModelName
			think(&out, e.EnableThinking)
		}
		return out, nil
	}
	// own is one of the judges of the server, "" without any.
	own := func(i int) string {
		if judges := s.judges(); len(judges) > 0 {
			return judges[min(i, len(judges)-1)]
		}
		return ""
	}
	if o.Has(accuracy.KeyQuestions) {
		for i := range 2 {
			var e *accuracy.Evaluator
			if c.KeyQuestionsEvaluators != nil {
				e = &c.KeyQuestionsEvaluators[i]
			}
			m, err := open(fmt.Sprintf("key_questions_evaluators[%d]", i), e, own(i))
			if err != nil {
				return err
			}
			// A model that marks twice needs two draws.
			m.Base.Draw = i
			o.KeyQuestions = append(o.KeyQuestions, m)
		}
	}
	if o.Has(accuracy.Chunks) && (o.Truth == nil || c.ChunkEvaluator != nil || own(0) != "") {
		if o.Chunk, err = open("chunk_evaluator", c.ChunkEvaluator, own(0)); err != nil {
			return err
		}
	}
	if o.Has(accuracy.Response) {
		if o.Response, err = open("response_evaluator", c.ResponseEvaluator, own(0)); err != nil {
			return err
		}
	}
	return models.Connect(s.store, run, spent)
}

// noJudge is the problem of an evaluator that nothing sets.
func noJudge(at string) error {
	return unavailable("no judge model; set judge, such as anthropic:claude-sonnet-4-5, or evaluation_config." + at)
}

// think sets whether a model thinks; nil leaves it to the model. The request decides,
// not the extra fields of the provider's definition.
func think(m *accuracy.Model, enable *bool) {
	if enable != nil {
		m.Base.Extra = llm.WithoutThinking(m.Base.Extra)
	}
	switch {
	case enable == nil:
		m.Base.Thinking = 0
	case !*enable:
		m.Base.Thinking = llm.NoThinking
	case m.Base.Thinking == 0:
		m.Base.Thinking = thinkingTokens
		// Thinking counts against the limit of the reply.
		if m.Base.MaxTokens > 0 {
			m.Base.MaxTokens += thinkingTokens
		}
	}
}

// judges lists the judge models in the server's settings.
func (s *Server) judges() []string {
	return slices.DeleteFunc(slices.Clone(s.cfg.Settings.Judges), func(spec string) bool { return spec == "offline" })
}

// evaluator returns the model that a request names, as PROVIDER:MODEL. Its provider
// must be configured: a request never chooses an address or a key.
func (s *Server) evaluator(e accuracy.Evaluator) (string, error) {
	if strings.TrimSpace(e.ModelName) == "" {
		return "", errors.New("model_name: blank: expected the name of a model")
	}
	if strings.ContainsFunc(e.ModelName, unicode.IsControl) {
		return "", errors.New("model_name: expected text without control characters")
	}
	names, exact := s.providers()
	known := s.reached(names)
	sorted := slices.Sorted(maps.Keys(known))
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
			return "", fmt.Errorf("provider %q is not configured: expected one of %s", e.Provider, quoted(sorted))
		}
		if !fits(e.Provider) {
			return "", fmt.Errorf("base_url, base_url_env and api_key_env do not match the provider %q: leave them out", e.Provider)
		}
		return e.Provider + ":" + e.ModelName, nil
	case named:
		if at := slices.IndexFunc(sorted, fits); at >= 0 {
			return sorted[at] + ":" + e.ModelName, nil
		}
		return "", fmt.Errorf(
			"base_url, base_url_env and api_key_env match no configured provider: leave them out and set provider to one of %s", quoted(sorted),
		)
	}
	for _, spec := range exact {
		if _, model, _ := strings.Cut(spec, ":"); model == e.ModelName || spec == e.ModelName {
			return spec, nil
		}
	}
	if len(sorted) == 1 {
		return sorted[0] + ":" + e.ModelName, nil
	}
	return "", fmt.Errorf("no provider: expected one of %s", quoted(sorted))
}

// reached returns the configured providers by name, with their addresses and key
// variables.
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

// sameAddress reports whether two non-empty addresses are equal but for a trailing
// slash.
func sameAddress(a, b string) bool {
	a, b = strings.TrimRight(strings.TrimSpace(a), "/"), strings.TrimRight(b, "/")
	return a != "" && strings.EqualFold(a, b)
}
