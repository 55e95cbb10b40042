package report

import (
	"cmp"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"
	"sync"

	"github.com/assay-eval/assay"
	"github.com/assay-eval/assay/gate"
	"github.com/assay-eval/assay/internal/text"
	"github.com/assay-eval/assay/report/words"
	"github.com/assay-eval/assay/summary"
)

// A Comparison compares the reports of several runs over the same cases. The first run
// is the baseline.
type Comparison struct {
	Computed
	Reports []*Report
	// Preferences are the verdicts of a judge that compared the answers; nil unless one did.
	Preferences *summary.Preferences
	// Cautions are reasons why the runs are hard to compare.
	Cautions []words.Caution
	matrix   func() *Matrix
}

// Computed is what takes long in a comparison. It follows from the records of the runs, the
// metrics and the plan.
type Computed struct {
	summary.Comparison
	// Lost has, for every run but the first, the differences from the first in the
	// shares of facts that each stage lost. It is nil if no two runs were followed
	// through the stages.
	Lost [][]summary.LostDifference
}

// failed joins the error of a writer with that of reading a record for it.
func (c *Comparison) failed(err error) error {
	for _, r := range c.Reports {
		err = r.failed(err)
	}
	return err
}

// Compare pairs the runs by case id on the metrics that all of them have, at the first
// run's confidence level. seed seeds the random part of the tests. Compare returns an
// error if there are fewer than two runs, if they share no metric, or if a run shares
// no case with the first.
func Compare(reports []*Report, seed uint64) (*Comparison, error) {
	if len(reports) == 0 {
		return CompareAs(reports, summary.Plan{Seed: seed})
	}
	return CompareAs(reports, summary.Plan{Level: LevelOf(reports[0].Header), Seed: seed})
}

// CompareAs is like [Compare] by the given plan. It also returns an error if the
// plan's primary metric cannot lead ([summary.CanLead]).
func CompareAs(reports []*Report, plan summary.Plan) (*Comparison, error) {
	return CompareKept(reports, plan, func(compute func() Computed) Computed { return compute() })
}

// CompareKept is like [CompareAs]. kept may return what compute returned before, for the same
// records and plan.
func CompareKept(reports []*Report, plan summary.Plan, kept func(compute func() Computed) Computed) (*Comparison, error) {
	if len(reports) < 2 {
		return nil, errors.New("a comparison of fewer than two runs: expected a baseline and another run")
	}
	c := &Comparison{Reports: reports}
	c.matrix = sync.OnceValue(func() *Matrix { return newMatrix(c) })
	caution := func(kind words.CautionKind, metric, run string) {
		c.Cautions = append(c.Cautions, words.Caution{Kind: kind, Metric: metric, Run: run})
	}
	first := reports[0].Header
	var metrics []assay.MetricInfo
	for _, m := range ordered(first.Metrics) {
		if i := slices.IndexFunc(reports, func(r *Report) bool { return !has(r.Header, m) }); i >= 0 {
			caution(words.MetricMissing, m.Name, reports[i].Name())
			continue
		}
		other := slices.IndexFunc(reports, func(r *Report) bool { return weights(r) != weights(reports[0]) })
		if m.Name == assay.CompositeName && other >= 0 {
			caution(words.OtherWeights, m.Name, reports[other].Name())
			continue
		}
		for _, r := range reports[1:] {
			o := r.info(m.Name)
			m.Estimate = m.Estimate || o.Estimate // a baseline does not say so
			m.NearChance, m.OpenThreshold = cmp.Or(m.NearChance, o.NearChance), m.OpenThreshold || o.OpenThreshold
		}
		metrics = append(metrics, m)
	}
	if metrics == nil {
		return nil, fmt.Errorf("the runs %q and %q share no metric", reports[0].Name(), reports[1].Name())
	}
	var runs []summary.Run
	names := map[string]bool{}
	for _, r := range reports {
		name := unlike(names, r)
		runs = append(runs, summary.Run{Name: name, Cases: r.Cases})
		if r.unnamed != "" {
			caution(words.NothingNamed, "", name)
		}
		if r.Header.Dataset.Hash != first.Dataset.Hash {
			differ, of, err := otherQuestions(reports[0], r)
			if err != nil {
				return nil, err
			}
			c.Cautions = append(c.Cautions, words.Caution{Kind: words.OtherDataset, Run: name, Cases: differ, Of: of})
		}
	}
	if err := summary.Unpaired(runs); err != nil {
		return nil, err
	}
	metrics, left := sameJudge(metrics, reports)
	c.Cautions = append(c.Cautions, left...)
	if len(metrics) == 0 {
		return nil, fmt.Errorf("the runs share no metric that can be compared: %s", strings.Join(mapped(left, words.English.Caution), "; "))
	}
	if plan.Primary != "" {
		if err := summary.CanLead(metrics, plan.Primary); err != nil {
			return nil, fmt.Errorf("primary: %w", err)
		}
	}
	c.Computed = kept(func() Computed {
		return Computed{summary.Compare(metrics, runs, plan), compareLost(reports, plan.Level, plan.Seed)}
	})
	if c.Test != "" {
		c.Cautions = append(c.Cautions, words.Caution{Kind: words.OtherTest, Detail: string(c.Test)})
	}
	c.tolerate(plan.Seed)
	c.doubtRuns()
	return c, nil
}

