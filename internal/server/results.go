package server

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"maps"
	"mime/multipart"
	"net/http"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"
	"unicode/utf8"

	"github.com/danielgtaylor/huma/v2"

	"github.com/assay-eval/assay"
	"github.com/assay-eval/assay/internal/accuracy"
	"github.com/assay-eval/assay/internal/text"
	"github.com/assay-eval/assay/llm"
	"github.com/assay-eval/assay/rag"
	"github.com/assay-eval/assay/rag/profile"
	"github.com/assay-eval/assay/rag/transcribe"
	"github.com/assay-eval/assay/store"
)

// A textQuestion is the body of generate/text.
type textQuestion struct {
	Question string `json:"question" minLength:"1" maxLength:"20000" doc:"the question" example:"Which river?"`
	Profile  string `json:"profile" enum:"A,B,C" doc:"profile with the pipeline's prompts"`
	Label    string `json:"label,omitempty" maxLength:"200" doc:"label of the result" example:"release 2.1"`
	Refresh  bool   `json:"refresh,omitempty" doc:"ask the pipeline's models again instead of using the replies to earlier questions"`
	Target   string `json:"target,omitempty" maxLength:"128" doc:"name of a configured target; default: the built-in pipeline" example:"slow"`
}

// An audioQuestion is the form of generate/audio.
type audioQuestion struct {
	File      huma.FormFile `form:"audio_file" required:"true" doc:"a recording: wav, mp3, flac, m4a, ogg or webm, at most 100 MiB"`
	Reference string        `form:"reference_transcript" required:"false" maxLength:"100000" doc:"what is really said" example:"Which river?"`
	Keywords  []string      `form:"keywords" required:"false" maxItems:"1000" nullable:"false" doc:"one a field" example:"octopus|tap"`
	Profile   string        `form:"profile" required:"true" enum:"A,B,C" doc:"profile with the pipeline's prompts"`
	Label     string        `form:"label" required:"false" maxLength:"200" doc:"label of the result" example:"release 2.1"`
	Language  string        `form:"language" required:"false" enum:"yue,zh,en,auto" default:"yue" doc:"what is spoken"`
	Refresh   bool          `form:"refresh" required:"false" doc:"ask the models again instead of using the replies to earlier questions"`
	Target    string        `form:"target" required:"false" maxLength:"128" doc:"a target; default: the built-in pipeline" example:"slow"`
}

// A resultView is a result in a list.
type resultView struct {
	ResultID  string    `json:"result_id" doc:"id of the result" example:"0197f0c2-5a3b-7c1d-8e4f-0a1b2c3d4e5f"`
	InputType string    `json:"input_type" enum:"text,audio" doc:"kind of the question: typed, or a recording"`
	Profile   string    `json:"profile" doc:"name of the profile" example:"A"`
	Label     string    `json:"label" doc:"label that the result was given; may be empty" example:"release 2.1"`
	CreatedAt time.Time `json:"created_at" doc:"time when it was stored" example:"2026-03-02T09:30:00Z"`
	Size      int64     `json:"size_bytes" doc:"size of the stored result in bytes" example:"18231"`
}

type ResultPath struct {
	ID string `path:"result_id" maxLength:"128" doc:"id of a result"`
}

