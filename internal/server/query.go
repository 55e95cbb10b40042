package server

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"strings"
	"time"

	"github.com/danielgtaylor/huma/v2"

	"github.com/assay-eval/assay"
	"github.com/assay-eval/assay/internal/accuracy"
	"github.com/assay-eval/assay/internal/text"
	"github.com/assay-eval/assay/llm"
	"github.com/assay-eval/assay/store"
)

// A queryRequest is a text or spoken question.
type queryRequest struct {
	Question string      `json:"question,omitempty" maxLength:"20000" doc:"the question; omit with audio" example:"Which river?"`
	Audio    *queryAudio `json:"audio,omitempty" doc:"a recording of the question"`
	Profile  string      `json:"profile,omitempty" maxLength:"64" doc:"profile with the prompts; default: the server's setting" example:"A"`
	Target   string      `json:"target,omitempty" maxLength:"128" doc:"a configured target; default: the built-in pipeline" example:"slow"`
}

// queryAudio is a recording in JSON.
type queryAudio struct {
	Filename string `json:"filename" minLength:"1" maxLength:"200" doc:"file name in wav, mp3, flac, m4a, ogg or webm" example:"question.wav"`
	Content  []byte `json:"content" doc:"the file, in base64" example:"UklGRiQAAABXQVZF"`
	Language string `json:"language,omitempty" enum:"yue,zh,en,auto" default:"auto" doc:"what is spoken"`
}

// The events of a query, in order.
type (
	transcribedEvent struct {
		Text   string `json:"text" doc:"the transcript" example:"Which river?"`
		TimeMS int64  `json:"time_ms" doc:"time of the stage in milliseconds" example:"450"`
	}
	decomposedEvent struct {
		Questions []string `json:"sub_questions" nullable:"false" doc:"the sub-questions, in order" example:"Which river?"`
		TimeMS    int64    `json:"time_ms" doc:"time of the stage in milliseconds" example:"380"`
	}
	passagesEvent struct {
		Index    int            `json:"sub_question_index" doc:"from 0" example:"0"`
		Question string         `json:"sub_question_text" doc:"the sub-question, or the whole question" example:"Which river?"`
		Chunks   []queryPassage `json:"chunks" nullable:"false" doc:"what the stage found or kept, best first"`
		TimeMS   int64          `json:"time_ms" doc:"time of the stage in milliseconds" example:"42"`
		Note     string         `json:"note,omitempty" doc:"remark of the stage" example:"3 of 10 passages cut"`
	}
	answerEvent struct {
		Text string `json:"text" doc:"the next piece of the answer" example:"The Rhine. "`
	}
	queryDone struct {
		QueryID string          `json:"query_id" doc:"id of the question" example:"0197f0c2-5a3b-7c1d-8e4f-0a1b2c3d4e5f"`
		Answer  string          `json:"answer" doc:"the whole answer" example:"The Rhine."`
		Result  accuracy.Result `json:"result" doc:"every stage, in the form of POST /api/v1/test/generate/text"`
		Trace   traceObject     `json:"trace" doc:"every stage as it ran; null if the target does not report them"`
	}
	queryFailed struct {
		Status int    `json:"status" doc:"what the status of a reply would be" example:"502"`
		Detail string `json:"detail" doc:"why there is no answer" example:"the target gave no answer: refused"`
	}
)

// A queryPassage is a retrieved chunk.
type queryPassage struct {
	ID       string  `json:"chunk_id" doc:"id of the chunk" example:"rhine.md#3"`
	Document string  `json:"document_id" doc:"id of the document; may be empty" example:"rhine.md"`
	Filename string  `json:"filename,omitempty" doc:"name of its file" example:"rhine.md"`
	Index    int     `json:"chunk_index" doc:"position in the document, from 0" example:"3"`
	Text     string  `json:"text" doc:"text of the chunk" example:"The Rhine."`
	Score    float64 `json:"score" doc:"retriever's score, or relevance 0 to 10 after the filter" example:"8"`
}

