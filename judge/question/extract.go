package question

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/assay-eval/assay/judge"
	"github.com/assay-eval/assay/judge/standin"
)

// Extract writes the key points of a complete answer, from the sources alone. It
// is put when a dataset is made, and about no case.
var Extract = task(judge.Task[[]judge.Source, []judge.Point]{
	Name: "points", Version: "v2", Model: extract, Combine: judge.First[[]judge.Source, []judge.Point]{}, StandIn: played(playExtract),
})

type pointsData struct {
	Question string       `json:"question"`
	Points   []pointData  `json:"points,omitempty"`
	Sources  []sourceData `json:"sources"`
}

type pointItem struct {
	Source int    `json:"source"`
	Quote  string `json:"quote"`
	Point  string `json:"point"`
}

const (
	// pointWindow is how many sources, or points, one call is about; mostPoints is how many
	// points there are at most. Source: AutoNuggetizer (Pradeep et al., arXiv 2411.09607).
	pointWindow = 10
	mostPoints  = 30
)

// extract writes the points in rounds of ten sources. Each round is shown the points so far,
// and adds what is missing. A point whose source does not hold its quote is sent back once,
// and dropped after that. A round that fails leaves those of the others.
func extract(ctx context.Context, m judge.Asker, s judge.Subject, sources []judge.Source) ([]judge.Point, error) {
	var given []sourceData
	for i, source := range sources {
		if strings.TrimSpace(source.Text) != "" {
			given = append(given, sourceData{ID: i + 1, Name: source.Name, Text: source.Text})
		}
	}
	if len(given) == 0 {
		return nil, m.Fails("no source says anything: want at least one with text")
	}
	e := extraction{seen: map[string]bool{}}
	var failed error
	rounds, unread := 0, 0
	for window := range slices.Chunk(given, pointWindow) {
		if len(e.points) >= mostPoints {
			break
		}
		rounds++
		err := e.round(ctx, m, s, window)
		if judge.Over(ctx, err) {
			return nil, judge.GivesUp(ctx, err)
		}
		if err != nil {
			unread++
			failed = cmp.Or(failed, err)
		}
	}
	switch {
	case unread == rounds:
		return nil, judge.GivesUp(ctx, failed)
	case unread > 0:
		judge.Warn(ctx, fmt.Sprintf("the judge took no points from %d of %d rounds of passages", unread, rounds))
	}
	if e.dropped > 0 {
		judge.Warn(ctx, fmt.Sprintf("%d points were dropped: their quotes are not in the sources that they name", e.dropped))
	}
	return e.points, nil
}

// An extraction is the points so far.
type extraction struct {
	points  []judge.Point
	seen    map[string]bool
	dropped int
}

// round asks for the points of some sources. The error means that none could be read.
func (e *extraction) round(ctx context.Context, m judge.Asker, s judge.Subject, window []sourceData) error {
	texts := map[int]quotable{}
	for _, source := range window {
		texts[source.ID] = newQuotable(source.Text)
	}
	d := pointsData{Question: s.Question, Sources: turn(window, m.Draw())}
	for i, p := range e.points {
		d.Points = append(d.Points, pointData{ID: i + 1, Point: p.Text})
	}
	a, err := m.Put(ctx, s, d, decoded(func(reply itemsOf[pointItem]) error {
		for i, p := range reply.Items {
			if err := p.check(texts); err != nil {
				return fmt.Errorf("item %d: %w", i+1, err)
			}
		}
		return nil
	}))
	if judge.Over(ctx, err) || a.Listed(err) != nil {
		return err
	}
	found := 0
	for _, p := range decode[pointItem](a.Items) {
		if p.check(texts) != nil {
			e.dropped++
			continue
		}
		found++
		if form := quoteForm(p.Point); !e.seen[form] && len(e.points) < mostPoints {
			e.seen[form] = true
			e.points = append(e.points, judge.Point{Text: strings.TrimSpace(p.Point), Source: p.Source - 1})
		}
	}
	if found == 0 {
		return err
	}
	return nil
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

// playExtract takes every sentence of the sources for a point.
func playExtract(r pointsData) object {
	const most = 20
	items := []object{}
	for _, s := range r.Sources {
		for _, one := range standin.Sentences(s.Text) {
			if len(items) == most {
				return object{"items": items}
			}
			items = append(items, object{"id": len(items) + 1, "point": one.Text, "source": s.ID, "quote": one.Text})
		}
	}
	return object{"items": items}
}
