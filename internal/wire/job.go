// Package wire performs one run as it is configured: it loads the dataset, opens
// the target, chooses the metrics, drives the engine, keeps every record, and
// gives the report. The command line and the server share it.
package wire

import (
	"context"
	"errors"
	"fmt"
	"runtime"
	"slices"
	"time"

	"github.com/assay-eval/assay"
	"github.com/assay-eval/assay/dataset"
	"github.com/assay-eval/assay/gate"
	"github.com/assay-eval/assay/internal/config"
	"github.com/assay-eval/assay/internal/secret"
	"github.com/assay-eval/assay/judge"
	"github.com/assay-eval/assay/llm"
	"github.com/assay-eval/assay/metric"
	"github.com/assay-eval/assay/metric/stage"
	"github.com/assay-eval/assay/rag"
	"github.com/assay-eval/assay/rag/embed"
	"github.com/assay-eval/assay/rag/transcribe"
	"github.com/assay-eval/assay/report"
	"github.com/assay-eval/assay/run"
	"github.com/assay-eval/assay/store"
	"github.com/assay-eval/assay/target"
)

// A Job is a run that is ready to start.
type Job struct {
	cfg    config.Config
	world  World
	header assay.Header
	// cases has each once, however often it is asked; see [Job.draws].
	cases   []assay.Case
	metrics []metric.Metric
	target  assay.Target
	// free is set when asking the target costs nothing.
	free bool
	// rehearsed is set when it costs nothing with a stand-in for its models.
	rehearsed bool
	scoring   scoring
	composite metric.Composite
	secrets   secret.Set
	embed     assay.Embedder
	models    *Models
	judge     judge.Judge
	// redraw gives the judge for a draw of a case; nil when formulas judge,
	// which say the same each time.
	redraw func(draw int) judge.Judge
	// again is how often the first draw of each case is judged once more.
	again int
	plan  judge.Plan
	// attribute finds the stage that lost a case; nil when nobody wants to know.
	attribute *stage.Attributor
	outcome   stage.Outcome
	policy    gate.Policy
	grade     int
	resumed   bool
	// waited is set when the run is kept already and nothing of it is done.
	waited bool
	close  func() error
}

// Prepare loads and checks everything that the run needs, so that a mistake is
// found before the first question is asked.
func Prepare(ctx context.Context, r *config.Resolved, w World) (_ *Job, err error) {
	j := &Job{cfg: r.Config, world: w, secrets: r.Secrets(), close: func() error { return nil }}
	defer func() {
		if err != nil {
			err = errors.Join(err, j.Close())
		}
	}()
	if j.policy, err = Policy(r, w.Path); err != nil {
		return nil, err
	}
	data, err := loadDataset(ctx, r.Config, w)
	if err != nil {
		return nil, err
	}
	if j.cases, err = choose(data.Cases, r.Config); err != nil {
		return nil, err
	}
	if err := clash(j.cases, j.cfg.Repeat); err != nil {
		return nil, err
	}
	j.grade = maxGrade(data.Cases)
	if j.models, err = OpenModels(r.Config, w); err != nil {
		return nil, err
	}
	if j.scoring, err = readScoring(r.Weights, r.Thresholds); err != nil {
		return nil, err
	}
	spoken, err := j.recordings()
	if err != nil {
		return nil, err
	}
	t, err := j.openTarget(ctx, data)
	if err != nil {
		return nil, err
	}
	j.free, j.rehearsed = t.free, t.rehearsed
	left, err := j.chooseMetrics(r, t)
	if err != nil {
		return nil, err
	}
	if err := j.measureOutcome(t); err != nil {
		return nil, err
	}
	left = append(left, tooDeep(j.metrics, t.depth)...)
	if r.Rubric != "" && asksOf(j.metrics)&judge.AskMarks == 0 {
		left = append(left, fmt.Sprintf("rubric %s: no metric of the run marks by it: want rubric among the metrics", r.Rubric))
	}
	if slices.ContainsFunc(j.metrics, func(m metric.Metric) bool { return m.Def.Embeds }) {
		if err := j.openEmbedder(); err != nil {
			return nil, err
		}
	}
	if err := j.openJudge(); err != nil {
		return nil, err
	}
	if err := j.openAttribution(t); err != nil {
		return nil, err
	}
	unpriced, err := j.models.Check()
	if err != nil {
		return nil, err
	}
	id, err := store.NewID(w.Now(), w.Random)
	if err != nil {
		return nil, err
	}
	j.header = assay.Header{
		ID: id, Name: r.Name, Started: w.Now().UTC(), State: "running", Version: w.Version, Dataset: data.Info,
		Corpus: t.corpus, Target: t.info, Seed: r.Seed, Config: r.Map(), Command: w.Command, Warnings: slices.Concat(warnings(data), spoken, t.warnings, left, unpriced, j.same()),
	}
	j.header.Dataset.Total = len(data.Cases)
	j.header.Dataset.Cases = len(j.cases)
	if j.cfg.Repeat > 1 {
		j.header.Repeat = j.cfg.Repeat
	}
	j.header.Dataset.Critical = count(j.cases, func(c assay.Case) bool { return c.Critical })
	if j.judge != nil {
		info := j.judge.Info().About(asksOf(j.metrics).Prompts())
		j.header.Judge = &info
	}
	j.header.Metrics = j.infos()
	if err := j.policy.Check(j.header.Metrics); err != nil {
		return nil, fmt.Errorf("gate: %w", err)
	}
	if slices.ContainsFunc(j.metrics, func(m metric.Metric) bool { return m.Def.Embeds }) {
		j.header.Embedder = j.embed.Identity()
	}
	return j, nil
}

