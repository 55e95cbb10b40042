package summary

import (
	"cmp"
	"maps"
	"slices"

	"github.com/assay-eval/assay"
	"github.com/assay-eval/assay/columns"
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
	// Failed is the number of wrong answers, with those of cases that could not be followed;
	// Verdicts attribute each to one stage, or to none.
	Failed int `json:"failed"`
	// Unknown is the number of followed answers of which nothing tells whether they are
	// right: they are neither failed nor right. See [assay.Correctness].
	Unknown int `json:"unknown,omitempty"`
	// Open is the number of answers that may fail at any stage: it is unknown whether they
	// are right, or at which stage they fail. Repairing a stage may recover these, too.
	Open int `json:"open,omitempty"`
	// Unclear counts the cases whose evidence could not be followed to the end, by reason.
	Unclear  []Unclear `json:"unclear,omitempty"`
	Verdicts []Verdict `json:"verdicts,omitempty"`
	// Ladder shows what replacing the stages' outputs corrects; nil if no failed case
	// was asked again.
	Ladder *Gains `json:"ladder,omitempty"`
	// Short is the number of wrong answers that are attributed by a keyword or a short reference answer in the text of a
	// passage, which another passage may have by chance.
	Short int `json:"short,omitempty"`
	// Merged lists which stages could not be told apart, and in how many cases.
	Merged []Merge `json:"merged,omitempty"`
}

// Unclear is a number of cases in which it is unknown where evidence was lost, for one
// reason: see [assay.Attribution].Unknown. Those that could not be followed have "response",
// "passages" or "label", for what is missing.
type Unclear struct {
	Reason string `json:"reason"`
	Cases  int    `json:"cases"`
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
		return cmp.Or(TrueFirst(a.Located(), b.Located()), b.Cases-a.Cases)
	})
	return out
}

// TrueFirst sorts what is true before what is not.
func TrueFirst(a, b bool) int {
	switch {
	case a == b:
		return 0
	case a:
		return -1
	}
	return 1
}

// NewWaterfall returns the waterfall of the records of a table, or nil if none of them was
// followed.
func NewWaterfall(t *columns.Table, level float64) *Waterfall {
	followed := t.Where(func(i int) bool { return t.Attribution(i) != nil })
	if followed.Len() == 0 {
		return nil
	}
	w := &Waterfall{Level: level, Cases: followed.Len(), Unfollowed: t.Len() - followed.Len(), Retrieval: true}
	unclear := map[string]int{}
	for i := range t.Len() {
		answer := t.Answer(i)
		stage, failed := putDown(t.Attribution(i), answer)
		if answer == assay.AnswerUnknown || failed && stage == "" {
			w.Open++
		}
		if reason := unclearBy(t, i); reason != "" && answer != assay.AnswerRight {
			unclear[reason]++
		}
		if failed && stage != "" && slices.ContainsFunc(t.Attribution(i).Facts, func(f assay.Fact) bool { return f.Match != "" }) {
			w.Short++
		}
	}
	for i := range followed.Len() {
		if followed.Answer(i) == assay.AnswerUnknown {
			w.Unknown++
		}
		given, _ := followed.Answered(i)
		w.Retrieval = w.Retrieval && followed.Responded(i) && !given
	}
	for _, reason := range slices.Sorted(maps.Keys(unclear)) {
		w.Unclear = append(w.Unclear, Unclear{Reason: reason, Cases: unclear[reason]})
	}
	w.merges(followed)
	w.funnel(followed)
	w.verdicts(t)
	w.climb(followed)
	return w
}

// unclearBy returns why it is unknown where the evidence of row i was lost, as far as the table
// shows: a case with only a reference answer may lack passages too.
func unclearBy(t *columns.Table, i int) string {
	want := t.Record(i).Case.Want
	switch at := t.Attribution(i); {
	case at != nil && at.Stage != "":
		return ""
	case at != nil:
		return at.Unknown
	case !t.Responded(i):
		return "response"
	case want.Answerable != nil && !*want.Answerable:
		return "" // there is no evidence
	case want.Documents != nil || want.Passages != nil || want.Keywords != nil || want.Ideal != nil:
		return "passages"
	}
	return "label"
}

