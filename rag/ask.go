package rag

import (
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"golang.org/x/sync/errgroup"

	"github.com/assay-eval/assay"
	"github.com/assay-eval/assay/rag/profile"
	"github.com/assay-eval/assay/target/reply"
)

// Options are the options of one question, in addition to its case.
type Options struct {
	// Given are outputs that replace those of stages.
	Given assay.Given
	// Profile, if set, overrides the config's.
	Profile *profile.Profile
	// Recording, if set, is transcribed, and the transcript is the question.
	Recording *assay.Recording
	// Heard, if set, receives the transcription.
	Heard func(assay.Transcription)
	// Observe, if set, receives each stage when it has ended, in the order of the
	// trace, on the asking goroutine. All passages have their texts.
	Observe func(assay.Stage)
}

// Ask sends the case's question, or the transcript of its recording if there is a
// transcriber, through the stages of the pipeline: transcribe, decompose, retrieve,
// filter and generate. With a decomposition there is a retrieve and a filter stage for
// each sub-question, and [assay.Interleave] merges their results. A hybrid retrieve
// stage follows its parts, "retrieve/sparse" and "retrieve/dense", whose latency is
// included in its own.
//
// Passages in the trace have no texts if the response has them. The passages of the
// response are the generator's candidates, and citations refer to them.
//
// Errors: ctx's, the embedder's, a closed pipeline, a *[StageError]. An error comes
// without a response, of which it has the usage alone: part of an answer is not an answer.
func (p *Pipeline) Ask(ctx context.Context, c *assay.Case) (assay.Response, error) {
	return p.AskWith(ctx, c, Options{})
}

// AskGiven is Ask with given outputs instead of those of stages, whether or not the
// pipeline has those stages. A single list of passages is used for every sub-question.
// Passages without a text are looked up in the index.
func (p *Pipeline) AskGiven(ctx context.Context, c *assay.Case, given assay.Given) (assay.Response, error) {
	return p.AskWith(ctx, c, Options{Given: given})
}

// AskWith is Ask with options.
func (p *Pipeline) AskWith(ctx context.Context, c *assay.Case, o Options) (assay.Response, error) {
	p.open.RLock()
	defer p.open.RUnlock()
	if p.closed {
		return assay.Response{}, errors.New("the pipeline is closed")
	}
	if p.config.usesDense() && p.dense == nil {
		return assay.Response{}, errors.New("the passages are not embedded: want Pipeline.Open before the first question")
	}
	if err := ctx.Err(); err != nil {
		return assay.Response{}, err
	}
	begun := p.now()
	w := &work{Pipeline: p, o: o, c: c, begun: begun, turn: Turn{Question: c.Question, Profile: p.config.Profile, Draw: c.Draw}}
	if o.Profile != nil {
		w.turn.Profile = *o.Profile
	}
	r, err := w.run(ctx)
	if ctx.Err() != nil {
		err = ctx.Err()
	}
	if err != nil {
		return assay.Response{Usage: w.usage}, err
	}
	r.Latency = p.since(begun)
	return r, nil
}

// work is the state of one question in the pipeline.
type work struct {
	*Pipeline
	o     Options
	begun time.Time
	c     *assay.Case
	turn  Turn
	trace []stage
	usage assay.Usage
	// heard is set if the question was transcribed.
	heard bool
	// stop is why the model's answer ended.
	stop string
	// parted is set if there are sub-questions.
	parted bool
}

// stage is a trace entry whose passages are not encoded yet: only at the end is it
// known which of them the response has.
type stage struct {
	assay.Stage
	in, out []found
	// bare passages are always encoded without their texts.
	bare bool
}

// found is a passage and its position in the index, -1 if it is not there.
type found struct {
	assay.Passage
	at int
}

// wasGiven is the note of a stage whose output was given.
const wasGiven = "given instead of the stage's output"

func (w *work) run(ctx context.Context) (assay.Response, error) {
	var r assay.Response
	if err := w.transcribe(ctx); err != nil {
		return r, err
	}
	questions, err := w.decompose(ctx)
	if err != nil {
		return r, err
	}
	lists, err := w.retrieveAll(ctx, questions)
	if err != nil {
		return r, err
	}
	if lists, err = w.filter(ctx, questions, lists); err != nil {
		return r, err
	}
	merged := lists[0]
	if len(lists) > 1 {
		merged = interleave(lists)
	}
	r.Passages = make([]assay.Passage, 0, len(merged))
	for _, f := range merged {
		r.Passages = append(r.Passages, f.Passage)
	}
	if r.Answer, err = w.answer(ctx, questions, lists, merged); err != nil {
		return r, err
	}
	reply.Ended(&r, w.stop)
	r.NoAnswer = w.config.Generator == NoGenerator
	r.Usage = w.usage
	r.Trace = w.written(merged)
	return r, nil
}

