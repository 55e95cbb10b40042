// Package wire turns settings into the parts of a run: dataset, target,
// metrics, judge and policy. The command line, the server and assaytest prepare
// their runs here, and perform each as one session of package run.
package wire

import (
	"context"
	"errors"
	"fmt"
	"io"
	"maps"
	"runtime"
	"slices"
	"strings"
	"time"

	"github.com/assay-eval/assay"
	"github.com/assay-eval/assay/dataset"
	"github.com/assay-eval/assay/gate"
	"github.com/assay-eval/assay/internal/config"
	"github.com/assay-eval/assay/judge"
	"github.com/assay-eval/assay/judge/audit/attack"
	"github.com/assay-eval/assay/metric"
	"github.com/assay-eval/assay/run"
	"github.com/assay-eval/assay/run/queue"
	"github.com/assay-eval/assay/store"
	"github.com/assay-eval/assay/target"
)

// A Prepared is a run that has all of its parts and can begin.
type Prepared struct {
	*wiring
	plan run.Plan
	// cases has each case once, regardless of the number of draws.
	cases *assay.Cases
	// clusters describes the dependent ones among them.
	clusters *assay.Clusters
	target   opened
	measured
	judging
	policy gate.Policy
	// absent is why the judge is away, "" if it is there.
	absent string
	// elsewhere returns what workers have learned of the run; nil without workers.
	elsewhere func(context.Context) (queue.Learned, error)
	// canary is what the canaries of the judges have told.
	canary []assay.Canary
	// told is what they have learned, read at the end.
	told queue.Learned
	// prepared is how long the preparation took.
	prepared time.Duration
}

// Prepare loads and checks everything that the run needs, so a mistake is found
// before the first question is asked. It ends early if the world's Stop is
// closed, because no work is in flight yet.
func Prepare(ctx context.Context, r *config.Resolved, w World) (_ *Prepared, err error) {
	ctx, cancel := UntilStopped(ctx, w.Stop, nil)
	defer cancel()
	p := &Prepared{}
	if r.Workers == workersQueue {
		w.files = &fileList{paths: map[string]string{}}
		w.read(r.Responses) // which the adapter opens
	}
	began := w.Now()
	defer func() { p.prepared = w.Now().Sub(began) }()
	defer func() {
		if err != nil {
			_ = p.Close() // the mistake is the reason
			err = r.Locate(err)
		}
	}()
	if p.policy, err = Policy(r, w.read); err != nil {
		return nil, err
	}
	data, cases, err := Cases(ctx, r.Config, w)
	if err != nil {
		return nil, err
	}
	grade := maxGrade(data.Cases)
	cases = distinct(cases, data.Cases)
	critical := func(c *assay.Case) bool { return c.Critical }
	allCritical := data.Cases.Count(critical)
	// Only the cases that are asked are held.
	data.Cases = nil
	cases, p.clusters = dataset.Cluster(cases, dataset.GroupBy(r.GroupBy))
	p.cases = cases
	if err := clash(cases, r.Repeat); err != nil {
		return nil, err
	}
	if p.wiring, err = newWiring(r, w); err != nil {
		return nil, err
	}
	scoring, err := readScoring(p.known, r.Weights, r.Thresholds)
	if err != nil {
		return nil, err
	}
	spoken, err := p.recordings(cases)
	if err != nil {
		return nil, err
	}
	if p.target, err = p.openTarget(ctx, &selection{data, cases}); err != nil {
		return nil, err
	}
	var left []string
	if p.measured, left, err = p.measure(r, scoring, p.policy, cases, p.target); err != nil {
		// A label that no case has may be there under a name that is not read.
		for _, w := range warnings(data) {
			err = errors.Join(err, errors.New("warning: "+w))
		}
		return nil, err
	}
	p.unmet = r.Locate(p.unmet)
	if p.judging, err = p.openJudge(p.metrics); err != nil {
		return nil, err
	}
	p.outcome.Estimated = p.judge != nil && p.judge.Info().Estimate
	attributor, untraceable, err := p.openAttribution(grade)
	if err != nil {
		return nil, err
	}
	unpriced, err := p.models.Check()
	if err != nil {
		return nil, err
	}
	warnings := slices.Concat(p.target.Warnings, warnings(data), spoken, left, untraceable, unpriced, p.same(), p.joined())
	if asked := cases.Count(critical); asked < allCritical {
		warnings = append(warnings, fmt.Sprintf("%d of %d critical cases are not in this run: --ids, --tags, --sample or --limit leaves them out",
			allCritical-asked, allCritical))
	}
	if p.plan.Header, err = p.header(r, data, warnings); err != nil {
		return nil, err
	}
	if err := p.policy.Check(p.plan.Header.Metrics); err != nil {
		return nil, fmt.Errorf("gate: %w", err)
	}
	p.plan.Config = p.engine(grade)
	if attributor != nil {
		p.plan.Config.Attributor = attributor
	}
	if w.Progress != nil {
		p.plan.Observer = w.Progress
	}
	p.plan.Start, p.plan.Account = p.start, p.account
	return p, nil
}

