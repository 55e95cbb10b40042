package server

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/assay-eval/assay"
	"github.com/assay-eval/assay/internal/accuracy"
	"github.com/assay-eval/assay/internal/config"
	"github.com/assay-eval/assay/internal/wire"
	"github.com/assay-eval/assay/rag"
)

// ledgerRun is the run id under which the ledger keeps calls of single questions.
const ledgerRun = "serve"

// errNoDocuments means that the pipeline has no corpus.
var errNoDocuments = errors.New(
	"the built-in pipeline has no documents: POST some to " + prefix + "/documents, or start the server with the setting corpus",
)

// A serving is an open target that answers single questions. It stays open between
// requests.
type serving struct {
	name     string
	settings *config.Resolved
	// pipeline is the built-in one; nil for other systems, which other is.
	pipeline *rag.Pipeline
	other    *wire.OpenTarget
	// transcriber transcribes for other systems; may be nil.
	transcriber assay.Transcriber
	now         func() time.Time

	// of is the version of the documents it was opened with; asked counts the
	// requests that use it.
	of    int
	asked int
	// gone is set when it was replaced.
	gone bool
}

// target is the system to ask.
func (v *serving) target() assay.Target {
	if v.pipeline != nil {
		return v.pipeline
	}
	return v.other.Target
}

// hears reports whether it takes recordings.
func (v *serving) hears() bool {
	if v.pipeline != nil {
		return v.pipeline.HasStage(assay.StageTranscribe)
	}
	return v.transcriber != nil
}

// answered is the outcome of a question. heard is nil for a text question.
type answered struct {
	r     assay.Response
	heard *assay.Transcription
	err   error
}

// ask asks a question, or transcribes and asks a recording, with the prompts of
// its profile. observe may be nil; it is called with each stage of the built-in
// pipeline as the stage ends.
func (v *serving) ask(ctx context.Context, id string, q question, observe func(assay.Stage)) (out answered) {
	c := &assay.Case{ID: id, Question: q.text}
	if v.pipeline != nil {
		out.r, out.err = v.pipeline.AskWith(ctx, c, rag.Options{
			Profile: &q.profile, Recording: q.rec, Heard: func(t assay.Transcription) { out.heard = &t }, Observe: observe,
		})
		return out
	}
	var spoken assay.Stage
	if q.rec != nil {
		begun := v.now()
		t, err := v.transcriber.Transcribe(ctx, *q.rec)
		if err != nil {
			out.err = &rag.StageError{Stage: assay.StageTranscribe, Err: err}
			return out
		}
		out.heard, c.Question = &t, t.Text
		input, _ := json.Marshal(q.rec.Name) // texts can be written
		output, _ := json.Marshal(t.Text)
		spoken = assay.Stage{
			Name: assay.StageTranscribe, Model: v.transcriber.Identity(), Latency: v.now().Sub(begun), Input: input, Output: output,
		}
	}
	if out.r, out.err = v.other.Ask(ctx, c); out.err == nil {
		out.err = v.settings.Secrets().Hide(&out.r)
	}
	if out.err == nil && q.rec != nil {
		trace := assay.Trace{Stages: []assay.Stage{spoken}}
		if told := out.r.Trace; told != nil {
			trace.Stages = append(trace.Stages, told.Stages...)
			if told.Latency > 0 {
				trace.Latency = told.Latency + spoken.Latency
			}
		}
		out.r.Trace = &trace
		out.r.Latency += spoken.Latency
	}
	return out
}

// index is the target's index, nil when the target does not expose one.
func (v *serving) index() assay.Index {
	x, _ := v.target().(assay.Index)
	return x
}

// corpus identifies what the target searches, nil if it does not say.
func (v *serving) corpus() *accuracy.Corpus {
	if v.pipeline == nil {
		return nil
	}
	return &accuracy.Corpus{Hash: v.pipeline.Corpus().Hash, Chunking: v.pipeline.Settings()["chunk"]}
}

func (v *serving) close() error {
	var c io.Closer = v.pipeline
	if v.pipeline == nil {
		c = v.other
	}
	return c.Close()
}

// servings holds the open targets.
type servings struct {
	s *Server

	mu   sync.Mutex
	open map[string]*serving
	// opening holds a lock per target, held while it is opened.
	opening map[string]*sync.Mutex
	// documents is the version of the uploaded documents.
	documents int
}

// changed records that the documents changed.
func (v *servings) changed() {
	v.mu.Lock()
	v.documents++
	v.mu.Unlock()
}

// settingsOf returns the settings of a target by name. The error is a problem.
func (s *Server) settingsOf(name string) (*config.Resolved, error) {
	r, err := s.cfg.Settings.Clone()
	if err != nil {
		return nil, err
	}
	if err := s.checkTarget(name); err != nil {
		return nil, err
	}
	if name != "" && name != defaultTarget {
		if err := r.Apply(name); err != nil {
			return nil, unavailable("the settings of the target cannot be used: " + r.Secrets().Scrub(err.Error()))
		}
	}
	// Results show every stage, so decompose by rule unless a setting says otherwise.
	if r.From("decomposer") == config.FromDefault {
		if err := r.Set("decomposer", "rule", config.FromDefault, string(config.FromDefault)); err != nil {
			return nil, err
		}
	}
	return r, r.Imply()
}