// otherQuestions counts the cases that two runs share by id, and those with another question. A draw is no case: its id may be that
// of another one. A baseline has no questions.
func otherQuestions(a, b *Report) (differ, of int, err error) {
	asked := map[text.Key]text.Key{}
	for rec, err := range a.Records() {
		if err != nil {
			return 0, 0, err
		}
		if rec.Case.Draw == 0 {
			asked[text.KeyOf(rec.Case.ID)] = text.KeyOf(text.Squeeze(rec.Case.Question))
		}
	}
	for rec, err := range b.Records() {
		if err != nil {
			return 0, 0, err
		}
		q, shared := asked[text.KeyOf(rec.Case.ID)]
		if blank := text.KeyOf(""); !shared || rec.Case.Draw > 0 || rec.Case.Question == "" || q == blank {
			continue
		}
		if of++; q != text.KeyOf(text.Squeeze(rec.Case.Question)) {
			differ++
		}
	}
	return differ, of, nil
}

// tolerate sets how much worse than the baseline each run may be, by the gate that it ran
// with.
func (c *Comparison) tolerate(seed uint64) {
	for i, r := range c.Reports[1:] {
		policy := gate.Policy{Tolerances: map[string]float64{}}
		for key, value := range r.Header.Config {
			if name, ok := strings.CutPrefix(key, "gate.tolerances."); ok {
				if t, err := strconv.ParseFloat(value, 64); err == nil {
					policy.Tolerances[name] = t
				}
			}
		}
		for k := range c.Rows {
			row := &c.Rows[k]
			if t, ok := policy.Tolerance(row.Name); ok {
				row.Tolerate(i+1, t, c.Reports[0].Cases, r.Cases, c.Level, seed)
			}
		}
	}
}

// doubtRuns adds a caution about runs whose metrics embedded differently, about runs that
// are not finished and about a run that is compared with itself.
func (c *Comparison) doubtRuns() {
	for i, r := range c.Reports {
		h, first := r.Header, c.Reports[0].Header
		if h.Embedder != "" && first.Embedder != "" && h.Embedder != first.Embedder {
			c.Cautions = append(c.Cautions, words.Caution{
				Kind: words.OtherVectors, Run: c.Runs[0], Other: c.Runs[i], Judges: [2]string{first.Embedder, h.Embedder},
			})
		}
		if a, b := deciding(c.Reports[0]), deciding(r); a != b && h.Config != nil && first.Config != nil {
			c.Cautions = append(c.Cautions, words.Caution{Kind: words.OtherRules, Run: c.Runs[0], Other: c.Runs[i], Judges: [2]string{a, b}})
		}
		c.doubtJudge(c.Reports[0], r, c.Runs[i])
		if h.Deferred {
			id := h.ID
			if path := h.Config["store"]; path != "" {
				id += " --store=" + text.Shell(path)
			}
			c.Cautions = append(c.Cautions, words.Caution{Kind: words.RunUnjudged, Run: r.Name(), Detail: id})
		} else if h.State != "" && h.State != "finished" {
			c.Cautions = append(c.Cautions, words.Caution{Kind: words.RunUnfinished, Run: r.Name(), Cases: r.Cases.Len(), Of: h.Asked()})
		}
		same := slices.IndexFunc(c.Reports[:i], func(o *Report) bool { return h.ID != "" && o.Header.ID == h.ID })
		if same >= 0 {
			c.Cautions = append(c.Cautions, words.Caution{Kind: words.SameRun, Run: c.Runs[same], Other: c.Runs[i], Detail: h.ID})
		}
	}
}