// Header describes the run.
func (j *Job) Header() assay.Header { return j.header }

// Close gives back what Prepare took.
func (j *Job) Close() error { return j.close() }

// Resume makes the job continue a run that was kept. It refuses when something
// has changed that could move a number, and says what. A run whose state is
// "queued" has not begun: the job takes its id.
func (j *Job) Resume(h assay.Header) error {
	if h.State == "queued" {
		j.header.ID, j.waited = h.ID, true
		return nil
	}
	is := j.header
	for _, c := range []struct{ what, was, is string }{
		{"the data set", h.Dataset.Hash, is.Dataset.Hash},
		{"the number of cases", fmt.Sprint(h.Dataset.Cases), fmt.Sprint(is.Dataset.Cases)},
		{"the number of draws", fmt.Sprint(h.Repeat), fmt.Sprint(is.Repeat)},
		{"the corpus", corpusHash(h), corpusHash(is)},
		{"the embedder", h.Embedder, is.Embedder},
		{"the metrics", metricVersions(h), metricVersions(is)},
		{"the prompt profile", h.Target.Settings["profile_hash"], is.Target.Settings["profile_hash"]},
		{"the transcriber", h.Target.Settings["transcriber"], is.Target.Settings["transcriber"]},
	} {
		if c.was != c.is {
			return fmt.Errorf("run %q cannot be resumed: %s changed since it started: start a new run", h.ID, c.what)
		}
	}
	if !assay.SameJudge(h.Judge, is.Judge, assay.PromptsOf(is.Metrics)) {
		return fmt.Errorf("run %q cannot be resumed: the judge changed since it started: start a new run", h.ID)
	}
	j.header, j.resumed = h, true
	// What is wanted of a metric moves no number, and may be another now.
	j.header.Metrics = is.Metrics
	j.header.Judge = is.Judge
	return nil
}

// Run performs the job, keeping every record in the store, and returns the
// report of what was finished. An error beside a report means that the run
// ended early; [Interrupted] tells whether the user wanted that.
func (j *Job) Run(ctx context.Context, s *store.Store) (*report.Report, error) {
	return j.run(ctx, s, nil)
}