// interleave is [assay.Interleave] for passages with positions in the index.
func interleave(lists [][]found) []found {
	plain := make([][]assay.Passage, len(lists))
	for i, l := range lists {
		for _, f := range l {
			plain[i] = append(plain[i], f.Passage)
		}
	}
	var out []found
	for _, p := range assay.Interleave(plain) {
		for _, l := range lists {
			if i := slices.IndexFunc(l, func(f found) bool { return f.Same(p) }); i >= 0 {
				out = append(out, found{p, l[i].at})
				break
			}
		}
	}
	return out
}

// transcribe turns a recording into the question.
func (w *work) transcribe(ctx context.Context) error {
	given := w.o.Given.Transcript
	rec := w.o.Recording
	if rec == nil && w.c.Audio != "" && (w.config.Transcriber != nil || given != nil) {
		one := w.config.Recording(w.c)
		rec = &one
	}
	switch {
	case given != nil:
		s := stage{Stage: assay.Stage{Name: assay.StageTranscribe, Output: raw(*given), Note: wasGiven}}
		if rec != nil {
			s.Input = raw(rec.Name)
		}
		w.turn.Question, w.heard = *given, true
		w.add(s)
		return nil
	case rec == nil:
		return nil
	case w.config.Transcriber == nil:
		return &StageError{Stage: assay.StageTranscribe, Err: lasting("recording %q: the pipeline has no transcriber", rec.Name)}
	}
	begun := w.now()
	t, err := w.config.Transcriber.Transcribe(ctx, *rec)
	if err != nil {
		return &StageError{Stage: assay.StageTranscribe, Err: err}
	}
	if w.o.Heard != nil {
		w.o.Heard(t)
	}
	var notes []string
	if t.Language != "" {
		notes = append(notes, "language "+t.Language)
	}
	if t.Duration > 0 {
		notes = append(notes, "duration "+t.Duration.Round(time.Millisecond).String())
	}
	if strings.TrimSpace(t.Text) == "" {
		notes = append(notes, "empty transcript")
	}
	w.turn.Question, w.heard = t.Text, true
	w.usage = w.usage.Plus(t.Usage)
	w.add(stage{Stage: assay.Stage{
		Name: assay.StageTranscribe, Model: w.config.Transcriber.Identity(), Latency: w.since(begun),
		Input: raw(rec.Name), Output: raw(t.Text), Note: strings.Join(notes, "; "),
	}})
	return nil
}

// recordingOf returns a case's recording, whose path is relative to the file of the
// case.
func recordingOf(c *assay.Case) assay.Recording {
	path := c.Audio
	if !filepath.IsAbs(path) && c.Origin.File != "" {
		path = filepath.Join(filepath.Dir(c.Origin.File), path)
	}
	return assay.Recording{Name: filepath.Base(c.Audio), Path: path}
}

// decompose returns the sub-questions: the question itself if there is no decomposer.
func (w *work) decompose(ctx context.Context) ([]string, error) {
	q := w.turn.Question
	s := stage{Stage: assay.Stage{Name: assay.StageDecompose, Input: raw(q)}}
	if given := w.o.Given.SubQuestions; given != nil {
		if len(given) == 0 {
			return nil, &StageError{Stage: assay.StageDecompose, Err: lasting("0 sub-questions are given: want 1 or more")}
		}
		w.parted = true
		s.Output, s.Note = raw(given), wasGiven
		w.add(s)
		return given, nil
	}
	if w.config.Decomposer == nil {
		return []string{q}, nil
	}
	begun := w.now()
	questions, step, err := w.config.Decomposer.Decompose(ctx, w.turn, q)
	w.usage = w.usage.Plus(step.Usage)
	if err == nil && (len(questions) == 0 || len(questions) > MaxSubQuestions) {
		err = lasting("%d sub-questions: want 1 to %d", len(questions), MaxSubQuestions)
	}
	if err != nil {
		return nil, &StageError{Stage: assay.StageDecompose, Err: err}
	}
	w.parted = true
	s.Model, s.Prompt, s.Note, s.Latency, s.Output = w.config.Decomposer.Identity(), step.Prompt, step.Note, w.since(begun), raw(questions)
	w.add(s)
	return questions, nil
}