// checkTarget is a problem if a request names a target that there is not.
func (s *Server) checkTarget(name string) error {
	if name == "" || slices.Contains(s.targetNames(), name) {
		return nil
	}
	return wrong("body.target", "unknown target: expected one of "+quoted(s.targetNames()), name)
}

// take returns the open target of a name. The caller calls release when done. The
// error is a problem.
func (v *servings) take(ctx context.Context, name string) (_ *serving, release func(), err error) {
	if err := v.s.checkTarget(name); err != nil {
		return nil, nil, err
	}
	if name == defaultTarget {
		name = ""
	}
	lock := v.lock(name)
	lock.Lock()
	defer lock.Unlock()
	v.mu.Lock()
	now, of := v.open[name], v.documents
	if now != nil && (now.of == of || now.pipeline == nil) {
		now.asked++
		v.mu.Unlock()
		return now, func() { v.release(now) }, nil
	}
	v.mu.Unlock()

	// Other requests wait for it too, so opening is not cancelled with this one.
	next, err := v.begin(context.WithoutCancel(ctx), name)
	if err != nil {
		return nil, nil, v.s.notOpen(ctx, name, err)
	}
	next.of, next.asked = of, 1
	v.mu.Lock()
	v.open[name] = next
	v.mu.Unlock()
	if now != nil {
		v.retire(now)
	}
	return next, func() { v.release(next) }, nil
}

func (v *servings) lock(name string) *sync.Mutex {
	v.mu.Lock()
	defer v.mu.Unlock()
	if v.opening[name] == nil {
		v.opening[name] = new(sync.Mutex)
	}
	return v.opening[name]
}

// begin opens a target.
func (v *servings) begin(ctx context.Context, name string) (*serving, error) {
	s := v.s
	r, err := s.settingsOf(name)
	if err != nil {
		return nil, err
	}
	w := s.cfg.World
	w.Stop = s.stopping
	w.Profile = s.profiles().Profile
	out := &serving{name: name, settings: r, now: w.Now}
	models, err := wire.OpenModels(r.Config, w)
	if err != nil {
		return nil, err
	}
	if !r.Pipelined() {
		if out.transcriber, err = models.Transcriber(); err != nil {
			return nil, err
		}
		if err := models.Connect(s.store, ledgerRun, 0); err != nil {
			return nil, err
		}
		out.other, err = wire.Open(ctx, r, w, s.store, ledgerRun)
		return out, err
	}
	var docs []assay.Document
	if r.Corpus != "" {
		if docs, _, err = wire.Folder(ctx, r.Corpus, w.Path, true); err != nil {
			return nil, err
		}
	}
	more, err := s.documents.uploaded(ctx)
	if err != nil {
		return nil, err
	}
	docs = append(docs, more...)
	if len(more) > 0 {
		// Deleted documents must not survive in a cache.
		w.CacheDir = ""
	}
	if len(docs) == 0 {
		return nil, errNoDocuments
	}
	if out.pipeline, err = wire.Pipeline(ctx, r.Config, w, wire.Parts{Documents: docs, Models: models, Embedder: models.Embedder}); err != nil {
		return nil, err
	}
	if err := models.Connect(s.store, ledgerRun, 0); err != nil {
		return nil, errors.Join(err, out.pipeline.Close())
	}
	if err := out.pipeline.Open(ctx); err != nil {
		return nil, errors.Join(err, out.pipeline.Close())
	}
	return out, nil
}

// release returns a target after use.
func (v *servings) release(one *serving) {
	v.closeUnused(one, func() { one.asked-- })
}

// retire closes a target once no request uses it.
func (v *servings) retire(one *serving) {
	v.closeUnused(one, func() { one.gone = true })
}

// closeUnused changes the use of a target, and closes it if that was the last one.
func (v *servings) closeUnused(one *serving, change func()) {
	v.mu.Lock()
	change()
	last := one.gone && one.asked == 0
	v.mu.Unlock()
	if !last {
		return
	}
	if err := one.close(); err != nil {
		v.s.log.Warn("target could not be closed", "target", one.name, "error", err)
	}
}

// closeAll retires all targets.
func (v *servings) closeAll() {
	v.mu.Lock()
	var all []*serving
	for name, one := range v.open {
		all = append(all, one)
		delete(v.open, name)
	}
	v.mu.Unlock()
	for _, one := range all {
		v.retire(one)
	}
}

// notOpen is the problem of a target that cannot be opened.
func (s *Server) notOpen(ctx context.Context, name string, err error) error {
	var problem interface{ GetStatus() int }
	switch {
	case errors.As(err, &problem):
		return err
	case errors.Is(err, errNoDocuments):
		return conflict(err.Error())
	}
	name = cmp.Or(name, defaultTarget)
	message := s.cfg.Settings.Secrets().Scrub(err.Error())
	s.log.ErrorContext(ctx, "target cannot be opened", "target", name, "error", message)
	return unavailable(fmt.Sprintf("target %q cannot be opened: %s", name, message))
}

// describe adds what is known of a document to a chunk's metadata.
func (v *servings) describe(p assay.Passage, m *accuracy.Metadata) {
	if strings.HasSuffix(filepath.ToSlash(p.Source), "/"+p.Document) {
		// Do not reveal the folder of the corpus.
		m.Filename = p.Document
	}
	if at, ok := v.s.documents.uploadedAt(p.Document); ok {
		m.UploadDate = &at
	}
}
