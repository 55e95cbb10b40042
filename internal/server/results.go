package server

import (
	"bytes"
	"cmp"
	"context"
	"encoding/json"
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
	"github.com/assay-eval/assay/internal/wire"
	"github.com/assay-eval/assay/rag"
	"github.com/assay-eval/assay/rag/profile"
	"github.com/assay-eval/assay/rag/transcribe"
	"github.com/assay-eval/assay/store"
)

// A textQuestion is the body of generate/text.
type textQuestion struct {
	Question string `json:"question" minLength:"1" maxLength:"20000" doc:"the question"`
	Profile  string `json:"profile" enum:"A,B,C" doc:"profile with the pipeline's prompts"`
	Label    string `json:"label,omitempty" maxLength:"200" doc:"label of the result"`
	Target   string `json:"target,omitempty" maxLength:"128" doc:"name of a configured target; default: the built-in pipeline"`
}

// An audioQuestion is the form of generate/audio.
type audioQuestion struct {
	File      huma.FormFile `form:"audio_file" required:"true" doc:"a recording: wav, mp3, flac, m4a, ogg or webm, at most 100 MiB"`
	Reference string        `form:"reference_transcript" required:"false" maxLength:"100000" doc:"reference transcript, for the error rates"`
	Profile   string        `form:"profile" required:"true" enum:"A,B,C" doc:"profile with the pipeline's prompts"`
	Label     string        `form:"label" required:"false" maxLength:"200" doc:"label of the result"`
	Language  string        `form:"language" required:"false" enum:"yue,zh,en,auto" default:"yue" doc:"what is spoken"`
	Target    string        `form:"target" required:"false" maxLength:"128" doc:"name of a configured target; default: the built-in pipeline"`
}

// A resultView is a result in a list.
type resultView struct {
	ResultID  string    `json:"result_id"`
	InputType string    `json:"input_type" enum:"text,audio"`
	Profile   string    `json:"profile"`
	Label     string    `json:"label"`
	CreatedAt time.Time `json:"created_at"`
	Size      int64     `json:"size_bytes"`
}

type ResultPath struct {
	ID string `path:"result_id" maxLength:"128" doc:"id of a result"`
}