// A queryView is a past question.
type queryView struct {
	QueryID   string              `json:"query_id" doc:"id of the question" example:"0197f0c2-5a3b-7c1d-8e4f-0a1b2c3d4e5f"`
	CreatedAt time.Time           `json:"created_at" doc:"time when it was asked" example:"2026-03-02T09:30:00Z"`
	Question  string              `json:"question" doc:"the question, or the transcript" example:"Which river?"`
	Target    string              `json:"target,omitempty" doc:"name of the target; absent: the built-in pipeline" example:"slow"`
	Profile   string              `json:"profile" doc:"name of the profile" example:"A"`
	Answer    string              `json:"answer" doc:"the answer" example:"The Rhine."`
	KeyQs     []string            `json:"extracted_key_questions" nullable:"false" doc:"sub-questions, or the question" example:"Which river?"`
	Timing    accuracy.Timing     `json:"timing" doc:"durations of the stages"`
	Prompts   accuracy.Prompts    `json:"prompts" doc:"prompts and models of the stages"`
	Sources   []accuracy.Metadata `json:"sources" doc:"chunks that were in the generation prompt" nullable:"false"`
}

func (s *Server) queries() {
	events := s.sends(map[string]any{
		"transcribed": transcribedEvent{}, "decomposed": decomposedEvent{}, "retrieved": passagesEvent{}, "filtered": passagesEvent{},
		"answer": answerEvent{}, "done": queryDone{}, "error": queryFailed{},
	})
	register(s, "query", func(ctx context.Context, in *struct{ Body queryRequest }) (*huma.StreamResponse, error) {
		release, err := s.opened()
		if err != nil {
			return nil, err
		}
		q, err := s.query(ctx, in.Body)
		if err != nil {
			release()
			return nil, err
		}
		return &huma.StreamResponse{Body: func(c huma.Context) {
			defer release()
			defer q.close()
			// The client is gone, so there is nobody to reply to.
			_ = q.stream(c.Context(), newEventStream(c))
		}}, nil
	}, events)
	register(s, "list-queries", func(ctx context.Context, in *Paging) (*list[queryView], error) {
		return listItems(ctx, s, store.KindQuestion, store.ItemQuery{}, *in, func(it store.Item) (v queryView, err error) {
			err = s.readItem(ctx, store.KindQuestion, it.ID, &v)
			return v, err
		})
	})
}

// A query is a question that is being answered.
type query struct {
	question
	s       *Server
	on      *serving
	release func()
	id      string
	// caller counts the replies of the pipeline's models.
	caller llm.Caller
}

// query checks a question before the stream begins. The error is a problem.
func (s *Server) query(ctx context.Context, in queryRequest) (_ *query, err error) {
	q := &query{s: s, question: question{text: in.Question}}
	switch {
	case in.Audio == nil && strings.TrimSpace(in.Question) == "":
		return nil, wrong("body.question", "blank: expected a question, or audio", in.Question)
	case in.Audio != nil && in.Question != "":
		return nil, wrong("body.audio", "is given beside question: expected one of them", nil)
	}
	name := in.Profile
	if name == "" {
		name = s.cfg.Settings.Config.Profile
	}
	if q.profile, err = s.profiles().Profile(ctx, name); err != nil {
		if errors.Is(err, store.ErrNotFound) {
			return nil, wrong("body.profile", err.Error(), name)
		}
		return nil, s.fail(ctx, err)
	}
	if q.id, err = s.newID(); err != nil {
		return nil, s.fail(ctx, err)
	}
	if q.on, q.release, err = s.servings.take(ctx, in.Target); err != nil {
		return nil, err
	}
	if in.Audio != nil {
		a := in.Audio
		err = q.record(ctx, q.on, a.Filename, a.Language, bytes.NewReader(a.Content), "body.audio.filename", "body.audio.content")
		if err != nil {
			q.close()
			return nil, s.fail(ctx, err)
		}
	}
	return q, nil
}

// close releases the resources of the question.
func (q *query) close() {
	q.release()
	q.remove()
}

// stream asks the question and sends each stage as it ends.
func (q *query) stream(ctx context.Context, out *eventStream) error {
	created := q.s.now()
	// Buffered, so that the pipeline does not block when the client is gone.
	stages := make(chan assay.Stage, 64)
	end := make(chan answered, 1)
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	done := make(chan struct{})
	go func() {
		defer close(done)
		q.caller.Run = q.id
		a := q.on.ask(llm.WithCaller(ctx, &q.caller), q.id, q.question, func(s assay.Stage) {
			select {
			case stages <- s:
			case <-ctx.Done():
			}
		})
		close(stages)
		end <- a
	}()
	// Wait for the question before the pipeline or recording is closed.
	defer func() { cancel(); <-done }()
	heart := time.NewTicker(q.s.cfg.Heartbeat)
	defer heart.Stop()
	observed := 0
	for open := true; open; {
		select {
		case s, more := <-stages:
			if open = more; more {
				observed++
				if err := addStage(out, s); err != nil {
					return err
				}
			}
		case <-heart.C:
			out.beat()
		case <-ctx.Done():
			return ctx.Err()
		}
		if err := out.send(); err != nil {
			return err
		}
	}
	a := <-end
	if a.err != nil {
		return q.fail(ctx, out, a.err)
	}
	if observed == 0 && a.r.Trace != nil {
		// Other systems report their stages with the answer.
		for _, s := range a.r.Trace.Stages {
			if err := addStage(out, s); err != nil {
				return err
			}
		}
	}
	return q.finish(ctx, out, created, a)
}