func (s *Server) results() {
	registerOne(s, "generate-text", func(ctx context.Context, in *struct{ Body textQuestion }) (r accuracy.Result, err error) {
		if strings.TrimSpace(in.Body.Question) == "" {
			return r, wrong("body.question", "blank: expected a question", in.Body.Question)
		}
		q := question{text: in.Body.Question, label: in.Body.Label, refresh: in.Body.Refresh}
		return s.generate(ctx, q, in.Body.Profile, in.Body.Target, nil)
	})
	registerOne(s, "generate-audio", func(ctx context.Context, in *struct {
		RawBody huma.MultipartFormFiles[audioQuestion]
	}) (accuracy.Result, error) {
		return s.generateAudio(ctx, in.RawBody.Data(), in.RawBody.Form)
	})
	register(s, "list-results", func(ctx context.Context, in *Paging) (*list[resultView], error) {
		return listItems(ctx, s, store.KindResult, store.ItemQuery{}, *in, func(it store.Item) (resultView, error) {
			kind, profile, _ := strings.Cut(it.Parent, " ")
			return resultView{it.ID, kind, profile, it.Name, it.Created, it.Size}, nil
		})
	})
	registerOne(s, "get-result", func(ctx context.Context, in *ResultPath) (accuracy.Result, error) { return s.result(ctx, in.ID) })
	register(s, "delete-result", func(ctx context.Context, in *ResultPath) (*deletion, error) {
		if err := s.exists(ctx, store.KindResult, in.ID, "result"); err != nil {
			return nil, err
		}
		// The result goes last, so that a deletion that fails can be repeated.
		for _, kind := range []string{store.KindEvaluation, store.KindTruth} {
			if err := s.removeOf(ctx, kind, in.ID); err != nil {
				return nil, err
			}
		}
		return s.remove(ctx, store.KindResult, in.ID, "result", isID)
	})
	registerOne(s, "put-ground-truth", func(ctx context.Context, in *struct {
		ResultPath
		Body accuracy.Truth
	}) (accuracy.Truth, error) {
		r, err := s.result(ctx, in.ID)
		if err != nil {
			return in.Body, err
		}
		if err := in.Body.Check(&r); err != nil {
			return in.Body, wrong("body", err.Error(), nil)
		}
		if err := s.checkChunks(ctx, in.Body, &r); err != nil {
			return in.Body, err
		}
		return in.Body, s.keep(ctx, store.KindTruth, in.ID, "", in.ID, in.Body)
	})
	register(s, "delete-ground-truth", func(ctx context.Context, in *ResultPath) (*deletion, error) {
		return s.remove(ctx, store.KindTruth, in.ID, "ground truth of result", isID)
	})
	registerOne(s, "get-ground-truth", func(ctx context.Context, in *ResultPath) (t accuracy.Truth, err error) {
		return t, s.kept(ctx, store.KindTruth, in.ID, "ground truth of result", &t)
	})
}

// checkChunks rejects ground truth with chunks that are not in the corpus of the
// result's target. The error is a problem. A target that does not expose its corpus, or
// cannot be opened now, is not checked.
func (s *Server) checkChunks(ctx context.Context, t accuracy.Truth, r *accuracy.Result) error {
	v, release, err := s.servings.take(ctx, r.Target)
	if err != nil {
		return nil
	}
	defer release()
	x := v.index()
	if x == nil {
		return nil
	}
	if err := t.CheckChunks(r, x.All()); err != nil {
		return unprocessable("body", err.Error())
	}
	return nil
}

// A question is a text or spoken question to a target. rec and audio are nil for a
// text question.
type question struct {
	text, label string
	profile     profile.Profile
	rec         *assay.Recording
	audio       *accuracy.Recording
	// refresh asks the models again.
	refresh bool
}

// record puts a recording into a temporary file, which [question.remove] deletes.
// at and content are the places of the file's name and content in the request. The
// error is a problem.
func (q *question) record(ctx context.Context, v *serving, given, language string, from io.Reader, at, content string) error {
	if !v.hears() {
		return unavailable("no transcriber is configured; set transcriber, such as openai:whisper-1, or transcriber-command")
	}
	name := filename(given)
	format := strings.ToLower(strings.TrimPrefix(filepath.Ext(name), "."))
	if !slices.Contains(transcribe.Formats(), format) {
		return wrong(at, fmt.Sprintf("expected a name that ends in one of %q", transcribe.Formats()), name)
	}
	file, err := os.CreateTemp("", "assay-audio-*."+format)
	if err != nil {
		return err
	}
	q.rec = &assay.Recording{Name: name, Path: file.Name(), Language: language}
	_, err = io.Copy(file, from)
	if err := errors.Join(err, file.Close()); err != nil {
		return err
	}
	info, err := transcribe.Inspect(*q.rec)
	if err != nil {
		return wrong(content, err.Error(), nil)
	}
	q.audio = &accuracy.Recording{Filename: name, Duration: info.Duration, Language: language}
	return nil
}

// remove deletes the file of the recording.
func (q *question) remove() {
	if q.rec != nil {
		_ = os.Remove(q.rec.Path)
	}
}

// resultOf returns the result of the response to a question.
func (s *Server) resultOf(v *serving, q question, a answered, id string, created time.Time) accuracy.Result {
	about := accuracy.About{
		ResultID: id, Profile: q.profile.Name, ProfileHash: q.profile.Hash(), Label: q.label, Target: v.name, Created: created,
		Question: q.text, Audio: q.audio, Corpus: v.corpus(),
	}
	if v.pipeline != nil {
		about.Strategy, _, _ = strings.Cut(v.pipeline.Settings()["chunk"], "(")
		about.Describe = s.servings.describe
	}
	if a.heard != nil && q.audio != nil && q.audio.Duration <= 0 {
		// The recording's header does not have the duration.
		about.Audio.Duration = a.heard.Duration
	}
	r := accuracy.FromResponse(about, &a.r)
	fillLists(&r)
	return r
}