// number numbers sub-questions from 1; it returns 0 if there are none.
func (w *work) number(i int) int {
	if w.parted {
		return i + 1
	}
	return 0
}

// retrieveAll retrieves passages for each question, best first.
func (w *work) retrieveAll(ctx context.Context, questions []string) ([][]found, error) {
	if given := w.o.Given.Retrieved; given != nil {
		return w.put(assay.StageRetrieve, questions, given)
	}
	// Dense retrieval would return passages for an empty question.
	empty := func(q string) bool { return w.heard && strings.TrimSpace(q) == "" }
	near, err := w.searchDense(ctx, slices.DeleteFunc(slices.Clone(questions), empty))
	if err != nil {
		return nil, err
	}
	lists := make([][]found, len(questions))
	for i, q := range questions {
		if empty(q) {
			lists[i] = []found{}
			w.add(stage{Stage: assay.Stage{Name: assay.StageRetrieve, SubQuestion: w.number(i), Model: w.model(), Input: raw(q),
				Note: "empty question, nothing to search for"}, out: lists[i]})
			continue
		}
		first := len(w.trace)
		hits, took := near.next()
		lists[i] = w.retrieve(q, hits, took)
		for j := range w.trace[first:] {
			w.trace[first+j].SubQuestion = w.number(i)
		}
		w.tell(first)
	}
	return lists, nil
}

// put uses given lists of passages as the output of a stage.
func (w *work) put(name string, questions []string, given [][]assay.Passage) ([][]found, error) {
	if len(given) != len(questions) && len(given) != 1 {
		return nil, &StageError{Stage: name,
			Err: lasting("%d lists of passages are given for %d sub-questions: want one for each, or one for all", len(given), len(questions))}
	}
	lists := make([][]found, len(questions))
	for i, q := range questions {
		lists[i] = []found{}
		for _, a := range given[min(i, len(given)-1)] {
			f := found{a, w.placeOf(a)}
			if f.at >= 0 && a.Text == "" {
				f.Passage = w.passage(f.at, a.Score)
			}
			lists[i] = append(lists[i], f)
		}
		s := stage{Stage: assay.Stage{Name: name, SubQuestion: w.number(i), Note: wasGiven}, out: lists[i]}
		s.Input = raw(q)
		w.add(s)
	}
	return lists, nil
}

// filter keeps the sufficiently or most relevant passages of each list, most relevant
// first.
func (w *work) filter(ctx context.Context, questions []string, lists [][]found) ([][]found, error) {
	if given := w.o.Given.Kept; given != nil {
		return w.put(assay.StageFilter, questions, given)
	}
	if w.config.Filter == nil {
		return lists, nil
	}
	type outcome struct {
		kept []found
		s    stage
		step Step
	}
	done := make([]outcome, len(questions))
	// There are few sub-questions, which mostly wait for a model.
	group, within := errgroup.WithContext(ctx)
	for i, q := range questions {
		group.Go(func() error {
			begun := w.now()
			var start *time.Duration
			if len(questions) > 1 {
				d := begun.Sub(w.begun)
				start = &d
			}
			kept, note, step, err := w.relevant(within, q, lists[i])
			if done[i].step = step; err != nil {
				return &StageError{Stage: assay.StageFilter, SubQuestion: w.number(i), Err: err}
			}
			if step.Note != "" {
				note += "; " + step.Note
			}
			done[i] = outcome{kept, stage{out: kept, Stage: assay.Stage{
				Name: assay.StageFilter, SubQuestion: w.number(i), Model: w.filterModel(), Prompt: step.Prompt,
				Latency: w.since(begun), Start: start, Input: raw(q), Note: note,
			}}, step}
			return nil
		})
	}
	err := group.Wait()
	for _, d := range done {
		w.usage = w.usage.Plus(d.step.Usage)
	}
	if err != nil {
		return nil, err
	}
	out := make([][]found, len(questions))
	for i, d := range done {
		out[i] = d.kept
		w.add(d.s)
	}
	return out, nil
}

// filterModel returns the filter's name with its threshold, or the number that it keeps.
func (p *Pipeline) filterModel() string {
	if p.config.Keep > 0 {
		return fmt.Sprintf("%s, the best %d", p.config.Filter.Identity(), p.config.Keep)
	}
	return fmt.Sprintf("%s, %s or more", p.config.Filter.Identity(), number(p.config.Threshold))
}