func (s *Server) results(api huma.API) {
	huma.Register(api,
		operation("accuracy", http.MethodPost, "/test/generate/text", "generate-text", "Run the pipeline on a question and store every stage",
			says("Uses the same pipeline as POST /api/v1/query.")),
		func(ctx context.Context, in *struct{ Body textQuestion }) (*one[accuracy.Result], error) {
			if strings.TrimSpace(in.Body.Question) == "" {
				return nil, wrong("body.question", "blank: want a question", in.Body.Question)
			}
			return s.generate(ctx, question{text: in.Body.Question, profile: in.Body.Profile, label: in.Body.Label, target: in.Body.Target})
		})
	huma.Register(api,
		operation("accuracy", http.MethodPost, "/test/generate/audio", "generate-audio", "Run the pipeline on a recording and store every stage",
			says("Without a transcriber (the setting transcriber) it is a 503.")), func(ctx context.Context, in *struct {
			RawBody huma.MultipartFormFiles[audioQuestion]
		}) (*one[accuracy.Result], error) {
			return s.generateAudio(ctx, in.RawBody.Data(), in.RawBody.Form)
		})
	huma.Register(api, operation("accuracy", http.MethodGet, "/test/results", "list-results", "List the results, latest first"),
		func(ctx context.Context, in *Paging) (*list[resultView], error) {
			items, total, err := s.store.Items(ctx, store.KindResult, store.ItemQuery{Limit: in.Limit, Offset: in.Offset})
			if err != nil {
				return nil, s.fail(ctx, err)
			}
			views := make([]resultView, len(items))
			for i, it := range items {
				kind, profile, _ := strings.Cut(it.Parent, " ")
				views[i] = resultView{it.ID, kind, profile, it.Name, it.Created, it.Size}
			}
			return listed(views, total, *in), nil
		})
	huma.Register(api, operation("accuracy", http.MethodGet, "/test/results/{result_id}", "get-result", "Get a result with every stage"),
		func(ctx context.Context, in *ResultPath) (*one[accuracy.Result], error) {
			r, err := s.result(ctx, in.ID)
			if err != nil {
				return nil, err
			}
			return &one[accuracy.Result]{r}, nil
		})
	huma.Register(api,
		operation("accuracy", http.MethodDelete, "/test/results/{result_id}", "delete-result", "Delete a result with its ground truth",
			says("Its evaluations stay.")), func(ctx context.Context, in *ResultPath) (*deletion, error) {
			if !isID(in.ID) {
				return nil, absent("result", in.ID)
			}
			err := s.store.DeleteItem(ctx, store.KindResult, in.ID)
			if errors.Is(err, store.ErrNotFound) {
				return nil, absent("result", in.ID)
			}
			if err == nil {
				if err = s.store.DeleteItem(ctx, store.KindTruth, in.ID); errors.Is(err, store.ErrNotFound) {
					err = nil
				}
			}
			if err != nil {
				return nil, s.fail(ctx, err)
			}
			return deleted(in.ID), nil
		})
	huma.Register(api,
		operation("accuracy", http.MethodPut, "/test/results/{result_id}/ground-truth", "put-ground-truth",
			"Store manual ground truth: the relevant chunks",
			needs(ScopeRun),
			says("Evaluations of the result use it instead of the chunk judge, for the sub-questions it covers. List all "+
				"relevant chunks of each; an empty list means that nothing is relevant.")),
		func(ctx context.Context, in *struct {
			ResultPath
			Body accuracy.Truth
		}) (*one[accuracy.Truth], error) {
			r, err := s.result(ctx, in.ID)
			if err != nil {
				return nil, err
			}
			if err := in.Body.Check(&r); err != nil {
				return nil, wrong("body", err.Error(), nil)
			}
			for i, q := range in.Body.PerSubQuestion {
				if q.RelevantChunks == nil {
					in.Body.PerSubQuestion[i].RelevantChunks = []accuracy.ChunkRef{}
				}
			}
			return &one[accuracy.Truth]{in.Body}, s.keep(ctx, store.KindTruth, in.ID, "", in.ID, in.Body)
		})
	huma.Register(api,
		operation("accuracy", http.MethodDelete, "/test/results/{result_id}/ground-truth", "delete-ground-truth", "Delete manual ground truth"),
		func(ctx context.Context, in *ResultPath) (*deletion, error) {
			err := store.ErrNotFound
			if isID(in.ID) {
				err = s.store.DeleteItem(ctx, store.KindTruth, in.ID)
			}
			if errors.Is(err, store.ErrNotFound) {
				return nil, absent("ground truth of result", in.ID)
			}
			if err != nil {
				return nil, s.fail(ctx, err)
			}
			return deleted(in.ID), nil
		})
	huma.Register(api,
		operation("accuracy", http.MethodGet, "/test/results/{result_id}/ground-truth", "get-ground-truth", "Get manual ground truth"),
		func(ctx context.Context, in *ResultPath) (*one[accuracy.Truth], error) {
			t, err := s.truth(ctx, in.ID)
			switch {
			case err != nil:
				return nil, s.fail(ctx, err)
			case t == nil:
				return nil, absent("ground truth of result", in.ID)
			}
			return &one[accuracy.Truth]{*t}, nil
		})
}

// A question is one to a target, in writing or spoken.
type question struct {
	text, profile, label, target string
	rec                          *assay.Recording
	audio                        *accuracy.Recording
}

// check refuses a label that no data base takes.
func (q question) check() error {
	if !utf8.ValidString(q.label) || strings.ContainsRune(q.label, 0) {
		return wrong("label", "want UTF-8 without control characters", nil)
	}
	return nil
}

// generate asks, and keeps the result. The error is a problem.
func (s *Server) generate(ctx context.Context, q question) (*one[accuracy.Result], error) {
	if err := q.check(); err != nil {
		return nil, err
	}
	v, release, err := s.servings.take(ctx, q.target)
	if err != nil {
		return nil, err
	}
	defer release()
	return s.generateOf(ctx, q, v)
}

func (s *Server) generateOf(ctx context.Context, q question, v *serving) (*one[accuracy.Result], error) {
	p, err := wire.Profiles{Store: s.store, Now: s.cfg.World.Now}.Profile(ctx, q.profile)
	if err != nil {
		return nil, s.fail(ctx, err)
	}
	id, err := s.newID()
	if err != nil {
		return nil, s.fail(ctx, err)
	}
	created := s.now()
	r, heard, err := v.ask(ctx, id, q.text, p, q.rec, nil)
	if err != nil {
		return nil, s.unanswered(ctx, v, err)
	}
	about := s.about(v, p)
	about.ResultID, about.Profile, about.Label, about.Target = id, q.profile, q.label, v.name
	about.Created, about.Question, about.Audio = created, q.text, q.audio
	if heard != nil {
		about.Audio.Duration = orLonger(about.Audio.Duration, heard.Duration)
	}
	result := accuracy.FromResponse(about, &r)
	// A recording is heard whatever becomes of it, and a model was paid.
	return &one[accuracy.Result]{result}, s.keep(detached(ctx), store.KindResult, id, q.label, result.InputType+" "+q.profile, result)
}

// orLonger is what the recording's head says, or else what the transcriber says.
func orLonger(head, heard time.Duration) time.Duration {
	if head > 0 {
		return head
	}
	return heard
}

