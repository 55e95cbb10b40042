package summary

import (
	"cmp"
	"maps"
	"slices"

	"github.com/assay-eval/assay"
	"github.com/assay-eval/assay/stats"
)

// A Waterfall shows where answers are lost: how much of the evidence is lost at each
// stage, and which stage each failed case is attributed to. It counts records: a case
// that was asked several times counts as often, and its draws are one cluster in every
// interval.
type Waterfall struct {
	// Cases is the number of records that were followed, Unfollowed that of the
	// others: the target failed, or there was nothing to follow.
	Cases      int `json:"cases"`
	Unfollowed int `json:"unfollowed,omitempty"`
	// Retrieval is set if the target gives no answers: Answered then counts the facts
	// that were found, and no answer is wrong.
	Retrieval bool `json:"retrieval,omitempty"`
	// Level is the confidence level of all intervals.
	Level float64 `json:"level"`
	// Facts is the number of pieces of evidence, Answered the number of those in the
	// answers, with the share and its interval. SelfKnowledge counts those that an
	// answer has although its prompt had not; they still count as lost.
	Facts         int             `json:"facts"`
	Answered      int             `json:"answered"`
	Survival      float64         `json:"survival"`
	SurvivalCI    *stats.Interval `json:"survival_ci,omitempty"`
	SelfKnowledge int             `json:"self_knowledge,omitempty"`
	// Stages are in the order of the pipeline: those at which a fact was lost or could
	// have been. Their shares and Survival add up to 1 if there are facts.
	Stages []WaterfallStage `json:"stages"`
	// Failed is the number of failed cases; Verdicts attribute each to one stage.
	Failed int `json:"failed"`
	// Unknown is the number of followed answers of which nothing tells whether they are
	// right: they are neither failed nor right. See [assay.Correctness].
	Unknown  int       `json:"unknown,omitempty"`
	Verdicts []Verdict `json:"verdicts,omitempty"`
	// Ladder shows what replacing the stages' outputs corrects; nil if no failed case
	// was asked again.
	Ladder *Gains `json:"ladder,omitempty"`
	// Merged lists which stages could not be told apart, and in how many cases.
	Merged []Merge `json:"merged,omitempty"`
}

// A WaterfallStage is the effect of one stage on the facts.
type WaterfallStage struct {
	Stage string `json:"stage"`
	// Entering is the number of facts that no earlier stage lost, Lost the number of
	// those that this stage lost.
	Entering int `json:"entering"`
	Lost     int `json:"lost"`
	// Share is Lost divided by all facts, with its interval. Hazard is Lost divided by
	// Entering, or 0 if that is 0, and Survival is 1 − Hazard. The product of the
	// stages' survivals is the overall survival.
	Share    float64         `json:"share"`
	ShareCI  *stats.Interval `json:"share_ci,omitempty"`
	Hazard   float64         `json:"hazard"`
	Survival float64         `json:"survival"`
}

// A Verdict holds the failed cases that are attributed to one stage.
type Verdict struct {
	// Stage is one of [assay.LossStages], [assay.LostUnresolved], or "" for cases
	// about which nothing is known.
	Stage string `json:"stage"`
	// Cases is the number of these cases, IDs are theirs in the order of the run,
	// Share is their share of all failed cases.
	Cases   int             `json:"cases"`
	Share   float64         `json:"share"`
	ShareCI *stats.Interval `json:"share_ci,omitempty"`
	IDs     []string        `json:"ids"`
	// Again counts those of the cases that still fail at another stage once this one has
	// the right output, each under the first such stage, in the order of the pipeline. A
	// case that was asked again was right with the right outputs up to this stage, so that
	// only evidence lost before it counts; otherwise all evidence lost elsewhere does.
	Again []Again `json:"again,omitempty"`
}

// An Again is a number of cases that fail again at a stage.
type Again struct {
	Stage string `json:"stage"`
	Cases int    `json:"cases"`
}