// Close closes the target, and ends the programs that models run in.
func (p *Prepared) Close() error {
	err := p.target.close()
	if p.wiring != nil {
		err = errors.Join(err, p.models.End())
	}
	return err
}

// Unmet is why the run could not meet its thresholds, rules or outcome, such as that nobody
// judges; nil if it could. Outside of a dry run it is an error of [Prepare].
func (p *Prepared) Unmet() error { return p.unmet }

// Header describes the run.
func (p *Prepared) Header() assay.Header { return p.plan.Header }

// Resume makes the run continue a stored one; see [run.Plan.Resume].
func (p *Prepared) Resume(h assay.Header) error { return p.plan.Resume(h) }

// header returns the header of the run.
func (p *Prepared) header(r *config.Resolved, data *dataset.Dataset, warnings []string) (h assay.Header, err error) {
	w := p.world
	id, err := store.NewID(w.Now(), w.Random)
	if err != nil {
		return h, err
	}
	h = assay.Header{
		ID: id, Name: r.Name, Started: w.Now().UTC(), State: "running", Version: w.Version, Dataset: data.Info,
		Clusters: p.clusters, Corpus: p.target.Corpus,
		Target: p.target.Info, Seed: r.Seed, Config: r.Map(), Command: w.Command, Warnings: warnings,
	}
	h.Dataset.Cases = p.cases.Len()
	h.Dataset.Critical = p.cases.Count(func(c *assay.Case) bool { return c.Critical })
	if p.cfg.Repeat > 1 {
		h.Repeat = p.cfg.Repeat
	}
	if p.judge != nil {
		info := p.judge.Info().About(asksOf(p.metrics).Prompts())
		h.Judge = &info
		h.Languages = map[string]int{}
		for _, c := range p.cases.All() {
			h.Languages[string(p.asked.LanguageFor(&c))]++
		}
		h.Warnings = append(h.Warnings, p.models.uncertified(h.Languages)...)
	}
	if h.Files, err = hashes(r, w); err != nil {
		return h, err
	}
	h.Metrics = p.infos(p.judging, p.policy.AllowEstimates)
	void, err := p.certify(&h)
	if err != nil {
		return h, err
	}
	h.Warnings = slices.Concat(h.Warnings, void, p.related(&h))
	if slices.ContainsFunc(p.metrics, func(m metric.Metric) bool { return m.Def.Embeds }) {
		e, err := p.embedder()
		if err != nil {
			return h, err
		}
		h.Embedder = e.Identity()
	}
	return h, nil
}

// engine returns the configuration of the engine for this run.
func (p *Prepared) engine(grade int) run.Config {
	cfg := run.Defaults()
	cfg.Cases, cfg.Target, cfg.MaxGrade = draws(p.cases, p.cfg.Repeat), p.target.Target, grade
	cfg.Metrics, cfg.Composite, cfg.Embedder, cfg.Outcome = p.metrics, p.composite, p.embed, p.outcome
	cfg.Concurrency, cfg.Timeout, cfg.Retries, cfg.SlowThreshold = p.cfg.Concurrency, p.cfg.Timeout, p.cfg.Retries, p.cfg.SlowThreshold
	cfg.KeepTexts, cfg.Rate = p.cfg.KeepTexts, p.cfg.Rate
	if p.cfg.Backoff == "fixed" {
		cfg.Backoff = run.Fixed
	}
	if p.judge != nil {
		cfg.Judge, cfg.Plan, cfg.Redraw = p.judge, p.asked, p.redraw
		if !p.estimates() {
			// Judging mostly waits for models. Formulas use the processor, and
			// need no defusing.
			cfg.Scorers = max(runtime.GOMAXPROCS(0), p.cfg.Judge.Concurrency)
			cfg.Defuse, cfg.Forged = attack.Defuse, forged
		}
	}
	if len(p.secrets) > 0 {
		cfg.Hide = p.secrets.Hide
	}
	cfg.Seed, cfg.Stop, cfg.Now = p.cfg.Seed, p.world.Stop, p.world.Now
	return cfg
}

