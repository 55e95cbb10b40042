package server

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/assay-eval/assay"
	"github.com/assay-eval/assay/internal/web"
	"github.com/assay-eval/assay/store"
)

// A Label is a person's judgement, and a LabelView what it is now, as the pages have them, too.
type (
	Label     = web.Label
	LabelView = web.LabelView
)

// A labelVersion is what a label was.
type labelVersion struct {
	Version   int       `json:"version" doc:"number of the version, from 1" example:"1"`
	Value     *float64  `json:"value,omitempty" doc:"the value; absent without one" example:"0"`
	Unsure    bool      `json:"unsure,omitempty" doc:"whether the person could not tell"`
	Withdrawn bool      `json:"withdrawn,omitempty" doc:"whether the label was withdrawn"`
	Sighted   bool      `json:"sighted,omitempty" doc:"whether the person saw the judge's score first"`
	How       string    `json:"how,omitempty" doc:"how the case was chosen" example:"random"`
	Comment   string    `json:"comment,omitempty" doc:"the note" example:"no source"`
	At        time.Time `json:"at" doc:"time of the version" example:"2026-03-02T09:30:00Z"`
}

// labelHistory is a label with what it was.
type labelHistory struct {
	LabelView
	Withdrawn bool           `json:"withdrawn,omitempty" doc:"whether the label was withdrawn, and does not count"`
	History   []labelVersion `json:"history" nullable:"false" doc:"earlier versions, oldest first: the last 50"`
}

// A versioned is a reply with a label and its version.
type versioned struct {
	ETag string `header:"ETag" doc:"version of the label"`
	Body LabelView
}

func versionOf(k keptLabel, err error) (*versioned, error) {
	return &versioned{`"` + strconv.Itoa(k.Version) + `"`, k.view()}, err
}

// LabelMatch is the condition of a change.
type LabelMatch struct {
	Match string `header:"If-Match" maxLength:"32" doc:"ETag of the version that is changed; 0: there is none yet. Another one is a 412"`
}

// version returns the version that a change is made to, -1 for any. The error is a problem.
func (m LabelMatch) version() (int, error) {
	if m.Match == "" || m.Match == "*" {
		return -1, nil
	}
	n, err := strconv.Atoi(strings.Trim(m.Match, `"`))
	if err != nil || n < 0 {
		return 0, wrong("header.If-Match", `expected the ETag of a label, such as "3"`, m.Match)
	}
	return n, nil
}

type labelListInput struct {
	Paging
	Run       string `query:"run_id" required:"true" maxLength:"128" doc:"id of a run"`
	Case      string `query:"case_id" maxLength:"1000" doc:"only labels of this case"`
	Metric    string `query:"metric" maxLength:"256" doc:"only labels of this metric"`
	Annotator string `query:"annotator" maxLength:"128" doc:"only labels of this person"`
}

type LabelPath struct {
	ID string `path:"label_id" maxLength:"128" doc:"id of a label"`
}

// A labelChange changes a label. What is absent or null stays.
type labelChange struct {
	Value   *float64 `json:"value,omitempty" nullable:"true" minimum:"-1000000" maximum:"1000000" doc:"0 or 1, or a grade" example:"0"`
	Unsure  *bool    `json:"unsure,omitempty" nullable:"true" doc:"true: the person cannot tell after all, and the label has no value"`
	Sighted *bool    `json:"sighted,omitempty" nullable:"true" doc:"whether the person saw the judge's score before this change"`
	Comment *string  `json:"comment,omitempty" nullable:"true" maxLength:"10000" doc:"a note; an empty one removes it" example:"no source"`
}

func (c labelChange) apply(k *keptLabel) error {
	if c.Value != nil && c.Unsure != nil && *c.Unsure {
		return wrong("body.unsure", "expected a value, or unsure", true)
	}
	if c.Value != nil {
		k.Value, k.Unsure, k.Withdrawn = c.Value, false, false
	}
	if c.Unsure != nil && *c.Unsure {
		k.Value, k.Unsure, k.Withdrawn = nil, true, false
	} else if c.Unsure != nil && k.Unsure {
		return wrong("body.unsure", "expected a value in its place", false)
	}
	if c.Sighted != nil {
		k.Sighted = *c.Sighted
	}
	if c.Comment != nil {
		k.Comment = *c.Comment
	}
	return nil
}

func (s *Server) labels() {
	register(s, "add-label", func(ctx context.Context, in *struct {
		LabelMatch
		Body Label
	}) (*versioned, error) {
		version, err := in.version()
		if err != nil {
			return nil, err
		}
		return versionOf(s.keepLabel(ctx, in.Body, version))
	})
	registerList(s, "list-labels", func(ctx context.Context, in *labelListInput) ([]LabelView, error) {
		h, err := s.header(ctx, in.Run)
		if err != nil {
			return nil, err
		}
		if in.Metric != "" {
			if _, err := runMetric(h, in.Metric, "query.metric"); err != nil {
				return nil, err
			}
		}
		all, err := s.labelsOfRun(ctx, h)
		return slices.DeleteFunc(all, func(l LabelView) bool {
			return in.Case != "" && l.Case != in.Case || in.Metric != "" && l.Metric != in.Metric ||
				in.Annotator != "" && l.Annotator != in.Annotator
		}), err
	})
	registerOne(s, "get-label", func(ctx context.Context, in *LabelPath) (labelHistory, error) {
		k, err := s.keptLabel(ctx, in.ID)
		return labelHistory{k.view(), k.Withdrawn, append([]labelVersion{}, k.History...)}, err
	})
	register(s, "change-label", func(ctx context.Context, in *struct {
		LabelPath
		LabelMatch
		Body labelChange
	}) (*versioned, error) {
		version, err := in.version()
		if err != nil {
			return nil, err
		}
		return versionOf(s.changeLabel(ctx, in.ID, version, in.Body.apply))
	})
	register(s, "withdraw-label", func(ctx context.Context, in *struct {
		LabelPath
		LabelMatch
	}) (*deletion, error) {
		version, err := in.version()
		if err == nil {
			_, err = s.changeLabel(ctx, in.ID, version, withdraw)
		}
		return deleted(in.ID), err
	})
	s.labelFiles()
	s.labelNext()
}

// labelsOfRun returns the labels that people gave to the cases of a run, latest first,
// without those that were withdrawn. It is one query.
func (s *Server) labelsOfRun(ctx context.Context, h assay.Header) ([]LabelView, error) {
	kept, err := s.keptLabels(ctx, store.ItemQuery{Parent: h.ID})
	if err != nil {
		return nil, err
	}
	views := make([]LabelView, 0, len(kept))
	for _, k := range kept {
		if !k.Withdrawn {
			views = append(views, k.view())
		}
	}
	return views, nil
}

// labeller returns whose labels a request gives. given is who it says; "" says nothing. The
// error is a problem.
func (s *Server) labeller(ctx context.Context, given string) (string, error) {
	t := tokenOf(ctx)
	if t == nil {
		return cmp.Or(given, s.cfg.Annotator, "me"), nil
	}
	name := cmp.Or(t.Name, t.ID)
	if given != "" && given != name {
		return "", unprocessable("body.annotator", fmt.Sprintf("labels given with this token are those of %q: leave annotator out", name))
	}
	return name, nil
}