// deciding lists what decides which cases of a run are right: its outcome, the rules on single cases, whether every
// case is critical, and the ranks that count.
func deciding(r *Report) string {
	h, k := r.Header, 0
	for _, rec := range r.Cases.Records() {
		if rec.Retrieved != nil {
			k = max(k, rec.Retrieved.K)
		}
	}
	return fmt.Sprintf("outcome %s, rules %s, critical %s, k %d", cmp.Or(line(h.Config["outcome"]), "default"),
		cmp.Or(strings.Join(gate.OnCases(h.Config["gate.rules"]), ", "), "none"), cmp.Or(h.Config["gate.critical"], "labelled"), k)
}

// Warnings returns the cautions in the given language.
func (c *Comparison) Warnings(w words.Words) []string {
	return append([]string{}, mapped(c.Cautions, w.Caution)...)
}

// unlike returns a name for the run that is not yet taken, and takes it: the run's own
// name, else its id, else its name with a number.
func unlike(taken map[string]bool, r *Report) string {
	name := r.Name()
	if taken[name] && r.Header.ID != "" {
		name = r.Header.ID
	}
	for i := 2; taken[name]; i++ {
		name = fmt.Sprintf("%s (%d)", r.Name(), i)
	}
	taken[name] = true
	return name
}

// sameJudge leaves out metrics that different judges judged: a difference between two
// judges could be mistaken for one between the runs.
func sameJudge(metrics []assay.MetricInfo, reports []*Report) (kept []assay.MetricInfo, left []words.Caution) {
	n := words.English.Names().Provenance
	first := reports[0].Header.Judge
	for _, m := range metrics {
		prompts := promptsOf(m.Name, reports)
		other := slices.IndexFunc(reports, func(r *Report) bool { return !assay.SameJudge(r.Header.Judge, first, prompts) })
		if !m.Judged || other < 0 {
			kept = append(kept, m)
			continue
		}
		version := func(j *assay.JudgeInfo) string { return judgeVersion(n, j, prompts) }
		left = append(left, words.Caution{Kind: words.OtherJudge, Metric: m.Name, Run: reports[0].Name(), Other: reports[other].Name(),
			Judges: [2]string{version(first), version(reports[other].Header.Judge)}})
	}
	return kept, left
}

// promptsOf returns the prompts that a metric rests on, from the reports that name
// them.
func promptsOf(metric string, reports []*Report) []string {
	var infos []assay.MetricInfo
	for _, r := range reports {
		for _, m := range r.Header.Metrics {
			if m.Name == metric {
				infos = append(infos, m)
			}
		}
	}
	return assay.PromptsOf(infos)
}

func has(h assay.Header, m assay.MetricInfo) bool {
	return slices.ContainsFunc(h.Metrics, func(o assay.MetricInfo) bool {
		return o.Name == m.Name && o.Version == m.Version && o.Scheme == m.Scheme
	})
}

// compareLost compares the waterfall of each run with the first one's.
func compareLost(reports []*Report, level float64, seed uint64) [][]summary.LostDifference {
	var out [][]summary.LostDifference
	found := false
	for _, r := range reports[1:] {
		var d []summary.LostDifference
		if reports[0].Summary.Waterfall != nil && r.Summary.Waterfall != nil {
			d = summary.CompareWaterfalls(reports[0].Cases, r.Cases, level, seed)
			if n := len(d); n > 0 {
				d[n-1].Retrieval = reports[0].Summary.Waterfall.Retrieval && r.Summary.Waterfall.Retrieval
			}
		}
		found = found || d != nil
		out = append(out, d)
	}
	if !found {
		return nil
	}
	return out
}

