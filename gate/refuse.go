package gate

import (
	"cmp"
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/assay-eval/assay"
	"github.com/assay-eval/assay/internal/message"
	"github.com/assay-eval/assay/internal/text"
)

// Refuses returns the reasons why a run cannot be compared with the baseline, or nil
// if it can: it ran on another dataset or another number of cases, or its judged
// metrics rest on another judge or other prompts. The judge matters only if the
// baseline and the run have a judged metric in common. A change of a single metric,
// such as a new version, is not a reason; it fails the rules on the metric.
func (b *Baseline) Refuses(h assay.Header) []Finding {
	var out []Finding
	if h.Dataset.Hash != b.Dataset.Hash {
		was, is := dataset(b.Dataset.Name, b.Dataset.Hash), dataset(h.Dataset.Name, h.Dataset.Hash)
		out = append(out, message.New("Reason.OtherDataset", "was", was, "is", is))
	}
	if is, was := h.Dataset.Cases, b.Dataset.Cases; is != was {
		subset := h.Dataset.Total == was && is < was
		out = append(out, message.New("Reason.OtherCases", "was", was, "is", is, "subset", subset))
	}
	if shared := b.judged(h); shared != nil {
		out = append(out, judges(b.Judge, h.Judge, assay.PromptsOf(shared))...)
	}
	return out
}

// judged returns the metrics that the baseline and the run have in common and that
// either describes as judged, each as the run and then as the baseline has it.
func (b *Baseline) judged(h assay.Header) (shared []assay.MetricInfo) {
	for _, m := range h.Metrics {
		if was := b.Metrics[m.Name]; was != nil && (was.Judged || m.Judged) {
			shared = append(shared, m, was.info(m.Name))
		}
	}
	return shared
}

// refuses returns the reasons of [Baseline.Refuses] and, if the run has the right
// number of cases but other ones, that reason.
func (b *Baseline) refuses(r Run) []Finding {
	ids := caseIDs(r.Cases)
	h := r.Header
	h.Dataset.Cases = len(ids)
	if unfinished(h.State) && !h.Deferred {
		return []Finding{notFinished(r)}
	}
	out := b.Refuses(h)
	if len(ids) != b.Dataset.Cases {
		return out
	}
	missing := slices.DeleteFunc(slices.Sorted(maps.Keys(b.Cases)), func(id string) bool {
		_, there := slices.BinarySearch(ids, id)
		return there
	})
	if len(missing) > 0 {
		out = append(out, message.New("Reason.LacksCases", "n", len(missing), "cases", missing))
	}
	return out
}

// warns returns the changes since the baseline that may affect numbers but do not make
// them incomparable: changes of the documents, which are the purpose of many runs, and
// of the embedder of metrics. If only one side has an embedder, no common metric uses
// it.
func (b *Baseline) warns(h assay.Header) []Finding {
	var out []Finding
	corpus := ""
	if h.Corpus != nil {
		corpus = h.Corpus.Hash
	}
	if corpus != b.Corpus {
		out = append(out, message.New("Reason.OtherCorpus", "was", text.ShortHash(b.Corpus), "is", text.ShortHash(corpus)))
	}
	if h.Embedder != b.Embed && h.Embedder != "" && b.Embed != "" {
		out = append(out, message.New("Reason.OtherEmbedder", "was", b.Embed, "is", h.Embedder))
	}
	for _, c := range assay.CanariesBetween(b.Canaries, h.Canaries) {
		out = append(out, message.New("Reason.JudgeChanged", "c", c))
	}
	return out
}