// relevant filters one list.
func (w *work) relevant(ctx context.Context, question string, list []found) (kept []found, note string, step Step, err error) {
	kept = []found{}
	if len(list) == 0 {
		return kept, "there are no passages", step, nil
	}
	plain := make([]assay.Passage, len(list))
	for i, f := range list {
		plain[i] = f.Passage
	}
	scores, step, err := w.config.Filter.Relevance(ctx, w.turn, question, plain)
	if err == nil && len(scores) != len(list) {
		err = lasting("%d scores for %d passages", len(scores), len(list))
	}
	if err != nil {
		return nil, "", step, err
	}
	var dropped []string
	drop := func(f found, format string) { dropped = append(dropped, fmt.Sprintf("%s ("+format+")", f.ID, f.Score)) }
	for i, f := range list {
		f.Score = scores[i]
		if w.config.Keep == 0 && !(f.Score >= w.config.Threshold) {
			drop(f, "%.1f")
			continue
		}
		kept = append(kept, f)
	}
	slices.SortStableFunc(kept, func(a, b found) int {
		switch {
		case a.Score > b.Score:
			return -1
		case a.Score < b.Score:
			return 1
		}
		return 0
	})
	if most := w.config.Keep; most > 0 && len(kept) > most {
		for _, f := range kept[most:] {
			drop(f, "%.4g")
		}
		kept = kept[:most]
	}
	note = fmt.Sprintf("%d of %d passages kept", len(kept), len(list))
	if dropped != nil {
		note += "; dropped " + strings.Join(dropped, ", ")
	}
	return kept, note, step, nil
}

// answer generates the answer from the lists of passages, which are numbered by their
// position in merged.
func (w *work) answer(ctx context.Context, questions []string, lists [][]found, merged []found) (string, error) {
	switch w.config.Generator {
	case NoGenerator:
		return "", nil
	case Extractive:
		return w.extract(ctx, questions, lists, merged)
	}
	sections := make([]Section, len(questions))
	for i, q := range questions {
		sections[i].Question = q
		for _, f := range lists[i] {
			sections[i].Passages = append(sections[i].Passages, Numbered{placeIn(merged, f), f.Passage})
		}
	}
	begun := w.now()
	a, step, err := w.config.Answerer.Answer(ctx, w.turn, sections)
	w.usage = w.usage.Plus(step.Usage)
	if err != nil {
		return "", &StageError{Stage: assay.StageGenerate, Err: err}
	}
	w.stop = a.Stop
	given := make([]found, 0, len(a.Given))
	for _, n := range a.Given {
		if n >= 1 && n <= len(merged) {
			given = append(given, merged[n-1])
		}
	}
	w.add(stage{in: given, Stage: assay.Stage{
		Name: assay.StageGenerate, Model: w.config.Answerer.Identity(), Prompt: step.Prompt, Latency: w.since(begun),
		Output: raw(a.Text), Note: step.Note,
	}})
	return a.Text, nil
}

// placeIn returns the number of a passage in the response, from 1.
func placeIn(merged []found, f found) int {
	return 1 + slices.IndexFunc(merged, func(m found) bool { return m.Same(f.Passage) })
}

// add appends a stage to the trace and notifies the observer.
func (w *work) add(s stage) {
	w.trace = append(w.trace, s)
	w.tell(len(w.trace) - 1)
}

// tell passes the stages from first on to the observer.
func (w *work) tell(first int) {
	if w.o.Observe == nil {
		return
	}
	for _, s := range w.trace[first:] {
		w.o.Observe(s.written(nil))
	}
}

// written returns the trace, with texts only for passages that the response lacks.
func (w *work) written(merged []found) *assay.Trace {
	has := make(map[string]bool, len(merged))
	for _, f := range merged {
		has[f.ID] = f.ID != ""
	}
	t := &assay.Trace{Stages: make([]assay.Stage, 0, len(w.trace))}
	for _, s := range w.trace {
		t.Stages = append(t.Stages, s.written(func(f found) bool {
			return s.bare || has[f.ID] || f.ID == "" && placeIn(merged, f) > 0
		}))
	}
	return t
}

// written returns the trace entry; passages that are known elsewhere have no texts.
func (s stage) written(known func(found) bool) assay.Stage {
	write := func(list []found) []assay.Passage {
		out := make([]assay.Passage, 0, len(list))
		for _, f := range list {
			a := f.Passage
			if known != nil && known(f) && (a.ID != "" || a.Document != "") {
				a.Text, a.Title, a.Source = "", "", ""
			}
			out = append(out, a)
		}
		return out
	}
	if s.in != nil {
		s.Input = raw(write(s.in))
	}
	if s.out != nil {
		s.Output = raw(write(s.out))
	}
	return s.Stage
}