// Gains has the share of the failed cases that would be right if the outputs of the
// stages were, from the first stage on. A case whose ladder ended before the last
// stage, because it was right by then, keeps the result of its last rung.
type Gains struct {
	// Cases is the number of failed cases with a ladder, Broken the number of those
	// whose ladder an error ended, which are left out. NonMonotone is the number of
	// cases that were right on one rung and wrong on a later one.
	Cases       int `json:"cases"`
	Broken      int `json:"broken,omitempty"`
	NonMonotone int `json:"non_monotone,omitempty"`
	// Actual is the share that is right without replacements, over the repetitions.
	Actual float64 `json:"actual"`
	Stages []Gain  `json:"stages"`
	// Total is the sum of all gains. Residual is the share that is wrong even then,
	// because of the labels or of the judging.
	Total    float64 `json:"total"`
	Residual float64 `json:"residual"`
}

// A Gain is one step of the ladder.
type Gain struct {
	Stage string `json:"stage"`
	// Right is the share of right outcomes with the outputs of all stages up to this
	// one replaced, Gain what this step added to it. CI is the interval of Gain by the
	// sign-flip test; nil if there are too few cases for one.
	Right float64         `json:"right"`
	Gain  float64         `json:"gain"`
	CI    *stats.Interval `json:"ci,omitempty"`
}

// A Merge says that in Cases cases the losses of Stage count with Into.
type Merge struct {
	Stage string `json:"stage"`
	Into  string `json:"into"`
	Cases int    `json:"cases"`
}

// Located reports whether the verdict names a stage where answers are lost.
func (v Verdict) Located() bool { return v.Stage != "" && v.Stage != assay.LostUnresolved }

// Worst returns the verdicts with the most cases first; those without a stage come
// last.
func (w *Waterfall) Worst() []Verdict {
	out := slices.Clone(w.Verdicts)
	slices.SortStableFunc(out, func(a, b Verdict) int {
		switch {
		case a.Located() == b.Located():
			return b.Cases - a.Cases
		case a.Located():
			return -1
		}
		return 1
	})
	return out
}

// NewWaterfall returns the waterfall of records, which may be in any order, or nil if
// none of them was followed.
func NewWaterfall(records []assay.Record, level float64) *Waterfall {
	var followed []assay.Record
	w := &Waterfall{Level: level}
	for _, r := range inOrder(records) {
		if r.Attribution == nil {
			w.Unfollowed++
			continue
		}
		followed = append(followed, r)
	}
	if followed == nil {
		return nil
	}
	w.Cases = len(followed)
	for _, r := range followed {
		if r.Answer == assay.AnswerUnknown {
			w.Unknown++
		}
	}
	w.Retrieval = !slices.ContainsFunc(followed, func(r assay.Record) bool { return r.Response == nil || !r.Response.NoAnswer })
	w.merges(followed)
	w.funnel(followed)
	w.verdicts(followed)
	w.climb(followed)
	return w
}

// Stage returns the effect of a stage on the facts; ok is false if it is not among the
// stages.
func (w *Waterfall) Stage(name string) (s WaterfallStage, ok bool) {
	if w == nil {
		return s, false
	}
	i := slices.IndexFunc(w.Stages, func(s WaterfallStage) bool { return s.Stage == name })
	if i < 0 {
		return s, false
	}
	return w.Stages[i], true
}

// possible returns the stages at which a fact of some case was lost or could have
// been.
func possible(records []assay.Record) []string {
	var out []string
	add := func(stage string) {
		if !slices.Contains(out, stage) {
			out = append(out, stage)
		}
	}
	for _, r := range records {
		a := r.Attribution
		for _, f := range a.Facts {
			if f.Lost != "" {
				add(f.Lost)
			}
		}
		for _, stage := range assay.LossStages() {
			if a.Merged[stage] == "" && len(a.Facts) > 0 && r.Response.ShowsStage(stage) {
				add(stage)
			}
		}
	}
	slices.SortFunc(out, assay.CompareStages)
	return out
}

