package gate

import (
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/assay-eval/assay"
	"github.com/assay-eval/assay/internal/text"
)

// Refuses gives the reasons why a run cannot be compared with the baseline: it
// ran on another data set, on another number of cases, or its judged metrics rest
// on another judge or on other prompts; nil when it can. A run on a part of the cases is
// one on another number of cases. The judge matters only when both the baseline
// and the run have the same judged metric. What concerns single metrics, such as
// a new version of one, fails the rules about these and is not said here.
func (b *Baseline) Refuses(h assay.Header) []string {
	var out []string
	if h.Dataset.Hash != b.Dataset.Hash {
		out = append(out, fmt.Sprintf("the data set is another: the baseline was saved on %s, the run is on %s",
			dataset(b.Dataset.Name, b.Dataset.Hash), dataset(h.Dataset.Name, h.Dataset.Hash)))
	}
	if is, was := h.Dataset.Cases, b.Dataset.Cases; is != was {
		why := fmt.Sprintf("the gold set has %s, the baseline was saved on %d", plural(is, "case"), was)
		if h.Dataset.Total == was && is < was {
			why = fmt.Sprintf("the run is on %d of %s, the baseline was saved on all", is, plural(was, "case"))
		}
		out = append(out, why)
	}
	if shared := b.judged(h); shared != nil {
		out = append(out, judges(b.Judge, h.Judge, assay.PromptsOf(shared))...)
	}
	return out
}

// judged lists the judged metrics that the baseline shares with a run, with the
// prompts that either of them names.
func (b *Baseline) judged(h assay.Header) (shared []assay.MetricInfo) {
	for _, m := range h.Metrics {
		if was := b.Metrics[m.Name]; was != nil && (was.Judged || m.Judged) {
			shared = append(shared, m, was.info(m.Name))
		}
	}
	return shared
}

// refuses gives the reasons of [Baseline.Refuses], and that the cases are others
// although they are as many.
func (b *Baseline) refuses(r Run) []string {
	ids := caseIDs(r.Records)
	h := r.Header
	h.Dataset.Cases = len(ids)
	if unfinished(h.State) {
		return []string{fmt.Sprintf("the run is %s: it has %d of %s", h.State, len(ids), plural(r.Header.Dataset.Cases, "case"))}
	}
	out := b.Refuses(h)
	if len(ids) != b.Dataset.Cases {
		return out
	}
	var missing []string
	for _, id := range slices.Sorted(maps.Keys(b.Cases)) {
		if _, there := slices.BinarySearch(ids, id); !there {
			missing = append(missing, id)
		}
	}
	if missing != nil {
		out = append(out, fmt.Sprintf("the run lacks %s of the baseline: %s", plural(len(missing), "case"), some(missing)))
	}
	return out
}

// warns tells what is another than it was for the baseline and may move numbers,
// without making them incomparable: that documents change is what many changes
// are about, and a metric's embedder is a part of what is compared. Where only
// one of the two has an embedder, no metric that both have uses it.
func (b *Baseline) warns(h assay.Header) []string {
	var out []string
	corpus := ""
	if h.Corpus != nil {
		corpus = h.Corpus.Hash
	}
	if corpus != b.Corpus {
		out = append(out, fmt.Sprintf("the corpus is another than the baseline's: %s → %s", orNone(text.ShortHash(b.Corpus)), orNone(text.ShortHash(corpus))))
	}
	if h.Embedder != b.Embed && h.Embedder != "" && b.Embed != "" {
		out = append(out, fmt.Sprintf("the embedder of the metrics is another than the baseline's: %s → %s", b.Embed, h.Embedder))
	}
	return out
}