// A lostJSON compares the waterfall of a run with the baseline's.
type lostJSON struct {
	Stages []summary.LostDifference `json:"stages"`
	Answer summary.LostDifference   `json:"answered"`
}

// newLostJSON returns the differences by run, or nil if no two runs were followed.
func newLostJSON(c *Comparison) *object[*lostJSON] {
	if c.Lost == nil {
		return nil
	}
	var out object[*lostJSON]
	for i, lost := range c.Lost {
		if len(lost) == 0 {
			continue
		}
		j := &lostJSON{Stages: []summary.LostDifference{}}
		for _, d := range lost {
			if d.Stage == "" {
				j.Answer = d
			} else {
				j.Stages = append(j.Stages, d)
			}
		}
		out.put(c.Runs[i+1], j)
	}
	return &out
}

// A Setting is one that differs between the runs of a comparison.
type Setting struct {
	Key string
	// Values has one entry per run, "" if the run has no such setting.
	Values []string
}

// unmoving are settings that differ between any two runs and affect no number.
var unmoving = []string{"name", "output", "formats", "junit", "csv", "github", "store", "language"}

// Settings returns the settings that differ between runs, by name: first those of the
// resolved configuration, then those that the target reports and the configuration
// does not have, then anything else that can change a number. Runs without a
// configuration, such as baseline files, are ignored in the first two.
func (c *Comparison) Settings(w words.Words) []Setting {
	n := w.Names().SettingNames
	keys := map[string]bool{}
	told := map[string]bool{}
	for _, r := range c.Reports {
		for k := range r.Header.Config {
			keys[k] = true
		}
		for k := range r.Header.Target.Settings {
			told[k] = true
		}
	}
	for _, k := range unmoving {
		delete(keys, k)
	}
	var out []Setting
	add := func(key string, value func(assay.Header) (v string, known bool)) {
		s := Setting{Key: key}
		var first *string
		differ := false
		for _, r := range c.Reports {
			v, known := value(r.Header)
			s.Values = append(s.Values, v)
			if known {
				differ = differ || first != nil && *first != v
				first = &v
			}
		}
		if differ {
			out = append(out, s)
		}
	}
	for _, k := range slices.Sorted(maps.Keys(keys)) {
		add(k, func(h assay.Header) (string, bool) { return h.Config[k], h.Config != nil })
	}
	for _, k := range slices.Sorted(maps.Keys(told)) {
		if keys[strings.ReplaceAll(k, "_", "-")] {
			continue
		}
		// A target leaves out settings that do not apply to it: a retriever without
		// vectors names no embedder.
		add(n.Target+" "+k, func(h assay.Header) (string, bool) { v, has := h.Target.Settings[k]; return v, has })
	}
	for _, f := range []struct {
		key   string
		value func(assay.Header) string
	}{
		{"assay", func(h assay.Header) string { return h.Version }},
		{n.Dataset, func(h assay.Header) string { return h.Dataset.Hash }},
		{n.Cases, func(h assay.Header) string { return strconv.Itoa(h.Dataset.Cases) }},
		{n.Corpus, func(h assay.Header) string {
			if h.Corpus == nil {
				return ""
			}
			return h.Corpus.Hash
		}},
		{n.Embedder, func(h assay.Header) string { return h.Embedder }},
	} {
		key := f.key
		if key == n.Corpus && keys["corpus"] {
			key += ", " + n.Content
		}
		add(key, func(h assay.Header) (string, bool) { v := f.value(h); return v, v != "" })
	}
	add(n.Judge, func(h assay.Header) (string, bool) {
		return judgeVersion(w.Names().Provenance, h.Judge, assay.PromptsOf(h.Metrics)), true
	})
	return out
}