// judges returns how the judges of the baseline and of the run differ in what the
// named prompts depend on.
func judges(before, now *assay.JudgeInfo, prompts []string) []Finding {
	if before == nil && now == nil {
		return nil
	}
	if a, b := judgeName(before), judgeName(now); a != b {
		// With another judge, different prompts are not a further reason.
		return []Finding{message.New("Reason.OtherJudge", "was", a, "is", b)}
	}
	was, is, name := before.About(prompts), now.About(prompts), judgeName(now)
	var out []Finding
	compare := func(part, a, b string) {
		if a != b {
			out = append(out, message.New("Reason.JudgeDiffers", "judge", name, "part", part, "was", a, "is", b))
		}
	}
	if was.Prompts == nil || is.Prompts == nil {
		compare("prompts", was.PromptHash, is.PromptHash)
	} else {
		for _, prompt := range slices.Sorted(maps.Keys(joined(was.Prompts, is.Prompts))) {
			compare("prompt "+prompt, was.Prompts[prompt], is.Prompts[prompt])
		}
	}
	compare("passes", fmt.Sprint(was.Passes), fmt.Sprint(is.Passes))
	for _, parameter := range slices.Sorted(maps.Keys(joined(was.Parameters, is.Parameters))) {
		compare(parameter, was.Parameters[parameter], is.Parameters[parameter])
	}
	if out == nil && !assay.SameJudge(before, now, prompts) {
		compare("parts", canonicalJudge(was), canonicalJudge(is))
	}
	return out
}

// joined returns the union of both maps.
func joined(a, b map[string]string) map[string]string {
	out := map[string]string{}
	maps.Copy(out, a)
	maps.Copy(out, b)
	return out
}

// canonicalJudge formats an info for a message.
func canonicalJudge(j assay.JudgeInfo) string {
	b, err := json.Marshal(j)
	if err != nil { // strings and numbers only
		return err.Error()
	}
	return string(b)
}

// judgeName returns the name of a judge and its model, or "" without a judge.
func judgeName(j *assay.JudgeInfo) string {
	switch {
	case j == nil:
		return ""
	case j.Model == "":
		return fmt.Sprintf("%q", j.Provider)
	}
	return fmt.Sprintf("%q", j.Provider+":"+j.Model)
}

// differs returns why the metric of the run is not that of the baseline, or nil if it
// is. metrics are all metrics of the run, for the weights of the composite.
func (b *Baseline) differs(m assay.MetricInfo, metrics []assay.MetricInfo) Finding {
	was := b.Metrics[m.Name]
	switch {
	case was == nil:
		return message.New("Reason.NotInBaseline")
	case was.Version != m.Version:
		return message.New("Reason.OtherVersion", "was", was.Version, "is", m.Version)
	case was.Scheme != m.Scheme:
		return message.New("Reason.OtherScheme", "was", text.ShortHash(was.Scheme), "is", text.ShortHash(m.Scheme))
	case was.Better != m.Better || was.Unit != m.Unit || was.Range != m.Range || was.Pooled != m.Pooled:
		return message.New("Reason.OtherScale")
	case m.Name != assay.CompositeName:
		return nil
	}
	old, now := b.weights(), map[string]float64{}
	for _, part := range metrics {
		if part.Weight > 0 {
			now[part.Name] = rounded(part.Weight)
		}
	}
	if !maps.Equal(old, now) {
		return message.New("Reason.OtherWeights", "was", shares(old), "is", shares(now))
	}
	for _, part := range metrics {
		if part.Weight == 0 {
			continue
		}
		if why := b.differs(part, nil); why != nil {
			return message.New("Reason.OtherPart", "metric", part.Name, "reason", why)
		}
	}
	return nil
}

func (b *Baseline) weights() map[string]float64 {
	out := map[string]float64{}
	for name, m := range b.Metrics {
		if m.Weight > 0 {
			out[name] = rounded(m.Weight)
		}
	}
	return out
}

func shares(weights map[string]float64) string {
	var out []string
	for _, name := range slices.Sorted(maps.Keys(weights)) {
		out = append(out, fmt.Sprintf("%s %.4g", name, weights[name]))
	}
	return strings.Join(out, ", ")
}

func dataset(name, hash string) string {
	if name == "" {
		return hash
	}
	return fmt.Sprintf("%q (%s)", name, cmp.Or(hash, "?"))
}