// judges lists how the judge of the baseline and that of the run differ, in what
// the named prompts rest on.
func judges(before, now *assay.JudgeInfo, prompts []string) []string {
	switch {
	case before == nil && now == nil:
		return nil
	case before == nil:
		return []string{fmt.Sprintf("judge %s judges, the baseline was saved without one", judgeName(*now))}
	case now == nil:
		return []string{fmt.Sprintf("nothing judges, the baseline was judged by %s", judgeName(*before))}
	}
	was, is := before.About(prompts), now.About(prompts)
	var out []string
	other := func(what, a, b string) {
		if a != b {
			out = append(out, fmt.Sprintf("judge %s: %s %s → %s", judgeName(is), what, orNone(a), orNone(b)))
		}
	}
	if a, b := judgeName(was), judgeName(is); a != b {
		// That another one also reads other prompts is no further reason.
		return []string{fmt.Sprintf("the judge is another: %s → %s", a, b)}
	}
	if was.Prompts == nil || is.Prompts == nil {
		other("prompts", was.PromptHash, is.PromptHash)
	}
	for _, name := range slices.Sorted(maps.Keys(joined(was.Prompts, is.Prompts))) {
		if was.Prompts != nil && is.Prompts != nil {
			other("prompt "+name, was.Prompts[name], is.Prompts[name])
		}
	}
	other("passes", fmt.Sprint(was.Passes), fmt.Sprint(is.Passes))
	for _, name := range slices.Sorted(maps.Keys(joined(was.Parameters, is.Parameters))) {
		other(name, was.Parameters[name], is.Parameters[name])
	}
	if out == nil && !assay.SameJudge(before, now, prompts) {
		out = append(out, fmt.Sprintf("judge %s: its parts are others: %s → %s", judgeName(is), canonicalJudge(was), canonicalJudge(is)))
	}
	return out
}

// joined has the entries of both maps.
func joined(a, b map[string]string) map[string]string {
	out := map[string]string{}
	maps.Copy(out, a)
	maps.Copy(out, b)
	return out
}

// canonicalJudge writes an info for a message.
func canonicalJudge(j assay.JudgeInfo) string {
	b, err := json.Marshal(j)
	if err != nil { // strings and numbers only
		return err.Error()
	}
	return string(b)
}

func judgeName(j assay.JudgeInfo) string {
	if j.Model == "" {
		return fmt.Sprintf("%q", j.Provider)
	}
	return fmt.Sprintf("%q", j.Provider+":"+j.Model)
}

// differs says why the metric of the run is not the one of the baseline; "" when
// it is. metrics are all of the run, for the weights of the composite.
func (b *Baseline) differs(m assay.MetricInfo, metrics []assay.MetricInfo) string {
	was := b.Metrics[m.Name]
	switch {
	case was == nil:
		return "the baseline does not hold it"
	case was.Version != m.Version:
		return fmt.Sprintf("its version is another: %d → %d", was.Version, m.Version)
	case was.Scheme != m.Scheme:
		return fmt.Sprintf("its marking scheme is another: %s → %s", orNone(text.ShortHash(was.Scheme)), orNone(text.ShortHash(m.Scheme)))
	case was.Better != m.Better || was.Unit != m.Unit || was.Range != m.Range || was.Pooled != m.Pooled:
		return "its scale is another"
	case m.Name != assay.CompositeName:
		return ""
	}
	old, now := b.weights(), map[string]float64{}
	for _, part := range metrics {
		if part.Weight > 0 {
			now[part.Name] = rounded(part.Weight)
		}
	}
	if !maps.Equal(old, now) {
		return fmt.Sprintf("its weights are others: %s → %s", shares(old), shares(now))
	}
	for _, part := range metrics {
		if part.Weight > 0 {
			if why := b.differs(part, nil); why != "" {
				return fmt.Sprintf("its part %s: %s", part.Name, why)
			}
		}
	}
	return ""
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
	return orNone(strings.Join(out, ", "))
}

func dataset(name, hash string) string {
	if name == "" {
		return orNone(hash)
	}
	return fmt.Sprintf("%q (%s)", name, orNone(hash))
}

func orNone(s string) string {
	if s == "" {
		return "none"
	}
	return s
}

func plural(n int, word string) string {
	if n == 1 {
		return "1 " + word
	}
	return fmt.Sprintf("%d %ss", n, word)
}

// some lists the first few of many.
func some(names []string) string {
	const shown = 5
	if len(names) <= shown {
		return strings.Join(names, ", ")
	}
	return fmt.Sprintf("%s and %d more", strings.Join(names[:shown], ", "), len(names)-shown)
}