// funnel follows the facts through the stages.
func (w *Waterfall) funnel(records []assay.Record) {
	lost := map[string]int{}
	for _, r := range records {
		for _, f := range r.Attribution.Facts {
			w.Facts++
			if f.SelfKnowledge {
				w.SelfKnowledge++
			}
			if f.Lost == "" {
				w.Answered++
			} else {
				lost[f.Lost]++
			}
		}
	}
	w.Stages = []WaterfallStage{}
	if w.Facts == 0 {
		return
	}
	all := float64(w.Facts)
	w.Survival = float64(w.Answered) / all
	w.SurvivalCI = lostShare(records, "", w.Level)
	left := w.Facts
	for _, stage := range possible(records) {
		s := WaterfallStage{
			Stage: stage, Entering: left, Lost: lost[stage], Share: float64(lost[stage]) / all, ShareCI: lostShare(records, stage, w.Level),
			Survival: 1,
		}
		if left > 0 {
			s.Hazard = float64(s.Lost) / float64(left)
			s.Survival = float64(left-s.Lost) / float64(left)
		}
		left -= s.Lost
		w.Stages = append(w.Stages, s)
	}
}

// factCounts returns, for each record that has facts, how many of how many were lost
// at a stage.
func factCounts(records []assay.Record, stage string) []stats.Count {
	var out []stats.Count
	for _, r := range records {
		c := stats.Count{Cluster: r.Case.Group}
		for _, f := range r.Attribution.Facts {
			c.Den++
			if f.Lost == stage {
				c.Num++
			}
		}
		if c.Den > 0 {
			out = append(out, c)
		}
	}
	return out
}

// lostShare returns the interval of the share of all facts that were lost at a stage.
// Facts of one case, and cases of one group, are not independent.
func lostShare(records []assay.Record, stage string, level float64) *stats.Interval {
	return clipped(pooledInterval(factCounts(records, stage), [2]float64{0, 1}, level, "lost_at."+stage))
}

// PutDown returns the stage that a record's wrong answer is put down to, "" if it is not
// known. ok is false if the answer is not wrong, or nothing tells whether it is.
func PutDown(r assay.Record) (stage string, ok bool) {
	a := r.Attribution
	if a == nil || !a.Failed || r.Answer == assay.AnswerUnknown || r.Answer == assay.AnswerRight {
		return "", false
	}
	return a.Stage, true
}

// verdicts attributes every failed case to a stage.
func (w *Waterfall) verdicts(records []assay.Record) {
	var failed []assay.Record
	var stages []string
	members := map[string]int{}
	for _, r := range records {
		stage, ok := PutDown(r)
		if !ok {
			continue
		}
		failed = append(failed, r)
		members[r.Case.Group]++
		if !slices.Contains(stages, stage) {
			stages = append(stages, stage)
		}
	}
	slices.SortFunc(stages, assay.CompareStages)
	w.Failed = len(failed)
	for _, stage := range stages {
		v := Verdict{Stage: stage}
		var in []stats.Sample
		for _, r := range failed {
			s := stats.Sample{Cluster: cluster(r, members)}
			if r.Attribution.Stage == stage {
				s.Value = 1
				v.IDs = append(v.IDs, r.Case.ID)
			}
			in = append(in, s)
		}
		v.Cases = len(v.IDs)
		v.Share = float64(v.Cases) / float64(w.Failed)
		v.ShareCI = clipped(stats.Mean(in, w.Level).CI)
		v.Again = again(failed, stage)
		w.Verdicts = append(w.Verdicts, v)
	}
}

// again counts the failed cases that are put down to a stage and lost evidence at another
// one, too.
func again(failed []assay.Record, stage string) []Again {
	if !(Verdict{Stage: stage}).Located() {
		return nil
	}
	count := map[string]int{}
	for _, r := range failed {
		a := r.Attribution
		if a.Stage != stage {
			continue
		}
		climbed := a.Ladder != nil && slices.ContainsFunc(a.Ladder.Rungs, func(r assay.Rung) bool { return r.Stage == stage && r.Right > 0.5 })
		var other []string
		for _, f := range a.Facts {
			order := assay.CompareStages(f.Lost, stage)
			if f.Lost != "" && (order < 0 || order > 0 && !climbed) {
				other = append(other, f.Lost)
			}
		}
		if other != nil {
			count[slices.MinFunc(other, assay.CompareStages)]++
		}
	}
	var out []Again
	for _, at := range slices.SortedFunc(maps.Keys(count), assay.CompareStages) {
		out = append(out, Again{Stage: at, Cases: count[at]})
	}
	return out
}