// run is Run. When all cases are done, then may ask more of the models before
// the run is accounted for; its error ends the run early.
func (j *Job) run(ctx context.Context, s *store.Store, then func(context.Context, []assay.Record) error) (_ *report.Report, err error) {
	// A target that does not start leaves no run behind.
	if err := j.start(ctx); err != nil {
		return nil, err
	}
	s = s.Patient(j.patience())
	switch {
	case j.waited:
		if err := s.UpdateRun(ctx, j.header); err != nil {
			return nil, err
		}
	case !j.resumed:
		if err := s.CreateRun(ctx, j.header); err != nil {
			return nil, err
		}
	}
	// What is read and written below is read and written by one process only.
	unlock, err := s.Lock(ctx, j.header.ID)
	if err != nil {
		return nil, err
	}
	defer func() { err = errors.Join(err, unlock()) }()
	if err := j.connect(ctx, s); err != nil {
		return nil, err
	}
	var records []assay.Record
	if j.resumed {
		if records, err = j.continued(ctx, s); err != nil {
			return nil, err
		}
	}
	records, ended := j.evaluate(ctx, s, records)
	if ended == nil && then != nil {
		ended = then(ctx, records)
	}
	j.header.State = "finished"
	if ended != nil {
		j.header.State = "interrupted"
	}
	j.header.Finished = j.world.Now().UTC()
	if err := j.account(context.WithoutCancel(ctx), s); err != nil {
		return nil, errors.Join(ended, err)
	}
	if err := s.UpdateRun(context.WithoutCancel(ctx), j.header); err != nil {
		return nil, errors.Join(ended, err)
	}
	rep := report.New(j.header, records)
	rep.Judge(j.policy)
	return rep, ended
}

// patience is how the run waits for a store that is away.
func (j *Job) patience() store.Patience {
	tell := j.world.Tell
	if tell == nil {
		tell = func(string) {}
	}
	return store.Patience{Limit: j.cfg.StorePatience, Stop: j.world.Stop, Now: j.world.Now, Tell: tell}
}

// start gets a target going that takes a while, so that this does not count as
// the time of the first case.
func (j *Job) start(ctx context.Context) error {
	o, ok := j.original().(interface{ Open(context.Context) error })
	if !ok {
		return nil
	}
	// Nothing is in flight yet that would be worth finishing.
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	go func() {
		select {
		case <-j.world.Stop:
			cancel()
		case <-ctx.Done():
		}
	}()
	return o.Open(ctx)
}

// original is the target without what renames its documents.
func (j *Job) original() assay.Target {
	if renamed, ok := j.target.(target.Translated); ok {
		return renamed.Target
	}
	return j.target
}

// continued reads the records of a run that is resumed.
func (j *Job) continued(ctx context.Context, s *store.Store) ([]assay.Record, error) {
	now, err := s.Run(ctx, j.header.ID)
	if err != nil {
		return nil, err
	}
	if now.State == "finished" {
		return nil, fmt.Errorf("run %q is finished: another process ended it", j.header.ID)
	}
	var done []assay.Record
	for rec, err := range s.Records(ctx, j.header.ID) {
		if err != nil {
			return nil, err
		}
		done = append(done, rec)
	}
	j.header.State, j.header.Finished = "running", time.Time{}
	return done, s.UpdateRun(ctx, j.header)
}

// evaluate drives the engine over the cases that are not done, and returns the
// records of all that are then.
func (j *Job) evaluate(ctx context.Context, s *store.Store, done []assay.Record) ([]assay.Record, error) {
	cfg := j.engine()
	cfg.Done, cfg.Recorder = done, s.Recorder(j.header.ID)
	progress := j.world.Progress
	if progress != nil {
		progress.Started(j.header, len(done))
	}
	records := slices.Clone(done)
	for rec, err := range run.Run(ctx, cfg) {
		if err != nil {
			return records, err
		}
		records = append(records, rec)
		if progress != nil {
			progress.Finished(rec)
		}
	}
	return records, nil
}