// start starts a target that takes a while to start, because this time must not
// count for the first case.
func (t opened) start(ctx context.Context, stop <-chan struct{}) error {
	o, ok := t.original().(interface{ Open(context.Context) error })
	if !ok {
		return nil
	}
	ctx, cancel := UntilStopped(ctx, stop, nil)
	defer cancel()
	return o.Open(ctx)
}

func (p *Prepared) start(ctx context.Context) error {
	err := p.target.start(ctx, p.world.Stop)
	// An object of a calling program has no setting: its process says what it asks, soon after its start.
	was, is := p.plan.Header.Target.Settings["asked"], ""
	for wait := 0; err == nil && was != "" && is == "" && wait < 100; wait++ {
		if is = p.learned().Versions["asked"]; is == "" {
			time.Sleep(20 * time.Millisecond)
			err = p.target.start(ctx, p.world.Stop)
		}
	}
	if is != "" && is != was {
		return fmt.Errorf("run %q cannot be resumed: it asked %s, and the target is now %s: start a new run", p.plan.Header.ID, was, is)
	}
	return err
}

// original returns the target without the wrapper that renames its documents.
func (t opened) original() assay.Target {
	if renamed, ok := t.Target.(target.Translated); ok {
		return renamed.Target
	}
	return t.Target
}

// close closes the target if it can be closed.
func (t opened) close() error {
	if c, ok := t.original().(io.Closer); ok {
		return c.Close()
	}
	return nil
}

// UntilStopped returns a context that is also canceled when stop is closed, with a cause; nil is that
// of every canceled context.
func UntilStopped(ctx context.Context, stop <-chan struct{}, cause error) (_ context.Context, cancel func()) {
	ctx, end := context.WithCancelCause(ctx)
	go func() {
		select {
		case <-stop:
			end(cause)
		case <-ctx.Done():
		}
	}()
	return ctx, func() { end(nil) }
}

func maxGrade(cases *assay.Cases) int {
	top := 1
	for _, c := range cases.All() {
		for _, g := range c.Want.Documents {
			top = max(top, g)
		}
	}
	return top
}

// distinct tells the documents of a dataset from the parts of one: to a case with the label "art-5" it adds "art-5-2", if
// that is a document of its own, as not judged, and to one with "a b" also "a%20b", and the reverse. The id would else count as that of the first, or of
// a part of it.
func distinct(cases, all *assay.Cases) *assay.Cases {
	documents := map[string]bool{}
	for _, c := range all.All() {
		for id := range c.Want.Documents {
			documents[id] = true
		}
	}
	other := map[string][]string{}
	for id := range documents {
		for stem, ok := assay.Stem(id, len(id)); ok; stem, ok = assay.Stem(id, len(stem)) {
			if documents[stem] && !strings.ContainsRune("#:|", rune(id[len(stem)])) { // which only parts have
				other[stem] = append(other[stem], id)
			}
		}
		for _, plain := range assay.Decoded(id) {
			if documents[plain] {
				other[plain], other[id] = append(other[plain], id), append(other[id], plain)
			}
		}
	}
	if len(other) == 0 {
		return cases
	}
	return cases.Change(func(_ int, c *assay.Case) {
		labels := maps.Clone(c.Want.Documents)
		for label := range c.Want.Documents {
			for _, id := range other[label] {
				if _, judged := labels[id]; !judged {
					labels[id] = -1
				}
			}
		}
		c.Want.Documents = labels
	})
}

// judging is the judge of a run.
type judging struct {
	// judge is nil if no metric of the run is judged.
	judge judge.Judge
	// redraw returns the judge for a draw of a case. It is nil if formulas
	// judge, whose rulings never differ.
	redraw func(draw int) judge.Judge
	// asked describes the questions that the judge is asked.
	asked judge.Plan
}

// estimates reports whether formulas replace the judge, and nothing else rules beside them.
func (j judging) estimates() bool {
	return j.judge != nil && j.judge.Info().Estimate && len(j.judge.Info().Delegates()) == 0
}