// generate asks a question, with the prompts of a profile, and stores the result.
// prepare, which may be nil, completes the question for the target.
func (s *Server) generate(
	ctx context.Context, q question, profile, target string, prepare func(*question, *serving) error,
) (r accuracy.Result, err error) {
	if !utf8.ValidString(q.label) || strings.ContainsRune(q.label, 0) {
		return r, wrong("label", "expected UTF-8 without control characters", nil)
	}
	v, release, err := s.servings.take(ctx, target)
	if err != nil {
		return r, err
	}
	defer release()
	defer func() { q.remove() }()
	if prepare != nil {
		if err := prepare(&q, v); err != nil {
			return r, err
		}
	}
	if q.profile, err = s.profiles().Profile(ctx, profile); err != nil {
		return r, err
	}
	id, err := s.newID()
	if err != nil {
		return r, err
	}
	created := s.now()
	caller := &llm.Caller{Run: id, Refresh: q.refresh}
	a := v.ask(llm.WithCaller(ctx, caller), id, q, nil)
	if a.err != nil {
		return r, s.unanswered(ctx, v, a.err)
	}
	r = s.resultOf(v, q, a, id, created)
	r.ModelReplies = modelReplies(caller)
	// Store it even if the client has disconnected: the model calls are paid for.
	return r, s.keep(context.WithoutCancel(ctx), store.KindResult, id, q.label, r.InputType+" "+profile, r)
}

// generateAudio reads the form and asks the question that is spoken in the recording.
func (s *Server) generateAudio(ctx context.Context, in *audioQuestion, form *multipart.Form) (r accuracy.Result, err error) {
	err = onlyFields(form, "audio_file", "reference_transcript", "keywords", "profile", "label", "language", "refresh", "target")
	if err != nil {
		return r, err
	}
	return s.generate(ctx, question{label: in.Label, refresh: in.Refresh}, in.Profile, in.Target, func(q *question, v *serving) error {
		// The library does not fill in the default of a form's field.
		language := cmp.Or(in.Language, "yue")
		if err := q.record(ctx, v, in.File.Filename, language, in.File, "form.audio_file", "form.audio_file"); err != nil {
			return err
		}
		// An empty field is no reference.
		if given := form.Value["reference_transcript"]; len(given) > 0 && strings.TrimSpace(given[0]) != "" {
			q.audio.Reference = &given[0]
		}
		q.audio.Keywords = slices.DeleteFunc(form.Value["keywords"], func(k string) bool { return strings.TrimSpace(k) == "" })
		return nil
	})
}

// onlyFields rejects a form with fields of other names. They would be ignored: a
// misspelt reference would be no reference.
func onlyFields(form *multipart.Form, names ...string) error {
	var unknown []*huma.ErrorDetail
	for _, field := range slices.Sorted(maps.Keys(form.Value)) {
		if slices.Contains(names, field) {
			continue
		}
		message := fmt.Sprintf("unknown field: expected one of %q", names)
		if near := text.Nearest(field, names); near != "" {
			message = fmt.Sprintf("unknown field: did you mean %q?", near)
		}
		unknown = append(unknown, &huma.ErrorDetail{Location: "form." + text.Shorten(text.Visible(field), maxEcho), Message: message})
	}
	if unknown == nil {
		return nil
	}
	return wrongs(unknown...)
}

// unanswered returns the problem for a target that gave no answer.
func (s *Server) unanswered(ctx context.Context, v *serving, err error) error {
	if ctx.Err() != nil {
		return unavailable("the request was cancelled")
	}
	message := v.settings.Secrets().Scrub(err.Error())
	s.log.WarnContext(ctx, "question could not be answered", "target", v.name, "error", message)
	var stage *rag.StageError
	if errors.As(err, &stage) && stage.Failure().Kind == "timeout" {
		return huma.NewError(http.StatusGatewayTimeout, "the target was too slow: "+message)
	}
	return huma.NewError(http.StatusBadGateway, "the target gave no answer: "+message)
}

// result returns a result by its id. The error is a problem.
func (s *Server) result(ctx context.Context, id string) (accuracy.Result, error) {
	var r accuracy.Result
	err := s.kept(ctx, store.KindResult, id, "result", &r)
	return r, err
}

// truth returns the manual ground truth of a result, nil if there is none.
func (s *Server) truth(ctx context.Context, id string) (*accuracy.Truth, error) {
	if !isID(id) {
		return nil, nil
	}
	var t accuracy.Truth
	err := s.readItem(ctx, store.KindTruth, id, &t)
	if errors.Is(err, store.ErrNotFound) {
		return nil, nil
	}
	return &t, err
}