// about says what results tell beside the response.
func (s *Server) about(v *serving, p profile.Profile) accuracy.About {
	a := accuracy.About{ProfileHash: p.Hash()}
	if v.pipeline != nil {
		a.Strategy, _, _ = strings.Cut(v.pipeline.Settings()["chunk"], "(")
		a.Describe = s.servings.describe
	}
	return a
}

// generateAudio reads the form, and asks what is said in the recording.
func (s *Server) generateAudio(ctx context.Context, in *audioQuestion, form *multipart.Form) (*one[accuracy.Result], error) {
	if err := onlyFields(form, "audio_file", "reference_transcript", "profile", "label", "language", "target"); err != nil {
		return nil, err
	}
	// Nothing fills in the default of a form's field that is left out.
	language := cmp.Or(in.Language, "yue")
	name := filename(in.File.Filename)
	format := strings.ToLower(strings.TrimPrefix(filepath.Ext(name), "."))
	if !slices.Contains(transcribe.Formats(), format) {
		return nil, wrong("form.audio_file", fmt.Sprintf("want a recording whose name ends in one of %q", transcribe.Formats()), name)
	}
	if err := (question{label: in.Label}).check(); err != nil {
		return nil, err
	}
	v, release, err := s.servings.take(ctx, in.Target)
	if err != nil {
		return nil, err
	}
	defer release()
	if !v.hears() {
		return nil, unavailable("no transcriber is configured: want the setting transcriber, such as openai:whisper-1, or transcriber-command")
	}
	path, err := spool(in.File, format)
	defer func() { _ = os.Remove(path) }()
	if err != nil {
		return nil, s.fail(ctx, err)
	}
	rec := &assay.Recording{Name: name, Path: path, Language: language}
	info, err := transcribe.Inspect(*rec)
	if err != nil {
		return nil, wrong("form.audio_file", err.Error(), name)
	}
	q := question{
		profile: in.Profile, label: in.Label, target: in.Target, rec: rec,
		audio: &accuracy.Recording{Filename: name, Duration: info.Duration, Language: language},
	}
	// A form whose field was left empty says nothing.
	if given := form.Value["reference_transcript"]; len(given) > 0 && strings.TrimSpace(given[0]) != "" {
		q.audio.Reference = &given[0]
	}
	return s.generateOf(ctx, q, v)
}

// onlyFields refuses a form with fields of other names, which would be passed
// over: a reference that is misspelt is no reference.
func onlyFields(form *multipart.Form, names ...string) error {
	var unknown []*huma.ErrorDetail
	for _, field := range slices.Sorted(maps.Keys(form.Value)) {
		if slices.Contains(names, field) {
			continue
		}
		message := fmt.Sprintf("unknown field: want one of %q", names)
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

// spool copies an upload into a file of its own, which the caller removes.
func spool(from io.Reader, format string) (path string, err error) {
	f, err := os.CreateTemp("", "assay-audio-*."+format)
	if err != nil {
		return "", err
	}
	_, err = io.Copy(f, from)
	return f.Name(), errors.Join(err, f.Close())
}

// unanswered is a problem about a target that gave no answer.
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

// result gives a result by its id. The error is a problem.
func (s *Server) result(ctx context.Context, id string) (accuracy.Result, error) {
	var r accuracy.Result
	return r, s.kept(ctx, store.KindResult, id, "result", &r)
}

// truth gives what was said by hand of a result; nil when nothing was.
func (s *Server) truth(ctx context.Context, id string) (*accuracy.Truth, error) {
	if !isID(id) {
		return nil, nil
	}
	it, err := s.store.Item(ctx, store.KindTruth, id)
	if errors.Is(err, store.ErrNotFound) {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	var t accuracy.Truth
	return &t, json.Unmarshal(it.Body, &t)
}

// keep writes a thing under an id. The error is a problem.
func (s *Server) keep(ctx context.Context, kind, id, name, parent string, v any) error {
	var body bytes.Buffer
	e := json.NewEncoder(&body)
	e.SetEscapeHTML(false)
	if err := e.Encode(v); err != nil {
		return s.fail(ctx, err)
	}
	now := s.now()
	return s.fail(
		ctx,
		s.store.PutItem(
			ctx, store.Item{Kind: kind, ID: id, Name: name, Parent: parent, Created: now, Updated: now, Body: bytes.TrimSpace(body.Bytes())},
		),
	)
}

// kept reads a thing by its id into v. The error is a problem.
func (s *Server) kept(ctx context.Context, kind, id, what string, v any) error {
	if !isID(id) {
		return absent(what, id)
	}
	it, err := s.store.Item(ctx, kind, id)
	if errors.Is(err, store.ErrNotFound) {
		return absent(what, id)
	}
	if err == nil {
		err = json.Unmarshal(it.Body, v)
	}
	return s.fail(ctx, err)
}