// cluster returns the group of a record if another record here has the same one.
func cluster(r assay.Record, members map[string]int) string {
	if members[r.Case.Group] < 2 {
		return ""
	}
	return r.Case.Group
}

// climb averages the ladders of the failed cases.
func (w *Waterfall) climb(records []assay.Record) {
	g := &Gains{Stages: []Gain{}}
	var climbed []assay.Record
	var stages []string
	for _, r := range records {
		l := r.Attribution.Ladder
		switch {
		case !r.Attribution.Failed || l == nil:
			continue
		case l.Error != "" || len(l.Rungs) == 0:
			g.Broken++
			continue
		case l.NonMonotone:
			g.NonMonotone++
		}
		climbed = append(climbed, r)
		for _, rung := range l.Rungs {
			if rung.Stage != "" && !slices.Contains(stages, rung.Stage) {
				stages = append(stages, rung.Stage)
			}
		}
	}
	if g.Cases = len(climbed); g.Cases == 0 && g.Broken == 0 {
		return
	}
	w.Ladder = g
	if g.Cases == 0 {
		return
	}
	slices.SortFunc(stages, assay.CompareStages)
	members := map[string]int{}
	for _, r := range climbed {
		members[r.Case.Group]++
	}
	before := rights(climbed, "")
	g.Actual = average(before)
	last := g.Actual
	var pairs [][]stats.Pair
	for _, stage := range stages {
		after := rights(climbed, stage)
		var p []stats.Pair
		for i, r := range climbed {
			p = append(p, stats.Pair{Old: before[i], New: after[i], Cluster: cluster(r, members)})
		}
		pairs = append(pairs, p)
		right := average(after)
		g.Stages = append(g.Stages, Gain{Stage: stage, Right: right, Gain: right - last})
		before, last = after, right
	}
	for i, c := range stats.CompareAll(pairs, w.Level, seed("ladder")) {
		if c.CI != nil {
			ci := c.CI.Clip(-1, 1)
			g.Stages[i].CI = &ci
		}
	}
	g.Total, g.Residual = last-g.Actual, 1-last
}

// rights returns, for each record, the share of right outcomes with the outputs of the
// stages up to the given one replaced: that of the last rung at or before the stage.
func rights(records []assay.Record, stage string) []float64 {
	out := make([]float64, len(records))
	for i, r := range records {
		for _, rung := range r.Attribution.Ladder.Rungs {
			if rung.Stage == "" || stage != "" && assay.CompareStages(rung.Stage, stage) <= 0 {
				out[i] = min(max(rung.Right, 0), 1)
			}
		}
	}
	return out
}

func average(values []float64) float64 {
	sum := 0.0
	for _, v := range values {
		sum += v
	}
	return sum / float64(len(values))
}

// merges counts which stages could not be told apart. It leaves out stages that no
// case of the run went through.
func (w *Waterfall) merges(records []assay.Record) {
	count := map[Merge]int{}
	for _, r := range records {
		for stage, into := range r.Attribution.Merged {
			count[Merge{Stage: stage, Into: into}]++
		}
	}
	for m, n := range count {
		seen := slices.ContainsFunc(records, func(r assay.Record) bool { return r.Response.ShowsStage(m.Stage) })
		labelled := m.Stage == assay.StageTranscribe && slices.ContainsFunc(records, func(r assay.Record) bool { return r.Case.Audio != "" })
		if seen || labelled || m.Stage == assay.LostNotInIndex {
			m.Cases = n
			w.Merged = append(w.Merged, m)
		}
	}
	slices.SortFunc(w.Merged, func(a, b Merge) int {
		return cmp.Or(assay.CompareStages(a.Stage, b.Stage), assay.CompareStages(a.Into, b.Into))
	})
}
