package question

import (
	"context"
	"encoding/json"
	"fmt"
	"strings"

	"github.com/assay-eval/assay/judge"
	"github.com/assay-eval/assay/judge/standin"
)

// Extract writes the key points of a complete answer, from the sources alone. It
// is put when a dataset is made, and about no case.
var Extract = task(judge.Task[[]judge.Source, []judge.Point]{
	Name: "points", Model: extract, Combine: judge.First[[]judge.Source, []judge.Point]{}, StandIn: played(playExtract),
})

type pointsData struct {
	Question string       `json:"question"`
	Sources  []sourceData `json:"sources"`
}

type pointItem struct {
	Source int    `json:"source"`
	Quote  string `json:"quote"`
	Point  string `json:"point"`
	Vital  bool   `json:"vital"`
}

// extract writes the points in one call. A point whose source does not hold its
// quote is sent back once, and dropped after that.
func extract(ctx context.Context, m judge.Asker, s judge.Subject, sources []judge.Source) ([]judge.Point, error) {
	d := pointsData{Question: s.Question}
	texts := map[int]quotable{}
	for i, source := range sources {
		if strings.TrimSpace(source.Text) != "" {
			d.Sources = append(d.Sources, sourceData{ID: i + 1, Name: source.Name, Text: source.Text})
			texts[i+1] = newQuotable(source.Text)
		}
	}
	if len(d.Sources) == 0 {
		return nil, m.Fails("no source says anything: want at least one with text")
	}
	d.Sources = turn(d.Sources, m.Draw())
	a, err := m.Put(ctx, s, d, func(raw json.RawMessage) error {
		var reply struct {
			Items []pointItem `json:"items"`
		}
		if err := json.Unmarshal(raw, &reply); err != nil {
			return err
		}
		for i, p := range reply.Items {
			if err := p.check(texts); err != nil {
				return fmt.Errorf("item %d: %w", i+1, err)
			}
		}
		return nil
	})
	var out []judge.Point
	dropped, seen := 0, map[string]bool{}
	for _, p := range decode[pointItem](a.Items) {
		if p.check(texts) != nil {
			dropped++
		} else if form := quoteForm(p.Point); !seen[form] {
			seen[form] = true
			out = append(out, judge.Point{Text: strings.TrimSpace(p.Point), Vital: p.Vital, Source: p.Source - 1})
		}
	}
	if judge.Over(ctx, err) || err != nil && len(out) == 0 {
		return nil, judge.GivesUp(ctx, err)
	}
	if dropped > 0 {
		judge.Warn(ctx, fmt.Sprintf("%d points were dropped: their quotes are not in the sources that they name", dropped))
	}
	return out, nil
}

func (p pointItem) check(texts map[int]quotable) error {
	text, ok := texts[p.Source]
	switch {
	case strings.TrimSpace(p.Point) == "":
		return fmt.Errorf("the point is blank: want a statement")
	case !ok:
		return fmt.Errorf("source %d: want the number of a source", p.Source)
	case !text.has(p.Quote):
		return fmt.Errorf("the quote does not stand in source %d: want words copied from it letter by letter", p.Source)
	}
	return nil
}

// playExtract takes every sentence of the sources for a point, the first of each
// source for a vital one.
func playExtract(r pointsData) object {
	const most = 20
	items := []object{}
	for _, s := range r.Sources {
		for k, one := range standin.Sentences(s.Text) {
			if len(items) == most {
				return object{"items": items}
			}
			items = append(items, object{"id": len(items) + 1, "point": one.Text, "vital": k == 0, "source": s.ID, "quote": one.Text})
		}
	}
	return object{"items": items}
}