// engine is the configuration of the engine for this run.
func (j *Job) engine() run.Config {
	cfg := run.Defaults()
	cfg.Cases, cfg.Target, cfg.Metrics, cfg.Composite, cfg.Embedder, cfg.MaxGrade = j.draws(), j.target, j.metrics, j.composite, j.embed, j.grade
	cfg.Concurrency, cfg.Timeout, cfg.Retries, cfg.SlowThreshold = j.cfg.Concurrency, j.cfg.Timeout, j.cfg.Retries, j.cfg.SlowThreshold
	cfg.KeepTexts, cfg.Rate = j.cfg.KeepTexts, j.cfg.Rate
	if j.attribute != nil {
		cfg.Attributor = j.attribute
	}
	if j.cfg.Backoff == "fixed" {
		cfg.Backoff = run.Fixed
	}
	if j.judge != nil {
		cfg.Judge, cfg.Plan = j.judge, j.plan
		if !j.header.Judge.Estimate {
			// Judging waits for models most of the time, and formulas cannot
			// be swayed.
			cfg.Scorers, cfg.Defuse = max(runtime.GOMAXPROCS(0), j.cfg.Judge.Concurrency), defuse
		}
	}
	cfg.Seed, cfg.Stop, cfg.Now, cfg.Redraw = j.cfg.Seed, j.world.Stop, j.world.Now, j.redraw
	return cfg
}

// Interrupted reports whether a run ended because the user stopped it.
func Interrupted(err error) bool {
	return errors.Is(err, run.ErrStopped) || errors.Is(err, llm.ErrStopped) || errors.Is(err, context.Canceled)
}

// account writes into the header what the run has paid for, and what only the
// calls have shown.
func (j *Job) account(ctx context.Context, s *store.Store) error {
	if t, ok := j.original().(interface{ Versions() map[string]string }); ok {
		for name, version := range t.Versions() {
			j.header.Target.Settings = with(j.header.Target.Settings, name, version)
		}
	}
	if j.judge != nil && !j.header.Judge.Estimate {
		by, err := s.SpentBy(ctx, j.header.ID)
		if err != nil {
			return err
		}
		// What a server had sampled, and what the stages of the pipeline asked, is
		// part of their responses.
		delete(by, target.Sampling)
		delete(by, transcribe.Operation)
		for _, operation := range rag.Operations() {
			delete(by, operation)
		}
		var spent assay.Spending
		for _, sp := range by {
			spent.Add(sp)
		}
		j.header.Spending = &spent
	}
	for _, w := range j.models.Warnings() {
		if !slices.Contains(j.header.Warnings, w) {
			j.header.Warnings = append(j.header.Warnings, w)
		}
	}
	return nil
}

func corpusHash(h assay.Header) string {
	if h.Corpus == nil {
		return ""
	}
	return h.Corpus.Hash
}

func maxGrade(cases []assay.Case) int {
	top := 1
	for _, c := range cases {
		for _, g := range c.Want.Documents {
			top = max(top, g)
		}
	}
	return top
}

func count(cases []assay.Case, is func(assay.Case) bool) int {
	n := 0
	for _, c := range cases {
		if is(c) {
			n++
		}
	}
	return n
}

func choose(cases []assay.Case, cfg config.Config) ([]assay.Case, error) {
	chosen, err := dataset.Select(cases, dataset.Selection{IDs: cfg.IDs, Tags: cfg.Tags, Limit: cfg.Limit, Sample: cfg.Sample, Seed: cfg.Seed})
	if err != nil {
		return nil, err
	}
	if len(chosen) == 0 {
		return nil, errors.New("no case is left: want --ids, --tags, --limit and --sample that leave one")
	}
	return chosen, nil
}

// openEmbedder opens the embedder, once, and lets it remember: cases share
// sentences. A run that embeds nothing does not pay for the weights.
func (j *Job) openEmbedder() error {
	if j.embed != nil {
		return nil
	}
	e, err := embed.New(j.cfg.Embedder)
	if err != nil {
		return err
	}
	j.embed = embed.Memo(e)
	return nil
}
