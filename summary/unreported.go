package summary

import (
	"maps"
	"slices"
	"strings"

	"github.com/assay-eval/assay"
)

// empties says what a target should return that has nothing of a part, by the reason of scores
// without it.
var empties = map[string]string{
	assay.NoAnswer:   "return an empty text if there is none",
	assay.NoPassages: "return an empty list if there are none",
	assay.NoNames:    "name each",
	assay.NoTexts:    "give each its text",
}

// Parts records which parts some responses of a run report and others lack. lacks has the
// reasons, and those of each metric as "METRIC: REASON".
type Parts struct {
	has, lacks map[string]bool
	// failed is set if a response is missing, blank if one has an empty list of passages.
	failed, blank bool
	// cites is set if a response has a list of sources, found if one has a passage anywhere.
	cites, found bool
}

// blank reports whether a response says that it found nothing.
func blank(r *assay.Response) bool { return r != nil && r.Passages != nil && len(r.Passages) == 0 }

// Add adds a record.
func (p *Parts) Add(r *assay.Record) {
	if p.has == nil {
		p.has, p.lacks = map[string]bool{}, map[string]bool{}
	}
	p.failed, p.blank = p.failed || r.Response == nil, p.blank || blank(r.Response)
	if r.Response != nil {
		p.cites = p.cites || r.Response.Cites && !r.Response.NoAnswer
		for range passagesOf(r.Response) {
			p.found = true
			break
		}
		p.has[assay.NoAnswer] = p.has[assay.NoAnswer] || !r.Response.NoAnswer
		p.has[assay.NoPassages] = p.has[assay.NoPassages] || r.Response.Passages != nil
		for i := range r.Response.Passages {
			q := &r.Response.Passages[i]
			p.has[assay.NoNames] = p.has[assay.NoNames] || q.ID != "" || q.Document != "" || q.Source != ""
			p.has[assay.NoTexts] = p.has[assay.NoTexts] || strings.TrimSpace(q.Text) != ""
		}
		if r.Response.NoAnswer {
			p.lacks[assay.NoAnswer] = true
		}
	}
	for name, s := range r.Scores {
		if s.State == assay.NotApplicable && empties[s.Reason] != "" {
			p.lacks[s.Reason], p.lacks[name+": "+s.Reason] = true, true
		}
	}
}

// Unknown returns the reasons for which scores do not apply, though other responses of the run
// have the part; nil if there are none. These scores are not known: targets leave out what is
// empty, and without them a retriever that finds nothing would have a better mean. Where no
// response has the part, failures and empty lists say nothing of it: they are "METRIC: REASON".
func (p *Parts) Unknown() (why []string) {
	for lack := range p.lacks {
		_, reason, ofMetric := strings.Cut(lack, ": ")
		if empties[lack] != "" && p.has[lack] || empties[lack] == "" && ofMetric && !p.has[reason] && (p.failed || p.blank) {
			why = append(why, lack)
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
			silent := s.State == assay.TargetError || s.State == assay.Scored && blank(r.Response)
			if silent && slices.Contains(why, m.Name+": "+reason) {
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