// Unfollowed reports whether some evidence of row i could not be followed, and the answer is not known to be right.
func Unfollowed(t *columns.Table, i int) bool {
	at, answer := t.Attribution(i), t.Answer(i)
	if at == nil {
		return answer == assay.AnswerWrong
	}
	return at.Unknown != "" && at.Unknown != assay.UnknownEnough && answer != assay.AnswerRight
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
func possible(t *columns.Table) []string {
	var out []string
	add := func(stage string) {
		if !slices.Contains(out, stage) {
			out = append(out, stage)
		}
	}
	for i := range t.Len() {
		a := t.Attribution(i)
		for _, f := range a.Facts {
			if f.Lost != "" {
				add(f.Lost)
			}
		}
		for _, stage := range assay.LossStages() {
			if a.Merged[stage] == "" && len(a.Facts) > 0 && t.Shows(i, stage) {
				add(stage)
			}
		}
	}
	slices.SortFunc(out, assay.CompareStages)
	return out
}

// funnel follows the facts through the stages.
func (w *Waterfall) funnel(t *columns.Table) {
	lost := map[string]int{}
	for i := range t.Len() {
		for _, f := range t.Attribution(i).Facts {
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
	w.SurvivalCI = lostShare(t, "", w.Level)
	left := w.Facts
	for _, stage := range possible(t) {
		s := WaterfallStage{
			Stage: stage, Entering: left, Lost: lost[stage], Share: float64(lost[stage]) / all, ShareCI: lostShare(t, stage, w.Level),
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
func factCounts(t *columns.Table, stage string) []stats.Count {
	var out []stats.Count
	for i := range t.Len() {
		c := stats.Count{Cluster: t.Group(i)}
		for _, f := range t.Attribution(i).Facts {
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
func lostShare(t *columns.Table, stage string, level float64) *stats.Interval {
	return clipped(stats.PooledRatio(factCounts(t, stage), stats.Interval{Lo: 0, Hi: 1}, level, seed("lost_at."+stage)))
}

// PutDown returns the stage that a record's wrong answer is attributed to, "" if it is not
// known, as when the case could not be followed. ok is false if the answer is not wrong, or
// nothing tells whether it is.
func PutDown(r assay.Record) (stage string, ok bool) { return putDown(r.Attribution, r.Answer) }

func putDown(a *assay.Attribution, answer assay.Correctness) (stage string, ok bool) {
	if a == nil {
		return "", answer == assay.AnswerWrong
	}
	if !a.Failed || answer == assay.AnswerUnknown || answer == assay.AnswerRight {
		return "", false
	}
	return a.Stage, true
}

// verdicts attributes every failed case to a stage.
func (w *Waterfall) verdicts(t *columns.Table) {
	failed := t.Where(func(i int) bool {
		_, ok := putDown(t.Attribution(i), t.Answer(i))
		return ok
	})
	var stages []string
	clusters := clustersOf(failed)
	for i := range failed.Len() {
		stage, _ := putDown(failed.Attribution(i), failed.Answer(i))
		if !slices.Contains(stages, stage) {
			stages = append(stages, stage)
		}
	}
	slices.SortFunc(stages, assay.CompareStages)
	w.Failed = failed.Len()
	for _, stage := range stages {
		v := Verdict{Stage: stage}
		var in []stats.Sample
		for i := range failed.Len() {
			s := stats.Sample{Cluster: clusters[i]}
			if at, _ := putDown(failed.Attribution(i), failed.Answer(i)); at == stage {
				s.Value = 1
				v.IDs = append(v.IDs, failed.ID(i))
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

// again counts the failed cases that are attributed to a stage and lost evidence at another
// one, too.
func again(failed *columns.Table, stage string) []Again {
	if !(Verdict{Stage: stage}).Located() {
		return nil
	}
	count := map[string]int{}
	for i := range failed.Len() {
		a := failed.Attribution(i)
		if a == nil || a.Stage != stage {
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

// clustersOf returns the group of each record that shares it with another of the table; "" for
// the others.
func clustersOf(t *columns.Table) []string {
	members, out := map[string]int{}, make([]string, t.Len())
	for i := range out {
		members[t.Group(i)]++
	}
	for i := range out {
		if g := t.Group(i); members[g] > 1 {
			out[i] = g
		}
	}
	return out
}

// merges counts which stages could not be told apart. It leaves out stages that no
// case of the run went through; a filter that counts with the prompt was in the trace, and not read.
func (w *Waterfall) merges(t *columns.Table) {
	count := map[Merge]int{}
	audio := false
	seen := map[string]bool{}
	for i := range t.Len() {
		audio = audio || t.Audio(i)
		for _, stage := range assay.LossStages() {
			seen[stage] = seen[stage] || t.Shows(i, stage)
		}
		for stage, into := range t.Attribution(i).Merged {
			count[Merge{Stage: stage, Into: into}]++
		}
	}
	for m, n := range count {
		if seen[m.Stage] || m.Stage == assay.StageTranscribe && audio || m.Stage == assay.LostNotInIndex ||
			m.Stage == assay.StageFilter && m.Into == assay.LostPack {
			m.Cases = n
			w.Merged = append(w.Merged, m)
		}
	}
	slices.SortFunc(w.Merged, func(a, b Merge) int {
		return cmp.Or(assay.CompareStages(a.Stage, b.Stage), assay.CompareStages(a.Into, b.Into))
	})
}