// fail sends an error event.
func (q *query) fail(ctx context.Context, out *eventStream, err error) error {
	problem := q.s.unanswered(ctx, q.on, err)
	f := queryFailed{Status: http.StatusBadGateway, Detail: problem.Error()}
	var said huma.StatusError
	if errors.As(problem, &said) {
		f.Status = said.GetStatus()
	}
	if err := out.add("error", "", f); err != nil {
		return err
	}
	return out.send()
}

// finish stores the question and sends the answer and the last event.
func (q *query) finish(ctx context.Context, out *eventStream, created time.Time, a answered) error {
	result := q.s.resultOf(q.on, q.question, a, q.id, created)
	result.ModelReplies = modelReplies(&q.caller)
	v := queryView{
		QueryID: q.id, CreatedAt: created, Question: result.Input.Text, Target: q.on.name, Profile: q.profile.Name, Answer: a.r.Answer,
		KeyQs: result.ExtractedKeyQuestions, Timing: result.Timing, Prompts: result.Prompts, Sources: []accuracy.Metadata{},
	}
	seen := map[string]bool{}
	for _, part := range result.Response.SubQuestionSources {
		for _, m := range part.Sources {
			if k := fmt.Sprint(m.DocumentID, " ", m.ChunkIndex, " ", m.ChunkID); !seen[k] {
				seen[k] = true
				v.Sources = append(v.Sources, m)
			}
		}
	}
	// Store it even if the client is gone: the models were paid.
	if err := q.s.keep(context.WithoutCancel(ctx), store.KindQuestion, q.id, text.Shorten(v.Question, 100), "", v); err != nil {
		return q.fail(ctx, out, err)
	}
	for _, piece := range pieces(a.r.Answer) {
		if err := out.add("answer", "", answerEvent{piece}); err != nil {
			return err
		}
		if err := out.send(); err != nil {
			return err
		}
	}
	done := queryDone{QueryID: q.id, Answer: a.r.Answer, Result: result}
	if a.r.Trace != nil {
		fillLists(a.r.Trace)
		done.Trace.RawMessage, _ = json.Marshal(a.r.Trace) // it was read from JSON, or is the pipeline's own
	}
	if err := out.add("done", "", done); err != nil {
		return err
	}
	return out.send()
}

// pieces splits an answer after its sentences.
func pieces(answer string) (out []string) {
	begin := 0
	for _, span := range text.Sentences(answer) {
		if span.End > begin {
			out = append(out, answer[begin:span.End])
			begin = span.End
		}
	}
	if begin < len(answer) {
		out = append(out, answer[begin:])
	}
	return out
}

// addStage adds the event of a stage, if it has one.
func addStage(out *eventStream, s assay.Stage) error {
	ms := s.Latency.Milliseconds()
	switch s.Name {
	case assay.StageTranscribe:
		var said string
		if json.Unmarshal(s.Output, &said) == nil {
			return out.add("transcribed", "", transcribedEvent{said, ms})
		}
	case assay.StageDecompose:
		var questions []string
		if json.Unmarshal(s.Output, &questions) == nil {
			return out.add("decomposed", "", decomposedEvent{append([]string{}, questions...), ms})
		}
	case assay.StageRetrieve, assay.StageFilter:
		var found []assay.Passage
		if json.Unmarshal(s.Output, &found) != nil {
			return nil
		}
		e := passagesEvent{Index: max(0, s.SubQuestion-1), Chunks: make([]queryPassage, 0, len(found)), TimeMS: ms, Note: s.Note}
		// A stage without input worked on the whole question.
		_ = json.Unmarshal(s.Input, &e.Question)
		for _, p := range found {
			e.Chunks = append(e.Chunks, queryPassage{p.ID, p.Document, p.Source, p.Index, p.Text, p.Score})
		}
		name := "retrieved"
		if s.Name == assay.StageFilter {
			name = "filtered"
		}
		return out.add(name, "", e)
	}
	return nil
}
