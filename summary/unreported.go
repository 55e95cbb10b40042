package summary

import (
	"maps"
	"slices"

	"github.com/assay-eval/assay"
)

// empties says what a target should return that has nothing of a part, by the reason of scores
// without it.
var empties = map[string]string{
	assay.NoAnswer:   "return an empty text if there is none",
	assay.NoPassages: "return an empty list if there are none",
	assay.NoNames:    "name each",
}

// Parts records which parts some responses of a run report and others lack. lacks has the
// reason by the name of a metric, and by itself.
type Parts struct {
	has    map[string]bool
	lacks  map[string]string
	failed bool
	// cites is set if a response has a list of sources, found if one has a passage anywhere.
	cites, found bool
}

// Add adds a record.
func (p *Parts) Add(r *assay.Record) {
	if p.has == nil {
		p.has, p.lacks = map[string]bool{}, map[string]string{}
	}
	if p.failed = p.failed || r.Response == nil; r.Response != nil {
		p.cites = p.cites || r.Response.Cites && !r.Response.NoAnswer
		for range passagesOf(r.Response) {
			p.found = true
			break
		}
		p.has[assay.NoAnswer] = p.has[assay.NoAnswer] || !r.Response.NoAnswer
		p.has[assay.NoPassages] = p.has[assay.NoPassages] || r.Response.Passages != nil
		p.has[assay.NoNames] = p.has[assay.NoNames] || slices.ContainsFunc(r.Response.Passages, func(q assay.Passage) bool {
			return q.ID != "" || q.Document != "" || q.Source != ""
		})
		if r.Response.NoAnswer {
			p.lacks[assay.NoAnswer] = assay.NoAnswer
		}
	}
	for name, s := range r.Scores {
		if s.State == assay.NotApplicable && empties[s.Reason] != "" {
			p.lacks[s.Reason], p.lacks[name] = s.Reason, s.Reason
		}
	}
}

// Unknown returns the reasons for which scores do not apply, though other responses of the run
// have the part; nil if there are none. These scores are not known: targets leave out what is
// empty, and without them a retriever that finds nothing would have a better mean. Where no
// response has the part, failures say nothing of it: they are "METRIC: REASON".
func (p *Parts) Unknown() (why []string) {
	for name, reason := range p.lacks {
		if p.has[reason] && name == reason {
			why = append(why, reason)
		} else if !p.has[reason] && name != reason && p.failed {
			why = append(why, name+": "+reason)
		}
	}
	if p.cites && !p.found {
		why = append(why, assay.NoSources)
	}
	slices.Sort(why)
	return why
}

// Unreported returns a record in which the scores without a part are not known, because of
// [Parts.Unknown]. The given record is not changed.
func Unreported(metrics []assay.MetricInfo, r assay.Record, why []string) assay.Record {
	scores, weighted := maps.Clone(r.Scores), ""
	for _, m := range metrics {
		s := r.Scores[m.Name]
		for reason := range empties {
			if s.State == assay.TargetError && slices.Contains(why, m.Name+": "+reason) {
				scores[m.Name] = assay.None(reason)
			}
		}
		if s.State == assay.NotApplicable && slices.Contains(why, s.Reason) {
			s.State, s.Reason = assay.JudgeError, s.Reason+" for this case, but for others: "+empties[s.Reason]
			if scores[m.Name] = s; m.Weight > 0 {
				weighted = s.Reason
			}
		}
	}
	if _, ok := scores[assay.CompositeName]; ok && weighted != "" {
		scores[assay.CompositeName] = assay.Score{State: assay.JudgeError, Reason: weighted}
	}
	r.Scores = scores
	return r
}
